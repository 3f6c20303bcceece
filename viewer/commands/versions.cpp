#include "viewer/commands/versions.h"

#include <fmt/format.h>
#include <oneapi/tbb/version.h>
#include <sys/utsname.h>

#include <thread>

#include "sim/device/device.h"
#include "weft_commit.h"

namespace weft {

std::string processor_name() {
  for (const DeviceInfo& d : list_devices())
    if (d.kind == DeviceKind::cpu) return d.name;
  return "unknown";
}

std::string program_name() {
  const std::string commit = WEFT_COMMIT;
  return std::string("weft ") + WEFT_VERSION + (commit.empty() ? "" : " (" + commit + ")");
}

nlohmann::ordered_json version_facts() {
  utsname system{};
  uname(&system);
  nlohmann::ordered_json facts;
  facts["weft"] = WEFT_VERSION;
  if (*WEFT_COMMIT) facts["commit"] = WEFT_COMMIT;
#ifdef __clang__
  facts["compiler"] = fmt::format("clang {}", __clang_version__);
#else
  facts["compiler"] = fmt::format("g++ {}", __VERSION__);
#endif
  facts["tbb"] = TBB_runtime_version();
  facts["cuda_side"] = bool(WEFT_CUDA);
  facts["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  facts["processor"] = processor_name();
  facts["cores"] = std::thread::hardware_concurrency();
  return facts;
}

}  // namespace weft

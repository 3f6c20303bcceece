#include "viewer/commands/versions.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <oneapi/tbb/version.h>
#include <sys/utsname.h>

#include <thread>

#include "sim/device/device.h"
#include "viewer/record/encoder_process.h"
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

namespace {

std::string compiler() {
#ifdef __clang__
  return fmt::format("clang {}", __clang_version__);
#else
  return fmt::format("g++ {}", __VERSION__);
#endif
}

}  // namespace

std::string version_text() {
  std::string text = program_name() + "\n";
  text += fmt::format("build: {}, {}, for {}\n", WEFT_BUILD_TYPE, compiler(), WEFT_PROCESSORS);
  text += fmt::format("GPU: {}\n", WEFT_CUDA_BUILT);
  text += "numbers: single precision; tests of crossings in double precision, weft-check exact\n";
  text += fmt::format("picture: OpenGL 4.5, GLFW {}, Dear ImGui {}\n", glfwGetVersionString(), IMGUI_VERSION);
  text += fmt::format("threads: oneTBB {}\n", TBB_runtime_version());
  text += program_available("ffmpeg") ? "video: by ffmpeg, which is on PATH"
                                      : "video: as PNG files, for ffmpeg is not on PATH";
  return text;
}

nlohmann::ordered_json version_facts() {
  utsname system{};
  uname(&system);
  nlohmann::ordered_json facts;
  facts["weft"] = WEFT_VERSION;
  if (*WEFT_COMMIT) facts["commit"] = WEFT_COMMIT;
  facts["compiler"] = compiler();
  facts["tbb"] = TBB_runtime_version();
  facts["cuda_side"] = bool(WEFT_CUDA);
  facts["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  facts["processor"] = processor_name();
  facts["cores"] = std::thread::hardware_concurrency();
  return facts;
}

}  // namespace weft

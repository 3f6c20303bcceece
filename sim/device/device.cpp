#include "sim/device/device.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "sim/base/error.h"
#include "sim/base/hash.h"
#include "sim/base/inject.h"
#include "sim/device/team.h"
#if WEFT_CUDA
#include "sim/device/cuda_hooks.h"
#endif

namespace weft {
namespace {

int core_count() { return std::max(1, oneapi::tbb::this_task_arena::max_concurrency()); }

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0 && line.find(':') != std::string::npos)
      return line.substr(line.find(':') + 2);
  return "CPU";
}

/// Memory that Linux can provide without swapping, in bytes; the maximum if unknown.
size_t available_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("MemAvailable:", 0) == 0)
      return size_t(std::strtoull(line.c_str() + 13, nullptr, 10)) * 1024;
  return SIZE_MAX;
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(int threads) : arena_(threads), team_(threads) {}
  DeviceKind kind() const override { return DeviceKind::cpu; }
  std::string name() const override {
    return fmt::format("CPU, {} thread{}", threads(), threads() == 1 ? "" : "s");
  }
  int threads() const override { return team_.size(); }
  ThreadTeam* team() override { return &team_; }

  void* allocate(size_t bytes, const char* name) override {
    require_device(name);
    must_not_be_noting("an allocation");
    // 16: lanes read four floats where a vertex has three
    const size_t rounded = (bytes + 16 + 255) / 256 * 256;
    void* memory = rounded <= within_limit(SIZE_MAX) ? std::aligned_alloc(256, rounded) : nullptr;
    if (!memory)
      throw Error(
          fmt::format("no memory for '{}': {:.1f} MB needed, {:.1f} MB free, {:.1f} MB in use here", name,
                      double(bytes) * 1e-6, double(bytes_free()) * 1e-6, double(bytes_in_use_) * 1e-6),
          "CPU", "use a coarser mesh");
    bytes_in_use_ += bytes;
    if (traffic_) traffic_->allocated(memory, bytes);
    return memory;
  }
  void release(void* memory, size_t bytes) override {
    if (traffic_) traffic_->released(memory);
    std::free(memory);
    bytes_in_use_ -= bytes;
  }
  size_t bytes_free() const override { return within_limit(available_memory()); }
  void upload(void* to, const void* from, size_t bytes) override {
    require_device("upload");
    must_not_be_noting("an upload");
    if (bytes > 0) std::memcpy(to, from, bytes);  // an empty buffer has no address
  }
  void download(void* to, const void* from, size_t bytes) override {
    require_device("download");
    must_not_be_noting("a download");
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void copy(void* to, const void* from, size_t bytes) override {
    require_device("copy");
    if (only_counts()) return;
    if (noting()) note_all(to, from, bytes);
    if (traffic_) traffic_->moved(2.0 * double(bytes));
    in_pages(bytes, [&](size_t at, size_t count) {
      std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, count);
    });
  }
  void clear(void* memory, size_t bytes) override {
    require_device("clear");
    look_for_interrupt();
    if (only_counts()) return;
    if (noting()) note_all(memory, bytes);
    if (traffic_) traffic_->moved(double(bytes));
    in_pages(bytes, [&](size_t at, size_t count) { std::memset(static_cast<char*>(memory) + at, 0, count); });
  }
  void replay(uint64_t signature, const std::function<void()>& work) override {
    if (!verify_replays) return work();
    if (!sequences_.contains(signature)) count_recording(work);
    note_sequence(signature, work, "two different sequences of launches have the same signature",
                  "put what differs into the signature or into device memory");
  }
  void when(Span<const int> flag, const std::function<void()>& work) override {
    require_device("when");
    look_for_interrupt();
    if (counting_) return count_part(2, work);
    if (noting()) note_all(flag.data);
    if (flag[0] != 0) run_part(work);
  }
  void repeat(Span<const int> flag, const std::function<void()>& work) override {
    require_device("repeat");
    if (counting_) return count_part(3, work);
    if (noting()) note_all(flag.data);
    while (flag[0] != 0) {
      look_for_interrupt();
      run_part(work);
    }
  }
  void synchronize() override {
    require_device("synchronize");
    must_not_be_noting("a wait");
  }
  void run(const std::function<void()>& work) override { arena_.execute(work); }

 private:
  /// Calls work(first byte, bytes) for parts of at least a few microseconds.
  template <class Work>
  void in_pages(size_t bytes, const Work& work) {
    constexpr size_t kPage = 16384;
    if (bytes == 0) return;
    if (bytes < 4 * kPage) return work(size_t(0), bytes);
    team_.for_range(int((bytes + kPage - 1) / kPage), 1, [&](int begin, int end) {
      const size_t first = size_t(begin) * kPage, last = std::min(bytes, size_t(end) * kPage);
      work(first, last - first);
    });
  }
  /// Runs `work` and records its launches; throws Error if they differ from those recorded under the same
  /// key.
  void note_sequence(uint64_t key, const std::function<void()>& work, const char* what, const char* hint) {
    const uint64_t before = noted_;
    const bool nested = noting_;
    const auto back = [&] { noted_ = before, noting_ = nested; };
    noted_ = key;
    noting_ = true;
    try {
      work();
    } catch (...) {
      back();
      throw;
    }
    const auto [it, is_new] = sequences_.insert({key, noted_});
    const bool same = is_new || it->second == noted_;
    back();
    if (!same) throw Error(what, "replay", hint);
  }
  /// A conditional part, or an iteration of a loop. Data decides whether it runs; its launches are recorded
  /// once, at their place in the sequence.
  void run_part(const std::function<void()>& work) {
    if (!noting()) return work();
    note_sequence(hash_combine(noted_, 1), work,
                  "a conditional part or a loop iteration makes different launches than before",
                  "put what differs into device memory, or into the signature of the step");
  }
  void count_recording(const std::function<void()>& work) {
    recorded_ = {};
    depth_ = 0;  // one that ended with an error may have been deep
    noting_ = counting_ = true;
    const auto back = [&] { noting_ = counting_ = false; };
    try {
      work();
    } catch (...) {
      back();
      throw;
    }
    back();
  }
  void count_part(int nodes, const std::function<void()>& work) {
    recorded_.nodes += nodes;
    ++recorded_.conditional;
    const int depth = depth_++;
    recorded_.depth = std::max(recorded_.depth, depth_);
    work();
    depth_ = depth;
  }
  void must_not_be_noting(const char* what) const {
    if (noting())
      throw Error(std::string(what) + " in a sequence that a GPU would record", "replay", "do it before");
  }
  void look_for_interrupt() const {
    if (interrupt_ && interrupt_()) throw Interrupted();
  }
  void require_device(const char* where) const {
    if (lost_) throw DeviceLost("the device is lost (injected fault)", where);
  }
  template <class... T>
  void note_all(const T&... values) {
    (note(&values, sizeof values), ...);
  }

  int depth_ = 0;                           // nesting depth of the part being counted
  std::map<uint64_t, uint64_t> sequences_;  // hash of the launches by signature
  oneapi::tbb::task_arena arena_;           // for oneTBB
  ThreadTeam team_;                         // for launches
};

}  // namespace

size_t Device::within_limit(size_t free) const {
  const double limit = injected_value("memory", "bytes", -1);
  if (limit < 0) return free;
  return std::min(free, size_t(limit) > bytes_in_use_ ? size_t(limit) - bytes_in_use_ : 0);
}

void Device::note(const void* bytes, size_t count) { noted_ = hash_bytes(bytes, count, noted_); }

DeviceChoice parse_device_choice(const std::string& text) {
  if (text == "auto") return DeviceChoice::automatic;
  if (text == "cpu") return DeviceChoice::cpu;
  if (text == "cuda") return DeviceChoice::cuda;
  throw Error("'" + text + "' is not a device", "--device", "use auto, cpu or cuda");
}

std::unique_ptr<Device> Device::create(DeviceChoice choice, int threads, std::string* note) {
  std::string why_not;
  if (choice != DeviceChoice::cpu) {
#if WEFT_CUDA
    if (auto device = cuda::make_device(why_not)) return device;
#else
    why_not = "this build has no CUDA support";
#endif
    if (choice == DeviceChoice::cuda)
      throw Error("no CUDA device: " + why_not, "--device cuda", "use --device auto or cpu");
  }
  if (note) *note = choice == DeviceChoice::automatic ? "on the CPU: " + why_not : "";
  return std::make_unique<CpuDevice>(threads > 0 ? threads : core_count());
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> all{{DeviceKind::cpu, cpu_name(), true, fmt::format("{} threads", core_count())}};
#if WEFT_CUDA
  for (auto& d : cuda::list_devices()) all.push_back(d);
#else
  all.push_back({DeviceKind::cuda, "CUDA", false, "this build has no CUDA support"});
#endif
  return all;
}

}  // namespace weft

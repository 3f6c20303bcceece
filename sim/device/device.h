// Where the simulator runs: all CPU cores through oneTBB, or an NVIDIA GPU. Chosen at run time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/span.h"
#include "sim/device/profiler.h"
#include "sim/device/traffic.h"

namespace weft {

class ThreadTeam;

enum class DeviceKind { cpu, cuda };
enum class DeviceChoice { automatic, cpu, cuda };

/// "auto", "cpu" or "cuda"; throws Error for anything else.
DeviceChoice parse_device_choice(const std::string& text);

/// An entry of `weft devices`.
struct DeviceInfo {
  DeviceKind kind;
  std::string name;
  bool usable = false;
  std::string remark;  // why not, or memory and cores
};
std::vector<DeviceInfo> list_devices();

/// Size of a recorded sequence on a GPU: launches, copies, clears, and two nodes per condition (three per
/// loop). A primitive counts as one node, though it is several launches.
struct RecordingSize {
  int nodes = 0;
  int conditional = 0;  // parts and loops
  int depth = 0;        // nesting of conditional parts
};

/// One device: memory, copies, and the order in which work runs. All calls from the simulator's thread. Work
/// is queued in order; copies to and from the host wait for it.
class Device {
 public:
  /// Makes the chosen device. `automatic` uses CUDA if it works, else the CPU; then `note` gives the reason
  /// in one line (empty if CUDA is used). `cuda` throws Error if CUDA is unavailable. `threads` 0: all cores.
  static std::unique_ptr<Device> create(DeviceChoice choice, int threads = 0, std::string* note = nullptr);

  virtual ~Device() = default;
  virtual DeviceKind kind() const = 0;
  virtual std::string name() const = 0;
  virtual int threads() const { return 1; }
  bool is_cuda() const { return kind() == DeviceKind::cuda; }

  /// Throws Error with the buffer, the need and the free memory. Memory is 256-byte aligned, not cleared.
  virtual void* allocate(size_t bytes, const char* name) = 0;
  virtual void release(void* memory, size_t bytes) = 0;
  virtual void upload(void* to_device, const void* from_host, size_t bytes) = 0;
  virtual void download(void* to_host, const void* from_device, size_t bytes) = 0;
  virtual void copy(void* to, const void* from, size_t bytes) = 0;
  virtual void clear(void* memory, size_t bytes) = 0;
  virtual void synchronize() = 0;
  /// Runs `work` with this device's threads (CPU: inside its task arena). The simulator wraps each step in
  /// it.
  virtual void run(const std::function<void()>& work) { work(); }
  /// Runs `work`: launches, clears and copies on the device, no allocation, upload or download. The promise
  /// is that under the same `signature` it is the same sequence to the last argument, so that a GPU may
  /// record it once and play it back; the host code of `work` does not run then.
  virtual void replay(uint64_t signature, const std::function<void()>& work) = 0;
  /// Runs `work` if flag[0], in device memory, is not 0 at that time. May be used inside `replay` (a GPU
  /// decides without the host) and another `when`. The rules for `work` are those of replay.
  virtual void when(Span<const int> flag, const std::function<void()>& work) = 0;
  /// Runs `work` again and again for as long as flag[0], which lies on the device, is not 0 before it. `work`
  /// must make it 0 some time, and must be the same sequence each time. May stand where `when` may.
  virtual void repeat(Span<const int> flag, const std::function<void()>& work) = 0;
  /// From now on a CPU device asks `wanted` in each clear, when and iteration of repeat, and throws
  /// Interrupted if it returns true; an empty function ends that. A GPU has a whole step queued and does not
  /// ask.
  void interrupt_when(std::function<bool()> wanted) { interrupt_ = std::move(wanted); }
  /// The threads of a CPU device, else nullptr.
  virtual ThreadTeam* team() { return nullptr; }
  /// cudaStream_t of a CUDA device, else nullptr.
  virtual void* stream() const { return nullptr; }

  /// On a CPU device with `verify_replays`, replay throws Error if one signature stands for two sequences. It
  /// also counts what a GPU would record: the host code of `work` runs once more without launching anything;
  /// see `recorded`.
  bool verify_replays = false;
  /// Part of the sequence that is being checked.
  void note(const void* bytes, size_t count);
  bool noting() const { return noting_; }
  /// True while a recording is counted: then this is one more node, and the launch must not run.
  bool only_counts() { return counting_ && ++recorded_.nodes; }
  /// The recording that was counted last.
  RecordingSize recorded() const { return recorded_; }

  size_t bytes_in_use() const { return bytes_in_use_; }
  /// Available memory in bytes, as far as the system knows.
  virtual size_t bytes_free() const = 0;
  /// For tests: every later call throws DeviceLost, as after an unrecoverable GPU fault. Releasing memory
  /// still works.
  void lose_for_test() { lost_ = true; }
  Profiler& profiler() { return profiler_; }
  /// Reports memory and launches to `traffic` (not owned; nullptr: none) from now on. CPU devices only,
  /// before the first allocation.
  void meter(Traffic* traffic) { traffic_ = traffic; }
  Traffic* traffic() const { return traffic_; }

 protected:
  /// `free` minus the amount that the injected fault "memory" withholds.
  size_t within_limit(size_t free) const;
  size_t bytes_in_use_ = 0;
  bool lost_ = false;
  bool noting_ = false, counting_ = false;
  RecordingSize recorded_;
  uint64_t noted_ = 0;
  std::function<bool()> interrupt_;
  Traffic* traffic_ = nullptr;

 private:
  Profiler profiler_;
};

}  // namespace weft

// A CUDA GPU as a weft::Device: memory, copies through pinned staging, one stream on which all work keeps its
// order.
#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <vector>

#include "cuda/conditional.h"
#include "cuda/stage_clock.h"
#include "cuda/staging.h"
#include "cuda/step_graph.h"
#include "sim/device/device.h"

namespace weft::cuda {

/// Owner of a cudaStream_t that does not wait for the legacy default stream.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class CudaDevice final : public Device {
 public:
  /// `ordinal` as CUDA numbers GPUs. Throws Error if the GPU cannot be used.
  explicit CudaDevice(int ordinal);
  ~CudaDevice() override;

  DeviceKind kind() const override { return DeviceKind::cuda; }
  std::string name() const override { return name_; }
  void* allocate(size_t bytes, const char* name) override;
  void release(void* memory, size_t bytes) override;
  size_t bytes_free() const override;
  /// Returns once `from` may be overwritten; the copy itself keeps its place among the work on the stream.
  void upload(void* to, const void* from, size_t bytes) override;
  void download(void* to, const void* from, size_t bytes) override;
  /// The two ranges must not overlap.
  void copy(void* to, const void* from, size_t bytes) override;
  void clear(void* memory, size_t bytes) override;
  void synchronize() override;
  void run(const std::function<void()>& work) override;
  void replay(uint64_t signature, const std::function<void()>& work) override;
  void when(Span<const int> flag, const std::function<void()>& work) override;
  void repeat(Span<const int> flag, const std::function<void()>& work) override;
  void* stream() const override { return current_; }

  int ordinal() const { return ordinal_; }
  int multiprocessors() const { return multiprocessors_; }
  /// Most threads that a multiprocessor keeps resident.
  int threads() const { return threads_; }
  bool has_clusters() const { return has_clusters_; }
  /// Whether what is launched now may wait for its whole grid: drivers before 12.6 refuse that in conditional
  /// parts of a recording.
  bool may_be_cooperative() const { return cooperative_iterations && (depth_ == 0 || cooperative_in_parts_); }
  /// Bytes of shared memory that one block can have.
  size_t shared_limit() const { return shared_limit_; }
  /// Recorded sequences are played back (on); or launched one by one. A recording that fails turns it off,
  /// with a warning.
  bool graphs = true;
  /// Iterations over few rows are one launch (on); or one each.
  bool resident_iterations = true;
  /// Iterations over any number of rows are one launch with barriers; off: one launch each. Off from the
  /// start where the GPU cannot.
  bool cooperative_iterations = true;
  /// Work memory for primitives, at least `bytes`, 256-byte aligned. Valid until the next call; kept and
  /// reused. Where there is too little while a step is recorded, recording ends with an exception that
  /// `replay` catches: the step is then launched plainly, and recorded next time.
  void* scratch(size_t bytes);

 private:
  bool capturing() const;
  /// Throws Error before CUDA is asked for what it does not do while a step is recorded: a recording that
  /// CUDA itself broke off inside of a conditional part cannot be ended without a crash (driver bug 6805256).
  void must_not_record(const char* what) const;
  void record(uint64_t key, const std::function<void()>& work);
  /// False if there is no recording: the step is still to be launched. Throws DeviceLost.
  bool record_step(uint64_t key, const std::function<void()>& work);
  bool flag_set(Span<const int> flag);
  void record_body(decltype(record_when)& record, Span<const int> flag, const std::function<void()>& work);

  int ordinal_;
  int multiprocessors_ = 1, threads_ = 2048;
  std::string name_;
  Stream stream_;
  cudaStream_t current_ = nullptr;  // stream_, or the one on which a conditional part of a step is recorded
  // one per depth of nesting; made before there is a recording
  std::vector<std::unique_ptr<Stream>> body_streams_;
  int depth_ = 0;
  bool recording_ = false;
  bool cooperative_in_parts_ = false;
  std::vector<void*> released_;  // while a step was recorded
  Staging staging_;
  std::unique_ptr<EventClock> clock_;
  StepGraph graph_;
  bool has_clusters_ = false;
  size_t shared_limit_ = 0;
  void* scratch_ = nullptr;
  size_t scratch_bytes_ = 0;
  uint64_t scratch_moves_ = 0;
};

/// The CUDA device behind `device`. Only for devices with is_cuda().
inline CudaDevice& cuda_device(Device& device) { return static_cast<CudaDevice&>(device); }

}  // namespace weft::cuda

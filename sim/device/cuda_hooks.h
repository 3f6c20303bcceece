// Functions of cuda/ that the simulator calls, in plain C++. Called only if WEFT_CUDA is 1.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/span.h"
#include "sim/device/device.h"

namespace weft::cuda {

/// nullptr and the reason in one line where there is no usable GPU or driver.
std::unique_ptr<Device> make_device(std::string& why_not);
std::vector<DeviceInfo> list_devices();

/// Runs `kernel` for 0 <= i < count on the device's stream. Instantiated by WEFT_CUDA_KERNEL in cuda/kernels.
template <class Kernel>
void launch(Device& device, const char* name, int count, const Kernel& kernel);
/// The same with the count read on the device, at most `capacity`.
template <class Kernel>
void launch_counted(Device& device, const char* name, const int* count, int capacity, const Kernel& kernel);
/// Runs the iterations in order; returns the number of launches.
template <class Kernel>
int launch_iterated(Device& device, const char* name, int count, int iterations, const Kernel& kernel);

// The primitives of sim/device/primitives.h.
void reduce_sum(Device&, Span<const float> in, Span<float> out);
void reduce_sum(Device&, Span<const vec3> in, Span<vec3> out);
void reduce_max(Device&, Span<const float> in, Span<float> out);
void exclusive_scan(Device&, Span<const int> in, Span<int> out);
void sort_pairs(Device&, Span<uint32_t> keys, Span<int> values);
void sort_pairs(Device&, Span<uint64_t> keys, Span<int> values);
void select(Device&, Span<const int> flags, Span<int> out_indices, Span<int> out_count);
void run_length(Device&, Span<const uint32_t> sorted_keys, Span<uint32_t> unique, Span<int> starts,
                Span<int> out_count);

/// Device memory of one published state (see frame_ring.h). Releases itself, also after the end of the
/// Device.
struct FrameSlot {
  vec3* positions = nullptr;
  vec3* normals = nullptr;
  float* scalar = nullptr;
  void* ready = nullptr;     // cudaEvent_t, recorded by fill_frame_slot
  void* consumed = nullptr;  // cudaEvent_t, recorded by readers
};
std::shared_ptr<FrameSlot> make_frame_slot(Device&);
/// Queues: wait for the slot's readers, copy, record `ready`. Grows the slot where needed.
void fill_frame_slot(Device&, FrameSlot&, Span<const vec3> positions, Span<const vec3> normals,
                     Span<const float> scalar);
/// True once the slot is filled; does not wait.
bool is_ready(const FrameSlot&);
/// Downloads the slot into the vectors, as many elements as each has (0: none), with one wait.
void download_frame_slot(Device&, const FrameSlot&, std::vector<vec3>& positions, std::vector<vec3>& normals,
                         std::vector<float>& scalar);

}  // namespace weft::cuda

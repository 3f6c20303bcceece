// What the simulator needs from cuda/, in plain C++. Only called where WEFT_CUDA is 1; the CUDA side defines it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

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

// The primitives of sim/device/primitives.h.
void reduce_sum(Device&, Span<const float> in, Span<float> out);
void reduce_sum(Device&, Span<const vec3> in, Span<vec3> out);
void reduce_max(Device&, Span<const float> in, Span<float> out);
void exclusive_scan(Device&, Span<const int> in, Span<int> out);
void sort_pairs(Device&, Span<uint32_t> keys, Span<int> values);
void sort_pairs(Device&, Span<uint64_t> keys, Span<int> values);
void select(Device&, Span<const int> flags, Span<int> out_indices, Span<int> out_count);
void run_length(Device&, Span<const uint32_t> sorted_keys, Span<uint32_t> unique, Span<int> starts, Span<int> out_count);

}  // namespace weft::cuda

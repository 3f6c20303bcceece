// The primitives of sim/device/primitives.h with CUB, which is included here and nowhere else.
//
// Determinism: CUB's reduction and scan give the same bits from run to run on one GPU model (they choose
// their tiles by the GPU, so that another model may round a float sum differently); its radix sort is stable.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/cub.cuh>

#include "cuda/check.h"
#include "cuda/cuda_device.h"
#include "cuda/launch.cuh"
#include "sim/device/saturating_sum.h"
#include "sim/device/segment_kernels.h"

namespace weft::cuda {
namespace {

using Index = thrust::counting_iterator<int>;

struct Plus {
  __host__ __device__ vec3 operator()(const vec3& a, const vec3& b) const { return a + b; }
};

/// fmaxf passes over a NaN on either side.
struct Larger {
  __host__ __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct SaturatingSum {
  __host__ __device__ int operator()(int a, int b) const { return saturating_sum(a, b); }
};

/// in[i], and 0 past its end: the scan's one extra element, which receives the total.
struct PaddedWithZero {
  Span<const int> in;
  __host__ __device__ int operator()(int i) const { return i < in.size ? in[i] : 0; }
};

struct IsSet {
  const int* flags;
  __host__ __device__ bool operator()(int i) const { return flags[i] != 0; }
};

struct IsRunHead {
  const uint32_t* keys;
  __host__ __device__ bool operator()(int i) const { return i == 0 || keys[i] != keys[i - 1]; }
};

struct GatherRunKeys {
  Span<const uint32_t> keys;
  Span<const int> starts;
  Span<uint32_t> unique;
  HD void operator()(int run) const { unique[run] = keys[starts[run]]; }
};

size_t aligned(size_t bytes) { return (bytes + 255) / 256 * 256; }

cudaStream_t stream_of(Device& device) { return static_cast<cudaStream_t>(device.stream()); }

/// CUB's two calls: how much work memory, then the work. `algorithm(temporary, bytes)` returns the error
/// code.
template <class Algorithm>
void run_cub(Device& device, const char* name, const Algorithm& algorithm) {
  const LaunchScope scope(device, name);
  size_t bytes = 0;
  check(algorithm(nullptr, bytes), name);
  void* temporary = cuda_device(device).scratch(std::max<size_t>(bytes, 1));
  check(algorithm(temporary, bytes), name);
}

template <class Key>
void sort_by_key(Device& device, Span<Key> keys, Span<int> values) {
  if (keys.size < 2) return;
  const LaunchScope scope(device, "sort");
  const size_t key_bytes = aligned(size_t(keys.size) * sizeof(Key)),
               value_bytes = aligned(size_t(keys.size) * sizeof(int));
  size_t work_bytes = 0;
  cub::DoubleBuffer<Key> key_pair(keys.data, nullptr);
  cub::DoubleBuffer<int> value_pair(values.data, nullptr);
  const int bits = int(8 * sizeof(Key));
  const auto sort = [&](void* work) {
    check(cub::DeviceRadixSort::SortPairs(work, work_bytes, key_pair, value_pair, keys.size, 0, bits,
                                          stream_of(device)),
          "sort");
  };
  sort(nullptr);
  auto* scratch =
      static_cast<unsigned char*>(cuda_device(device).scratch(key_bytes + value_bytes + work_bytes));
  key_pair = cub::DoubleBuffer<Key>(keys.data, reinterpret_cast<Key*>(scratch));
  value_pair = cub::DoubleBuffer<int>(values.data, reinterpret_cast<int*>(scratch + key_bytes));
  sort(scratch + key_bytes + value_bytes);
  if (key_pair.Current() != keys.data)
    device.copy(keys.data, key_pair.Current(), size_t(keys.size) * sizeof(Key));
  if (value_pair.Current() != values.data)
    device.copy(values.data, value_pair.Current(), size_t(keys.size) * sizeof(int));
}

/// Ascending indices below `size` that fulfil `keep`, and their number.
template <class Keep>
void select_if(Device& device, const char* name, int size, const Keep& keep, int* out, int* out_count) {
  if (size == 0) return device.clear(out_count, sizeof(int));
  run_cub(device, name, [&](void* work, size_t& bytes) {
    return cub::DeviceSelect::If(work, bytes, Index(0), out, out_count, size, keep, stream_of(device));
  });
}

}  // namespace

void reduce_sum(Device& device, Span<const float> in, Span<float> out) {
  run_cub(device, "sum", [&](void* work, size_t& bytes) {
    return cub::DeviceReduce::Sum(work, bytes, in.data, out.data, in.size, stream_of(device));
  });
}

void reduce_sum(Device& device, Span<const vec3> in, Span<vec3> out) {
  run_cub(device, "sum", [&](void* work, size_t& bytes) {
    return cub::DeviceReduce::Reduce(work, bytes, in.data, out.data, in.size, Plus{}, vec3(0),
                                     stream_of(device));
  });
}

void reduce_max(Device& device, Span<const float> in, Span<float> out) {
  run_cub(device, "max", [&](void* work, size_t& bytes) {
    return cub::DeviceReduce::Reduce(work, bytes, in.data, out.data, in.size, Larger{}, -INFINITY,
                                     stream_of(device));
  });
}

void exclusive_scan(Device& device, Span<const int> in, Span<int> out) {
  const int size = std::min(out.size, in.size + 1);
  if (size == 0) return;
  // In place is fine: each tile is read whole before it is written, and no tile reads another's elements.
  const auto padded = thrust::make_transform_iterator(Index(0), PaddedWithZero{in});
  run_cub(device, "scan", [&](void* work, size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(work, bytes, padded, out.data, SaturatingSum{}, 0, size,
                                          stream_of(device));
  });
}

void sort_pairs(Device& device, Span<uint32_t> keys, Span<int> values) { sort_by_key(device, keys, values); }
void sort_pairs(Device& device, Span<uint64_t> keys, Span<int> values) { sort_by_key(device, keys, values); }

void select(Device& device, Span<const int> flags, Span<int> out_indices, Span<int> out_count) {
  select_if(device, "select", flags.size, IsSet{flags.data}, out_indices.data, out_count.data);
}

void run_length(Device& device, Span<const uint32_t> sorted_keys, Span<uint32_t> unique, Span<int> starts,
                Span<int> out_count) {
  select_if(device, "run length", sorted_keys.size, IsRunHead{sorted_keys.data}, starts.data, out_count.data);
  if (sorted_keys.size)
    launch_counted(device, "run length", out_count.data, sorted_keys.size,
                   GatherRunKeys{sorted_keys, starts, unique});
}

}  // namespace weft::cuda

WEFT_CUDA_KERNEL(weft::segments::SumBlocks<float>)
WEFT_CUDA_KERNEL(weft::segments::SumBlocks<weft::vec3>)
WEFT_CUDA_COUNTED_KERNEL(weft::segments::SumSegments<float>)
WEFT_CUDA_COUNTED_KERNEL(weft::segments::SumSegments<weft::vec3>)

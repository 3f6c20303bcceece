// CUB's algorithms of cuda/primitives.cu in the double of the CUDA runtime (../../double.h): one after the
// other on its worker. As in CUB a call without work memory says how much is needed. That grows with the
// number of items, and is used to the last byte.
#pragma once
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/cuda_double/double.h"

namespace cub {
namespace doubled {

/// The two calls: how much, then the work.
template <class Work>
cudaError_t call(void* temporary, size_t& bytes, int items, cudaStream_t stream, const char* name,
                 Work work) {
  const size_t needed = 300 + size_t(items) * 2;
  if (!temporary) return bytes = needed, cudaSuccess;
  if (bytes < needed) return cudaErrorInvalidValue;
  return cuda_double::queue(stream, name, [=] {
    std::memset(temporary, 0xdb, needed);
    work();
  });
}

}  // namespace doubled

template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() const { return d_buffers[selector]; }
  T* Alternate() const { return d_buffers[1 - selector]; }
};

struct DeviceRadixSort {
  template <class Key, class Value>
  static cudaError_t SortPairs(void* temporary, size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, int items, int first_bit, int last_bit,
                               cudaStream_t stream) {
    if (first_bit != 0 || last_bit != int(8 * sizeof(Key))) return cudaErrorNotSupported;
    const DoubleBuffer<Key> k = keys;
    const DoubleBuffer<Value> v = values;
    const cudaError_t code = doubled::call(temporary, bytes, items, stream, "cub::DeviceRadixSort", [=] {
      std::vector<int> order(static_cast<size_t>(items));
      std::iota(order.begin(), order.end(), 0);
      const Key* const key = k.Current();
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
      const bool in_place = items % 2 == 0;
      std::vector<Key> sorted_keys;
      std::vector<Value> sorted_values;
      for (const int i : order) sorted_keys.push_back(key[i]), sorted_values.push_back(v.Current()[i]);
      // Both halves are written, as by several passes; the other one ends as garbage.
      std::memset(in_place ? k.Alternate() : k.Current(), 0xdb, size_t(items) * sizeof(Key));
      std::memset(in_place ? v.Alternate() : v.Current(), 0xdb, size_t(items) * sizeof(Value));
      std::copy(sorted_keys.begin(), sorted_keys.end(), in_place ? k.Current() : k.Alternate());
      std::copy(sorted_values.begin(), sorted_values.end(), in_place ? v.Current() : v.Alternate());
    });
    if (temporary && items % 2 != 0) keys.selector ^= 1, values.selector ^= 1;
    return code;
  }
};

struct DeviceReduce {
  template <class In, class T, class Operation>
  static cudaError_t Reduce(void* temporary, size_t& bytes, const In* in, T* out, int items,
                            Operation operation, T first, cudaStream_t stream) {
    return doubled::call(temporary, bytes, items, stream, "cub::DeviceReduce", [=] {
      T all = first;  // tiles first, as CUB does: of other sizes
      constexpr int kTile = 96;
      for (int begin = 0; begin < items; begin += kTile) {
        T tile = in[begin];
        for (int i = begin + 1; i < std::min(items, begin + kTile); ++i) tile = operation(tile, in[i]);
        all = operation(all, tile);
      }
      *out = all;
    });
  }
  template <class T>
  static cudaError_t Sum(void* temporary, size_t& bytes, const T* in, T* out, int items,
                         cudaStream_t stream) {
    return Reduce(
        temporary, bytes, in, out, items, [](T a, T b) { return a + b; }, T(0), stream);
  }
};

struct DeviceScan {
  template <class In, class T, class Operation>
  static cudaError_t ExclusiveScan(void* temporary, size_t& bytes, In in, T* out, Operation operation,
                                   T first, int items, cudaStream_t stream) {
    return doubled::call(temporary, bytes, items, stream, "cub::DeviceScan", [=] {
      T running = first;
      for (int i = 0; i < items; ++i) {
        const T own = in[i];
        out[i] = running;
        running = operation(running, own);
      }
    });
  }
};

struct DeviceSelect {
  template <class In, class Keep>
  static cudaError_t If(void* temporary, size_t& bytes, In in, int* out, int* count, int items, Keep keep,
                        cudaStream_t stream) {
    return doubled::call(temporary, bytes, items, stream, "cub::DeviceSelect", [=] {
      int kept = 0;
      for (int i = 0; i < items; ++i)
        if (keep(in[i])) out[kept++] = in[i];
      *count = kept;
    });
  }
};

}  // namespace cub

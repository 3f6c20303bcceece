#include "sim/device/primitives.h"

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "sim/device/launch.h"
#include "sim/device/saturating_sum.h"
#include "sim/device/segment_kernels.h"

namespace weft {
namespace {

constexpr int kBlock = 1024;  // elements per block of a reduction, scan or compaction
// elements per block of a radix pass: its 256 counters must be worth their while
constexpr int kSortBlock = 16384;
constexpr int kSerialBlocks = 2;  // fewer blocks than this are not worth a fork and join

int blocks_of(int count, int block) { return (count + block - 1) / block; }

/// Runs body(block, begin, end) for every block. The count alone determines the blocks, so results do not
/// depend on the number of threads.
template <class Body>
void for_each_block(Device& device, int count, int block, const Body& body,
                    int serial_blocks = kSerialBlocks) {
  parallel_blocks(
      device, blocks_of(count, block),
      [&](int first, int last) {
        for (int b = first; b < last; ++b) body(b, b * block, std::min(count, (b + 1) * block));
      },
      serial_blocks);
}

template <class T>
T pairwise_sum(const T* values, int count) {
  if (count == 0) return T(0);
  if (count == 1) return values[0];
  const int half = count / 2;
  return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
}

/// Sum of `count` items of `Width` floats each, added up side by side in 16 lanes and then pairwise.
template <int Width>
std::array<float, Width> block_sum(const float* values, int count) {
  constexpr int kStride = 16 * Width;
  float lanes[kStride] = {};
  int i = 0;
  for (; i + kStride <= count * Width; i += kStride)
    for (int l = 0; l < kStride; ++l) lanes[l] += values[i + l];
  for (int l = 0; i + l < count * Width; ++l) lanes[l] += values[i + l];
  for (int half = kStride / 2; half >= Width; half /= 2)
    for (int l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  std::array<float, Width> sum;
  std::copy(lanes, lanes + Width, sum.begin());
  return sum;
}

/// Exclusive scan of the blocks' totals, in place; returns the sum of all.
int scan_totals(std::vector<int>& totals) {
  int running = 0;
  for (int& t : totals) {
    const int own = t;
    t = running;
    running = saturating_sum(running, own);
  }
  return running;
}

/// Writes emit(rank, i) for every i with keep(i), ranks ascending with i, and returns how many there are.
template <class Keep, class Emit>
int compact(Device& device, int count, const Keep& keep, const Emit& emit) {
  std::vector<int> totals(size_t(blocks_of(count, kBlock)));
  for_each_block(device, count, kBlock, [&](int b, int begin, int end) {
    int kept = 0;
    for (int i = begin; i < end; ++i) kept += keep(i) ? 1 : 0;
    totals[b] = kept;
  });
  const int total = scan_totals(totals);
  for_each_block(device, count, kBlock, [&](int b, int begin, int end) {
    int rank = totals[b];
    for (int i = begin; i < end; ++i)
      if (keep(i)) emit(rank++, i);
  });
  return total;
}

/// One pass of a least-significant-digit radix sort over 8 bits. Returns false, with nothing moved, if all
/// keys have the same digit. `offsets` holds 256 counters per block.
template <class Key>
bool radix_pass(Device& device, int shift, int count, const Key* keys, const int* values, Key* keys_out,
                int* values_out, std::vector<std::array<int, 256>>& offsets) {
  for_each_block(
      device, count, kSortBlock,
      [&](int b, int begin, int end) {
        auto& counts = offsets[b];
        counts.fill(0);
        for (int i = begin; i < end; ++i) ++counts[keys[i] >> shift & 255];
      },
      1);
  int running = 0;
  for (size_t digit = 0; digit < 256; ++digit) {
    const int before = running;
    for (auto& counts : offsets) {
      const int own = counts[digit];
      counts[digit] = running;
      running += own;
    }
    if (running - before == count) return false;
  }
  for_each_block(
      device, count, kSortBlock,
      [&](int b, int begin, int end) {
        auto& next = offsets[b];
        for (int i = begin; i < end; ++i) {
          const int to = next[keys[i] >> shift & 255]++;
          keys_out[to] = keys[i];
          values_out[to] = values[i];
        }
      },
      1);
  return true;
}

template <class Key>
void radix_sort(Device& device, Span<Key> keys, Span<int> values) {
  const int count = keys.size;
  if (count < 2) return;
  const std::unique_ptr<Key[]> other_keys(new Key[count]);
  const std::unique_ptr<int[]> other_values(new int[count]);
  std::vector<std::array<int, 256>> offsets(size_t(blocks_of(count, kSortBlock)));
  Key *from_keys = keys.data, *to_keys = other_keys.get();
  int *from_values = values.data, *to_values = other_values.get();
  for (int shift = 0; shift < int(8 * sizeof(Key)); shift += 8) {
    if (!radix_pass(device, shift, count, from_keys, from_values, to_keys, to_values, offsets)) continue;
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
  }
  if (from_keys == keys.data) return;
  std::copy(from_keys, from_keys + count, keys.data);
  std::copy(from_values, from_values + count, values.data);
}

/// Bytes that a sort moves beyond one access to its pairs: each byte of the keys reads and writes them.
template <class Key>
double sort_traffic(int count) {
  return double(count) * (sizeof(Key) + sizeof(int)) * double(2 * sizeof(Key) - 1);
}

/// Opens the timed stage of a primitive, counts it as a launch, and reports its arguments to a device that
/// checks replays. If that device only counts (Device::only_counts), the primitive must not run.
class PrimitiveScope {
 public:
  template <class... T>
  PrimitiveScope(Device& device, const char* name, const Span<T>&... spans)
      : stage_(device.profiler(), name) {
    device.profiler().count_launch();
    if (Traffic* traffic = device.traffic()) traffic->moved((bytes_of(spans) + ...));
    if (!device.noting()) return;
    only_counts_ = device.only_counts();
    device.note(&name, sizeof name);
    (note(device, spans), ...);
  }
  bool only_counts() const { return only_counts_; }

 private:
  template <class T>
  static double bytes_of(const Span<T>& span) {
    return double(span.size) * sizeof(T);
  }
  template <class T>
  static void note(Device& device, const Span<T>& span) {
    device.note(&span.data, sizeof span.data);
    device.note(&span.size, sizeof span.size);
  }
  StageScope stage_;
  bool only_counts_ = false;
};

template <class T>
void sum_segments(Device& device, Span<const T> in, Span<const int> start, Span<const int> segments,
                  Span<T> work, Span<T> out) {
  using segments::kBlock;
  const int blocks = blocks_of(in.size, kBlock), large_blocks = blocks_of(blocks, kBlock);
  const Span<T> sums(work.data, blocks), large_sums(work.data + blocks, large_blocks);
  launch(device, "segment sums", blocks, segments::SumBlocks<T>{in, sums});
  launch(device, "segment sums", large_blocks, segments::SumBlocks<T>{sums, large_sums});
  launch_counted(device, "segment sums", segments, out.size,
                 segments::SumSegments<T>{in, sums, large_sums, start, out});
}

}  // namespace

int segment_work(int elements) {
  const int blocks = blocks_of(elements, segments::kBlock);
  return blocks + blocks_of(blocks, segments::kBlock);
}

void segment_sums(Device& device, Span<const float> in, Span<const int> start, Span<const int> segments,
                  Span<float> work, Span<float> out) {
  sum_segments(device, in, start, segments, work, out);
}

void segment_sums(Device& device, Span<const vec3> in, Span<const int> start, Span<const int> segments,
                  Span<vec3> work, Span<vec3> out) {
  sum_segments(device, in, start, segments, work, out);
}

void reduce_sum(Device& device, Span<const float> in, Span<float> out) {
  const PrimitiveScope scope(device, "sum", in, out);
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::reduce_sum(device, in, out);
#endif
  std::vector<float> sums(size_t(blocks_of(in.size, kBlock)));
  for_each_block(device, in.size, kBlock,
                 [&](int b, int begin, int end) { sums[b] = block_sum<1>(in.data + begin, end - begin)[0]; });
  out[0] = pairwise_sum(sums.data(), int(sums.size()));
}

void reduce_sum(Device& device, Span<const vec3> in, Span<vec3> out) {
  const PrimitiveScope scope(device, "sum", in, out);
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::reduce_sum(device, in, out);
#endif
  std::vector<vec3> sums(size_t(blocks_of(in.size, kBlock)));
  for_each_block(device, in.size, kBlock, [&](int b, int begin, int end) {
    const auto s = block_sum<3>(&in.data[begin].x, end - begin);
    sums[b] = vec3(s[0], s[1], s[2]);
  });
  out[0] = pairwise_sum(sums.data(), int(sums.size()));
}

void reduce_max(Device& device, Span<const float> in, Span<float> out) {
  const PrimitiveScope scope(device, "max", in, out);
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::reduce_max(device, in, out);
#endif
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  std::vector<float> largest(size_t(blocks_of(in.size, kBlock)));
  for_each_block(device, in.size, kBlock, [&](int b, int begin, int end) {
    float lanes[16];
    std::fill(lanes, lanes + 16, kLowest);
    // A NaN compares false and is passed over.
    for (int i = begin; i < end; ++i) lanes[i % 16] = in[i] > lanes[i % 16] ? in[i] : lanes[i % 16];
    largest[b] = *std::max_element(lanes, lanes + 16);
  });
  out[0] = kLowest;
  for (const float v : largest) out[0] = std::max(out[0], v);
}

void exclusive_scan(Device& device, Span<const int> in, Span<int> out) {
  const PrimitiveScope scope(device, "scan", in, out);
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::exclusive_scan(device, in, out);
#endif
  std::vector<int> totals(size_t(blocks_of(in.size, kBlock)));
  for_each_block(device, in.size, kBlock, [&](int b, int begin, int end) {
    int sum = 0;
    for (int i = begin; i < end; ++i) sum = saturating_sum(sum, in[i]);
    totals[b] = sum;
  });
  const int total = scan_totals(totals);
  for_each_block(device, in.size, kBlock, [&](int b, int begin, int end) {
    int running = totals[b];
    for (int i = begin; i < end; ++i) {
      const int own = in[i];  // before the store: out may be the memory of in
      out[i] = running;
      running = saturating_sum(running, own);
    }
  });
  if (out.size > in.size) out[in.size] = total;
}

void sort_pairs(Device& device, Span<uint32_t> keys, Span<int> values) {
  const PrimitiveScope scope(device, "sort", keys, values);
  if (Traffic* traffic = device.traffic()) traffic->moved(sort_traffic<uint32_t>(keys.size));
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::sort_pairs(device, keys, values);
#endif
  radix_sort(device, keys, values);
}

void sort_pairs(Device& device, Span<uint64_t> keys, Span<int> values) {
  const PrimitiveScope scope(device, "sort", keys, values);
  if (Traffic* traffic = device.traffic()) traffic->moved(sort_traffic<uint64_t>(keys.size));
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::sort_pairs(device, keys, values);
#endif
  radix_sort(device, keys, values);
}

void select(Device& device, Span<const int> flags, Span<int> out_indices, Span<int> out_count) {
  const PrimitiveScope scope(device, "select", flags, out_indices, out_count);
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::select(device, flags, out_indices, out_count);
#endif
  out_count[0] = compact(
      device, flags.size, [&](int i) { return flags[i] != 0; },
      [&](int rank, int i) { out_indices[rank] = i; });
}

void run_length(Device& device, Span<const uint32_t> sorted_keys, Span<uint32_t> unique, Span<int> starts,
                Span<int> out_count) {
  const PrimitiveScope scope(device, "run length", sorted_keys, unique, starts, out_count);
  if (scope.only_counts()) return;
#if WEFT_CUDA
  if (device.is_cuda()) return cuda::run_length(device, sorted_keys, unique, starts, out_count);
#endif
  const auto is_head = [&](int i) { return i == 0 || sorted_keys[i] != sorted_keys[i - 1]; };
  out_count[0] = compact(device, sorted_keys.size, is_head, [&](int rank, int i) {
    unique[rank] = sorted_keys[i];
    starts[rank] = i;
  });
}

}  // namespace weft

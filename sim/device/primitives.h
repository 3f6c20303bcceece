// Parallel building blocks. Deterministic: sums are taken over fixed blocks, so that they do not depend on
// the number of threads; sorts are stable. Results stay on the device.
#pragma once
#include <cstdint>

#include "sim/base/span.h"
#include "sim/device/device.h"

namespace weft {

/// out[0] = sum of in, pairwise over blocks of 1024 elements.
void reduce_sum(Device&, Span<const float> in, Span<float> out);
void reduce_sum(Device&, Span<const vec3> in, Span<vec3> out);
/// out[0] = max of in; -infinity for an empty input; NaN is ignored.
void reduce_max(Device&, Span<const float> in, Span<float> out);
/// out[s] = in[start[s]] + ... + in[start[s + 1] - 1] for the segments s < min(segments[0], out.size).
/// `start` has an entry more than there are segments. The sum depends on the values and their places in `in`
/// alone: it runs over blocks of 32 and of 1024 elements at fixed places, whose sums are written to `work`,
/// which has at least segment_work(in.size) elements. Each element is rounded at most 188 + in.size / 1024
/// times.
void segment_sums(Device&, Span<const float> in, Span<const int> start, Span<const int> segments,
                  Span<float> work, Span<float> out);
void segment_sums(Device&, Span<const vec3> in, Span<const int> start, Span<const int> segments,
                  Span<vec3> work, Span<vec3> out);
int segment_work(int elements);
/// out[i] = in[0] + ... + in[i-1] as saturating_sum, of counts that are not negative; out may have one more
/// element than in and then ends with the total.
void exclusive_scan(Device&, Span<const int> in, Span<int> out);
/// Sorts by key in place, stable.
void sort_pairs(Device&, Span<uint32_t> keys, Span<int> values);
void sort_pairs(Device&, Span<uint64_t> keys, Span<int> values);
/// Writes the indices of non-zero flags in ascending order and their number to out_count[0]. out_indices has
/// as many elements as flags.
void select(Device&, Span<const int> flags, Span<int> out_indices, Span<int> out_count);
/// For sorted keys: the distinct keys, where each run starts, and the number of runs in out_count[0].
void run_length(Device&, Span<const uint32_t> sorted_keys, Span<uint32_t> unique, Span<int> starts,
                Span<int> out_count);

}  // namespace weft

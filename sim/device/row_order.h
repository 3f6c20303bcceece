// For the build WEFT_ROW_ORDER only: rows of a launch one at a time and in any order, as on a GPU. If the
// order changes a bit of the result, a row reads what another one writes.
#pragma once
#include <atomic>
#include <cstdint>
#include <numeric>

namespace weft {

/// Order of rows in launches: 0 first to last, 1 last to first, otherwise scattered and different in each
/// launch.
class RowOrder {
 public:
  static void set(int order) { chosen() = order, launches() = 0; }

  /// For the next launch, with `count` rows.
  explicit RowOrder(int count) : count_(count) {
    const int order = chosen();
    if (order == 0 || count < 2) return;
    stride_ = count - 1, first_ = count - 1;  // backwards
    if (order == 1) return;
    const uint64_t mixed = (++launches() * 0x9e3779b97f4a7c15ull + uint64_t(order)) * 0xbf58476d1ce4e5b9ull;
    first_ = int64_t(mixed >> 33) % count;
    for (stride_ = int64_t(mixed & 0x7fffffff) % count; std::gcd(stride_, int64_t(count)) != 1;) ++stride_;
  }
  int operator()(int n) const { return int((first_ + stride_ * n) % count_); }

 private:
  static std::atomic<int>& chosen() {
    static std::atomic<int> order{0};
    return order;
  }
  static std::atomic<uint64_t>& launches() {
    static std::atomic<uint64_t> count{0};
    return count;
  }
  int64_t count_, first_ = 0, stride_ = 1;
};

}  // namespace weft

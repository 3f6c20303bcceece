#include "sim/device/traffic.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace weft {
namespace {

// Bytes of a buffer that one row can touch: a contact has four corners, each of which may be in its own cache
// line.
constexpr double kMostPerRow = 4 * 64;

}  // namespace

void Traffic::launched(const void* kernel, size_t kernel_bytes, int rows, int iterations) {
  if (!counting) return;
  std::set<uintptr_t> named;
  for (size_t at = 0; at + sizeof(uintptr_t) <= kernel_bytes; at += sizeof(uintptr_t)) {
    uintptr_t word;
    std::memcpy(&word, static_cast<const char*>(kernel) + at, sizeof word);
    const auto after = buffers_.upper_bound(word);
    if (after == buffers_.begin()) continue;
    const auto& [begin, bytes] = *std::prev(after);
    if (word < begin + bytes && named.insert(begin).second)
      bytes_ += std::min(double(bytes), rows * kMostPerRow) * iterations;
  }
}

}  // namespace weft

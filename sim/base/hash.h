// One hash for all of Weft: XXH3, 64 bits. Not for cryptography; values may differ between versions of Weft.
#pragma once
#include <xxhash.h>

#include <cstddef>
#include <cstdint>

namespace weft {

/// Of bytes; `seed` chains hashes of several pieces.
inline uint64_t hash_bytes(const void* data, size_t count, uint64_t seed = 0) {
  return XXH3_64bits_withSeed(data, count, seed);
}
/// Of a hash and one more value, in this order.
inline uint64_t hash_combine(uint64_t seed, uint64_t value) { return hash_bytes(&value, sizeof value, seed); }

}  // namespace weft

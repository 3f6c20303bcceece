// The bytes of a run cache. sim/files/README.md describes the format.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace weft::cache {

static_assert(std::endian::native == std::endian::little, "numbers in the file are little-endian");

constexpr char kMagic[9] = "WEFTRUN\n", kEndMagic[9] = "WEFTEND\n";  // without the closing 0
constexpr uint32_t kVersion = 6;  // the newest version; an older one is written if its features suffice
constexpr uint32_t kHeader = 0x44414548, kFrame = 0x4D415246, kIndex = 0x58444E49;  // "HEAD", "FRAM", "INDX"
/// Texture coordinates of a group: kScaled since version 2, the last two since version 3.
enum Textures : uint8_t { kNoTextures, kMaterial, kScaled, kCorners, kMaterialAndCorners };
inline bool has_corners(uint8_t textures) { return textures >= kCorners; }
inline bool has_material(uint8_t textures) {
  return textures == kMaterial || textures == kScaled || textures == kMaterialAndCorners;
}
/// Added to the byte of a group's textures where its input's numbering follows, since version 4.
constexpr uint8_t kInput = 16;
/// Added to it where cells and lines follow, since version 5.
constexpr uint8_t kElements = 32;
/// Added to it for a rigid body, since version 6.
constexpr uint8_t kRigid = 64;
constexpr size_t kStart = 16;  // magic, version, 4 bytes of 0
// tag, 4 bytes of 0, length, checksum of the payload, checksum of the three
constexpr size_t kBlockHead = 32;
constexpr size_t kFooter = 16;  // offset of the index, end magic
constexpr size_t kEntry = 24;   // size of an index entry: offset, step, time

/// Changes for every change of a single 8-byte word, and otherwise as hashes do.
inline uint64_t checksum(const char* data, size_t bytes) {
  uint64_t h = 0x9E3779B97F4A7C15ull ^ bytes;
  const auto mix = [&h](uint64_t word) {
    h = (h ^ word) * 0xD6E8FEB86659FD93ull;
    h ^= h >> 32;
  };
  size_t i = 0;
  for (uint64_t word; i + 8 <= bytes; i += 8) std::memcpy(&word, data + i, 8), mix(word);
  uint64_t rest = 0;
  if (i < bytes) std::memcpy(&rest, data + i, bytes - i), mix(rest);
  return h;
}

template <class T>
void put(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(T));
}
inline void put_text(std::string& to, const std::string& text) {
  put(to, uint32_t(text.size()));
  to += text;
}
template <class T>
void put_list(std::string& to, const T* values, size_t count) {
  if (count) to.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

/// Reads values from bytes. `ok` becomes false, permanently, at the first incomplete value. Allocates at most
/// their size.
struct Taker {
  const std::string& bytes;
  size_t at = 0;
  bool ok = true;

  bool has(uint64_t count) { return ok = ok && count <= bytes.size() - at; }
  template <class T>
  T take() {
    T value{};
    if (has(sizeof(T))) std::memcpy(&value, bytes.data() + at, sizeof(T)), at += sizeof(T);
    return value;
  }
  std::string text() {
    const uint32_t length = take<uint32_t>();
    if (!has(length)) return {};
    at += length;
    return bytes.substr(at - length, length);
  }
  template <class T>
  std::vector<T> list(uint64_t count) {
    if (!has(count * sizeof(T))) return {};  // counts are 32 bits wide: no overflow
    std::vector<T> values(static_cast<size_t>(count));
    if (count) std::memcpy(static_cast<void*>(values.data()), bytes.data() + at, count * sizeof(T));
    at += count * sizeof(T);
    return values;
  }
};

/// A run's origin is a comment in the first line of its scene.
constexpr const char* kOriginMark = "# weft ";

inline std::string with_origin(const std::string& scene, const std::string& origin) {
  return origin.empty() ? scene : "# " + origin + "\n" + scene;
}

/// Scene and origin.
inline std::pair<std::string, std::string> origin_apart(const std::string& text) {
  const size_t end = text.find('\n');
  if (text.rfind(kOriginMark, 0) != 0 || end == text.npos) return {text, {}};
  return {text.substr(end + 1), text.substr(2, end - 2)};
}

}  // namespace weft::cache

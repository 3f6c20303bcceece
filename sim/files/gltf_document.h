// A glTF 2.0 file while it is written: its JSON and one binary buffer.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/files/run_cache_bytes.h"

namespace weft {

class GltfDocument {
 public:
  using Json = nlohmann::ordered_json;
  // OpenGL's numbers, as glTF has them; what a view is for: kPlain where it is neither vertices nor indices
  static constexpr int kFloat = 5126, kUnsignedInt = 5125, kUnsignedShort = 5123, kVertices = 34962,
                       kIndices = 34963, kPlain = 0;
  Json json;

  GltfDocument();
  /// Appends an array whose length in bytes is a multiple of 4; returns the number of its accessor. `count`:
  /// of elements of `type`.
  template <class T>
  int add(const std::vector<T>& values, const char* type, int component, size_t count, int target) {
    const size_t begin = binary_.size();
    cache::put_list(binary_, values.data(), values.size());
    return describe(begin, type, component, count, target);
  }
  /// The bounds that glTF demands of an accessor of positions or times.
  void set_bounds(int accessor, const Json& least, const Json& most);
  bool empty() const { return binary_.empty(); }
  /// Writes a .glb, or a .gltf with its .bin beside it. Throws Error.
  void write(const std::string& path);

 private:
  int describe(size_t begin, const char* type, int component, size_t count, int target);
  std::string binary_;
};

}  // namespace weft

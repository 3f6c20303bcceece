// The numbers of a glTF file: containers, buffers and accessors, every access within bounds.
#pragma once
#include <tiny_gltf.h>

#include <string>
#include <vector>

namespace weft {

class GltfAccessors {
 public:
  /// Reads a .glb or .gltf with its buffers. Images are not read. Throws Error.
  explicit GltfAccessors(const std::string& path);

  const tinygltf::Model& model() const { return model_; }
  /// Number of elements. Throws Error for an accessor that does not exist; `owner` is who names it.
  size_t count(int accessor, const std::string& owner) const;
  /// All elements one after another, `width` numbers each (3 of a VEC3, 16 of a MAT4). Integers that stand
  /// for fractions are converted. Throws Error for other widths, numbers that are not finite or beyond 1e9,
  /// and data that is not in the file.
  std::vector<double> numbers(int accessor, int width, const std::string& owner) const;
  /// Whole numbers of a SCALAR, or of a VEC4 of joints.
  std::vector<int> integers(int accessor, int width, const std::string& owner) const;

  [[noreturn]] void fail(const std::string& what, const std::string& todo = "export the file again") const;

 private:
  void load(const std::string& bytes);
  void check_extensions() const;
  const tinygltf::Accessor& accessor(int index, const std::string& owner) const;
  const unsigned char* range(int view, uint64_t offset, uint64_t bytes, const std::string& owner) const;
  void read(const tinygltf::Accessor& a, int view, uint64_t offset, uint64_t count, int width, int component,
            bool normalized, const std::string& owner, std::vector<double>& out) const;
  void replace_sparse(const tinygltf::Accessor& a, int width, const std::string& owner,
                      std::vector<double>& out) const;

  std::string path_;
  tinygltf::Model model_;
};

}  // namespace weft

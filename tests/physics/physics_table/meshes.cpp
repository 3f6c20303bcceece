#include "tests/physics/physics_table/meshes.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <tuple>

#include "sim/mesh/import/obj.h"

namespace weft::physics {
namespace {

namespace fs = std::filesystem;

/// Vertices of a box's surface on a lattice of cells, each once.
class Lattice {
 public:
  Lattice(vec3 size, ivec3 cells) : size_(size), cells_(cells) {}

  int vertex(ivec3 at) {
    const auto [found, is_new] = index_.try_emplace({at.x, at.y, at.z}, int(mesh.positions.size()));
    if (is_new) mesh.positions.push_back(vec3(at) / vec3(cells_) * size_ - vec3(0.5f, 1, 0.5f) * size_);
    return found->second;
  }
  /// The face across `axis` at its low or high end. `other_diagonal` says how the next cell is cut.
  template <class Choice>
  void face(int axis, bool high, const Choice& other_diagonal) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int j = 0; j < cells_[v]; ++j)
      for (int i = 0; i < cells_[u]; ++i) {
        ivec3 corner[4];
        for (int k = 0; k < 4; ++k) {
          corner[k][axis] = high ? cells_[axis] : 0;
          corner[k][u] = i + (k == 1 || k == 2);
          corner[k][v] = j + (k >= 2);
        }
        int c[4];
        for (int k = 0; k < 4; ++k) c[k] = vertex(corner[k]);
        if (!high) std::swap(c[1], c[3]);
        const int s = other_diagonal() ? 1 : 0;
        mesh.triangles.push_back({c[s], c[s + 1], c[s + 2]});
        mesh.triangles.push_back({c[s], c[s + 2], c[(s + 3) % 4]});
      }
  }
  TriMesh mesh;

 private:
  vec3 size_;
  ivec3 cells_;
  std::map<std::tuple<int, int, int>, int> index_;
};

}  // namespace

TriMesh make_slab(vec3 size, float edge, Layout layout) {
  const ivec3 cells = glm::max(ivec3(glm::round(size / edge)), ivec3(1));
  std::mt19937 random(17);
  const bool jitter = layout == Layout::jittered;
  Lattice lattice(size, cells);
  for (int axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true})
      lattice.face(axis, high, [&] { return jitter && (random() >> 16) % 2 == 1; });
  if (!jitter) return std::move(lattice.mesh);
  const vec3 low(-0.5f * size.x, -size.y, -0.5f * size.z), high(0.5f * size.x, 0, 0.5f * size.z);
  for (vec3& p : lattice.mesh.positions) {
    int on = 0;  // faces that it lies in
    vec3 free(1);
    for (int k = 0; k < 3; ++k)
      if (std::abs(p[k] - low[k]) < 1e-4f * size[k] || std::abs(p[k] - high[k]) < 1e-4f * size[k])
        ++on, free[k] = 0;
    const auto amount = [&] { return 0.3f * (float(random() >> 8) / float(1 << 23) - 1); };
    const vec3 by = size / vec3(cells) * vec3(amount(), amount(), amount());
    if (on == 1) p += free * by;
  }
  return std::move(lattice.mesh);
}

TriMesh make_dome(vec3 size, float edge, Layout layout, float radius, bool both) {
  TriMesh mesh = make_slab(size, edge, layout);
  for (vec3& p : mesh.positions) {
    const float a = p.x / radius, b = both ? p.z / radius : 0, r = radius + p.y;
    // Longitude a about the z axis, latitude b: near the origin both directions keep their lengths.
    p = {r * std::cos(b) * std::sin(a), r * std::cos(b) * std::cos(a) - radius, both ? r * std::sin(b) : p.z};
  }
  return mesh;
}

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("weft_physics_table_" + std::to_string(getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace

std::string temporary_obj(const std::string& name, const TriMesh& mesh) {
  static const TemporaryFolder folder;
  const std::string path = (folder.path / (name + ".obj")).string();
  write_obj(path, {{name, &mesh.positions, &mesh.triangles}});
  return path;
}

}  // namespace weft::physics

#include "sim/geometry/moving_sdf.h"

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/device/primitives.h"
#include "sim/geometry/mesh_sdf.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/topology.h"

namespace weft {
namespace {

constexpr int kMostCells = 1'000'000;
constexpr int kFirstRoom = 96;  // list entries per triangle; an even mesh needs about 70

}  // namespace

MovingMesh::MovingMesh(Device& device, const TriMesh& mesh, const std::string& name)
    : vertices_(mesh.vertex_count()) {
  if (mesh.triangles.empty()) throw Error("the mesh has no triangles", "obstacle " + name, "check the file");
  const int n = mesh.triangle_count();
  std::vector<int> across(size_t(3 * n), -1);
  for_each_edge(mesh.triangles, [&](auto sides) {
    closed_ &= sides.size() % 2 == 0;
    for (size_t i = 0; i < sides.size() && sides.size() > 1; ++i)
      across[3 * sides[i].triangle + sides[i].corner] = sides[(i + 1) % sides.size()].triangle;
  });
  const HostAdjacency corners = build_adjacency(vertices_, &mesh.triangles[0].x, n, 3);
  triangles_ = Buffer<ivec3>(device, "body triangles", mesh.triangles);
  across_ = Buffer<int>(device, "body edges", across);
  corner_start_ = Buffer<int>(device, "body corners", corners.start);
  corner_ = Buffer<int>(device, "body corners", corners.entry);
}

void MovingMesh::faces(Device& device, Span<const vec3> position, Span<SdfTriangle> triangles,
                       Span<vec4> balls, Span<vec3> vertex_normal) const {
  using namespace moving_sdf;
  launch(device, "field faces", triangle_count(), Faces{position, triangles_, triangles, balls});
  launch(device, "field normals", vertex_count(),
         VertexNormals{triangles, corner_start_, corner_, vertex_normal});
  launch(device, "field normals", triangle_count(),
         Pseudonormals{triangles_, across_, vertex_normal, triangles});
}

MovingSdf::MovingSdf(Device& device, const MovingMesh& mesh)
    : device_(device),
      mesh_(mesh),
      faces_(device, "field triangles", mesh.triangle_count()),
      ball_(device, "field balls", mesh.triangle_count()),
      vertex_normal_(device, "field normals", mesh.vertex_count()),
      count_(device, "field counts", mesh.triangle_count()),
      first_(device, "field counts", mesh.triangle_count() + 1),
      triangle_(device, "field lists", kFirstRoom * mesh.triangle_count()),
      start_(device, "field cells", 2),
      key_(device, "field lists", kFirstRoom * mesh.triangle_count()),
      distance_(device, "field distances", 1) {}

void MovingSdf::make_room(int pairs) {
  key_ = Buffer<uint32_t>(device_, "field lists", pairs);
  triangle_ = Buffer<int>(device_, "field lists", pairs);
}

void MovingSdf::swap(MovingSdf& o) {
  std::swap(place_, o.place_);
  std::swap(faces_, o.faces_);
  std::swap(ball_, o.ball_);
  std::swap(vertex_normal_, o.vertex_normal_);
  std::swap(count_, o.count_);
  std::swap(first_, o.first_);
  std::swap(triangle_, o.triangle_);
  std::swap(start_, o.start_);
  std::swap(key_, o.key_);
  std::swap(distance_, o.distance_);
}

BodyShape MovingSdf::shape() const {
  BodyShape s;
  s.kind = BodyKind::mesh;
  s.open = mesh_.closed() ? 0 : 1;
  s.grid = {place_.origin,      place_.cell,           place_.cells,       distance_.span().data,
            start_.span().data, triangle_.span().data, faces_.span().data, ball_.span().data,
            place_.cell,        0.999f * place_.cell};
  return s;
}

void MovingSdf::build(Span<const vec3> position, const Bounds& bounds, float mean_edge, Span<int> overflow,
                      float offset) {
  place_.cell = std::max(mean_edge, least_cell(offset));
  const vec3 extent = bounds.max - bounds.min;
  for (;; place_.cell *= 1.1f) {
    place_.origin = bounds.min - vec3(2.5f * place_.cell);
    const vec3 cells = glm::ceil(extent / place_.cell) + 5.0f;  // may be more than an int holds
    if (!(double(cells.x) * double(cells.y) * double(cells.z) <= double(kMostCells))) continue;
    place_.cells = ivec3(cells);
    break;
  }
  const int cells = place_.size(), triangles = mesh_.triangle_count();
  if (start_.size() < cells + 1) start_.resize(cells + cells / 4 + 1), distance_.resize(cells + cells / 4);
  using namespace moving_sdf;
  mesh_.faces(device_, position, faces_, ball_, vertex_normal_);
  launch(device_, "field counts", triangles, CountCells{place_, ball_, faces_, count_});
  exclusive_scan(device_, count_, first_);
  launch(device_, "field lists", key_.size(), ClearKeys{key_});
  launch(device_, "field lists", triangles, ListPairs{place_, ball_, first_, key_, triangle_, overflow});
  sort_pairs(device_, key_, triangle_);
  launch(device_, "field cells", cells + 1, CellStarts{key_, start_});
  launch(device_, "field distances", cells, CenterDistances{place_, shape(), distance_});
  launch(device_, "field signs", place_.cells.y * place_.cells.z,
         SweepRows{place_, start_, mesh_.closed() ? 1 : 0, distance_});
  launch(device_, "field bounds", place_.cells.x * place_.cells.z,
         SpreadBounds{place_, start_, 1, distance_});
  launch(device_, "field bounds", place_.cells.x * place_.cells.y,
         SpreadBounds{place_, start_, 2, distance_});
}

}  // namespace weft

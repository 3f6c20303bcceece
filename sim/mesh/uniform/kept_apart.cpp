#include "sim/mesh/uniform/kept_apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/work_watch.h"
#include "sim/mesh/algorithms/crossing_triangles.h"

namespace weft {
namespace {

constexpr int kKeptRounds = 6;  // rounds in which larger parts of a piece are kept, before all of it is

dvec3 middle_of(const std::vector<vec3>& points, const ivec3& t) {
  return (dvec3(points[t.x]) + dvec3(points[t.y]) + dvec3(points[t.z])) / 3.0;
}

/// From the box around a triangle: at most the distance from the triangle.
double distance_to_box(const dvec3& p, const std::vector<vec3>& points, const ivec3& t) {
  const vec3 &a = points[t.x], &b = points[t.y], &c = points[t.z];
  const dvec3 low(glm::min(a, glm::min(b, c))), high(glm::max(a, glm::max(b, c)));
  return glm::length(glm::max(glm::max(low - p, p - high), dvec3(0)));
}

}  // namespace

KeptApart::KeptApart(const TriMesh& mesh, const std::vector<Piece>& pieces, double edge,
                     const TriMesh* others)
    : mesh_(mesh),
      pieces_(pieces),
      edge_(edge),
      others_(others),
      kept_(pieces.size()),
      whole_(pieces.size(), false) {
  std::set<int> crossed;
  for (const ivec2& pair : crossings_of(mesh))
    for (const int t : {pair.x, pair.y})
      if (t < mesh.triangle_count()) crossed.insert(t);
  cross_already_.assign(crossed.begin(), crossed.end());
}

/// Triangles of the others count on from those of the mesh.
std::vector<ivec2> KeptApart::crossings_of(const TriMesh& mesh) const {
  if (!others_) return crossing_triangles(mesh.positions, mesh.triangles);
  std::vector<vec3> positions = mesh.positions;
  std::vector<ivec3> triangles = mesh.triangles;
  positions.insert(positions.end(), others_->positions.begin(), others_->positions.end());
  for (const ivec3& t : others_->triangles) triangles.push_back(t + mesh.vertex_count());
  return crossing_triangles(positions, triangles, mesh.triangle_count());
}

bool KeptApart::crossed_already_near(const dvec3& place) const {
  return std::any_of(cross_already_.begin(), cross_already_.end(), [&](int t) {
    return distance_to_box(place, mesh_.positions, mesh_.triangles[t]) < 1.5 * edge_;
  });
}

void KeptApart::keep_near(const dvec3& place, double radius) {
  for (size_t p = 0; p < pieces_.size(); ++p) {
    if (whole_[p]) continue;
    const Piece& piece = pieces_[p];
    for (size_t t = 0; t < piece.triangles.size(); ++t) {
      // In the current pose, which may differ from the rest shape.
      if (distance_to_box(place, mesh_.positions, mesh_.triangles[piece.face[t]]) > radius) continue;
      kept_[p].resize(piece.points.size(), false);
      for (int k = 0; k < 3; ++k) {
        char& kept = kept_[p][piece.triangles[t][k]];
        if (!kept) kept = true, changed_.insert(int(p));
      }
    }
  }
}

bool KeptApart::accept(const TriMesh& result, const std::vector<int>& piece) {
  changed_.clear();
  std::vector<ivec2> faults;
  const auto middle = [&](int t) { return middle_of(result.positions, result.triangles[t]); };
  for (ivec2 pair : crossings_of(result)) {
    WorkWatch::check();
    if (pair.y >= result.triangle_count()) pair.y = pair.x;  // one of the other meshes, which are fixed
    if (whole_[piece[pair.x]] && whole_[piece[pair.y]]) continue;
    if (!crossed_already_near(middle(pair.x)) || !crossed_already_near(middle(pair.y)))
      faults.push_back(pair);
  }
  if (faults.empty()) return true;
  if (!std::exchange(any_place_, true)) first_place_ = middle(faults[0].x);
  const double radius = edge_ * (0.75 + 0.5 * rounds_);
  std::vector<dvec3> places;
  for (const ivec2& pair : faults)
    for (const int t : {pair.x, pair.y}) {
      const dvec3 place = middle(t);
      const auto near = [&](const dvec3& p) { return glm::length(p - place) < 0.3 * edge_; };
      if (std::none_of(places.begin(), places.end(), near)) places.push_back(place);
    }
  for (const dvec3& place : places) WorkWatch::check(), keep_near(place, radius);
  if (++rounds_ > kKeptRounds || changed_.empty())
    for (const ivec2& pair : faults)
      for (const int t : {pair.x, pair.y})
        if (const int p = piece[t]; !whole_[p]) whole_[p] = true, changed_.insert(p);
  return false;
}

int KeptApart::kept_triangles() const {
  int count = 0;
  for (size_t p = 0; p < pieces_.size(); ++p)
    for (const ivec3& t : pieces_[p].triangles)
      count += whole_[p] || (!kept_[p].empty() && kept_[p][t.x] && kept_[p][t.y] && kept_[p][t.z]);
  return count;
}

std::string KeptApart::words() const {
  const int kept = kept_triangles();
  if (kept == 0) return {};
  return fmt::format(
      "{} of its {} triangles are unchanged, the first near ({:.4g}, {:.4g}, {:.4g}) m: edges of {:.4g} mm "
      "would cross another layer there; shorter edges may fit",
      kept, mesh_.triangles.size(), first_place_.x, first_place_.y, first_place_.z, 1e3 * edge_);
}

}  // namespace weft

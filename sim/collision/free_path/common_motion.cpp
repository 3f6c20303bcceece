#include "sim/collision/free_path/common_motion.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {
using namespace two_way;

// m: bodies of longer edges do not take part, since their triangles follow a field too coarsely
constexpr float kLongestOfBodies = 0.05f;

int edges_of_cloth(const ContactSurface& s) {
  const auto& edges = s.host_edges();
  return int(
      std::count_if(edges.begin(), edges.end(), [&](const ivec2& e) { return e.x < s.cloth_points(); }));
}

bool all_short(const ContactSurface& s, const std::vector<vec3>& positions) {
  return std::all_of(s.flexible_edges().begin(), s.flexible_edges().end(), [&](const ivec2& e) {
    return glm::length(positions[e.x] - positions[e.y]) < kLongestOfBodies;
  });
}

std::vector<int> points_of(const ContactSurface& s, bool flexible) {
  std::vector<int> points(static_cast<size_t>(s.cloth_points()));
  std::iota(points.begin(), points.end(), 0);
  if (flexible) points.insert(points.end(), s.flexible_points().begin(), s.flexible_points().end());
  return points;
}

std::vector<int> flags_of(const ContactSurface& s, bool flexible) {
  std::vector<int> flags(static_cast<size_t>(s.body_points()), 0);
  if (flexible)
    for (const int p : s.flexible_points()) flags[p - s.cloth_points()] = 1;
  return flags;
}

}  // namespace

CommonMotion::CommonMotion(Device& device, const ContactSurface& surface, const std::vector<vec3>& positions,
                           float mean_edge)
    : device_(device),
      surface_(surface),
      flexible_take_part_(!surface.flexible_points().empty() && all_short(surface, positions)),
      cloth_edges_(surface.edges().data, edges_of_cloth(surface)),
      body_edges_(device, "edges of bodies",
                  flexible_take_part_ ? surface.flexible_edges() : std::vector<ivec2>()),
      point_(device, "common motion", points_of(surface, flexible_take_part_)),
      takes_part_(device, "common motion", flags_of(surface, flexible_take_part_)),
      field_(device, point_.size(), mean_edge),
      position_(device, "common motion", point_.size()),
      motion_(device, "common motion", point_.size()),
      end_(device, "common motion", surface.points()),
      pinned_(device, "held nodes", 4 * smooth_field::kGridSize),
      maxima_(device, "field bounds", kFieldMaxima),
      far_(device, "common motion", 1),
      share_(device, "common motion", 1) {}

void CommonMotion::measure(Span<const vec3> x, Span<const vec3> y, float worth) {
  far_.clear();
  launch(device_, "common motion", point_.size(), FarFromTarget{point_, x, y, worth, far_});
}

void CommonMotion::move(const BodiesView& bodies, const PairList& vertex_triangle, const PairList& edge_edge,
                        float radius, float keep, Span<const float> inverse_mass, Span<const vec3> y,
                        Span<vec3> x, Span<float> remaining, SharedPiece& piece) {
  const int cloth = surface_.cloth_points(), nodes = smooth_field::kGridSize;
  launch(device_, "common motion", point_.size(), PointMotion{point_, x, y, position_, motion_});
  field_.make_nodes(position_, motion_);
  const Span<vec4> node = field_.nodes();
  pinned_.clear();
  maxima_.clear();
  launch(device_, "held nodes", cloth, SumPinned{field_.place(), inverse_mass, x, motion_, pinned_});
  launch(device_, "held nodes", nodes, TakePinned{pinned_, node});
  launch(device_, "field bounds", (cloth_edges_.size + 255) / 256,
         LongestEdge{cloth_edges_, x, kLongestEdge, maxima_});
  launch(device_, "field bounds", (body_edges_.size() + 255) / 256,
         LongestEdge{body_edges_, x, kLongestBodyEdge, maxima_});
  launch(device_, "field bounds", (point_.size() + 255) / 256, Roundings{position_, maxima_});
  launch(device_, "field bounds", surface_.body_points(), BodyPaths{x, y, cloth, takes_part_, maxima_});
  launch(device_, "field bounds", nodes,
         StopNearBodies{bodies, field_.place(), maxima_, flexible_take_part_, node});
  launch(device_, "field bounds", nodes, FieldDifferences{node, maxima_});
  launch(device_, "common motion", 1, ChooseShare{field_.place(), maxima_, radius, share_});
  launch(device_, "common motion", x.size, FieldEnds{field_.place(), node, x, cloth, takes_part_, end_});
  piece.find(surface_, vertex_triangle, edge_edge, x, end_, share_, keep);
  launch(device_, "common motion", x.size, TakeCommonMotion{piece.piece(), piece.end(), y, x, remaining});
}

}  // namespace weft

#include "sim/dressing/dress_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "sim/base/shorten.h"
#include "sim/dressing/body_growth.h"
#include "sim/dressing/openings.h"
#include "sim/garment/sewing_params.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/motion.h"

namespace weft {

std::string folder_of(const Scene& scene) { return std::filesystem::path(scene.path).parent_path().string(); }

namespace {

constexpr double kHips = 0.55, kShoulders = 0.82, kHalfWidth = 0.1;  // of a body's height
constexpr float kThinner = 0.1f;  // share of its thickness with which a body may begin
constexpr double kBelow = 0.03;   // m below the soles
constexpr double kFell = 0.2;     // m by which a garment's top may come down
constexpr int kLayerRounds = 4;
constexpr size_t kNamed = 4;  // places that a message names

std::vector<vec3> in_world(const Obstacle& o, const std::vector<vec3>& frame) {
  Placement placed = o.placement;
  placed.scale = 1;
  const mat4 matrix = placement_matrix(placed);
  std::vector<vec3> out;
  for (const vec3& p : frame) out.push_back(vec3(matrix * vec4(o.placement.scale * p, 1)));
  return out;
}

std::vector<vec3> in_frame(const Obstacle& o, const std::vector<vec3>& world) {
  Placement placed = o.placement;
  placed.scale = 1;
  const mat4 back = glm::inverse(placement_matrix(placed));
  std::vector<vec3> out;
  for (const vec3& p : world) out.push_back(vec3(back * vec4(p, 1)) / o.placement.scale);
  return out;
}

struct Box {
  dvec3 low{1e300}, high{-1e300};
  explicit Box(const std::vector<vec3>& points) {
    for (const vec3& p : points) low = glm::min(low, dvec3(p)), high = glm::max(high, dvec3(p));
  }
};

/// The body that is dressed: of those that grow, the highest.
struct DressedBody {
  size_t index = 0;  // of Scene::obstacles
  TriMesh mesh;      // in its last frame, in the world, m
  BodyLimbs limbs;
  Box box{{}};
};

std::optional<DressedBody> dressed_body(const Scene& scene) {
  std::optional<DressedBody> out;
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const Obstacle& o = scene.obstacles[i];
    if (!o.frames || o.frames->empty()) continue;
    std::vector<std::string> ignored;
    DressedBody body{i, build_obstacle_mesh(o, folder_of(scene), ignored), {}, Box({})};
    body.mesh.positions = in_world(o, o.frames->back());
    body.box = Box(body.mesh.positions);
    if (!out || body.box.high.y - body.box.low.y > out->box.high.y - out->box.low.y) out = std::move(body);
  }
  if (out) out->limbs = find_limbs(out->mesh);
  return out;
}

/// All cloth, then all bodies that grow; in the world.
struct Surfaces {
  std::vector<vec3> positions;
  std::vector<ivec3> triangles;
  std::vector<int> first_vertex, first_triangle;  // of each part: cloths, then bodies; and the ends
  std::vector<size_t> obstacle;                   // of each body
  int cloths = 0;

  void add(const std::vector<vec3>& x, const std::vector<ivec3>& own) {
    const int at = int(positions.size());
    first_vertex.push_back(at), first_triangle.push_back(int(triangles.size()));
    positions.insert(positions.end(), x.begin(), x.end());
    for (const ivec3& t : own) triangles.push_back(t + ivec3(at));
  }
  int own() const { return first_triangle[cloths]; }
  int part_of(int triangle) const {
    return int(std::upper_bound(first_triangle.begin(), first_triangle.end() - 1, triangle) -
               first_triangle.begin()) -
           1;
  }
  void set(size_t part, const std::vector<vec3>& x) {
    std::copy(x.begin(), x.end(), positions.begin() + first_vertex[part]);
  }
};

Surfaces surfaces_of(const Scene& scene, bool last_frame) {
  Surfaces out;
  std::vector<std::string> ignored;
  for (const Cloth& c : scene.cloths) {
    const TriMesh placed = build_cloth_mesh(c, folder_of(scene), ignored);
    out.add(placed.positions, placed.triangles);
    ++out.cloths;
  }
  for (size_t i = 0; i < scene.obstacles.size(); ++i) {
    const Obstacle& o = scene.obstacles[i];
    if (!o.frames) continue;
    out.obstacle.push_back(i);
    out.add(in_world(o, last_frame ? o.frames->back() : o.frames->front()),
            build_obstacle_mesh(o, folder_of(scene), ignored).triangles);
  }
  out.first_vertex.push_back(int(out.positions.size()));
  out.first_triangle.push_back(int(out.triangles.size()));
  return out;
}

/// Of each triangle of a garment: whether it has a vertex of a seam.
std::vector<char> rows_of(const GarmentMesh& garment) {
  std::vector<int> points(garment.mesh.positions.size(), 0);
  for (const std::vector<int>& panel : garment.vertex)
    for (const int v : panel) ++points[v];
  std::vector<char> row;
  for (const ivec3& t : garment.mesh.triangles)
    row.push_back(points[t.x] > 1 || points[t.y] > 1 || points[t.z] > 1);
  return row;
}

/// Names of what crosses.
class Namer {
 public:
  Namer(const Scene& scene, const std::vector<GarmentMesh>& garments, const Surfaces& s)
      : scene_(scene), garments_(garments), s_(s), body_(dressed_body(scene)) {}
  int panel(int triangle) const {
    const size_t g = s_.part_of(triangle);
    return garments_[g].panel_of_triangle[triangle - s_.first_triangle[g]];
  }
  std::string name(int triangle) const {
    const int part = s_.part_of(triangle);
    if (part < s_.cloths) return shortened(garments_[part].pattern.panels[panel(triangle)].name, 80);
    const size_t obstacle = s_.obstacle[part - s_.cloths];
    if (!body_ || body_->index != obstacle || body_->limbs.limbs.size() < 2)
      return "body " + scene_.obstacles[obstacle].name;
    return body_->limbs.part_in_words(s_.triangles[triangle].x - s_.first_vertex[part]);
  }
  /// Names of both and where the first is.
  void add(const ivec2& pair) {
    const std::string words = name(pair.x) + " and " + name(pair.y);
    if (!named_.insert(words).second) return;
    if (named_.size() > kNamed) return;
    const ivec3& t = s_.triangles[pair.x];
    const vec3 at = (s_.positions[t.x] + s_.positions[t.y] + s_.positions[t.z]) / 3.0f;
    places_ += fmt::format("{}{} near ({:.2f}, {:.2f}, {:.2f}) m", places_.empty() ? "" : "; ", words, at.x,
                           at.y, at.z);
  }
  std::string places() const {
    return named_.size() > kNamed ? fmt::format("{}; and {} more", places_, named_.size() - kNamed) : places_;
  }

 private:
  const Scene& scene_;
  const std::vector<GarmentMesh>& garments_;
  const Surfaces& s_;
  std::optional<DressedBody> body_;
  std::set<std::string> named_;
  std::string places_;
};

std::vector<char> all_rows(const std::vector<GarmentMesh>& garments) {
  std::vector<char> row;
  for (const GarmentMesh& g : garments) {
    const std::vector<char> own = rows_of(g);
    row.insert(row.end(), own.begin(), own.end());
  }
  return row;
}

/// Gives panels that cross each other layers, later ones further out. False where none do.
bool add_layers(Scene& scene, std::vector<GarmentMesh>& garments, std::vector<std::string>& notices) {
  const Surfaces s = surfaces_of(scene, false);
  const Namer namer(scene, garments, s);
  const std::vector<char> row = all_rows(garments);
  std::vector<std::vector<int>> layer;
  for (const GarmentMesh& g : garments) {
    layer.emplace_back();
    for (const Panel& p : g.pattern.panels) layer.back().push_back(p.layer);
  }
  std::set<std::array<int, 4>> above;  // garment and panel that lies below; and of the one above
  for (const ivec2& pair : crossing_triangles(s.positions, s.triangles, s.own())) {
    if (pair.y >= s.own() || row[pair.x] || row[pair.y]) continue;
    const std::pair a(s.part_of(pair.x), namer.panel(pair.x)), b(s.part_of(pair.y), namer.panel(pair.y));
    if (a != b)
      above.insert(
          {std::min(a, b).first, std::min(a, b).second, std::max(a, b).first, std::max(a, b).second});
  }
  std::set<int> changed;
  for (const auto& [g, p, h, q] : above) {
    int& upper = layer[h][q];
    const int least = layer[g][p] + 1;
    if (upper >= least) continue;
    upper = least, changed.insert(h);
    notices.push_back(fmt::format("panel {} crosses panel {} where they are placed, and lies on layer {} now",
                                  shortened(garments[h].pattern.panels[q].name, 80),
                                  shortened(garments[g].pattern.panels[p].name, 80), least));
  }
  const SewingParams& sewing = scene.of<SewingParams>();
  for (const int g : changed) {
    Pattern pattern = garments[g].pattern;
    for (size_t p = 0; p < pattern.panels.size(); ++p) pattern.panels[p].layer = layer[g][p];
    Cloth& cloth = scene.cloths[g];
    cloth.sewing_pattern = SharedPattern(pattern), cloth.file.clear();
    std::vector<std::string> told;
    garments[g] = make_cloth_garment(cloth, folder_of(scene),
                                     {double(sewing.first_layer), double(sewing.layer_distance)}, told,
                                     double(sewing.elastic));
    cloth.mesh = std::make_shared<TriMesh>(garments[g].mesh);
  }
  return !changed.empty();
}

/// How a body begins.
struct BodyStart {
  float share = kThin;
  double drop = 0, lift = 0;  // m; m per m
  double cost() const { return (share < kThin ? 1 : 0) + lift + drop / 0.08; }
};

struct Rating {
  int used = 0, crossings = 0;  // openings; pairs of triangles of cloth and body
  std::vector<int> unused_of;   // each garment's openings without a part of the body
  bool better_than(const Rating& o) const {
    if ((crossings == 0) != (o.crossings == 0)) return crossings == 0;
    return crossings == 0 ? used > o.used : crossings < o.crossings;
  }
};

/// Tries ways in which a dressing may begin.
class Search {
 public:
  Search(Scene& scene, const std::vector<GarmentMesh>& garments, DressedBody body)
      : scene_(scene), body_(std::move(body)), s_(surfaces_of(scene, false)) {
    for (const GarmentMesh& g : garments) {
      openings_.push_back(boundary_lines(g.mesh.triangles));
      all_ += int(openings_.back().size());
    }
    part_ = size_t(s_.cloths) +
            size_t(std::find(s_.obstacle.begin(), s_.obstacle.end(), body_.index) - s_.obstacle.begin());
    raised_.assign(garments.size(), false);
    const Obstacle& o = scene.obstacles[body_.index];
    thin_[0] = in_world(o, o.frames->front());
  }

  void run(std::vector<std::string>& notices) {
    raise_what_is_below();
    BodyStart start;
    if (complete(rate(start))) return apply(start, notices);
    Rating best = best_of(start);
    if (best.used < all_) {
      const std::vector<bool> before = raised_;
      for (size_t g = 0; g < raised_.size(); ++g)
        if (best.unused_of[g] > 0) raised_[g] = true;
      BodyStart other;
      // in the air above the body all is clear
      if (const Rating rating = best_of(other);
          raised_ != before && rating.crossings == 0 && rating.used > best.used)
        start = other;
      else raised_ = before;
    }
    apply(start, notices);
  }

 private:
  double height() const { return body_.box.high.y - body_.box.low.y; }
  double raise() const { return kHips * height(); }
  bool complete(const Rating& r) const { return r.crossings == 0 && r.used == all_; }

  const std::vector<vec3>& thin(float share) {
    std::vector<vec3>& own = thin_[share < kThin];
    const Obstacle& o = scene_.obstacles[body_.index];
    if (own.empty()) own = in_world(o, thin_frame(o, folder_of(scene_), share));
    return own;
  }

  std::vector<vec3> begun(const BodyStart& start) {
    const double hips = body_.box.low.y + kHips * height(),
                 shoulders = body_.box.low.y + kShoulders * height(), half = kHalfWidth * height();
    const bool along_x = body_.box.high.x - body_.box.low.x >= body_.box.high.z - body_.box.low.z;
    const double middle =
        along_x ? 0.5 * (body_.box.low.x + body_.box.high.x) : 0.5 * (body_.box.low.z + body_.box.high.z);
    std::vector<vec3> out = thin(start.share);
    if (start.drop == 0 && start.lift == 0) return out;
    for (vec3& p : out) {
      const double up = std::clamp((double(p.y) - hips) / (shoulders - hips), 0.0, 1.0),
                   beside = std::max(0.0, std::abs(double(along_x ? p.x : p.z) - middle) - half);
      p.y += float(start.lift * beside - start.drop * up);
    }
    return out;
  }

  Rating rate(const BodyStart& start) {
    const std::vector<vec3> body = begun(start);
    Surfaces s = s_;
    s.set(part_, body);
    for (size_t g = 0; g < raised_.size(); ++g)
      if (raised_[g])
        for (int v = s.first_vertex[g]; v < s.first_vertex[g + 1]; ++v) s.positions[v].y += float(raise());
    Rating out;
    for (const ivec2& pair : crossing_triangles(s.positions, s.triangles, s.own()))
      out.crossings += pair.y >= s.own();
    for (size_t g = 0; g < openings_.size(); ++g) {
      const std::vector<vec3> cloth(s.positions.begin() + s.first_vertex[g],
                                    s.positions.begin() + s.first_vertex[g + 1]);
      int used = 0;
      for (const std::vector<int>& own : passages(openings_[g], cloth, body_.limbs, body))
        used += is_used(own);
      out.used += used, out.unused_of.push_back(int(openings_[g].size()) - used);
    }
    return out;
  }

  Rating best_of(BodyStart& best) {
    std::vector<BodyStart> starts;
    for (const float share : {kThin, kThinner})
      for (const double lift : {0.0, 0.3, 0.6, 0.9, 1.2})
        for (const double drop : {0.0, 0.02, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24})
          starts.push_back({share, drop, lift});
    std::stable_sort(starts.begin(), starts.end(),
                     [](const BodyStart& a, const BodyStart& b) { return a.cost() < b.cost(); });
    Rating out;
    for (size_t i = 0; i < starts.size() && (i == 0 || !complete(out)); ++i)
      if (Rating r = rate(starts[i]); i == 0 || r.better_than(out)) out = std::move(r), best = starts[i];
    return out;
  }

  void raise_what_is_below() {
    for (size_t g = 0; g < raised_.size(); ++g) {
      const Box box(
          {s_.positions.begin() + s_.first_vertex[g], s_.positions.begin() + s_.first_vertex[g + 1]});
      raised_[g] = box.low.y < body_.box.low.y - kBelow &&
                   0.5 * (box.low.y + box.high.y) < body_.box.low.y + 0.25 * height();
    }
  }

  void apply(const BodyStart& start, std::vector<std::string>& notices) {
    for (size_t g = 0; g < raised_.size(); ++g) {
      if (!raised_[g]) continue;
      scene_.cloths[g].placement.position.y += float(raise());
      notices.push_back(
          fmt::format("garment {} is placed as for an origin at the hips, and is raised by {:.2f} m",
                      scene_.cloths[g].name, raise()));
    }
    if (start.cost() == 0) return;
    Obstacle& o = scene_.obstacles[body_.index];
    std::vector<std::vector<vec3>> frames = *o.frames;
    frames.front() = in_frame(o, begun(start));
    o.frames = std::make_shared<std::vector<std::vector<vec3>>>(std::move(frames));
    std::string how;
    if (start.drop > 0) how = fmt::format("with its shoulders {:.0f} cm lower", 100 * start.drop);
    if (start.lift > 0) how += how.empty() ? "with raised arms" : " and its arms raised";
    if (start.share < kThin) how += how.empty() ? "thinner than usual" : ", and thinner than usual";
    notices.push_back(fmt::format(
        "obstacle {} begins {}, so that the panels are clear of it, and grows into them", o.name, how));
  }

  Scene& scene_;
  DressedBody body_;
  Surfaces s_;
  size_t part_ = 0;                                      // of s_: the body
  std::vector<std::vector<std::vector<int>>> openings_;  // of each garment
  int all_ = 0;
  std::vector<bool> raised_;
  std::vector<vec3> thin_[2];  // with the usual share, and thinner
};

}  // namespace

StartCrossings start_crossings(const Scene& scene, const std::vector<GarmentMesh>& garments) {
  const Surfaces s = surfaces_of(scene, false);
  const std::vector<ivec2> pairs = crossing_triangles(s.positions, s.triangles, s.own());
  StartCrossings out;
  if (pairs.empty()) return out;
  Namer namer(scene, garments, s);
  const std::vector<char> row = all_rows(garments);
  for (const ivec2& pair : pairs) {
    const bool body = pair.y >= s.own();
    if (!body && (row[pair.x] || row[pair.y])) {
      ++out.of_rows;
      continue;
    }
    ++(body ? out.with_bodies : out.of_panels);
    namer.add(pair);
  }
  out.places = namer.places();
  return out;
}

void begin_clear(Scene& scene, std::vector<GarmentMesh>& garments, std::vector<std::string>& notices) {
  for (int round = 0; round < kLayerRounds && add_layers(scene, garments, notices); ++round) {}
  std::optional<DressedBody> body = dressed_body(scene);
  if (body && body->limbs.limbs.size() > 1) Search(scene, garments, std::move(*body)).run(notices);
}

Heights::Heights(const std::vector<vec3>& positions) {
  for (const vec3& p : positions)
    top = std::max(top, double(p.y)), mean += double(p.y) / double(positions.size());
}

namespace {

/// Whether a garment is where it belongs; empty if so.
std::string off_its_place(const std::string& name, const GarmentMesh& garment, const std::vector<vec3>& worn,
                          const Heights& placed, const DressedBody& body) {
  const Heights is(worn);
  const Box box(worn);
  if (placed.top - is.top > kFell && placed.mean - is.mean > 0.5 * kFell)
    return fmt::format("garment {} has fallen: its top is {:.2f} m lower than where it was placed", name,
                       placed.top - is.top);
  const auto openings = boundary_lines(garment.mesh.triangles);
  int used = 0;
  for (const std::vector<int>& own : passages(openings, worn, body.limbs, body.mesh.positions))
    used += is_used(own);
  const int all = int(openings.size());
  if ((all < 2 || used > 1) && (all < 3 || 2 * used > all)) return "";
  return fmt::format(
      "garment {} is not where it belongs: {} of its {} openings have a part of the body in them; it is "
      "{:.2f} m "
      "wide and between {:.2f} and {:.2f} m high. Look at its unit and its origin",
      name, used, all, box.high.x - box.low.x, box.low.y, box.high.y);
}

}  // namespace

std::vector<std::string> faults_of_worn(const Scene& scene, const std::vector<GarmentMesh>& garments,
                                        const std::vector<std::vector<vec3>>& worn,
                                        const std::vector<Heights>& placed) {
  std::vector<std::string> faults;
  Surfaces s = surfaces_of(scene, true);
  for (size_t g = 0; g < worn.size(); ++g) s.set(g, worn[g]);
  const std::vector<ivec2> pairs = crossing_triangles(s.positions, s.triangles, s.own());
  if (!pairs.empty()) {
    Namer namer(scene, garments, s);
    for (const ivec2& pair : pairs) namer.add(pair);
    faults.push_back(fmt::format("{} pairs of triangles cross in the end: {}", pairs.size(), namer.places()));
  }
  const std::optional<DressedBody> body = dressed_body(scene);
  if (!body || body->limbs.limbs.size() < 2) return faults;
  for (size_t g = 0; g < garments.size(); ++g)
    if (std::string fault = off_its_place(scene.cloths[g].name, garments[g], worn[g], placed[g], *body);
        !fault.empty())
      faults.push_back(std::move(fault));
  return faults;
}

}  // namespace weft

#include "sim/collision/surface/pressed_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/shorten.h"
#include "sim/mesh/algorithms/crossing_triangles.h"

namespace weft {
namespace {

/// A body's surface at a point of it.
struct Named {
  std::string body;  // in quotes; a plane's name is not known: "the ground" or "a plane"
  int obstacle = -1;
  BodyPart part;
};

class Namer {
 public:
  Namer(const ContactSurface& s, const Bodies& bodies, const Scene& scene)
      : bodies_(bodies), scene_(scene), cloth_(s.cloth_points()), obstacle_(s.obstacles_of_points()) {}

  Named of(int point) const {
    if (point == PressedPlace::kPlane) return {plane(), -1, {}};
    if (point < cloth_ || size_t(point - cloth_) >= obstacle_.size()) return {};
    const size_t k = size_t(point - cloth_);
    const int obstacle = obstacle_[k];
    const auto first = std::lower_bound(obstacle_.begin(), obstacle_.end(), obstacle);
    const int vertex = int(k) - int(first - obstacle_.begin());
    const std::string name = shortened(scene_.obstacles[obstacle].name, 60);
    return {"'" + name + "'", obstacle, bodies_.part_of(obstacle, vertex)};
  }

 private:
  std::string plane() const {
    const bool ground = scene_.contact.ground &&
                        std::none_of(scene_.obstacles.begin(), scene_.obstacles.end(),
                                     [](const Obstacle& o) { return o.shape == ObstacleShape::plane; });
    return ground ? "the ground" : "a plane";
  }
  const Bodies& bodies_;
  const Scene& scene_;
  int cloth_;
  std::vector<int> obstacle_;  // of each point of a body, ascending
};

/// What happens between two surfaces, without where.
std::string event(const Named& a, const Named& b, bool crosses) {
  if (b.body.empty()) return a.body + " leaves the cloth no room";
  if (a.body == b.body) return a.body + (crosses ? " crosses itself" : " leaves the cloth no room");
  return crosses ? a.body + " crosses " + b.body : a.body + " and " + b.body + " leave the cloth no room";
}

/// Parts of one body have a fold between them; those of two have a name each.
std::string parts(const Named& a, const Named& b) {
  if (a.obstacle == b.obstacle || b.body.empty()) return place_between(a.part, b.part);
  const std::string first = a.part.words(), second = b.part.words();
  if (first.empty() && second.empty()) return {};
  if (second.empty()) return "at " + first + " of " + a.body;
  if (first.empty()) return "at " + second + " of " + b.body;
  return "between " + first + " of " + a.body + " and " + second + " of " + b.body;
}

}  // namespace

void add_places(std::vector<PressedPlace>& places, const std::vector<PressedPlace>& more) {
  constexpr size_t kMost = 200;
  const size_t every = more.size() / kMost + 1;
  for (size_t i = 0; i < more.size(); i += every) places.push_back(more[i]);
}

std::vector<PressedPlace> body_crossings(const HeldBodies& h, const std::vector<int>& pressing) {
  constexpr size_t kMost = 20000;
  std::vector<bool> presses(h.now.size(), false);
  Bounds box;
  for (const int p : pressing) presses[p] = true;
  std::vector<ivec3> triangles;
  const auto add = [&](bool own) {
    for (size_t t = size_t(h.cloth_triangles); t < h.triangles.size(); ++t) {
      const ivec3& f = h.triangles[t];
      if ((presses[f.x] || presses[f.y] || presses[f.z]) != own) continue;
      Bounds mine;
      for (int k = 0; k < 3; ++k) mine.add(h.now[f[k]]);
      if (own) box.add(mine.min), box.add(mine.max);
      const bool near = own || (glm::all(glm::lessThanEqual(mine.min, box.max)) &&
                                glm::all(glm::lessThanEqual(box.min, mine.max)));
      if (near) triangles.push_back(f);
    }
  };
  add(true);
  const int own = int(triangles.size());
  add(false);
  std::vector<PressedPlace> found;
  for (const ivec2& pair : crossing_triangles(h.now, triangles, own, kMost)) {
    const ivec3 &a = triangles[pair.x], &b = triangles[pair.y];
    if (pair.x == pair.y) continue;  // a triangle without area
    found.push_back({(h.now[a.x] + h.now[a.y] + h.now[a.z]) / 3.0f, a.x, b.x, -1.0f});
  }
  return found;
}

std::vector<PlaceWords> in_words(const std::vector<PressedPlace>& places, const ContactSurface& surface,
                                 const Bodies& bodies, const Scene& scene) {
  const Namer namer(surface, bodies, scene);
  std::map<std::string, PlaceWords> found;
  for (const PressedPlace& p : places) {
    Named a = namer.of(p.first), b = namer.of(p.second);
    const bool turned = a.obstacle == b.obstacle ? a.part.words() > b.part.words()
                                                 : b.obstacle >= 0 && b.obstacle < a.obstacle;
    if (turned || (a.obstacle < 0 && b.obstacle >= 0)) std::swap(a, b);
    if (a.body.empty()) continue;
    const std::string between = parts(a, b), key = a.body + b.body + between;
    const auto own = found.find(key);
    if (own != found.end() && own->second.room <= p.room) continue;
    const std::string near = between.substr(0, between.find(", between"));
    const std::string what = event(a, b, p.room < 0);
    found[key] = {what + (near.empty() ? "" : " " + near),
                  what + (between.empty() ? " near" : " " + between + ", at") +
                      fmt::format(" ({:.2f}, {:.2f}, {:.2f}) m", p.at.x, p.at.y, p.at.z),
                  p.room, p.second != PressedPlace::kUnknown};
  }
  std::vector<PlaceWords> out;
  for (auto& [key, words] : found) out.push_back(std::move(words));
  std::stable_sort(out.begin(), out.end(),
                   [](const PlaceWords& a, const PlaceWords& b) { return a.room < b.room; });
  return out;
}

std::string body_in_words(const ContactSurface& surface, const Bodies& bodies, const Scene& scene,
                          int point) {
  const Named named = Namer(surface, bodies, scene).of(point);
  const std::string part = named.part.words();
  return part.empty() ? named.body : named.body + " at " + part;
}

}  // namespace weft

#include "sim/mesh/import/tidy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/mesh/import/weld.h"

namespace weft {
namespace {

/// Height over longest side, below which a triangle has no area: as in OBJ import.
constexpr double kFlatTriangle = 1e-6;

bool is_flat(const std::vector<vec3>& positions, const ivec3& t) {
  const dvec3 a(positions[t.x]), b(positions[t.y]), c(positions[t.z]);
  const double longest = std::max({glm::dot(b - a, b - a), glm::dot(c - b, c - b), glm::dot(a - c, a - c)});
  return !(glm::length(glm::cross(b - a, c - a)) > kFlatTriangle * longest);
}

int drop_repeated(std::vector<ivec3>& triangles) {
  std::vector<std::array<int, 4>> keys;  // sorted corners, then the triangle
  for (size_t i = 0; i < triangles.size(); ++i) {
    std::array<int, 4> key{triangles[i].x, triangles[i].y, triangles[i].z, int(i)};
    std::sort(key.begin(), key.begin() + 3);
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<char> again(triangles.size(), 0);
  for (size_t i = 1; i < keys.size(); ++i)
    again[keys[i][3]] = std::equal(keys[i].begin(), keys[i].begin() + 3, keys[i - 1].begin());
  std::vector<ivec3> kept;
  for (size_t i = 0; i < triangles.size(); ++i)
    if (!again[i]) kept.push_back(triangles[i]);
  const size_t dropped = triangles.size() - kept.size();
  triangles = std::move(kept);
  return int(dropped);
}

std::string counted(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::vector<std::string> TidyMesh::notices(const std::string& path) const {
  std::vector<std::string> out;
  if (joined > 0)
    out.push_back(fmt::format(
        "{}: {} joined, so that the surface is continuous (weld = \"never\" in a scene, or --weld never, "
        "keeps them apart)",
        path, counted(joined, "vertex in the place of another is", "vertices in the places of others are")));
  if (apart > 0)
    out.push_back(fmt::format(
        "{}: {} differently and stay apart: the surface may open there", path,
        counted(apart, "vertex in the place of another moves", "vertices in the places of others move")));
  if (flat > 0)
    out.push_back(fmt::format("{}: {} without area dropped", path, counted(flat, "triangle", "triangles")));
  if (twice > 0)
    out.push_back(fmt::format("{}: {} with the same vertices as others dropped", path,
                              counted(twice, "triangle", "triangles")));
  return out;
}

TidyMesh tidied(const std::vector<vec3>& positions, std::vector<ivec3> triangles, float weld,
                const std::function<bool(int, int)>& move_alike) {
  TidyMesh out;
  const std::vector<int> found = welded_vertices(positions, triangles, weld);
  std::vector<int> becomes(found.size());
  for (size_t v = 0; v < found.size(); ++v) {
    const bool wanted = found[v] != int(v), joins = wanted && move_alike(int(v), found[v]);
    becomes[v] = joins ? found[v] : int(v);
    out.joined += joins, out.apart += wanted && !joins;
  }
  for (ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) t[k] = becomes[t[k]];
  out.flat = int(std::erase_if(triangles, [&](const ivec3& t) { return is_flat(positions, t); }));
  out.twice = drop_repeated(triangles);
  std::vector<int> number(positions.size(), -1);
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) number[t[k]] = 0;
  for (size_t v = 0; v < number.size(); ++v)
    if (number[v] == 0) number[v] = int(out.kept.size()), out.kept.push_back(int(v));
  for (ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) t[k] = number[t[k]];
  out.triangles = std::move(triangles);
  return out;
}

TidyMesh tidied(std::vector<std::vector<vec3>>& frames, std::vector<ivec3> triangles, float weld) {
  std::vector<float> near;  // of each frame
  for (const std::vector<vec3>& frame : frames) near.push_back(std::max(weld, coincident_distance(frame)));
  const TidyMesh out = tidied(frames.front(), std::move(triangles), weld, [&](int a, int b) {
    for (size_t f = 0; f < frames.size(); ++f)
      if (glm::distance(frames[f][a], frames[f][b]) > near[f]) return false;
    return true;
  });
  if (out.kept.size() == frames.front().size()) return out;
  for (std::vector<vec3>& frame : frames) {
    std::vector<vec3> kept;
    kept.reserve(out.kept.size());
    for (const int v : out.kept) kept.push_back(frame[v]);
    frame = std::move(kept);
  }
  return out;
}

}  // namespace weft

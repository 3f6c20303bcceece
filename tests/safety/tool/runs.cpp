#include "tests/safety/tool/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>

#include "sim/base/error.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_source.h"
#include "sim/files/obj_groups.h"
#include "sim/files/obj_writers.h"

namespace weft::check {
namespace {

namespace fs = std::filesystem;

/// A shell puts s_10.obj before s_2.obj: what to know of files that are taken in such an order; empty where
/// it is that of their numbers.
std::string order_in_doubt(const std::vector<std::string>& files) {
  for (size_t i = 1; i < files.size(); ++i)
    if (files[i - 1].size() > files[i].size() && files[i - 1] < files[i])
      return fmt::format(
          "states are used in the order given: {} comes before {}; name their folder or a pattern (s_#.obj) "
          "to sort them by number",
          files[i - 1], files[i]);
  return {};
}

/// Files that were named one by one, each a state.
class ObjFiles final : public FrameSource {
 public:
  explicit ObjFiles(std::vector<std::string> files) : files_(std::move(files)) {
    if (const std::string words = order_in_doubt(files_); !words.empty()) notices_.push_back(words);
    ObjGroups first = read_obj_groups(files_.front());
    info_.title = files_.front();
    info_.groups = std::move(first.groups);
    info_.fps = 1, info_.dt = 1;
  }
  const RunInfo& info() const override { return info_; }
  int frame_count() const override { return int(files_.size()); }
  long long step(int frame) const override { return frame; }
  double time(int frame) const override { return frame; }
  void read(int frame, RunFrame& out) override {
    const std::string& file = files_.at(size_t(frame));
    ObjGroups mesh = read_obj_groups(file);
    bool same =
        mesh.groups.size() == info_.groups.size() && int(mesh.positions.size()) == info_.vertex_count();
    for (size_t g = 0; same && g < mesh.groups.size(); ++g)
      same = mesh.groups[g].first == info_.groups[g].first &&
             mesh.groups[g].triangles == info_.groups[g].triangles;
    if (!same)
      throw Error(fmt::format("its faces differ from those of {}, so it is not a later state of that mesh",
                              files_.front()),
                  file, "check files of different meshes separately");
    out = {frame, double(frame), std::move(mesh.positions)};
  }

 private:
  std::vector<std::string> files_;
  RunInfo info_;
};

std::string without_digits(std::string path) {
  std::erase_if(path, [](char c) { return c >= '0' && c <= '9'; });
  return path;
}

}  // namespace

std::vector<Run> find_runs(const std::vector<std::string>& inputs, bool sequence) {
  std::vector<Run> runs;
  for (size_t i = 0; i < inputs.size();) {
    std::error_code ignored;
    const std::string ending = file_ending(inputs[i]);
    if (fs::is_regular_file(inputs[i], ignored) && ending != ".weftcache" && ending != ".pc2" &&
        ending != ".obj")
      throw Error("this kind of file cannot be checked", inputs[i],
                  "give a .weftcache, a folder of --states, OBJ files, or a .pc2");
    if (ending != ".obj" || !fs::is_regular_file(inputs[i], ignored)) {
      runs.push_back({inputs[i], [path = inputs[i]] { return open_frame_source(path); }});
      ++i;
      continue;
    }
    std::vector<std::string> files;
    const auto belongs = [&, names = without_digits(inputs[i])](const std::string& input) {
      return without_digits(input) == names ||
             (sequence && file_ending(input) == ".obj" && fs::is_regular_file(input, ignored));
    };
    for (; i < inputs.size() && belongs(inputs[i]); ++i) files.push_back(inputs[i]);
    const std::string name =
        files.size() == 1 ? files[0] : fmt::format("{} to {}", files.front(), files.back());
    runs.push_back({name, [files] { return std::make_unique<ObjFiles>(files); }});
  }
  return runs;
}

std::vector<dvec3> Mesh::positions(const RunFrame& frame) const {
  std::vector<dvec3> x(frame.positions.begin(), frame.positions.end());
  x.insert(x.end(), still.begin(), still.end());
  return x;
}

const Part& Mesh::part_of(int triangle) const {
  for (const Part& part : parts)
    if (triangle < part.first_triangle + part.triangles) return part;
  return parts.back();
}

std::string Mesh::triangle_name(int triangle) const {
  const Part& part = part_of(triangle);
  return fmt::format("{} {} of {}", is_line(triangles[size_t(triangle)]) ? "line" : "triangle",
                     triangle - part.first_triangle,
                     part.name.empty() ? part.body ? "the body" : "the cloth" : part.name);
}

std::string Mesh::vertex_name(int vertex) const {
  for (const Part& p : parts)
    if (vertex >= p.first_vertex && vertex < p.first_vertex + p.vertices)
      return fmt::format("{} of {}", vertex - p.first_vertex, p.name);
  return std::to_string(vertex);
}

bool Mesh::has_grains() const {
  return std::any_of(parts.begin(), parts.end(), [](const Part& p) { return p.radius > 0; });
}

std::vector<double> Mesh::radii() const {
  std::vector<double> all(size_t(run_vertices) + still.size(), 0.0);
  for (const Part& p : parts)
    if (p.radius > 0) std::fill_n(all.begin() + p.first_vertex, p.vertices, p.radius);
  return all;
}

Mesh mesh_of(const Run& run, const RunInfo& info, const std::vector<std::string>& bodies,
             bool ignore_bodies) {
  Mesh mesh;
  mesh.run_vertices = info.vertex_count();
  const auto add = [&](const RunGroup& group, bool body, int offset) {
    const int first = group.first + offset;
    const size_t begin = mesh.triangles.size();
    for (const ivec3& t : group.triangles) mesh.triangles.push_back(t + ivec3(first));
    for (const ivec2& l : group.lines) mesh.triangles.push_back(line_of(l + ivec2(first)));
    mesh.parts.push_back({group.name, body, int(begin), int(mesh.triangles.size() - begin), first,
                          group.count, body ? "body" : kind_of(group), double(group.width) / 2});
    if (mesh.parts.back().kind != "grains") mesh.parts.back().radius = 0;
  };
  for (const RunGroup& group : info.groups)
    if (!group.body) add(group, false, 0);
  mesh.cloth_triangles = int(mesh.triangles.size());
  std::vector<char> used(size_t(mesh.run_vertices), 0);
  for (const ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) used.at(size_t(t[k])) = 1;
  for (const RunGroup& group : info.groups)
    for (const ivec4& c : group.cells)
      for (int k = 0; k < 4; ++k) used.at(size_t(group.first + c[k])) = 1;  // within their solid's skin
  for (const Part& part : mesh.parts)
    if (part.kind == "grains") std::fill_n(used.begin() + part.first_vertex, part.vertices, 1);
    else
      mesh.loose_vertices += int(
          std::count(used.begin() + part.first_vertex, used.begin() + part.first_vertex + part.vertices, 0));
  if (mesh.cloth_triangles == 0 && !mesh.has_grains())
    throw Error("it contains bodies but no cloth", run.name, "give a run with cloth");
  for (const RunGroup& group : info.groups)
    if (group.body && !ignore_bodies) add(group, true, 0);
  for (const std::string& path : bodies) {
    const ObjGroups body = read_obj_groups(path);
    const int offset = mesh.run_vertices + int(mesh.still.size());
    for (const RunGroup& group : body.groups) add(group, true, offset);
    mesh.still.insert(mesh.still.end(), body.positions.begin(), body.positions.end());
  }
  return mesh;
}

namespace {

/// Boundary edges of a part, by the places of their ends.
std::vector<std::array<int, 2>> coincident_boundary(const Mesh& mesh, const Part& part,
                                                    const std::vector<vec3>& x) {
  std::map<std::pair<int, int>, int> sides;
  for (int t = part.first_triangle; t < part.first_triangle + part.triangles; ++t)
    for (int k = 0; k < 3; ++k)
      ++sides[std::minmax({mesh.triangles[size_t(t)][k], mesh.triangles[size_t(t)][(k + 1) % 3]})];
  const auto key = [&](int v) { return std::array{x[size_t(v)].x, x[size_t(v)].y, x[size_t(v)].z}; };
  std::map<std::pair<std::array<float, 3>, std::array<float, 3>>, std::array<int, 2>> first;
  std::vector<std::array<int, 2>> pairs;  // a vertex, and the one that lies on it
  for (const auto& [ends, triangles] : sides) {
    if (triangles != 1 || ends.second >= mesh.run_vertices) continue;
    std::array<int, 2> own{ends.first, ends.second};
    if (key(own[1]) < key(own[0])) std::swap(own[0], own[1]);
    const auto [at, fresh] = first.emplace(std::pair(key(own[0]), key(own[1])), own);
    for (int k = 0; k < 2 && !fresh; ++k)
      if (at->second[size_t(k)] != own[size_t(k)]) pairs.push_back({at->second[size_t(k)], own[size_t(k)]});
  }
  return pairs;
}

}  // namespace

void join_doubled_edges(Mesh& mesh, FrameSource& source) {
  RunFrame frame;
  source.read(0, frame);
  std::vector<std::array<int, 2>> pairs;
  for (const Part& part : mesh.parts)
    if (part.kind != "strands" && part.first_vertex + part.vertices <= mesh.run_vertices)
      for (const auto& pair : coincident_boundary(mesh, part, frame.positions)) pairs.push_back(pair);
  for (int f = 1; f < source.frame_count() && !pairs.empty(); ++f) {
    source.read(f, frame);
    std::erase_if(
        pairs, [&](const auto& p) { return frame.positions[size_t(p[0])] != frame.positions[size_t(p[1])]; });
  }
  std::vector<int> becomes(size_t(mesh.run_vertices) + mesh.still.size());
  std::iota(becomes.begin(), becomes.end(), 0);
  const auto least = [&](int v) {
    while (becomes[size_t(v)] != v) v = becomes[size_t(v)];
    return v;
  };
  for (const auto& [a, b] : pairs) {
    const int low = std::min(least(a), least(b)), high = std::max(least(a), least(b));
    mesh.joined_vertices += low != high;
    becomes[size_t(high)] = low;
  }
  for (ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) t[k] = least(t[k]);
}

}  // namespace weft::check

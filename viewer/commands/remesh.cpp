#include "viewer/commands/remesh.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/base/work_watch.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/uniform/make_uniform.h"
#include "sim/mesh/uniform/outline_file.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/progress.h"

namespace weft {
namespace {

/// Triangles that cross another, each once.
size_t crossing(const TriMesh& mesh) {
  std::set<int> found;
  for (const ivec2& pair : crossing_triangles(mesh.positions, mesh.triangles))
    found.insert(pair.x), found.insert(pair.y);
  return found.size();
}

void print(const char* when, const TriMesh& mesh) {
  const size_t crossed = crossing(mesh);
  std::printf(
      "%s: %d vertices, %d triangles, %s; %s\n", when, mesh.vertex_count(), mesh.triangle_count(),
      in_words(uniformity_of(mesh)).c_str(),
      crossed ? fmt::format("{} triangles cross or touch others", crossed).c_str() : "nothing crosses");
}

TriMesh fill(const std::string& text, const RemeshRequest& request, const UniformOptions& options) {
  const SpaceOutline lines = parse_obj_outline(text, request.from);
  size_t points = 0;
  for (const auto& loop : lines.outline.loops) points += loop.size();
  std::printf("before: an outline of %zu loops, %zu points, %.6g m2\n", lines.outline.loops.size(), points,
              area_of(checked(lines.outline, request.from)));
  if (request.report)
    throw Error("an outline has no interior edges to compare", request.from,
                "leave out --ratio and add --edge and -o");
  if (options.edge == 0)
    throw Error("an outline does not determine the edge length", request.from,
                "add --edge, for example --edge 5mm");
  TriMesh mesh = uniform_pattern(lines.outline, options);
  for (vec3& p : mesh.positions) p = vec3(lines.frame.space(dvec2(p.x, p.y)));
  return mesh;
}

TriMesh even(const std::string& text, const RemeshRequest& request, const UniformOptions& options) {
  ImportReport report;
  TriMesh mesh = parse_obj(text, request.from, report);
  for (const std::string& notice : report.notices) log_notice("{}", notice);
  if (!request.report && !mesh.attributes.empty())
    log_notice(
        "{}: colours of vertices are not written; cloth that a scene remeshes (remesh = \"always\") keeps "
        "them",
        request.from);
  print("before", mesh);
  return request.report ? mesh : made_uniform(mesh, options);
}

}  // namespace

int run_remesh(const RemeshRequest& request) {
  if (!request.report && request.to.empty())
    throw Error("no output file was given", "command line",
                "add -o out.obj, or --ratio to only report the ratio");
  if (!request.report) check_file(request.to);
  const std::string text = read_text_file(request.from, "an OBJ mesh");
  InterruptGuard interrupt;
  const WorkWatch watch(InterruptGuard::interrupted);
  Progress progress("remeshing", "%", 100, request.quiet || request.report);
  UniformOptions options;
  options.edge = request.edge, options.corner_angle = request.corner_angle,
  options.seed = uint64_t(request.seed);
  options.where = request.from;
  options.tell = [&](const std::string& what) { log_warning("{}: {}", request.from, what); };
  options.progress = [&](double share) { WorkWatch::check(), progress.update(long(100 * share)); };
  TriMesh mesh;
  try {
    mesh = holds_only_lines(text, request.from) ? fill(text, request, options) : even(text, request, options);
  } catch (const Interrupted&) {
    progress.finish();
    log_notice("stopped; nothing is written");
    return InterruptGuard::exit_status();
  }
  progress.finish();
  if (request.report) return ExitStatus::ok;
  print("after", mesh);
  if (const double ratio = uniformity_of(mesh).ratio(); ratio < kUniformEnough) {
    const std::string why = what_limits(mesh, options);
    log_warning("the ratio {:.3f} is below {:g}: {}", ratio, kUniformEnough,
                why.empty() ? "try a shorter --edge or another --seed" : why + "; a shorter --edge may help");
  }
  write_obj(request.to, {{"cloth", &mesh.positions, &mesh.triangles, mat4(1), "cloth",
                          mesh.uv.empty() ? nullptr : &mesh.uv, mesh.uv_scale}});
  std::printf("written: %s\n", request.to.c_str());
  return ExitStatus::ok;
}

}  // namespace weft

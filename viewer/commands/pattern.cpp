#include "viewer/commands/pattern.h"

#include <fmt/format.h>

#include <cstdio>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/dressing/dress.h"
#include "sim/files/file_kind.h"
#include "sim/garment/formats/garmentcode.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/garment/formats/pattern_svg.h"
#include "sim/garment/garment_mesh.h"
#include "sim/garment/grade.h"
#include "sim/garment/propose_seams.h"
#include "sim/garment/reshape.h"
#include "sim/garment/sewing_params.h"
#include "sim/mesh/import/obj.h"
#include "sim/mesh/rest_shape.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/progress.h"

namespace weft {
namespace {

void print(const Pattern& pattern) {
  size_t darts = 0;
  for (const Panel& p : pattern.panels) darts += p.darts.size();
  std::printf("%s: %zu panels, %zu seams, %zu darts\n", pattern.name.c_str(), pattern.panels.size(),
              pattern.seams.size(), darts);
}

void print(const GarmentMesh& garment) {
  const Topology topology = build_topology({{"garment", garment.mesh}});
  const EdgeSprings springs = edge_springs(RestShape(garment.mesh), topology.triangles, topology.edges);
  double least = 1e300, most = 0, area = 0;
  for (const float l : springs.rest) least = std::min(least, double(l)), most = std::max(most, double(l));
  for (const float a : rest_areas(topology)) area += double(a);
  std::printf("%d vertices, %d triangles, edges %.1f to %.1f mm, %.4g m2 of cloth\n",
              garment.mesh.vertex_count(), garment.mesh.triangle_count(), 1e3 * least, 1e3 * most, area);
}

/// In the order in which they are given; then lines that no longer fit on each other are named.
void carry_out(const std::vector<std::string>& grades, Pattern& pattern) {
  const Pattern before = pattern;
  for (const std::string& text : grades) grade(pattern, read_grade(text));
  if (!grades.empty()) check_pattern(pattern, "pattern " + pattern.name);
  for (const SeamMisfit& m : misfits(pattern, before))
    std::printf("sewn lines differ: %s (%.1f cm before)\n", in_words(pattern, m).c_str(), 100 * m.before);
}

/// Proposals become seams of the pattern.
void propose(Pattern& pattern) {
  const std::vector<SeamProposal> proposals = propose_seams(pattern);
  for (const SeamProposal& p : proposals) {
    std::printf("proposed: %s on %s, %.1f and %.1f mm, %d notches%s\n", p.sides[0].c_str(),
                p.sides[1].c_str(), 1e3 * p.length[0], 1e3 * p.length[1], p.notches,
                p.others > 0 ? fmt::format("; {} other edges fit as well", p.others).c_str() : "");
    pattern.seams.insert(pattern.seams.end(), p.seams.begin(), p.seams.end());
  }
  if (proposals.empty()) std::printf("no edges of equal length are left to be sewn on each other\n");
}

/// GarmentCode has no drill holes and internal lines.
void tell_of_marks(const Pattern& pattern) {
  size_t marks = 0;
  for (const Panel& p : pattern.panels) marks += p.marks.drills.size() + p.marks.lines.size();
  if (marks > 0) log_notice("{} drill holes and internal lines are left out: GarmentCode has none", marks);
}

/// Sewn around the bodies, without weight.
std::vector<vec3> sewn(const PatternRequest& request) {
  InterruptGuard interrupt;
  Progress progress("sewing", "%", 100, request.quiet);
  Scene scene = dressing_scene(request.from, request.bodies, request.edge, {});
  if (request.bodies.empty()) scene.obstacles.clear();
  scene.of<SewingParams>().settle = 0;
  DressOptions options;
  options.device = request.device, options.threads = request.threads;
  options.give_up = InterruptGuard::interrupted;
  options.progress = [&](const DressProgress& p) { progress.update(long(100 * p.share), p.words); };
  Dressed dressed = dress(scene, options);
  progress.finish();
  for (const std::string& notice : dressed.notices) log_notice("{}", notice);
  std::printf("sewn: stretched by at most %.1f %% at seams\n", 100 * (dressed.garments[0].seam_stretch - 1));
  return std::move(dressed.garments[0].mesh.positions);
}

void write(const std::string& path, const Pattern& pattern, const PatternRequest& request) {
  const std::string kind = file_ending(path);
  if (kind == ".svg") write_text_file(path, pattern_as_svg(pattern));
  else if (kind == ".json") tell_of_marks(pattern), write_text_file(path, write_garmentcode(pattern));
  else {
    const GarmentMesh garment = make_garment(pattern, request.from, request.edge);
    for (const std::string& notice : garment.notices) log_notice("{}: {}", request.from, notice);
    print(garment);
    const TriMesh& mesh = garment.mesh;
    const std::vector<vec3> positions = request.choice.sewn ? sewn(request) : mesh.positions;
    write_obj(path, {{pattern.name, &positions, &mesh.triangles, mat4(1), "cloth", nullptr, vec2(1),
                      &mesh.corners}});
  }
  std::printf("written: %s\n", path.c_str());
}

}  // namespace

int run_pattern(const PatternRequest& given) {
  PatternRequest request = given;
  request.from = with_size(given.from, given.choice.size);
  request.choice.sewn |= !given.bodies.empty();
  if (request.to.empty() && request.drawing.empty() && !request.choice.propose_seams)
    throw Error("no output file was given", "command line", "add -o shirt.obj, or --svg shirt.svg");
  for (const std::string& path : {request.to, request.drawing}) {
    if (path.empty()) continue;
    const std::string kind = file_ending(path);
    if (kind != ".obj" && kind != ".svg" && kind != ".json")
      throw Error("'" + kind + "' is no kind of file that patterns are written as", path,
                  "use .obj, .svg or .json");
    check_file(path);
  }
  std::vector<std::string> notices;
  Pattern pattern = read_pattern(request.from, request.unit, notices);
  for (const std::string& notice : notices) log_notice("{}: {}", request.from, notice);
  carry_out(request.choice.grades, pattern);
  if (request.choice.propose_seams) propose(pattern);
  if (!request.quiet) print(pattern);
  if (!request.drawing.empty()) write(request.drawing, pattern, request);
  try {
    if (!request.to.empty()) write(request.to, pattern, request);
  } catch (const Interrupted&) {
    log_notice("stopped; {} is not written", request.to);
    return InterruptGuard::exit_status();
  }
  return ExitStatus::ok;
}

}  // namespace weft

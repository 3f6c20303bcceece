#include "viewer/commands/dress.h"

#include <fmt/format.h>

#include <cstdio>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/dressing/dress.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_writer.h"
#include "sim/mesh/import/obj.h"
#include "sim/run/layer_order.h"
#include "sim/run/simulation_run.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/progress.h"

namespace weft {
namespace {

Scene scene_of(const DressRequest& request) {
  Scene scene = file_ending(request.from) == ".toml"
                    ? read_scene(request.from)
                    : dressing_scene(request.from, request.bodies, request.edge, request.measures);
  if (file_ending(request.from) == ".toml" && (!request.bodies.empty() || request.edge > 0))
    throw Error("a scene has its own bodies and edge lengths", request.from, "leave out --body and --edge");
  for (const std::string& change : request.changes) {
    const size_t at = change.find('=');
    if (at == change.npos)
      throw Error("'" + change + "' is not key=value", "--set", "write --set sewing.tension=60");
    scene.set(change.substr(0, at), change.substr(at + 1));
  }
  return scene;
}

void write(const std::string& path, const Dressed& dressed) {
  std::vector<ObjGroup> groups;
  for (const DressedGarment& g : dressed.garments)
    groups.push_back(
        {g.name, &g.mesh.positions, &g.mesh.triangles, mat4(1), "cloth", nullptr, vec2(1), &g.mesh.corners});
  write_obj(path, groups);
  std::string layers;
  for (const DressedGarment& g : dressed.garments) layers += layer_line(g.name, g.layers);
  if (!layers.empty()) write_text_file(path, read_text_file(path, "a garment") + layers);
}

}  // namespace

int run_dress(const DressRequest& request) {
  if (file_ending(request.to) != ".obj")
    throw Error("a dressed garment is written as .obj", request.to, "add -o shirt.obj");
  check_file(request.to);
  if (!request.run.empty()) check_export(request.run);
  const Scene scene = scene_of(request);
  DressOptions options;
  options.finer = request.finer;
  options.device = request.device, options.threads = request.threads;
  InterruptGuard interrupt;
  Progress progress("dressing", "%", 100, request.quiet);
  options.give_up = InterruptGuard::interrupted;
  options.progress = [&](const DressProgress& p) { progress.update(long(100 * p.share), p.words); };
  std::unique_ptr<FrameWriter> run;
  if (!request.run.empty())
    options.state = [&](Simulation& sim) {
      if (!run) run = make_frame_writer(request.run, run_info_of(sim));
      RunFrame frame;
      read_state(sim, frame);
      run->frame(frame);
    };
  Dressed dressed;
  try {
    dressed = dress(scene, options);
  } catch (const Interrupted&) {
    if (run) run->finish();
    log_notice("stopped; {} is not written", request.to);
    return InterruptGuard::exit_status();
  }
  progress.finish();
  if (run) run->finish(), std::printf("%s\n", run->summary().c_str());
  for (const std::string& notice : dressed.notices) log_notice("{}", notice);
  write(request.to, dressed);
  for (const DressedGarment& g : dressed.garments)
    std::printf("%s: %d vertices, stretched by at most %.1f %% at seams%s\n", g.name.c_str(),
                g.mesh.vertex_count(), 100 * (g.seam_stretch - 1),
                dressed.from_cache ? ", as dressed before" : "");
  if (dressed.steps > 0)
    std::printf("in %d steps (%d forward steps)\n", dressed.steps, dressed.forward_steps);
  std::printf("written: %s\n", request.to.c_str());
  for (const std::string& fault : dressed.faults) log_error("{}", fault);
  return dressed.faults.empty() ? ExitStatus::ok : ExitStatus::error;
}

}  // namespace weft

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/geometry_processing/normal_flow.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "sim/mesh/mesh.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/progress.h"
#include "viewer/commands/repair.h"

namespace weft {

int run_flow(const FlowRequest& request) {
  InterruptGuard interrupt;
  check_file(request.to);
  const ObjGroups in = read_obj_groups(request.from);
  const std::vector<ivec3> triangles = all_triangles(in.groups);
  CrossingFreePath path(in.positions, triangles,
                        {float(request.gap),
                         PathOptions{}.steps,
                         {},
                         request.device,
                         request.threads,
                         [&](int t) { return triangle_name(in.groups, t); },
                         InterruptGuard::interrupted},
                        request.from);
  const NormalFlow flow(int(in.positions.size()), triangles);
  if (const std::string remark = flow.remark(in.positions); !remark.empty())
    log_notice("{}: {}", request.from, remark);
  if (const float size = bounds_of(in.positions).diagonal(); std::abs(request.distance) > double(size))
    log_warning(
        "--distance {} m is more than the size of {}, which is {:.3g} m across. A number without a unit is "
        "in metres: write 5mm for millimetres",
        request.distance, request.from, size);

  Progress progress("flowing", "%", 100, request.quiet);
  FlowResult result;
  try {
    result = flow_along_normals(path, flow, float(request.distance), request.steps, [&](int done, int all) {
      progress.update(100L * done / all);
      return !InterruptGuard::interrupted();
    });
  } catch (const Interrupted&) {}
  progress.finish();
  if (InterruptGuard::interrupted()) {
    log_notice("stopped; nothing is written");
    return InterruptGuard::exit_status();
  }
  const auto left = path.crossings();
  if (!left.empty())
    log_error("{}: {}: the method failed, please report it with this file", request.to,
              crossings_in_words(left, -1, [&](int t) { return triangle_name(in.groups, t); }));
  write_groups(request.to, in.groups, path.positions());
  std::printf(
      "%d steps, %d forward steps; vertices moved by %.3f mm on average, %.3f mm at most\nwritten: %s\n",
      result.steps, result.forward_steps, 1e3 * result.mean_way, 1e3 * result.largest_way,
      request.to.c_str());
  return left.empty() ? ExitStatus::ok : ExitStatus::error;
}

}  // namespace weft

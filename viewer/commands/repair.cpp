#include "viewer/commands/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/geometry_processing/crossing_free_path.h"
#include "sim/geometry_processing/layer_lift.h"
#include "sim/mesh/algorithms/crossing_triangles.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/progress.h"

namespace weft {
namespace {

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

struct Repaired {
  std::string name;
  bool crossed = false;  // the frame itself
  Arrival arrival;
  size_t left = 0;  // crossings in the output: none, unless the method failed
};

void print(const std::vector<Repaired>& frames) {
  size_t width = 5;
  for (const Repaired& f : frames) width = std::max(width, f.name.size());
  std::printf("%-*s  %-8s  %14s  %14s  %13s\n", int(width), "frame", "it was", "mean dist., mm",
              "largest, mm", "forward steps");
  for (const Repaired& f : frames)
    std::printf("%-*s  %-8s  %14.3f  %14.3f  %13d\n", int(width), f.name.c_str(),
                f.crossed ? "crossing" : "clean", 1e3 * f.arrival.mean, 1e3 * f.arrival.largest,
                f.arrival.steps);
}

/// Reads all files before the first is written, so that an unsuitable one is reported early.
void check_all(const ObjSequence& sequence) {
  for (int f = 1; f < sequence.frame_count(); ++f) sequence.vertices(f);
}

Repaired repair(const RepairRequest& request, const std::string& file, const std::vector<vec3>& target,
                const ObjGroups& start, CrossingFreePath& path) {
  Repaired done{name_of(file), !crossing_triangles(target, all_triangles(start.groups), -1, 1).empty(),
                path.move_to(target), 0};
  const std::string to = (std::filesystem::path(request.to) / done.name).string();
  if (const auto left = path.crossings(); !left.empty()) {
    done.left = left.size();
    log_error("{}: {}: the method failed, please report it with these files", to,
              crossings_in_words(left, int(all_triangles(start.groups).size()),
                                 [&](int t) { return triangle_name(start.groups, t); }));
  }
  if (done.arrival.steps >= request.steps)
    log_notice("{}: stopped after {} forward steps; more (--steps) may bring it closer", file,
               done.arrival.steps);
  write_groups(to, start.groups, path.positions());
  return done;
}

/// Of one file without frames: its groups are layers, the first next to the body.
int repair_layers(const RepairRequest& request) {
  constexpr float kMost = 0.05f;  // m
  const ObjGroups start = read_obj_groups(request.start);
  const std::string name = name_of(request.start);
  std::vector<std::string> inputs{request.start};
  inputs.insert(inputs.end(), request.obstacles.begin(), request.obstacles.end());
  std::vector<vec3> positions = start.positions;
  std::vector<std::vector<ivec3>> layers;
  std::vector<ivec3> bodies;
  for (const RunGroup& group : start.groups) layers.push_back(all_triangles({group}));
  for (const std::string& file : request.obstacles) {
    const ObjGroups body = read_obj_groups(file);
    const ivec3 first(int(positions.size()));
    for (const ivec3& t : all_triangles(body.groups)) bodies.push_back(t + first);
    positions.insert(positions.end(), body.positions.begin(), body.positions.end());
  }
  LiftedLayers lifted = lift_layers(std::move(positions), layers, bodies, float(request.distance), kMost);
  if (lifted.left.empty() &&
      std::none_of(lifted.farthest.begin(), lifted.farthest.end(), [](double way) { return way > 0; }))
    throw Error("there are no frames to repair, and its layers do not cross", request.start,
                "name frames after the start: weft repair start.obj frames/*.obj -o out/");
  check_folder(request.to, {name}, inputs);
  lifted.positions.resize(start.positions.size());
  for (size_t i = 0; i < layers.size(); ++i)
    std::printf("layer %zu, %s: lifted by at most %.3g mm\n", i, start.groups[i].name.c_str(),
                1e3 * lifted.farthest[i]);
  const std::string to = (std::filesystem::path(request.to) / name).string();
  write_groups(to, start.groups, lifted.positions);
  std::printf("written: %s\n", to.c_str());
  if (lifted.left.empty()) return ExitStatus::ok;
  log_error("{}: {}; layers that cross themselves, or by more than {:g} mm, stay as they are", to,
            crossings_in_words(lifted.left, int(all_triangles(start.groups).size()),
                               [&](int t) { return triangle_name(start.groups, t); }),
            double(1e3f * kMost));
  return ExitStatus::error;
}

}  // namespace

int run_repair(const RepairRequest& request) {
  if (request.frames.empty()) return repair_layers(request);
  InterruptGuard interrupt;
  std::vector<std::string> notices;
  const std::vector<std::string> frames = find_frames(request.frames, notices);
  ObjSequenceFiles files{{request.start}, {}};
  files.files.insert(files.files.end(), frames.begin(), frames.end());
  const ObjGroups start = read_obj_groups(request.start);
  const ObjSequence sequence(files);
  check_all(sequence);
  std::vector<std::string> names, inputs = files.files;
  for (const std::string& f : frames) names.push_back(name_of(f));
  inputs.insert(inputs.end(), request.obstacles.begin(), request.obstacles.end());
  CrossingFreePath path(
      start.positions, all_triangles(start.groups),
      {float(request.distance), request.steps, request.obstacles, request.device, request.threads,
       [&](int t) { return triangle_name(start.groups, t); }, InterruptGuard::interrupted},
      request.start);
  check_folder(request.to, names, inputs);
  notices.insert(notices.end(), path.notices().begin(), path.notices().end());
  for (const std::string& notice : notices) log_notice("{}", notice);
  if (double(path.distance()) < 0.999 * request.distance)
    log_notice(
        "layers are kept {:.3g} mm apart instead of {:.3g}: more than 0.4 of the mean edge would push the "
        "mesh itself apart",
        1e3 * double(path.distance()), 1e3 * request.distance);

  Progress progress("repairing", "frames", long(frames.size()), request.quiet);
  std::vector<Repaired> done;
  try {
    for (int f = 1; f < sequence.frame_count() && !InterruptGuard::interrupted(); ++f) {
      done.push_back(repair(request, frames[size_t(f - 1)], sequence.vertices(f), start, path));
      progress.update(f, fmt::format("{}: {} forward steps", done.back().name, done.back().arrival.steps));
    }
  } catch (const Interrupted&) {  // the frame that it was at is not written
  } catch (const Error& e) {
    progress.finish();
    throw Error(fmt::format("{}; {} files before it are kept", e.what_happened, done.size()), e.where,
                e.what_to_do);
  }
  progress.finish();
  print(done);
  const auto crossed = std::count_if(done.begin(), done.end(), [](const Repaired& f) { return f.crossed; });
  std::printf("%td of %zu frames crossed themselves\nwritten: %zu OBJ files in %s\n", crossed, done.size(),
              done.size(), request.to.c_str());
  const bool failed = std::any_of(done.begin(), done.end(), [](const Repaired& f) { return f.left > 0; });
  return InterruptGuard::interrupted() ? InterruptGuard::exit_status()
         : failed                      ? int(ExitStatus::error)
                                       : int(ExitStatus::ok);
}

}  // namespace weft

// The arguments of the program as plain data.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/text/scene_file.h"
#include "sim/wrinkles/wrinkle_settings.h"
#include "viewer/commands/pattern.h"
#include "viewer/commands/run_files.h"

namespace weft {

struct CommandOptions {
  enum class Task {
    run,
    list,
    params,
    devices,
    replay,
    bench,
    convert,
    remesh,
    repair,
    flow,
    pattern,
    dress,
    mannequin,
    wrinkle
  };
  Task task = Task::run;

  std::string input;  // scene or cloth; empty: the default scene
  std::vector<std::string> obstacles;
  ObjUnits units;                     // for input and obstacles that are OBJ files
  int vertices = 0;                   // of the default scene's cloth; 0: as the scene says
  FileChanges changes;                // for all files
  std::vector<std::string> settings;  // key=value
  std::string device = "auto";
  int threads = 0;
  bool headless = false, quiet = false, check = false;
  int frames = 0;  // time steps
  double seconds = 0;
  std::string record;
  double fps = 60, speed = 1;
  int crf = 18;
  bool every_step = false;
  int width = 1920, height = 1080;
  bool size_given = false;
  bool fps_given = false;
  double turntable = 0;  // s of video per turn
  std::string caption;
  bool show_timings = false;
  int motion_blur = 1;
  double shutter = 180;  // degrees
  RunFiles files;
  std::string command;  // as typed

  // window
  bool paused = false, fresh = false, panels = false;
  float scale = 0;
  std::string test_report;

  // subcommands
  bool markdown = false;  // params
  std::string hands;      // replay
  std::string bench_json, bench_markdown;
  bool bench_window = false, bench_small = false, bench_scaling = false;
  std::string bench_what;
  std::vector<int> bench_vertices;
  int bench_runs = 0, bench_steps = 0;
  std::vector<std::string> bench_scenes;
  double bench_seconds = 0, bench_wall = 0;  // s simulated, s of wall time; 0: no limit
  std::string convert_from, convert_to;
  int first_frame = -1, last_frame = -1, only_frame = -1;
  double input_fps = 0, output_fps = 0;
  std::string remesh_from, remesh_to;
  double remesh_edge = 0;  // m; 0: as long as the mesh's own are on average
  bool remesh_report = false;
  int remesh_seed = 1;
  double corner_angle = 30;  // degrees

  std::string pattern_from, pattern_to, pattern_drawing;
  double pattern_edge = 0, pattern_unit = 0;  // m; 0: as the file says
  PatternChoice pattern_choice;
  std::string dress_from, dress_to, dress_run;
  std::vector<std::string> dress_bodies, dress_changes;
  double dress_edge = 0, dress_finer = 0;  // m; 0: that of the pattern, the same

  std::string process_from, process_to;  // repair, flow
  std::vector<std::string> repair_frames;
  double flow_distance = 0;      // m
  double layer_distance = 1e-3;  // m
  int repair_steps = 2048, flow_steps = 0;

  std::string wrinkle_from, wrinkle_to, wrinkle_settings, wrinkle_fabric, wrinkle_map;
  // short keys of WrinkleParams and their values
  std::vector<std::pair<std::string, std::string>> wrinkle_overrides;
  wrinkles::WrinkleParams wrinkle_defaults;  // values are checked with it
  int wrinkle_every = 1, wrinkle_reference = -1, wrinkle_map_size = 2048;
  bool wrinkle_guard = false;

  std::string mannequin_to;
  MannequinParams mannequin;
  std::vector<std::string> mannequin_clips;
  double mannequin_time = 0;  // s

  /// Results of a run without a window, apart from a video.
  bool wants_results() const { return check || files.any(); }
};

/// Fills `options`. Returns the exit status if the program is done: 0 after --help and --version, 2 for
/// invalid arguments, with the reason on standard error.
std::optional<int> parse_arguments(int argc, char** argv, CommandOptions& options);

}  // namespace weft

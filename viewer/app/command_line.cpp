#include "viewer/app/command_line.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/base/log.h"
#include "sim/base/shorten.h"
#include "sim/files/file_kind.h"
#include "sim/scene/command.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/app/command_options.h"
#include "viewer/app/listings.h"
#include "viewer/bench/bench.h"
#include "viewer/bench/bench_error.h"
#include "viewer/bench/bench_scaling.h"
#include "viewer/bench/bench_wang2021.h"
#include "viewer/bench/paper_bench.h"
#include "viewer/bench/responsiveness.h"
#include "viewer/commands/convert.h"
#include "viewer/commands/dress.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/headless_playback.h"
#include "viewer/commands/mannequin.h"
#include "viewer/commands/pattern.h"
#include "viewer/commands/remesh.h"
#include "viewer/commands/repair.h"
#include "viewer/commands/run_origin.h"
#include "viewer/commands/scene_input.h"
#include "viewer/commands/wrinkle.h"
#include "viewer/record/picture_sink.h"
#include "viewer/window/window.h"

namespace weft {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Settings split_settings(const std::vector<std::string>& texts) {
  Settings settings;
  for (const auto& text : texts) settings.push_back(split_setting(text));
  return settings;
}

/// Why no window can be opened; empty if one can.
std::string why_no_display() {
  std::string reason;
  if (glfwInit()) {
    glfwTerminate();
    return reason;
  }
  const char* description = nullptr;
  glfwGetError(&description);
  const bool named = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  return named ? fmt::format("the display cannot be used ({})", description ? description : "no reason given")
               : "neither DISPLAY nor WAYLAND_DISPLAY is set";
}

/// An animated picture is for a page or a message: smaller and slower than a video, unless asked for
/// otherwise.
void fit_to_kind(VideoRequest& video, const CommandOptions& options) {
  if (video_kind(video.path) != VideoKind::gif) return;
  if (!options.size_given) video.width = 640, video.height = 360;
  if (!options.fps_given) video.fps = 25;
  if (const std::string words = fit_gif(video.width, video.height, video.fps); !words.empty())
    log_notice("{}", words);
}

bool is_run_cache(const std::string& input) { return file_ending(input) == ".weftcache"; }

HeadlessRequest headless_request(const CommandOptions& options, Scene scene, const ViewSettings& view) {
  HeadlessRequest request;
  request.scene = std::move(scene);
  request.device = parse_device_choice(options.device);
  request.threads = options.threads;
  request.steps = options.frames;
  request.seconds = options.seconds;
  request.video = {options.record,    options.width,      options.height,       options.fps,
                   options.speed,     options.every_step, options.crf,          view,
                   options.turntable, options.caption,    options.show_timings, options.motion_blur,
                   options.shutter,   options.fps_given};
  fit_to_kind(request.video, options);
  request.files = options.files;
  if (is_snapshot(options.changes.start)) request.files.load_snapshot = options.changes.start;
  request.command = options.command;
  request.check = options.check;
  request.quiet = options.quiet;
  return request;
}

/// A snapshot as --start is restored, and changes no file of the scene.
FileChanges changes_of(const CommandOptions& options) {
  FileChanges changes = options.changes;
  if (!is_snapshot(changes.start)) return changes;
  if (!options.headless && options.task == CommandOptions::Task::run)
    throw Error("a snapshot is taken up by runs without a window", changes.start, "add --headless");
  changes.start.clear();
  return changes;
}

Scene opened(const CommandOptions& options) {
  Scene scene = open_scene(options.input, options.obstacles, options.units);
  change_files(scene, changes_of(options));
  set_vertices(scene, options.vertices);
  return scene;
}

int run_without_window(const CommandOptions& options) {
  Scene scene = opened(options);
  ViewSettings view;
  apply_settings(split_settings(options.settings), scene, view);
  return run_headless(headless_request(options, std::move(scene), view));
}

/// No display: what would have been shown becomes a video.
int record_demo(CommandOptions options, const std::string& reason) {
  const bool own_scene = !options.input.empty();
  if (options.record.empty()) options.record = "weft-demo.mp4";
  if (!options.size_given) options.width = 1280, options.height = 720;
  if (options.frames == 0 && options.seconds == 0) options.seconds = 10;
  std::fprintf(stderr,
               "weft: no window can be opened here: %s.\nweft: recording %s of %s to %s instead; 'weft "
               "--help' lists what else works without a display.\n",
               reason.c_str(),
               options.frames > 0 ? fmt::format("{} steps", options.frames).c_str()
                                  : fmt::format("{:g} s", options.seconds).c_str(),
               own_scene ? options.input.c_str() : "the default scene with a scripted drag",
               options.record.c_str());
  Scene scene = own_scene ? opened(options) : demo_scene();
  ViewSettings view;
  apply_settings(split_settings(options.settings), scene, view);
  const int status = run_headless(headless_request(options, std::move(scene), view));
  std::error_code ignore;
  if (std::filesystem::exists(options.record, ignore))
    std::printf("the video is here: %s\n", std::filesystem::absolute(options.record).c_str());
  return status;
}

/// A window's video shows what is on screen, when it is there: it has no other speed, and no states between
/// its pictures.
void refuse_headless_video(const CommandOptions& options) {
  const std::pair<const char*, bool> given[] = {{"--speed", options.speed != 1},
                                                {"--every-step", options.every_step},
                                                {"--motion-blur", options.motion_blur > 1},
                                                {"--shutter", options.shutter != 180}};
  for (const auto& [name, there] : given)
    if (there)
      throw Error(std::string(name) + " belongs to videos of runs without a window", "command line",
                  "add --headless");
}

int open_window(const CommandOptions& options) {
  refuse_headless_video(options);
  WindowOptions window;
  if (is_run_cache(options.input)) window.playback = options.input;
  else window.scene = opened(options);
  if (!options.input.empty()) window.input.push_back(options.input);
  for (const auto& obstacle : options.obstacles)
    window.input.insert(window.input.end(), {"--obstacle", obstacle});
  for (const std::string& word : unit_arguments(options.units)) window.input.push_back(word);
  if (options.vertices > 0) window.input = vertices_argument(options.vertices);
  const FileChanges& changes = options.changes;
  if (!changes.weld.empty()) window.input.insert(window.input.end(), {"--weld", changes.weld});
  if (!changes.rest.empty()) window.input.insert(window.input.end(), {"--rest", changes.rest});
  if (!changes.start.empty()) window.input.insert(window.input.end(), {"--start", changes.start});
  window.overrides = split_settings(options.settings);
  window.device = parse_device_choice(options.device);
  window.threads = options.threads;
  window.scale = options.scale;
  if (options.size_given) window.width = options.width, window.height = options.height;
  window.paused = options.paused;
  window.fresh = options.fresh;
  window.record = options.record;
  window.fps = options.fps, window.fps_given = options.fps_given, window.crf = options.crf;
  window.panels = options.panels;
  window.caption = options.caption, window.show_timings = options.show_timings,
  window.turntable = options.turntable;
  window.test_report = options.test_report;
  return run_window(window);
}

/// `weft run.weftcache`: shown in the window, or recorded as a video without one.
int show_run_cache(CommandOptions options) {
  if (options.wants_results() || options.frames > 0 || options.seconds > 0 || !options.obstacles.empty() ||
      options.units != ObjUnits{})
    throw Error(
        "a recorded run is not simulated: --frames, --seconds, --states, --export, --cache, --stats, "
        "--check, --obstacle, scales and snapshots do not apply",
        options.input, "use 'weft convert' to make other files from it");
  Scene none;
  ViewSettings view;
  for (const auto& setting : split_settings(options.settings)) {
    if (setting.first.rfind("view.", 0) != 0)
      throw Error("a recorded run is not simulated: only parameters of the picture (view.*) can be set",
                  setting.first, "leave it out");
    apply_settings({setting}, none, view);
  }
  const std::string reason = options.headless ? "" : why_no_display();
  if (!options.headless && reason.empty()) return open_window(options);
  if (options.headless && options.record.empty())
    throw Error("a recorded run can be shown or recorded as video", options.input,
                "leave out --headless for the window, or add --record out.mp4");
  if (options.record.empty()) {
    options.record = "weft-demo.mp4";
    if (!options.size_given) options.width = 1280, options.height = 720;
    log_notice("no window can be opened here: {}; recording {} to {} instead", reason, options.input,
               options.record);
  }
  if (options.motion_blur > 1 || options.shutter != 180)
    throw Error("a recorded run has its states only: --motion-blur and --shutter do not apply", options.input,
                "leave them out, or record the video while the scene is simulated");
  VideoRequest video{options.record,    options.width,      options.height,      options.fps,
                     options.speed,     options.every_step, options.crf,         view,
                     options.turntable, options.caption,    options.show_timings};
  video.fps_given = options.fps_given;
  fit_to_kind(video, options);
  return film_run_cache({options.input, video, options.quiet});
}

int run_scene(const CommandOptions& options) {
  if (is_run_cache(options.input)) return show_run_cache(options);
  if (options.headless) return run_without_window(options);
  const std::string reason = why_no_display();
  if (reason.empty()) {
    if (options.wants_results() || options.frames > 0 || options.seconds > 0)
      throw Error(
          "--frames, --seconds, --states, --export, --cache, --stats, --csv, --trace, --check and snapshots "
          "belong to runs without a window",
          "command line", "add --headless");
    return open_window(options);
  }
  if (options.wants_results()) {
    log_notice("no window can be opened here: {}; running as with --headless", reason);
    return run_without_window(options);
  }
  return record_demo(options, reason);
}

/// A recording's scene lies beside it, or where it was when it was recorded.
std::string scene_of(const HandRecording& recording, const std::string& hands) {
  namespace fs = std::filesystem;
  const fs::path named = recording.scene_path, folder = fs::path(hands).parent_path();
  if (named.empty()) return {};
  // the first is `named` where that is absolute
  for (const fs::path& candidate : {folder / named, named, folder / named.filename()})
    if (fs::exists(candidate)) return candidate.string();
  return named.string();
}

int replay(const CommandOptions& options) {
  const HandRecording recording = read_hands(options.hands);
  Scene scene = open_scene(scene_of(recording, options.hands), options.obstacles, options.units);
  change_files(scene, changes_of(options));
  ViewSettings view;
  const Settings changes = split_settings(options.settings);
  scene.step.budget = 0;  // what a budget did is in the commands
  apply_settings(recording.overrides, scene, view);
  apply_settings(changes, scene, view);
  HeadlessRequest request = headless_request(options, std::move(scene), view);
  request.inputs.push_back(options.hands);
  for (const TimedCommand& command : recording.commands) {
    // A parameter set for this replay keeps its value.
    const auto* set = std::get_if<SetParam>(&command.command);
    const bool overridden =
        set && std::any_of(changes.begin(), changes.end(), [&](auto& c) { return c.first == set->key; });
    if (!overridden) request.commands.push_back(command);
  }
  if (options.frames == 0 && options.seconds == 0) request.steps = recording.steps;
  return run_headless(request);
}

int bench_window(const CommandOptions& options) {
  ResponsivenessRequest request;
  request.window.scene = open_scene("", {});
  request.window.overrides = split_settings(options.settings);
  request.window.device = parse_device_choice(options.device);
  request.window.threads = options.threads;
  request.window.width = 1280, request.window.height = 720, request.window.scale = 1;
  request.markdown_file = options.bench_markdown;
  if (options.bench_runs > 0) request.rounds = options.bench_runs;
  return run_responsiveness(request);
}

int bench_paper(const CommandOptions& options) {
  PaperBenchRequest request;
  request.paper = options.bench_what;
  request.device = parse_device_choice(options.device);
  request.threads = options.threads;
  request.overrides = split_settings(options.settings);
  request.json_file = options.bench_json;
  request.markdown_file = options.bench_markdown;
  request.quiet = options.quiet;
  request.small = options.bench_small;
  request.scenes = options.bench_scenes;
  request.steps = options.bench_steps;
  request.seconds = options.bench_seconds;
  request.wall_seconds = options.bench_wall;
  return run_paper_bench(request);
}

int bench(const CommandOptions& options) {
  if (options.bench_window) return bench_window(options);
  const bool grids = options.bench_what == "wang2021";
  const bool error = options.bench_what == "error";
  if (!options.bench_what.empty() && !grids && !error) return bench_paper(options);
  BenchRequest request;
  request.device = parse_device_choice(options.device);
  request.threads = options.threads;
  request.overrides = split_settings(options.settings);
  request.json_file = options.bench_json;
  request.markdown_file = options.bench_markdown;
  request.quiet = options.quiet;
  if (!options.bench_vertices.empty()) request.vertices = options.bench_vertices;
  if (options.bench_runs > 0) request.runs = options.bench_runs;
  if (options.bench_steps > 0) request.steps = options.bench_steps;
  if (grids) return run_wang2021_bench(request);
  if (error) {
    ErrorRequest errors{.bench = request, .scenes = options.bench_scenes};
    if (options.bench_seconds > 0) errors.seconds = options.bench_seconds;
    if (options.bench_steps > 0) errors.states = options.bench_steps;
    return run_error_bench(errors);
  }
  return options.bench_scaling ? run_scaling_bench(request) : run_bench(request);
}

int dispatch(const CommandOptions& options) {
  set_console_level(options.quiet ? LogLevel::warning : LogLevel::notice);
  switch (options.task) {
    case CommandOptions::Task::list: return list_scenes();
    case CommandOptions::Task::params: return list_parameters(options.markdown);
    case CommandOptions::Task::devices: return print_devices();
    case CommandOptions::Task::replay: return replay(options);
    case CommandOptions::Task::bench: return bench(options);
    case CommandOptions::Task::convert:
      return run_convert({options.convert_from, options.convert_to, options.first_frame, options.last_frame,
                          options.only_frame, options.output_fps, options.input_fps, options.quiet});
    case CommandOptions::Task::remesh:
      return run_remesh({options.remesh_from, options.remesh_to, options.remesh_edge, options.corner_angle,
                         options.remesh_seed, options.remesh_report, options.quiet});
    case CommandOptions::Task::repair:
      return run_repair({options.process_from, options.repair_frames, options.process_to, options.obstacles,
                         options.layer_distance, options.repair_steps, parse_device_choice(options.device),
                         options.threads, options.quiet});
    case CommandOptions::Task::pattern:
      return run_pattern({options.pattern_from, options.pattern_to, options.pattern_drawing,
                          options.pattern_edge, options.pattern_unit, options.pattern_choice,
                          options.obstacles, parse_device_choice(options.device), options.threads,
                          options.quiet});
    case CommandOptions::Task::dress:
      return run_dress({options.dress_from, options.dress_to, options.dress_bodies, options.mannequin,
                        options.dress_changes, options.dress_edge, options.dress_finer, options.dress_run,
                        parse_device_choice(options.device), options.threads, options.quiet});
    case CommandOptions::Task::flow:
      return run_flow({options.process_from, options.process_to, options.flow_distance,
                       options.layer_distance, options.flow_steps, parse_device_choice(options.device),
                       options.threads, options.quiet});
    case CommandOptions::Task::wrinkle:
      return run_wrinkle(
          {options.wrinkle_from, options.wrinkle_to, options.wrinkle_settings, options.wrinkle_overrides,
           options.wrinkle_fabric, options.first_frame, options.last_frame, options.wrinkle_every,
           options.wrinkle_reference, options.wrinkle_map, options.wrinkle_map_size, options.input_fps,
           parse_device_choice(options.device), options.threads, options.quiet, options.wrinkle_guard});
    case CommandOptions::Task::mannequin:
      return run_mannequin(
          {options.mannequin_to, options.mannequin, options.mannequin_clips, options.mannequin_time});
    case CommandOptions::Task::run: return run_scene(options);
  }
  return ExitStatus::usage;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  // The reader of the output may exit (weft ... | head); the run continues. EncoderProcess restores the
  // default for ffmpeg.
  std::signal(SIGPIPE, SIG_IGN);
  CommandOptions options;
  if (const auto status = parse_arguments(argc, argv, options)) return *status;
  options.command = command_text(argc, argv);
  try {
    read_injected_faults();
    return dispatch(options);
  } catch (const std::bad_alloc&) {
    std::fflush(stdout);
    std::fprintf(stderr, "weft: error: not enough memory for %s\n",
                 options.input.empty() ? "this" : shortened(options.input, 200).c_str());
    return ExitStatus::error;
  } catch (const std::exception& e) {
    std::fflush(stdout);
    std::fprintf(stderr, "weft: error: %s\n", shortened(e.what(), 2000).c_str());
    return ExitStatus::error;
  }
}

}  // namespace weft

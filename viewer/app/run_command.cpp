#include "viewer/app/run_command.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/files/file_kind.h"
#include "sim/scene/command.h"
#include "sim/scene/text/scene_file.h"
#include "sim/scene/text/viewpoint_table.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/headless_playback.h"
#include "viewer/commands/scene_input.h"
#include "viewer/record/picture_sink.h"
#include "viewer/session/light_choice.h"
#include "viewer/window/window.h"

namespace weft {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

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
void fit_to_kind(VideoRequest& video, const RunOptions& options) {
  if (video_kind(video.path) != VideoKind::gif) return;
  if (!options.window.size_given) video.width = 640, video.height = 360;
  if (!options.video.fps_given) video.fps = 25;
  if (const std::string words = fit_gif(video.width, video.height, video.fps); !words.empty())
    log_notice("{}", words);
}

bool is_run_cache(const std::string& input) { return file_ending(input) == ".weftcache"; }

HeadlessRequest headless_request(const RunOptions& options, Scene scene, const ViewSettings& view) {
  HeadlessRequest request;
  request.scene = std::move(scene);
  request.device = options.compute.device;
  request.threads = options.compute.threads;
  request.steps = options.frames;
  request.seconds = options.seconds;
  request.video = options.video;
  request.video.view = view;
  fit_to_kind(request.video, options);
  request.files = options.files;
  if (is_snapshot(options.changes.start)) request.files.load_snapshot = options.changes.start;
  request.command = options.command;
  request.check = options.check.ends, request.verdict = options.check.crossings;
  request.quiet = options.compute.quiet;
  return request;
}

/// A snapshot as --start is restored, and changes no file of the scene.
FileChanges changes_of(const RunOptions& options) {
  FileChanges changes = options.changes;
  if (!is_snapshot(changes.start)) return changes;
  if (!options.headless && options.hands.empty())
    throw Error("a snapshot is taken up by runs without a window", changes.start, "add --headless");
  changes.start.clear();
  return changes;
}

Scene opened(const RunOptions& options) {
  Scene scene = open_scene(options.input, options.obstacles, options.units);
  change_files(scene, changes_of(options));
  set_vertices(scene, options.vertices);
  if (!options.video.look.viewpoint.empty()) look_from(scene, options.video.look.viewpoint);
  add_plugins(scene, options.compute.plugins);
  return scene;
}

int run_without_window(const RunOptions& options) {
  Scene scene = opened(options);
  ViewSettings view;
  set_scene_light(view, scene);
  apply_settings(split_settings(options.compute.settings), scene, view);
  return run_headless(headless_request(options, std::move(scene), view));
}

/// No display: what would have been shown becomes a video.
int record_demo(RunOptions options, const std::string& reason) {
  const bool own_scene = !options.input.empty();
  if (options.video.path.empty()) options.video.path = "weft-demo.mp4";
  if (!options.window.size_given) options.video.width = 1280, options.video.height = 720;
  if (options.frames == 0 && options.seconds == 0) options.seconds = 10;
  Scene scene = own_scene ? opened(options) : demo_scene();  // first: it may not exist
  std::fprintf(stderr,
               "weft: no window can be opened here: %s.\nweft: recording %s of %s to %s instead; 'weft "
               "--help' lists what else works without a display.\n",
               reason.c_str(),
               options.frames > 0 ? fmt::format("{} steps", options.frames).c_str()
                                  : fmt::format("{:g} s", options.seconds).c_str(),
               own_scene ? options.input.c_str() : "the default scene with a scripted drag",
               options.video.path.c_str());
  ViewSettings view;
  set_scene_light(view, scene);
  apply_settings(split_settings(options.compute.settings), scene, view);
  const int status = run_headless(headless_request(options, std::move(scene), view));
  std::error_code ignore;
  if (std::filesystem::exists(options.video.path, ignore))
    std::printf("the video is here: %s\n", std::filesystem::absolute(options.video.path).c_str());
  return status;
}

/// A window's video shows what is on screen, when it is there: it has no other speed, and no states between
/// its pictures.
void refuse_headless_video(const RunOptions& options) {
  const std::pair<const char*, bool> given[] = {{"--speed", options.video.speed != 1},
                                                {"--every-step", options.video.every_step},
                                                {"--motion-blur", options.video.blur.states > 1},
                                                {"--shutter", options.video.blur.shutter != 180},
                                                {"--supersample", options.video.look.supersample > 1}};
  for (const auto& [name, there] : given)
    if (there)
      throw Error(std::string(name) + " belongs to videos of runs without a window", "command line",
                  "add --headless");
}

int open_window(const RunOptions& options) {
  refuse_headless_video(options);
  WindowOptions window;
  if (is_run_cache(options.input)) window.playback = options.input;
  else window.scene = opened(options);
  if (!options.input.empty()) window.input.push_back(options.input);
  for (const auto& obstacle : options.obstacles)
    window.input.insert(window.input.end(), {"--obstacle", obstacle});
  for (const std::string& word : unit_arguments(options.units)) window.input.push_back(word);
  if (options.vertices > 0) window.input = vertices_argument(options.vertices);
  for (const std::string& plugin : options.compute.plugins)
    window.input.insert(window.input.end(), {"--plugin", std::filesystem::absolute(plugin).string()});
  const FileChanges& changes = options.changes;
  if (!changes.weld.empty()) window.input.insert(window.input.end(), {"--weld", changes.weld});
  if (!changes.rest.empty()) window.input.insert(window.input.end(), {"--rest", changes.rest});
  if (!changes.start.empty()) window.input.insert(window.input.end(), {"--start", changes.start});
  window.overrides = split_settings(options.compute.settings);
  window.device = options.compute.device;
  window.threads = options.compute.threads;
  window.scale = options.window.scale;
  if (options.window.size_given) window.width = options.video.width, window.height = options.video.height;
  window.paused = options.window.paused;
  window.fresh = options.window.fresh;
  window.record = options.video.path;
  window.fps = options.video.fps, window.fps_given = options.video.fps_given, window.crf = options.video.crf;
  window.panels = options.window.panels;
  window.video.caption = options.video.caption, window.video.show_timings = options.video.show_timings,
  window.video.turntable = options.video.turntable, window.video.transparent = options.video.transparent;
  window.test_report = options.window.test_report;
  return run_window(window);
}

/// `weft run.weftcache`: shown in the window, or recorded as a video without one.
int show_run_cache(RunOptions options) {
  if (options.wants_results() || options.frames > 0 || options.seconds > 0 || !options.obstacles.empty() ||
      options.units != ObjUnits{})
    throw Error(
        "a recorded run is not simulated: --frames, --seconds, --states, --export, --cache, --stats, "
        "--check, --obstacle, scales and snapshots do not apply",
        options.input, "use 'weft convert' to make other files from it");
  Scene none;
  ViewSettings view;
  for (const auto& setting : split_settings(options.compute.settings)) {
    if (setting.first.rfind("view.", 0) != 0)
      throw Error("a recorded run is not simulated: only parameters of the picture (view.*) can be set",
                  setting.first, "leave it out");
    apply_settings({setting}, none, view);
  }
  const std::string reason = options.headless ? "" : why_no_display();
  if (!options.headless && reason.empty()) return open_window(options);
  if (options.headless && options.video.path.empty())
    throw Error("a recorded run can be shown or recorded as video", options.input,
                "leave out --headless for the window, or add --record out.mp4");
  if (options.video.path.empty()) {
    options.video.path = "weft-demo.mp4";
    if (!options.window.size_given) options.video.width = 1280, options.video.height = 720;
    log_notice("no window can be opened here: {}; recording {} to {} instead", reason, options.input,
               options.video.path);
  }
  if (options.video.blur.states > 1 || options.video.blur.shutter != 180)
    throw Error("a recorded run has its states only: --motion-blur and --shutter do not apply", options.input,
                "leave them out, or record the video while the scene is simulated");
  VideoRequest video = options.video;
  video.view = view;
  fit_to_kind(video, options);
  return film_run_cache({options.input, video, options.compute.quiet});
}

}  // namespace

int run_scene(const RunOptions& options) {
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

std::string scene_of(const HandRecording& recording, const std::string& hands) {
  namespace fs = std::filesystem;
  const fs::path named = recording.scene_path, folder = fs::path(hands).parent_path();
  if (named.empty()) return {};
  // the first is `named` where that is absolute
  for (const fs::path& candidate : {folder / named, named, folder / named.filename()})
    if (fs::exists(candidate)) return candidate.string();
  return named.string();
}

int replay(const RunOptions& options) {
  const HandRecording recording = read_hands(options.hands);
  Scene scene = open_scene(scene_of(recording, options.hands), options.obstacles, options.units);
  change_files(scene, changes_of(options));
  if (!options.video.look.viewpoint.empty()) look_from(scene, options.video.look.viewpoint);
  add_plugins(scene, options.compute.plugins);
  ViewSettings view;
  set_scene_light(view, scene);
  const Settings changes = split_settings(options.compute.settings);
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

}  // namespace weft

// Arguments of commands that simulate a scene, as plain data.
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

#include "sim/device/device.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/run_files.h"

namespace weft {

struct ComputeOptions {
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;  // 0: all
  bool quiet = false;
  std::vector<std::string> settings;  // key=value
  std::vector<std::string> plugins;   // shared libraries
};

struct WindowFlags {
  bool paused = false, fresh = false, panels = false;
  float scale = 0;          // of text and widgets; 0: from the display
  bool size_given = false;  // of the video or the window
  std::string test_report;
};

struct RunOptions {
  std::string input;  // scene or cloth; empty: the default scene
  std::vector<std::string> obstacles;
  ObjUnits units;       // for input and obstacles that are OBJ files
  int vertices = 0;     // of the default scene's cloth; 0: as the scene says
  FileChanges changes;  // for all files
  ComputeOptions compute;
  bool headless = false;
  struct {
    bool ends = false, crossings = false;  // --check, --verdict
  } check;
  int frames = 0;  // time steps
  double seconds = 0;
  VideoRequest video;  // its view is set later
  RunFiles files;
  WindowFlags window;
  std::string hands;    // replay
  std::string command;  // as typed

  /// Results of a run without a window, apart from a video.
  bool wants_results() const { return check.ends || check.crossings || files.any(); }
};

/// --device, --threads, --quiet, --set and --preset.
void add_settings(CLI::App& app, ComputeOptions& options);
/// --plugin.
void add_plugins_option(CLI::App& app, std::vector<std::string>& plugins);
/// --record, --size (also told to `sized`, which may be empty), --fps, --speed and --crf.
void add_video_file(CLI::App& app, VideoRequest& video, const std::function<void()>& sized = {});
/// Options of runs with and without a window, those of replays among them.
void add_run_options(CLI::App& app, RunOptions& options);
/// Options of the window.
void add_window_options(CLI::App& app, RunOptions& options);
/// Throws CLI::ValidationError for options that exclude each other.
void check_run_options(const RunOptions& options);

/// "key=value" as pairs. Throws Error for other texts.
std::vector<std::pair<std::string, std::string>> split_settings(const std::vector<std::string>& texts);

}  // namespace weft

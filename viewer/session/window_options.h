// Start options of the window.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/device/device.h"
#include "sim/scene/scene.h"

namespace weft {

/// Start options of the window. All can be changed in the window later.
struct WindowOptions {
  Scene scene;  // as read from its file, without `overrides`
  // the arguments that named it: "a.toml", or "shirt.obj", "--obstacle", "body.obj"; empty for the default
  // scene
  std::vector<std::string> input;
  std::vector<std::pair<std::string, std::string>> overrides;  // --set key=value, applied by the window
  DeviceChoice device = DeviceChoice::automatic;
  // of the simulator; 0: all cores, minus one for the window with software OpenGL
  int threads = 0;
  float scale = 0;            // of text and widgets; 0: from the display
  int width = 0, height = 0;  // of the window, in pixels; 0: as last time
  bool paused = false;        // start paused
  bool fresh = false;         // neither read nor write the kept layout; no hint: the same window every time
  /// Of videos.
  struct {
    std::string caption;        // burnt in, as ...
    bool show_timings = false;  // ... are these
    double turntable = 0;       // s per turn while a video is recorded; 0: none
    bool transparent = false;   // with alpha, without floor and far wall; screenshots too
  } video;
  bool panels = false;     // show the panels in videos and screenshots
  std::string playback;    // a run cache to show instead of `scene`; empty: none
  std::string record;      // start recording to this file at once; empty: no
  double fps = 60;         // of videos
  bool fps_given = false;  // the user chose it
  int crf = 18;            // ... and their quality
  // write the state of the window to this JSON file several times a second; empty: no
  std::string test_report;
};

}  // namespace weft

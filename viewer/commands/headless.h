// Runs without a window: steps a scene and writes the results to files.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/files/run.h"
#include "sim/run/simulation.h"
#include "sim/scene/command.h"
#include "viewer/commands/run_files.h"
#include "viewer/render/view_settings.h"

namespace weft {

class VerdictRecord;

/// Video of a run. Frame n shows the newest state whose time is at most n / fps * speed.
struct VideoRequest {
  std::string path;  // empty: none
  int width = 1920, height = 1080;
  double fps = 60;          // target, or exact with `fps_given`
  double speed = 1;         // simulated seconds per second of video
  bool every_step = false;  // one frame per step, whatever its length
  int crf = 18;
  ViewSettings view;
  bool transparent = false;   // cloth and bodies alone, with alpha
  double turntable = 0;       // s of video per turn about the target; 0: the camera does not turn
  std::string caption;        // burnt into the lower left corner; empty: none
  bool show_timings = false;  // burnt into the upper left corner
  bool fps_given = false;     // the user chose the rate; otherwise the nearest even one is used
  struct {
    int states = 1;        // that are averaged into one frame
    double shutter = 180;  // degrees of 360 per frame for which the shutter is open
  } blur;
  struct {
    std::string viewpoint;  // of the scene (look_from); empty: its camera
    int supersample = 1;    // pixels are the mean of squares of so many by so many
  } look;
  ivec2 size() const { return {width, height}; }
  ivec2 drawn() const { return look.supersample * size(); }
  /// A picture of the last state instead of a video.
  bool figure() const;
};

/// Throws Error if OpenGL, which must be current, draws no pictures of that size.
void check_drawn_size(const VideoRequest& request);

/// The request with the frame rate for time steps `dt` (s): even unless the user chose one. A notice reports
/// uneven frames.
VideoRequest at_even_rate(VideoRequest request, double dt);

struct HeadlessRequest {
  Scene scene;  // overrides applied
  DeviceChoice device = DeviceChoice::automatic;
  int threads = 0;
  int steps = 0;                       // time steps; 0: as many as `seconds` hold
  double seconds = 0;                  // simulated; 0: the scene's duration
  std::vector<TimedCommand> commands;  // of a recording of user input
  VideoRequest video;
  RunFiles files;
  // files that are read beside those of the scene, and not to be written over
  std::vector<std::string> inputs;
  std::string command;   // as typed, for the files; may be empty
  bool check = false;    // unmet end conditions give exit status 3
  bool verdict = false;  // each state is tested for crossings; one gives exit status 3
  bool quiet = false;
};

/// How the process exits.
struct ExitStatus {
  static constexpr int ok = 0, error = 1, usage = 2, unmet = 3, interrupted = 130;
};

/// Runs to the end, or until Ctrl-C, which closes every file properly. Prints the final state's hash and
/// unmet end conditions to standard output. Throws Error for an unavailable scene, device or file; a failed
/// step closes the files first. A failed video does not stop the run.
int run_headless(const HeadlessRequest& request);

/// Something that is written while a scene runs.
class StepOutput {
 public:
  virtual ~StepOutput() = default;
  /// Called for the start state and after every step. Throws Error.
  virtual void state(Simulation& simulation) = 0;
  /// The simulation moved to another device after the loss of its own. Called while both exist.
  virtual void moved(Simulation&) {}
  /// The run is over, also after a failure or Ctrl-C. False if a requested result is incomplete.
  virtual bool finish(Simulation&) { return true; }
  /// Summary of the present results; may be empty.
  virtual std::string summary() const { return {}; }
};
std::unique_ptr<StepOutput> make_video_output(const VideoRequest& request, Simulation& simulation);
/// `info` of the run (recorded_info).
std::unique_ptr<StepOutput> make_states_output(const std::string& folder, const RunInfo& info);
std::unique_ptr<StepOutput> make_file_output(const std::string& path, const RunInfo& info);
/// `verdict`: what was found so far; nullptr: states are not tested. `misfits`: what is wrong with garments
/// that were put on.
std::unique_ptr<StepOutput> make_stats_output(const std::string& file, const std::string& command,
                                              const VerdictRecord* verdict,
                                              const std::vector<std::string>& misfits);
std::unique_ptr<StepOutput> make_csv_output(const std::string& file, const std::string& origin,
                                            Simulation& simulation);
std::unique_ptr<StepOutput> make_trace_output(const std::string& file, Simulation& simulation);

/// Turns true at Ctrl-C, SIGTERM or SIGHUP (the terminal was closed) while it lives; a second Ctrl-C ends the
/// process at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  static bool interrupted();
  /// 128 + the signal.
  static int exit_status();
};

/// While it lives, and an InterruptGuard with it, no file is open yet: a signal ends the process a second
/// later at most, whatever it is doing.
class PromptEnd {
 public:
  PromptEnd();
  ~PromptEnd();
  PromptEnd(const PromptEnd&) = delete;
};

}  // namespace weft

// Recording the window: selects pictures for the video, and holds the simulator where needed.
#pragma once
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/runner.h"
#include "viewer/record/read_picture.h"

namespace weft {

/// Choices in the Recording panel.
struct RecordingChoices {
  // empty: weft-001.mp4 in the current folder. Where the name is taken: the next free one
  std::string path;
  // the next recording may take the place of a file of its name; those after it never do
  bool replace = false;
  double fps = 60;          // with `exact`, and unless `fps_chosen`: the even rate next to it
  bool fps_chosen = false;  // the user chose the rate
  int crf = 18;
  bool exact = false;  // the simulator waits for the video: every step is shown, in simulated time
  bool with_panels = false;
  ivec2 size{0};    // pixels of videos and screenshots without panels; 0: those of the picture on screen
  int samples = 1;  // per side of a pixel (1, 2, 4): drawn so much larger, and averaged
  bool transparent = false;   // without floor and far wall, with alpha; only without panels
  std::string caption;        // burnt into the lower left corner; empty: none
  bool show_timings = false;  // burnt into the upper left corner
  double turntable = 0;       // s per turn of the camera; 0: it does not turn
};

class Recording {
 public:
  using Tell = std::function<void(LogLevel, const std::string&)>;
  Recording(Runner& runner, Tell tell) : runner_(runner), tell_(std::move(tell)) {}
  ~Recording() { stop_and_wait(); }

  RecordingChoices choices;
  /// Pictures are taken with alpha, which panels have none of.
  bool alpha() const { return choices.transparent && !choices.with_panels; }

  bool active() const { return recorder_ != nullptr; }
  bool exact() const { return active() && exact_; }
  /// Starts a video of pictures of this size. Faults are reported. In exact mode the simulator is held after
  /// each step, and frames are even if possible: `dt` is the time of a step (s).
  void start(ivec2 size, double dt);
  /// Ends the video; the file is completed in the background, which takes long for a GIF. May be called
  /// without a recording.
  void stop();
  /// Reports the path of each file completed meanwhile. Never waits; call in every iteration of the loop.
  void tell_finished();
  /// A file is being completed.
  bool finishing() const { return !finishing_.empty(); }
  /// For the end of the window.
  void stop_and_wait();
  /// Call after each drawn picture: takes it from `framebuffer` if the video needs it. `frame` is the state
  /// that it shows. With exact recording, releases the simulator.
  void picture(GLuint framebuffer, ivec2 size, const Frame& frame);

  /// A picture of this state is to be given to `picture`: a new state of an exact video, or a live one's
  /// time.
  bool wants(const Frame& frame) const;

  /// Seconds of video when `frame` is shown.
  double video_time(const Frame& frame) const;
  /// Of the current video, or of the last one.
  std::string path() const { return path_; }
  double seconds() const { return recorder_ ? recorder_->seconds() : 0; }
  int64_t dropped() const { return recorder_ ? recorder_->pictures_dropped() : 0; }

  /// Writes one PNG of the framebuffer to the next free name and reports it; `alpha`: with transparency.
  void screenshot(GLuint framebuffer, ivec2 size, bool alpha = false);
  /// The same of a part of the window; `at`: its upper left corner, pixels.
  void screenshot_of_part(ivec2 window, ivec2 at, ivec2 size);

 private:
  void live_picture(GLuint framebuffer, ivec2 size);
  void exact_picture(GLuint framebuffer, ivec2 size, const Frame& frame);
  void take_live(bool wait);
  void tell_end(Recorder& recorder);
  double elapsed() const;

  Runner& runner_;
  Tell tell_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<std::unique_ptr<Recorder>> finishing_;
  std::unique_ptr<gl::PixelReader> reader_;
  std::deque<double> read_times_;
  std::string path_;
  bool exact_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::optional<FrameClock> clock_;
  std::optional<ReadPicture> shown_;  // exact: the picture that holds until the next state
  double shown_time_ = 0;
  std::optional<double> first_time_;  // exact: of the first state that was shown
  uint64_t shown_id_ = 0;
};

}  // namespace weft

// Sampling times of a video's camera: once per frame, or several times while its shutter is open.
#pragma once
#include <cstdint>
#include <optional>

namespace weft {

/// One sample of the scene. A frame is the average of its samples.
struct ShutterLook {
  int64_t frame = 0;
  double time = 0;     // s, simulated; the newest state that is not later is shown
  double seconds = 0;  // s of video
  bool last = true;    // the last of its frame
};

/// Samples in order. The last sample of frame n is at n / fps * speed after the first state, as in
/// FrameClock; the others are evenly spaced in the time before it for which the shutter is open. With one
/// sample per frame it is FrameClock.
class ShutterClock {
 public:
  /// `speed`: simulated seconds per second of video; `degrees`: of 360 per frame.
  ShutterClock(double fps, double first_time = 0, double speed = 1, int looks = 1, double degrees = 180)
      : fps_(fps), first_(first_time), speed_(speed), share_(degrees / 360), looks_(looks) {}

  /// The next sample of the state that is current until `next_time`; empty if the following state is needed.
  std::optional<ShutterLook> next_before(double next_time);
  /// One sample per state, whatever its time.
  ShutterLook every_step(double time);
  int looks() const { return looks_; }
  /// Time the shutter is open, in simulated seconds.
  double open_time() const { return share_ * speed_ / fps_; }

 private:
  double fps_, first_, speed_, share_;
  int looks_;
  int64_t frame_ = 0;
  int look_ = 0;  // next of the frame
};

}  // namespace weft

// When the camera of a video looks: once per frame, or several times while its shutter is open.
#pragma once
#include <cstdint>
#include <optional>

namespace weft {

/// One look at the scene. A frame is the average of its looks.
struct ShutterLook {
  int64_t frame = 0;
  double time = 0;      // s, simulated; the look shows the newest state that is not after it
  double seconds = 0;   // s of video
  bool last = true;     // of its frame
};

/// Looks in order. Frame n's last look is at n / fps * speed after the first state, as FrameClock's frames are; the others lie
/// evenly in the time before it for which the shutter is open. One look per frame is FrameClock.
class ShutterClock {
 public:
  /// `speed`: simulated seconds per second of video; `degrees`: of 360 per frame.
  ShutterClock(double fps, double first_time = 0, double speed = 1, int looks = 1, double degrees = 180)
      : fps_(fps), first_(first_time), speed_(speed), share_(degrees / 360), looks_(looks) {}

  /// The next look at the state that is current until `next_time`; nothing once the following state has to be waited for.
  std::optional<ShutterLook> next_before(double next_time);
  /// A look at each state: frame by frame, whatever the time.
  ShutterLook every_step(double time);
  int looks() const { return looks_; }
  /// How long the shutter is open, in simulated seconds.
  double open_time() const { return share_ * speed_ / fps_; }

 private:
  double fps_, first_, speed_, share_;
  int looks_;
  int64_t frame_ = 0;
  int look_ = 0;  // next of the frame
};

}  // namespace weft

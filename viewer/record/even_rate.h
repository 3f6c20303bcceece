// Frame rates at which a video is even: each frame is as many time steps after the one before as every other.
#pragma once
#include <string>

namespace weft {

/// Whether all frames advance by the same number of states, or all states are shown for the same number of
/// frames. `states`: per second of video, that is speed / dt; `fps`: frames per second of video.
bool is_even_rate(double states, double fps);

/// The largest even rate up to `wanted` frames per second (at least half of it). A GIF counts time in
/// hundredths of a second: its rate is the nearest even one between half of `wanted` and 1.4 times it, and
/// `wanted` if there is none.
double even_rate(double states, double wanted, bool gif = false);

/// Notice about a video at `fps` of time steps `dt` (s), at `speed` simulated seconds per second of video, if
/// its frames are uneven, with rates that are even. Empty for even frames.
std::string uneven_words(double dt, double speed, double fps, bool gif = false);

}  // namespace weft

#include "viewer/record/even_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

/// Relative: steps are float32 numbers, and a frame slips after a hundred thousand others at most.
constexpr double kSame = 1e-5;

bool is_whole(double ratio) { return ratio > 0.5 && std::abs(ratio - std::round(ratio)) <= kSame * ratio; }

/// 50, not 50.0000011, for a step of 0.01f.
double tidy(double fps) {
  const double rounded = std::round(1e4 * fps) / 1e4;
  return std::abs(rounded - fps) <= kSame * 0.1 * fps ? rounded : fps;
}

double even_gif_rate(double states, double wanted) {
  double best = wanted, distance = 1e30;
  for (int hundredths = 2; hundredths <= 100; ++hundredths) {
    const double fps = 100.0 / hundredths, away = std::abs(std::log(fps / wanted));
    if (fps < 0.5 * wanted || fps > 1.4 * wanted || !is_even_rate(states, fps) || away >= distance) continue;
    best = fps, distance = away;
  }
  return best;
}

/// "1 or 2 steps"
std::string between(double ratio, const char* noun) {
  return fmt::format("{:.0f} or {:.0f} {}", std::floor(ratio), std::ceil(ratio), noun);
}

}  // namespace

bool is_even_rate(double states, double fps) { return is_whole(states / fps) || is_whole(fps / states); }

double even_rate(double states, double wanted, bool gif) {
  if (is_even_rate(states, wanted) || !(states > 0) || !std::isfinite(states)) return wanted;
  if (gif) return even_gif_rate(states, wanted);
  if (states > wanted) return tidy(states / std::ceil(states / wanted));
  return tidy(states * std::floor(wanted / states));
}

std::string uneven_words(double dt, double speed, double fps, bool gif) {
  const double states = speed / dt;
  if (is_even_rate(states, fps)) return {};
  const std::string what = states > fps ? "frames advance by " + between(states / fps, "steps by turns")
                                        : "states are shown for " + between(fps / states, "frames by turns");
  std::string cure;
  if (const double even = even_rate(states, fps, gif); is_even_rate(states, even))
    cure = fmt::format("--fps {:.6g}", even);
  // A step that divides the time of a frame.
  const double frame = speed / fps, shorter = frame / std::ceil(frame / dt - kSame);
  if (shorter < dt) cure += fmt::format("{}--set step.dt={:.6g}", cure.empty() ? "" : ", or ", shorter);
  return fmt::format("the video judders a little: at {:.6g} frames/s {} ({:.4g} ms each); {}", fps, what,
                     1e3 * dt, cure.empty() ? "no rate of such a file is even" : cure + " would be even");
}

}  // namespace weft

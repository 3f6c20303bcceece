#include "viewer/session/window_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sim/base/error.h"
#include "viewer/record/even_rate.h"
#include "viewer/record/picture_sink.h"

namespace weft {
namespace {
PictureView view_of(const Image& image) { return {image.width, image.height, 3, image.rgb.data(), false}; }
}  // namespace

void Recording::start(ivec2 size, double dt) {
  if (active() || size.x < 1 || size.y < 1) return;
  try {
    Recorder::Options options;
    options.path = choices.path.empty() ? next_free_path(std::filesystem::current_path().string(), "weft",
                                                         alpha() ? ".mov" : ".mp4")
                                        : choices.path;
    // A part is of another window, or all that is left of a recording.
    options.next_free =
        !std::exchange(choices.replace, false) || std::filesystem::exists(options.path + ".part");
    options.width = size.x, options.height = size.y;
    options.fps = choices.fps, options.crf = choices.crf, options.alpha = alpha();
    // for a page or a message, where a window's size and rate are too much
    if (video_kind(options.path) == VideoKind::gif) {
      options.fps = std::min(options.fps, 25.0);
      const int width = std::min(size.x, 800);
      options.height = std::max(1, size.y * width / size.x), options.width = width;
    }
    const bool gif = video_kind(options.path) == VideoKind::gif;
    if (choices.exact && !choices.fps_chosen) options.fps = even_rate(1 / dt, options.fps, gif);
    if (const std::string words = choices.exact ? uneven_words(dt, 1, options.fps, gif) : ""; !words.empty())
      tell_(LogLevel::notice, words);
    recorder_ = std::make_unique<Recorder>(options);
    if (!recorder_->notice().empty()) tell_(LogLevel::notice, recorder_->notice());
  } catch (const std::exception& e) {
    recorder_.reset();
    return tell_(LogLevel::error, e.what());
  }
  path_ = recorder_->path();
  exact_ = choices.exact;
  begin_ = std::chrono::steady_clock::now();
  reader_ = std::make_unique<gl::PixelReader>();
  read_times_.clear();
  clock_.reset();
  shown_.reset();
  first_time_.reset();
  if (exact_) runner_.set_frame_exact(true);
}

double Recording::video_time(const Frame& frame) const {
  if (!active()) return 0;
  return exact_ ? frame.time - first_time_.value_or(frame.time) : elapsed();
}

double Recording::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Recording::stop() {
  if (!active()) return;
  if (exact_) {
    if (shown_) recorder_->add(shown_->view(), 1);
    runner_.set_frame_exact(false);
  } else {
    take_live(true);
  }
  recorder_->close();
  finishing_.push_back(std::move(recorder_));
  reader_.reset();
  shown_.reset();
}

void Recording::tell_end(Recorder& recorder) {
  const double length = recorder.seconds();
  if (recorder.finish())
    tell_(LogLevel::notice, fmt::format("Recorded {:.1f} s to {}", length, recorder.path()));
  else
    tell_(LogLevel::error, fmt::format("Recording stopped: {} What was written until then is in {}",
                                       recorder.stop_reason(), recorder.path()));
}

void Recording::tell_finished() {
  std::erase_if(finishing_, [this](const std::unique_ptr<Recorder>& recorder) {
    if (!recorder->done()) return false;
    tell_end(*recorder);
    return true;
  });
}

void Recording::stop_and_wait() {
  stop();
  for (const auto& recorder : finishing_) tell_end(*recorder);
  finishing_.clear();
}

bool Recording::wants(const Frame& frame) const {
  if (!active()) return false;
  if (!recorder_->active()) return true;  // it has failed: `picture` ends it, with a word
  return exact_ ? !shown_ || frame.id != shown_id_ : recorder_->wants_live(elapsed());
}

void Recording::picture(GLuint framebuffer, ivec2 size, const Frame& frame) {
  if (!active() || size.x < 1 || size.y < 1) return;
  if (exact_) exact_picture(framebuffer, size, frame);
  else live_picture(framebuffer, size);
  if (!recorder_->active()) stop();
}

void Recording::live_picture(GLuint framebuffer, ivec2 size) {
  const double now = elapsed();
  // alpha is read at once
  if (alpha() && recorder_->wants_live(now))
    return void(recorder_->add_live(read_picture(framebuffer, size, true).view(), now));
  if (recorder_->wants_live(now)) {
    reader_->start(framebuffer, size);
    read_times_.push_back(now);
  }
  take_live(false);
}

void Recording::take_live(bool wait) {
  while (auto image = reader_->take(wait)) {
    recorder_->add_live(view_of(*image), read_times_.front());
    read_times_.pop_front();
  }
}

void Recording::exact_picture(GLuint framebuffer, ivec2 size, const Frame& frame) {
  if (shown_ && frame.id == shown_id_) return;
  if (!first_time_) first_time_ = frame.time;
  // the start, or after a reset
  if (!clock_ || frame.time < shown_time_) clock_.emplace(recorder_->fps(), frame.time);
  else if (const int repeats = clock_->frames_before(frame.time); repeats > 0)
    recorder_->add(shown_->view(), repeats);
  shown_ = read_picture(framebuffer, size, alpha());
  shown_time_ = frame.time;
  shown_id_ = frame.id;
  runner_.release_frame(frame.id);
}

void Recording::screenshot_of_part(ivec2 window, ivec2 at, ivec2 size) {
  at = glm::clamp(at, ivec2(0), window), size = glm::min(size, window - at);
  if (size.x < 1 || size.y < 1) return;
  try {
    const ReadPicture all = read_picture(0, window, false);
    ReadPicture part{size, 3, {}};
    for (int y = 0; y < size.y; ++y) {
      const auto row = all.pixels.begin() + 3 * (long(at.y + y) * window.x + at.x);
      part.pixels.insert(part.pixels.end(), row, row + 3 * size.x);
    }
    const std::string path = next_free_path(std::filesystem::current_path().string(), "weft", ".png");
    save_png(path, part.view());
    tell_(LogLevel::notice, "Saved the picture to " + path);
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Recording::screenshot(GLuint framebuffer, ivec2 size, bool alpha) {
  try {
    const std::string path = next_free_path(std::filesystem::current_path().string(), "weft", ".png");
    if (alpha) write_transparent_png(path, size, gl::read_pixels_with_alpha(framebuffer, size));
    else save_png(path, read_picture(framebuffer, size, false).view());
    tell_(LogLevel::notice, "Saved the picture to " + path);
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

}  // namespace weft

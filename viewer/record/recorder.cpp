#include "viewer/record/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "sim/base/error.h"
#include "viewer/gl/image.h"
#include "viewer/record/encoder_process.h"
#include "viewer/record/fit.h"
#include "viewer/record/free_name.h"
#include "viewer/record/picture_sink.h"
#include "viewer/record/trace_file.h"

namespace weft {

namespace fs = std::filesystem;

void save_png(const std::string& path, const PictureView& picture) {
  Image image{picture.width, picture.height, {}};
  fit_picture(picture, picture.width, picture.height, image.rgb);
  write_png(path, image);
}

std::string next_free_path(const std::string& folder, const std::string& stem, const std::string& extension) {
  for (int n = 1;; ++n) {
    const fs::path path = fs::path(folder) / fmt::format("{}-{:03d}{}", stem, n, extension);
    if (!name_taken(path.string())) return path.string();
  }
}

int FrameClock::frames_before(double next_time) {
  // Times are sums of float32 steps: a thousandth of a frame is far above their rounding and far below a
  // frame.
  const double end = std::ceil((next_time - first_) / speed_ * fps_ - 1e-3);
  const int64_t count = std::max<int64_t>(0, int64_t(end) - frames_);
  frames_ += count;
  return int(count);
}

/// One entry of the queue; no picture means: the one before again.
struct QueuedPicture {
  std::unique_ptr<VideoPicture> picture;
  int64_t repeats = 1;
};

struct Recorder::Impl {
  Options options;
  std::string path, notice;
  bool pngs = false;
  std::unique_ptr<PictureSink> sink;

  mutable std::mutex mutex;
  std::condition_variable changed;
  /// Between the caller and the thread, under `mutex`.
  struct Shared {
    std::deque<QueuedPicture> queue;
    std::vector<std::unique_ptr<VideoPicture>> spare;
    int pictures_waiting = 0;
    bool closing = false;
    std::string reason;
  } shared;
  std::atomic<bool> active{true}, done{false};

  int64_t frames_added = 0, dropped = 0;  // the caller's thread only
  std::thread thread;

  explicit Impl(Options given) : options(std::move(given)) {
    if (options.width < 1 || options.height < 1 || options.width > 16384 || options.height > 16384)
      throw Error(fmt::format("a video of {} x {} pixels cannot be made", options.width, options.height),
                  options.path, "use 1 to 16384");
    if (!(options.fps >= 1 && options.fps <= 1000))
      throw Error(fmt::format("{} frames per second cannot be recorded", options.fps), options.path,
                  "use 1 to 1000");
    choose_sink();
    thread = std::thread([this] { write_pictures(); });
  }

  ~Impl() { finish(); }

  void choose_sink() {
    if (fs::is_directory(options.path) && !fs::path(options.path).filename().empty()) options.path += "/";
    const bool folder = fs::path(options.path).filename().empty();
    if (!folder && video_kind(options.path) == VideoKind::none)
      throw Error("a video's name ends in .mp4, .webm or .gif, a picture's in .png", options.path,
                  "for numbered PNG files name a folder, with a / at its end");
    const bool figure = !folder && video_kind(options.path) == VideoKind::picture;
    if (options.alpha && !folder && !figure) require_alpha(options.path);
    pngs = folder || (!figure && !program_available(options.ffmpeg));
    if (!pngs && video_kind(options.path) == VideoKind::gif)
      tell(fit_gif(options.width, options.height, options.fps));
    const std::string wanted = options.path;
    for (;; options.path = next_name(options.path)) {
      if (options.next_free && name_taken(options.path)) continue;
      if (figure ? make_figure() : pngs ? make_pngs(folder) : make_video()) break;
    }
    if (options.path != wanted) tell(fmt::format("{} already exists: recording to {}", wanted, options.path));
    if (pngs && !folder)
      tell(
          fmt::format("ffmpeg is not installed: writing numbered PNG files to {}/ instead of a video", path));
  }

  void tell(const std::string& words) {
    if (!words.empty()) notice += (notice.empty() ? "" : "; ") + words;
  }

  VideoFormat format(const std::string& part) const {
    return {path,        options.width,  options.height, options.fps,
            options.crf, options.ffmpeg, part,           options.alpha};
  }

  /// Both return false if another process has just taken the name.
  bool make_pngs(bool folder) {
    path = folder ? options.path : frames_folder(options.path);
    if (options.next_free && !folder) {
      std::error_code told_by_sink;
      if (!fs::create_directory(path, told_by_sink) && !told_by_sink) return false;
    }
    sink = make_png_sink(format({}));
    return true;
  }

  bool make_figure() {
    path = options.path;
    sink = make_figure_sink(format({}));
    return true;
  }

  bool make_video() {
    path = options.path;
    std::string part = path + ".part";
    for (int n = 2; !create_new_file(part, path); ++n) {
      if (options.next_free) return false;
      if (n == 2)
        tell(fmt::format(
            "{} already exists, from a recording that was interrupted or is still running: it is kept",
            part));
      part = fmt::format("{}.{}.part", path, n);
    }
    std::error_code ignored;
    try {
      if (!options.next_free || !fs::exists(path, ignored)) return sink = make_video_sink(format(part)), true;
    } catch (...) {
      fs::remove(part, ignored);
      throw;
    }
    fs::remove(part, ignored);  // the owner of the part has just completed the file
    return false;
  }

  /// The writing thread. A failure is reported when the recording ends, and affects nothing else.
  void write_pictures() {
    const auto told = [this](auto&& work) {
      try {
        work();
      } catch (const std::exception& e) {
        stop(e.what());
      }
    };
    told([this] { write_queue(); });
    told([this] {
      const TraceScope trace(TraceTrack::encoder, "complete the file");
      if (!sink->close()) stop(sink->fault());
    });
    active = false;
    done = true;
  }

  void write_queue() {
    std::unique_ptr<VideoPicture> current;
    for (;;) {
      QueuedPicture next;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return shared.closing || !shared.queue.empty(); });
        if (shared.queue.empty()) break;
        next = std::move(shared.queue.front());
        shared.queue.pop_front();
        if (next.picture) --shared.pictures_waiting;
        if (next.picture && current) shared.spare.push_back(std::move(current));
      }
      changed.notify_all();
      if (next.picture) current = std::move(next.picture);
      for (int64_t k = 0; k < next.repeats && active && current; ++k) {
        const TraceScope trace(TraceTrack::encoder, "encode");
        if (!sink->write(*current)) stop(sink->fault());
      }
    }
  }

  void stop(const std::string& why) {
    std::lock_guard lock(mutex);
    active = false;
    shared.reason = why;  // the last reason is the most complete: it includes the state of the file
    changed.notify_all();
  }

  std::unique_ptr<VideoPicture> fitted(const PictureView& view) {
    std::unique_ptr<VideoPicture> picture;
    {
      std::lock_guard lock(mutex);
      if (!shared.spare.empty()) {
        picture = std::move(shared.spare.back());
        shared.spare.pop_back();
      }
    }
    if (!picture) picture = std::make_unique<VideoPicture>();
    const TraceScope trace(TraceTrack::pictures, "fit");
    fit_picture(view, options.width, options.height, picture->pixels, options.alpha ? 4 : 3);
    return picture;
  }

  bool full() const { return shared.pictures_waiting >= std::max(1, options.queue_length); }

  void push(std::unique_ptr<VideoPicture> picture, int64_t repeats) {
    {
      std::lock_guard lock(mutex);
      if (picture) ++shared.pictures_waiting;
      if (!picture && !shared.queue.empty()) shared.queue.back().repeats += repeats;
      else shared.queue.push_back({std::move(picture), repeats});
    }
    frames_added += repeats;
    changed.notify_all();
  }

  void close() {
    std::lock_guard lock(mutex);
    shared.closing = true;
    changed.notify_all();
  }

  void finish() {
    close();
    if (thread.joinable()) thread.join();
  }
};

Recorder::Recorder(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Recorder::~Recorder() = default;

bool Recorder::add(const PictureView& picture, int repeats) {
  if (repeats <= 0 || !impl_->active) return impl_->active;
  auto fitted = impl_->fitted(picture);
  {
    const TraceScope trace(TraceTrack::pictures, "wait for the encoder");
    std::unique_lock lock(impl_->mutex);
    impl_->changed.wait(lock, [&] { return !impl_->full() || !impl_->active; });
  }
  if (impl_->active) impl_->push(std::move(fitted), repeats);
  return impl_->active;
}

bool Recorder::wants_live(double seconds) const {
  return impl_->active && int64_t(std::floor(seconds * impl_->options.fps)) >= impl_->frames_added;
}

bool Recorder::add_live(const PictureView& picture, double seconds) {
  if (!wants_live(seconds)) return impl_->active;
  const int64_t frame = int64_t(std::floor(seconds * impl_->options.fps));
  if (impl_->frames_added == 0) {
    impl_->push(impl_->fitted(picture), frame + 1);
    return impl_->active;
  }
  if (frame > impl_->frames_added) impl_->push(nullptr, frame - impl_->frames_added);
  bool full;
  {
    std::lock_guard lock(impl_->mutex);
    full = impl_->full();
  }
  if (full) ++impl_->dropped;
  else impl_->push(impl_->fitted(picture), 1);
  return impl_->active;
}

void Recorder::close() { impl_->close(); }
bool Recorder::done() const { return impl_->done; }

bool Recorder::finish() {
  impl_->finish();
  return stop_reason().empty();
}

bool Recorder::active() const { return impl_->active; }
std::string Recorder::stop_reason() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->shared.reason;
}
const std::string& Recorder::notice() const { return impl_->notice; }
const std::string& Recorder::path() const { return impl_->path; }
double Recorder::fps() const { return impl_->options.fps; }
int64_t Recorder::frames_added() const { return impl_->frames_added; }
int64_t Recorder::pictures_dropped() const { return impl_->dropped; }
double Recorder::seconds() const { return double(impl_->frames_added) / impl_->options.fps; }

}  // namespace weft

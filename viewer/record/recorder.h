// Videos, picture sequences and screenshots from rendered pictures.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// A picture in memory, sRGB, 8 bits per channel. Does not own its pixels. glReadPixels gives `bottom_up`
/// pictures.
struct PictureView {
  int width = 0, height = 0;
  // 3 or 4; a fourth channel is ignored, unless the recorder keeps alpha: then colours are multiplied by it
  int channels = 4;
  const uint8_t* pixels = nullptr;
  bool bottom_up = false;
};

/// Writes one PNG. Throws Error naming the file.
void save_png(const std::string& path, const PictureView& picture);
/// "weft-001.png", "weft-002.png", ...: the first name in `folder` that is not taken (name_taken).
std::string next_free_path(const std::string& folder, const std::string& stem, const std::string& extension);

/// Converts published states to video frames by simulated time: frame n shows the newest state whose time is
/// at most n / fps. Exact: nothing is blended, and no time is lost to rounding over long runs.
class FrameClock {
 public:
  /// `first_time`: simulated time of the video's first frame. `speed`: simulated seconds per second of video.
  FrameClock(double fps, double first_time = 0, double speed = 1)
      : fps_(fps), first_(first_time), speed_(speed) {}
  /// Number of video frames that show the current state until `next_time` (the time of the next state). They
  /// count as written afterwards.
  int frames_before(double next_time);
  int64_t frames() const { return frames_; }

 private:
  double fps_, first_, speed_;
  int64_t frames_ = 0;
};

/// Records to H.264 (mp4), VP9 (webm) or GIF, with alpha to ProRes 4444 (mov) or VP9, through an ffmpeg
/// process, or to numbered PNGs without ffmpeg or if the path names a folder ("frames/"). A path that ends in
/// .png gets the last picture. Encoding runs on its own thread behind a bounded queue. If ffmpeg dies or the
/// disk fills, recording stops, `active()` becomes false and `stop_reason()` gives the reason; nothing is
/// thrown. Frames written until then can be played. All members are called from one thread.
class Recorder {
 public:
  struct Options {
    std::string path = "weft.mp4";
    // an existing name is kept and the next one used, "weft-002.mp4", also if two recordings start at once;
    // see `notice`
    bool next_free = false;
    int width = 1280, height = 720;  // of the video; an odd size gets a black row or column
    double fps = 60;
    int crf = 18;                   // H.264 quality: 0 lossless, 18 hardly visible loss, 30 coarse
    int queue_length = 6;           // pictures waiting for the encoder
    std::string ffmpeg = "ffmpeg";  // program to run, looked up on PATH
    bool alpha = false;             // keeps the transparency of pictures: .mov, .webm or a folder
  };
  /// Throws Error if the file cannot be written. A missing ffmpeg is no error: see `notice()`.
  explicit Recorder(Options options);
  /// Finishes.
  ~Recorder();
  Recorder(const Recorder&) = delete;

  /// Appends the picture as `repeats` frames; waits while the queue is full (frame-exact recording drops
  /// nothing). A picture of another size (after resizing the window) is fitted with black borders. False once
  /// recording has stopped.
  bool add(const PictureView& picture, int repeats = 1);
  /// Live recording: the picture that is on screen `seconds` after the start. Frames between two calls repeat
  /// the earlier picture, so that the video keeps to the wall clock. Never waits: while the encoder lags,
  /// pictures are dropped and their time is filled by repeats.
  bool add_live(const PictureView& picture, double seconds);
  /// True if add_live at this time would use the picture; saves rendering and reading back one that is not
  /// shown.
  bool wants_live(double seconds) const;

  /// Ends the video: pending pictures are written and the file is closed in the background, until `done()`.
  /// For a window, which must not wait; the destructor and `finish` do wait.
  void close();
  bool done() const;
  /// Writes pending pictures and closes the file. May be called twice. Returns false if recording had stopped
  /// with a fault.
  bool finish();

  bool active() const;
  /// Why recording stopped by itself; else empty.
  std::string stop_reason() const;
  /// Notice for the user at the start ("ffmpeg is missing: writing PNG files to ..."); may be empty.
  const std::string& notice() const;
  /// The file, or the folder of the PNG sequence.
  const std::string& path() const;
  double fps() const;                // as the file can hold it
  int64_t frames_added() const;      // frames of video handed over so far, repeats included
  int64_t pictures_dropped() const;  // live only
  double seconds() const;            // length of the video so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft

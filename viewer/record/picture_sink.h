// Sinks for recorded pictures: an encoder or a folder of PNG files. Used on the Recorder's thread.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// RGB, or RGBA whose colours are multiplied by their alpha; top row first, tightly packed.
struct VideoPicture {
  std::vector<uint8_t> pixels;
};

class PictureSink {
 public:
  virtual ~PictureSink() = default;
  /// Writes one frame. False once writing has failed; `fault()` gives the reason.
  virtual bool write(const VideoPicture& picture) = 0;
  /// Completes the file. False on failure; `fault()` describes the remains.
  virtual bool close() = 0;
  const std::string& fault() const { return fault_; }

 protected:
  std::string fault_;
};

struct VideoFormat {
  std::string path;
  int width = 0, height = 0;
  double fps = 60;
  int crf = 18;
  std::string ffmpeg = "ffmpeg";
  std::string part;    // of a video: an empty file reserved by this recording
  bool alpha = false;  // its pictures are RGBA
};

/// By the extension of a file's name.
/// picture: a PNG file.
enum class VideoKind { none, mp4, webm, gif, picture };
VideoKind video_kind(const std::string& path);
/// Throws Error for a video whose kind of file has no alpha: .mov and .webm have, and folders of PNG files.
void require_alpha(const std::string& path);

/// A GIF of more is of no use to anybody: delays count in hundredths of a second, and players slow down below
/// two of them.
inline constexpr double kMostGifFps = 50;
inline constexpr int kMostGifPixels = 1280;  // a side
/// Adjusts a GIF's size and rate to these limits; returns a description of the changes.
std::string fit_gif(int& width, int& height, double& fps);

/// H.264 (mp4), VP9 (webm) or GIF through ffmpeg; with alpha VP9 (webm) or ProRes 4444 (mov). Writes the part
/// in fragments, which can be played whenever the process ends, and turns it into a plain file with its index
/// in front on `close`; for a GIF the part is a lossless video, of which `close` makes palette and file.
/// Throws Error if ffmpeg cannot be started or lacks the encoder.
std::unique_ptr<PictureSink> make_video_sink(const VideoFormat& format);
/// frame_000000.png, ... in the folder `format.path`, which is made. Throws Error.
std::unique_ptr<PictureSink> make_png_sink(const VideoFormat& format);
/// The last of its pictures as the PNG file `format.path`, written on `close`. Throws Error for a folder that
/// is not there.
std::unique_ptr<PictureSink> make_figure_sink(const VideoFormat& format);

}  // namespace weft

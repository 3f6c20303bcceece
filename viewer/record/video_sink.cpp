#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "sim/base/error.h"
#include "viewer/record/encoder_process.h"
#include "viewer/record/picture_sink.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> encode_arguments(const VideoFormat& f, const std::string& part) {
  const int gop = std::max(1, int(std::lround(2 * f.fps)));  // a fragment every two seconds
  return {"-v", "error", "-nostdin", "-y",
          "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", fmt::format("{}x{}", f.width, f.height),
          "-framerate", fmt::format("{}", f.fps), "-i", "pipe:0",
          // 4:2:0 wants even sides. BT.709 is what players assume for such sizes.
          "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
          "-c:v", "libx264", "-preset", "veryfast", "-crf", fmt::format("{}", f.crf), "-g", fmt::format("{}", gop),
          "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
          "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-f", "mp4", part};
}

class VideoSink final : public PictureSink {
 public:
  explicit VideoSink(const VideoFormat& format) : format_(format), part_(format.path + ".part") {
    std::FILE* probe = std::fopen(part_.c_str(), "wb");
    if (!probe) throw Error(std::string("cannot be written: ") + std::strerror(errno), format.path, "choose another file");
    std::fclose(probe);
    process_ = std::make_unique<EncoderProcess>(format.ffmpeg, encode_arguments(format_, part_));
  }

  bool write(const VideoPicture& picture) override {
    if (!fault_.empty()) return false;
    if (process_->write(picture.rgb.data(), picture.rgb.size())) return true;
    process_->finish();
    fault_ = reason("ffmpeg stopped");
    return false;
  }

  bool close() override {
    if (closed_) return fault_.empty();
    closed_ = true;
    if (!process_->finish() && fault_.empty()) fault_ = reason("ffmpeg could not finish the video");
    complete();
    return fault_.empty();
  }

 private:
  std::string reason(const std::string& what) const {
    const std::string words = process_->last_words();
    return what + " (" + process_->ending() + ")" + (words.empty() ? "" : ": " + words);
  }

  /// Puts the index in front. What cannot be rewritten is kept as it is: fragments play, too.
  void complete() {
    std::error_code ignore;
    if (fs::file_size(part_, ignore) == 0 || ignore) {
      fs::remove(part_, ignore);
      if (fault_.empty()) fault_ = "no picture was recorded";
      return;
    }
    bool rewritten = false;
    try {
      EncoderProcess remux(format_.ffmpeg, {"-v", "error", "-nostdin", "-y", "-i", part_, "-c", "copy", "-movflags", "+faststart", "-f", "mp4", format_.path});
      rewritten = remux.finish();
    } catch (const Error&) {  // ffmpeg has vanished meanwhile
    }
    if (rewritten) fs::remove(part_, ignore);
    else fs::rename(part_, format_.path, ignore);
    if (!fault_.empty()) fault_ += fmt::format("; what had been encoded until then is in {}", format_.path);
  }

  VideoFormat format_;
  std::string part_;
  std::unique_ptr<EncoderProcess> process_;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<PictureSink> make_video_sink(const VideoFormat& format) { return std::make_unique<VideoSink>(format); }

}  // namespace weft

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/math.h"
#include "sim/files/file_kind.h"
#include "viewer/record/encoder_process.h"
#include "viewer/record/picture_sink.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// Arguments of ffmpeg for one kind of file: encoding of the pictures, and completion of the file.
struct Kind {
  const char* encoder;  // as ffmpeg names it
  const char* what;     // in words
  const char* final_format;
};
constexpr Kind kMp4{"libx264", "H.264", "mp4"}, kWebm{"libvpx-vp9", "VP9", "webm"}, kGif{"gif", "GIF", "gif"},
    kMov{"prores_ks", "ProRes 4444", "mov"};

const Kind& kind_of(const VideoFormat& f) {
  const VideoKind kind = video_kind(f.path);
  return kind == VideoKind::webm ? kWebm : kind == VideoKind::gif ? kGif : f.alpha ? kMov : kMp4;
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// An absolute path: ffmpeg takes a name that begins with a dash as an option, and one with a colon as a
/// protocol.
std::string named_to_ffmpeg(const std::string& path) { return fs::absolute(path).string(); }

/// From the pictures to the codec's pixels; files have colours that are not multiplied by their alpha.
std::string pixel_filter(const VideoFormat& f) {
  const std::string even = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=black@0,",
                    matrix = "scale=out_color_matrix=bt709:out_range=tv,";
  if (!f.alpha) return even + matrix + "format=yuv420p";
  const char* const pixels = &kind_of(f) == &kMov ? "format=yuva444p10le" : "format=yuva420p";
  // ProRes takes these from its pictures
  return "unpremultiply=inplace=1," + even + matrix + pixels +
         ",setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709";
}

std::vector<std::string> encode_arguments(const VideoFormat& f, const std::string& file) {
  const std::string part = named_to_ffmpeg(file);
  // a fragment every two seconds
  const std::string gop = fmt::format("{}", std::max(1, int(std::lround(2 * f.fps))));
  const std::vector<std::string> input = {"-v",          "error",
                                          "-nostdin",    "-y",
                                          "-f",          "rawvideo",
                                          "-pix_fmt",    f.alpha ? "rgba" : "rgb24",
                                          "-video_size", fmt::format("{}x{}", f.width, f.height),
                                          "-framerate",  fmt::format("{}", f.fps),
                                          "-i",          "pipe:0"};
  // A palette depends on all pictures: they are kept without loss in a file, not in memory.
  if (&kind_of(f) == &kGif) return input + std::vector<std::string>{"-c:v", "ffv1", "-f", "matroska", part};
  // 4:2:0 requires even sides. Players assume BT.709 for such sizes.
  const std::vector<std::string> color = {"-vf",
                                          pixel_filter(f),
                                          "-colorspace",
                                          "bt709",
                                          "-color_primaries",
                                          "bt709",
                                          "-color_trc",
                                          "bt709",
                                          "-color_range",
                                          "tv",
                                          "-g",
                                          gop};
  if (&kind_of(f) == &kMov)
    return input + color +
           std::vector<std::string>{"-c:v", "prores_ks", "-profile:v",
                                    "4444", "-movflags", "frag_keyframe+empty_moov+default_base_moof",
                                    "-f",   "mov",       part};
  if (&kind_of(f) == &kWebm) {
    // VP9's quality ranges from 0 to 63; about 10 more looks like H.264's.
    std::vector<std::string> codec = {"-c:v", "libvpx-vp9", "-deadline", "good", "-cpu-used",
                                      "5",    "-row-mt",    "1",         "-b:v", "0"};
    codec =
        codec + (f.crf == 0 ? std::vector<std::string>{"-lossless", "1"}
                            : std::vector<std::string>{"-crf", fmt::format("{}", std::min(63, f.crf + 10))});
    // its second stream, of alpha, has no pictures that refer to later ones
    if (f.alpha) codec = codec + std::vector<std::string>{"-auto-alt-ref", "0"};
    return input + color + codec + std::vector<std::string>{"-f", "webm", part};
  }
  return input + color + std::vector<std::string>{"-c:v",      "libx264",
                                                  "-preset",   "veryfast",
                                                  "-crf",      fmt::format("{}", f.crf),
                                                  "-movflags", "frag_keyframe+empty_moov+default_base_moof",
                                                  "-f",        "mp4",
                                                  part};
}

/// From the part to the file: the index in front, or a palette made from all pictures and used for all, in
/// one filter graph that reads the pictures twice.
std::vector<std::string> complete_arguments(const std::string& from, const VideoFormat& to) {
  const std::string part = named_to_ffmpeg(from), path = named_to_ffmpeg(to.path);
  const std::vector<std::string> quiet = {"-v", "error", "-nostdin", "-y"};
  if (&kind_of(to) == &kGif)
    return quiet + std::vector<std::string>{"-i",
                                            part,
                                            "-i",
                                            part,
                                            "-filter_complex",
                                            "[0:v]palettegen[palette];[1:v][palette]paletteuse=dither=bayer:"
                                            "bayer_scale=4:diff_mode=rectangle",
                                            "-loop",
                                            "0",
                                            "-f",
                                            "gif",
                                            path};
  const std::vector<std::string> front = &kind_of(to) == &kWebm
                                             ? std::vector<std::string>{"-cues_to_front", "1"}
                                             : std::vector<std::string>{"-movflags", "+faststart"};
  return quiet + std::vector<std::string>{"-i", part, "-c", "copy"} + front +
         std::vector<std::string>{"-f", kind_of(to).final_format, path};
}

/// An ffmpeg without the encoder is reported at once, not after the first minutes of a run.
void require_encoder(const VideoFormat& f) {
  const Kind& kind = kind_of(f);
  EncoderProcess trial(
      f.ffmpeg, {"-v", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", "64x64",
                 "-i", "pipe:0", "-frames:v", "1", "-c:v", kind.encoder, "-f", "null", "-"});
  const std::vector<uint8_t> black(64 * 64 * 3);
  trial.write(black.data(), black.size());
  if (!trial.finish() && trial.last_words().find("Unknown encoder") != std::string::npos)
    throw Error(
        fmt::format("this ffmpeg cannot write {}: it has no encoder '{}'", kind.what, kind.encoder), f.path,
        "install a complete ffmpeg, or choose another of .mp4, .webm and .gif, or a folder for PNG files");
}

class VideoSink final : public PictureSink {
 public:
  explicit VideoSink(const VideoFormat& format) : format_(format), part_(format.part) {
    require_encoder(format);
    process_ = std::make_unique<EncoderProcess>(format.ffmpeg, encode_arguments(format_, part_));
  }

  bool write(const VideoPicture& picture) override {
    if (!fault_.empty()) return false;
    if (process_->write(picture.pixels.data(), picture.pixels.size())) return ++pictures_, true;
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

  /// Makes the file from the part. If it cannot be rewritten it is kept: fragments play, too.
  void complete() {
    std::error_code ignore;
    // Without a picture the part is a header at most: no reason to replace a video that was there before.
    if (pictures_ == 0 || fs::file_size(part_, ignore) == 0 || ignore) {
      fs::remove(part_, ignore);
      if (fault_.empty()) fault_ = "no picture was recorded";
      return;
    }
    bool rewritten = false;
    const bool gif = &kind_of(format_) == &kGif;
    std::string why;
    try {
      EncoderProcess last(format_.ffmpeg, complete_arguments(part_, format_));
      rewritten = last.finish(gif ? std::chrono::minutes(60) : std::chrono::minutes(2));
      why = last.last_words();
      // ffmpeg calls it a success where the last block did not fit on the disk.
      if (rewritten && !gif) rewritten = pictures_in(format_.path) >= pictures_in(part_);
    } catch (const Error& e) {  // ffmpeg has vanished meanwhile
      why = e.what();
    }
    if (rewritten) {
      fs::remove(part_, ignore);
    } else if (gif) {
      fs::remove(format_.path, ignore);
      fault_ = fmt::format("the GIF could not be made{}; the pictures are in {}, a lossless video",
                           why.empty() ? "" : " (" + why + ")", part_);
      return;
    } else {
      fs::rename(part_, format_.path, ignore);
      if (ignore) {
        fault_ += fmt::format("{}the video is in {}, which cannot be renamed ({})",
                              fault_.empty() ? "" : "; ", part_, ignore.message());
        return;
      }
    }
    if (const long there = gif ? pictures_ : pictures_in(format_.path); fault_.empty() && there < pictures_)
      fault_ = shortage(there);
    if (!fault_.empty()) fault_ += fmt::format("; what had been encoded until then is in {}", format_.path);
  }

  /// Pictures in a video; the number passed to ffmpeg if it does not report one.
  long pictures_in(const std::string& path) const {
    try {
      EncoderProcess count(format_.ffmpeg, {"-v", "error", "-stats", "-nostdin", "-i", named_to_ffmpeg(path),
                                            "-map", "0:v", "-c", "copy", "-f", "null", "-"});
      if (!count.finish()) return 0;
      const std::string words = count.last_words();
      const size_t at = words.rfind("frame=");
      return at == std::string::npos ? pictures_ : std::atol(words.c_str() + at + 6);
    } catch (const Error&) {  // ffmpeg has vanished meanwhile
      return pictures_;
    }
  }

  std::string shortage(long there) const {
    std::error_code unknown;
    const auto space = fs::space(fs::absolute(format_.path, unknown).parent_path(), unknown);
    const bool full = !unknown && space.available < (uintmax_t(1) << 20);
    const std::string why = full ? "No space left on device" : "ffmpeg gave no reason";
    return fmt::format("{} of {} pictures could be written ({})", there, pictures_, why);
  }

  VideoFormat format_;
  long pictures_ = 0;  // handed over
  std::string part_;
  std::unique_ptr<EncoderProcess> process_;
  bool closed_ = false;
};

}  // namespace

VideoKind video_kind(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  if (extension == ".mp4" || extension == ".mov" || extension == ".m4v") return VideoKind::mp4;
  if (extension == ".png") return VideoKind::picture;
  return extension == ".webm" ? VideoKind::webm : extension == ".gif" ? VideoKind::gif : VideoKind::none;
}

void require_alpha(const std::string& path) {
  const std::string ending = file_ending(path);
  if (ending == ".mov" || ending == ".webm") return;
  throw Error(fmt::format("a {} video has no transparency", ending), path,
              "record to .mov (ProRes 4444), .webm (VP9) or a folder for PNG files (\"frames/\"), or without "
              "\"Transparent\"");
}

std::string fit_gif(int& width, int& height, double& fps) {
  std::string notice;
  if (fps > kMostGifFps)
    notice = fmt::format("a GIF shows at most {:.0f} pictures per second: {:g} become {:.0f}", kMostGifFps,
                         fps, kMostGifFps),
    fps = kMostGifFps;
  if (std::max(width, height) > kMostGifPixels) {
    const double scale = double(kMostGifPixels) / std::max(width, height);
    const ivec2 fitted(std::lround(width * scale), std::lround(height * scale));
    notice += fmt::format("{}a GIF is at most {} pixels wide or high here: {}x{} becomes {}x{}",
                          notice.empty() ? "" : "; ", kMostGifPixels, width, height, fitted.x, fitted.y);
    width = std::max(1, fitted.x), height = std::max(1, fitted.y);
  }
  return notice;
}

std::unique_ptr<PictureSink> make_video_sink(const VideoFormat& format) {
  return std::make_unique<VideoSink>(format);
}

}  // namespace weft

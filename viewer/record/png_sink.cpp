#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/frame_writer.h"
#include "viewer/gl/image.h"
#include "viewer/record/picture_sink.h"

namespace weft {
namespace {

class PngSink final : public PictureSink {
 public:
  explicit PngSink(const VideoFormat& format) : folder_(format.path), alpha_(format.alpha) {
    std::error_code fault;
    std::filesystem::create_directories(folder_, fault);
    if (fault) throw Error("the folder cannot be made: " + fault.message(), folder_, "choose another place");
    image_.width = format.width;
    image_.height = format.height;
  }
  bool write(const VideoPicture& picture) override {
    if (!fault_.empty()) return false;
    try {
      if (next_ == 0) remove_later_files(folder_, "frame_", ".png", 0);
      const std::string file = fmt::format("{}/frame_{:06d}.png", folder_, next_);
      if (alpha_) write_transparent_png(file, ivec2(image_.width, image_.height), picture.pixels);
      else image_.rgb = picture.pixels, write_png(file, image_);
      ++next_;
    } catch (const Error& e) {
      fault_ = e.what();
    }
    return fault_.empty();
  }
  bool close() override { return fault_.empty(); }

 private:
  std::string folder_;
  bool alpha_;
  Image image_;
  int next_ = 0;
};

class FigureSink final : public PictureSink {
 public:
  explicit FigureSink(const VideoFormat& format) : format_(format) {
    const std::filesystem::path folder = std::filesystem::path(format.path).parent_path();
    std::error_code unknown;
    if (!folder.empty() && !std::filesystem::is_directory(folder, unknown))
      throw Error("the folder of this picture is not there", format.path, "make it, or choose another place");
  }
  bool write(const VideoPicture& picture) override { return last_ = picture, true; }
  bool close() override {
    if (last_.pixels.empty()) return true;
    try {
      const ivec2 size(format_.width, format_.height);
      if (format_.alpha) write_transparent_png(format_.path, size, std::move(last_.pixels));
      else write_png(format_.path, {size.x, size.y, std::move(last_.pixels)});
    } catch (const Error& e) {
      fault_ = e.what();
    }
    last_.pixels.clear();
    return fault_.empty();
  }

 private:
  VideoFormat format_;
  VideoPicture last_;
};

}  // namespace

std::unique_ptr<PictureSink> make_figure_sink(const VideoFormat& format) {
  return std::make_unique<FigureSink>(format);
}

std::unique_ptr<PictureSink> make_png_sink(const VideoFormat& format) {
  return std::make_unique<PngSink>(format);
}

}  // namespace weft

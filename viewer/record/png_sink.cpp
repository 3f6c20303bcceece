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

}  // namespace

std::unique_ptr<PictureSink> make_png_sink(const VideoFormat& format) {
  return std::make_unique<PngSink>(format);
}

}  // namespace weft

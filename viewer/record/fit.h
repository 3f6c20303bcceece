// Pictures of any size and layout, fitted into a video of a fixed one.
#pragma once
#include <cstdint>
#include <vector>

namespace weft {

struct PictureView;

/// Writes `picture` to `out` (channels * width * height bytes, top row first). A picture of another size is
/// scaled to fit, its proportions kept, with black borders, which four channels leave transparent. A picture
/// without pixels gives black.
void fit_picture(const PictureView& picture, int width, int height, std::vector<uint8_t>& out,
                 int channels = 3);

}  // namespace weft

#include "viewer/render/lane_pictures.h"

#include <algorithm>
#include <cmath>

#include "sim/methods/quantities.h"

namespace weft {
namespace {

/// Columns that leave fields of about a picture's usual shape, and few of them empty.
int columns_for(int lanes, ivec2 size) {
  int best = 1;
  double least = 1e30;
  for (int columns = 1; columns <= lanes; ++columns) {
    const int rows = (lanes + columns - 1) / columns;
    const double shape = double(size.x) / columns / std::max(1.0, double(size.y) / rows);
    const double cost = std::abs(std::log(shape / 1.1)) + 0.4 * (rows * columns - lanes);
    if (cost < least) least = cost, best = columns;
  }
  return best;
}

/// Distances as values of the field `difference`.
Frame with_distances(const Frame& frame, const std::vector<float>& distances) {
  Frame shown = frame;
  shown.field = kDifferenceField;
  shown.scalar = distances;
  for (float& value : shown.scalar)
    if (!std::isfinite(value)) value = 0;
  // these values are on the host
  shown.device_positions = shown.device_normals = nullptr, shown.device_scalar = nullptr;
  return shown;
}

}  // namespace

const std::vector<std::string>& lane_layouts() {
  static const std::vector<std::string> names = {"split", "wipe", "overlay", "difference"};
  return names;
}

std::vector<ivec4> lane_fields(LaneLayout layout, int lanes, ivec2 size) {
  if (layout == LaneLayout::wipe || layout == LaneLayout::overlay)
    return std::vector<ivec4>(size_t(lanes), ivec4(0, 0, size));
  const int columns = columns_for(lanes, size), rows = (lanes + columns - 1) / columns;
  constexpr int kGap = 2;
  const ivec2 field(std::max(1, (size.x - kGap * (columns - 1)) / columns),
                    std::max(1, (size.y - kGap * (rows - 1)) / rows));
  std::vector<ivec4> fields;
  for (int i = 0; i < lanes; ++i)
    fields.emplace_back((i % columns) * (field.x + kGap), (i / columns) * (field.y + kGap), field.x, field.y);
  return fields;
}

LaneColor lane_color(LaneLayout layout, size_t lane) {
  static const std::vector<LaneColor> colors = {{},
                                                {"orange", {0.93f, 0.52f, 0.15f}},
                                                {"green", {0.3f, 0.73f, 0.38f}},
                                                {"violet", {0.66f, 0.38f, 0.85f}}};
  return layout == LaneLayout::overlay ? colors[lane % colors.size()] : colors[0];
}

Scene in_lane_color(Scene scene, const LaneColor& color) {
  if (color.name.empty()) return scene;
  for (Cloth& cloth : scene.cloths) {
    cloth.fabric.front_color = cloth.fabric.back_color = color.color;
    for (auto& [name, fabric] : cloth.panel_fabrics) fabric.front_color = fabric.back_color = color.color;
  }
  return scene;
}

void LanePictures::resize(size_t lanes) {
  renderers_.resize(std::min(lanes, renderers_.size()));
  while (renderers_.size() < lanes) renderers_.push_back(std::make_unique<Renderer>());
}

void LanePictures::update(size_t lane, const Frame& frame, LaneLayout layout, const LanePicture& picture) {
  const bool coloured = layout == LaneLayout::difference && lane > 0;
  if (!coloured || picture.distances.size() != frame.positions.size()) return renderers_[lane]->update(frame);
  renderers_[lane]->update(with_distances(frame, picture.distances));
}

void LanePictures::draw_lane(size_t i, const CameraView& view, const ViewSettings& settings,
                             LaneLayout layout, const std::vector<Overlay>& overlays) {
  ViewSettings own = settings;
  if (layout == LaneLayout::difference) {
    own.colouring = i > 0 ? vertex_field(kDifferenceField) : 0;
    own.colour_max = top_, own.colour_fixed = false;
  }
  renderers_[i]->draw(view, own, i < overlays.size() ? overlays[i] : Overlay{});
}

const gl::Framebuffer& LanePictures::draw(const CameraPose& camera, const ViewSettings& settings,
                                          LaneLayout layout, ivec2 size,
                                          const std::vector<LanePicture>& pictures,
                                          const std::vector<Overlay>& overlays, float wipe) {
  if (!picture_ || picture_->size() != size) picture_.emplace(size, GL_RGBA8, 0);
  const std::vector<ivec4> fields = lane_fields(layout, int(renderers_.size()), size);
  constexpr float kBackground[] = {0.05f, 0.055f, 0.06f, 1};
  glClearNamedFramebufferfv(picture_->id(), GL_COLOR, 0, kBackground);
  if (layout == LaneLayout::difference) {
    float largest = 0;
    for (const LanePicture& p : pictures) largest = std::max(largest, percentile_above(p.distances, 0, 99));
    top_ = range_.update(1e3f * largest);
  }
  Camera lens(camera);
  const CameraView view = lens.view(ivec2(fields[0].z, fields[0].w));
  if (layout == LaneLayout::overlay && !overlay_) overlay_.emplace();
  for (size_t i = 0; i < renderers_.size(); ++i) {
    draw_lane(i, view, settings, layout, overlays);
    const gl::Framebuffer& own = *renderers_[i]->picture();
    if (layout == LaneLayout::overlay) {
      overlay_->add(own, 1 / float(renderers_.size()));
    } else if (layout == LaneLayout::wipe) {
      const int middle = std::clamp(int(std::lround(wipe * float(size.x))), 0, size.x);
      const int from = i == 0 ? 0 : middle + 1, to = i == 0 ? middle - 1 : size.x;  // and a line between
      glDisable(GL_FRAMEBUFFER_SRGB);
      if (i < 2 && to > from)
        glBlitNamedFramebuffer(own.id(), picture_->id(), from, 0, to, size.y, from, 0, to, size.y,
                               GL_COLOR_BUFFER_BIT, GL_NEAREST);
    } else {
      own.copy_to(picture_->id(), ivec2(fields[i].x, size.y - fields[i].y - fields[i].w));
    }
  }
  if (layout == LaneLayout::overlay) overlay_->average().copy_to(picture_->id(), ivec2(0));
  caption(pictures, layout, fields);
  return *picture_;
}

void LanePictures::caption(const std::vector<LanePicture>& pictures, LaneLayout layout,
                           const std::vector<ivec4>& fields) {
  const bool together = layout == LaneLayout::wipe || layout == LaneLayout::overlay;
  std::string all;  // a line for each lane
  for (size_t i = 0; i < pictures.size() && i < fields.size(); ++i) {
    std::string text = pictures[i].caption;
    if (!together) captions_.draw(*picture_, {text, {}, renderers_[i]->legend().visible, fields[i]});
    if (const std::string color = lane_color(layout, i).name; !color.empty()) text = color + ": " + text;
    for (size_t at = 0; (at = text.find('\n', at)) != text.npos;) text.replace(at, 1, ", ");
    if (layout != LaneLayout::wipe || i < 2) all += (all.empty() ? "" : "\n") + text;
  }
  if (together) captions_.draw(*picture_, {{}, all, false, {}});
}

}  // namespace weft

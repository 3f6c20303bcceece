#include "viewer/window/drawn_lanes.h"

#include <fmt/format.h>

#include "viewer/theme/theme.h"

namespace weft {
namespace {

LaneLayout layout_of(const WindowState& state) { return LaneLayout(state.memory.lanes.layout); }

std::string caption_of(const ComparedLanes& lanes, size_t i) {
  const Frame& frame = *lanes.frame(i);
  std::string text = fmt::format("{}\n{:.3g} ms a step", lanes.name(i), double(frame.stats.step_ms));
  if (lanes.budget() > 0) text += fmt::format(", {:.2g} % left", 100 * double(frame.stats.solver_residual));
  if (i == 0) return text;
  const RunDifference d = lanes.difference(i);
  return text +
         fmt::format("\n{:.3g} mm apart in the mean, {:.3g} mm at most", 1e3 * d.mean, 1e3 * d.largest);
}

}  // namespace

bool DrawnLanes::shows(const WindowState& state) {
  const ComparedLanes& lanes = state.session.lanes();
  if (!lanes.running() || state.session.playback()) return false;
  for (size_t i = 0; i < lanes.size(); ++i)
    if (!lanes.frame(i)) return false;
  return true;
}

ivec2 DrawnLanes::field_size(const WindowState& state, ivec2 size) {
  if (!shows(state)) return size;
  const ivec4 field = lane_fields(layout_of(state), int(state.session.lanes().size()), size).front();
  return {field.z, field.w};
}

vec2 DrawnLanes::in_field(const WindowState& state, ivec2 size, const vec2& pixel) {
  if (!shows(state)) return pixel;
  for (const ivec4& f : lane_fields(layout_of(state), int(state.session.lanes().size()), size)) {
    const vec2 inside = pixel - vec2(f.x, f.y);
    if (inside.x >= 0 && inside.y >= 0 && inside.x < float(f.z) && inside.y < float(f.w)) return inside;
  }
  return pixel;
}

bool DrawnLanes::update(const WindowState& state) {
  if (!shows(state)) {
    const bool was = pictures_.has_value();
    pictures_.reset(), models_.clear(), revision_ = -1;
    return was;
  }
  const ComparedLanes& lanes = state.session.lanes();
  if (!pictures_) pictures_.emplace(theme::find_font());
  const long fabrics = state.session.revision();
  if (revision_ == lanes.revision() && layout_ == state.memory.lanes.layout && fabrics_ == fabrics)
    return false;
  pictures_->resize(lanes.size());
  models_.resize(lanes.size()), shown_.resize(lanes.size());
  for (size_t i = 0; i < lanes.size(); ++i) {
    const auto view = lanes.view(i);
    const bool other = view->model_id != models_[i];
    if (other) pictures_->lane(i).set_scene(*view), models_[i] = view->model_id;
    if (other || fabrics_ != fabrics || layout_ != state.memory.lanes.layout)
      pictures_->lane(i).set_fabrics(in_lane_color(state.session.scene(), lane_color(layout_of(state), i)));
    shown_[i] = {caption_of(lanes, i), lanes.distances(i)};
    pictures_->update(i, *lanes.frame(i), layout_of(state), shown_[i]);
  }
  revision_ = lanes.revision(), layout_ = state.memory.lanes.layout, fabrics_ = fabrics;
  return true;
}

const gl::Framebuffer& DrawnLanes::draw(const WindowState& state, const Overlay& overlay, ivec2 size) {
  return pictures_->draw(state.camera.pose(), state.view, layout_of(state), size, shown_, {overlay},
                         state.memory.lanes.wipe);
}

}  // namespace weft

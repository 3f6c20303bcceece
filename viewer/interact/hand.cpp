#include "viewer/interact/hand.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {
constexpr float kHandleReach = 12;  // pixels around a handle that count as on it
constexpr float kPinReach = 12;     // pixels around a pin
constexpr float kClick = 3;         // pixels that the mouse may move in a click
constexpr float kBrushNotch = 1.25f;
constexpr float kLeastBrush = 0.003f, kMostBrush = 0.5f;  // m
}  // namespace

void SelectBrush::turn_wheel(float notches) {
  radius = std::clamp(radius * std::pow(kBrushNotch, notches), kLeastBrush, kMostBrush);
}

/// Vertices of the cloth within the brush about the point under the cursor.
void MouseHand::paint(const Moment& m) {
  if (!hover_.cloth) return;
  if (std::exchange(painted_model_, m.frame.model_id) != m.frame.model_id) painted_.clear();
  const std::vector<vec3>& x = m.frame.positions;
  for (size_t t = 0; t < m.scene.triangles.size(); ++t)
    for (int k = 0; k < 3 && !(t < m.left_out.size() && m.left_out[t]); ++k)
      if (const int v = m.scene.triangles[t][k]; glm::distance(x[v], hover_.cloth->point) <= m.brush.radius)
        painted_.insert(v);
  painted_.insert(nearest_corner(*hover_.cloth, x, m.scene.triangles));
}

/// All that the ring passes on the way of the cursor, of which only the ends are known.
void MouseHand::paint_to(const Moment& m, vec2 from, vec2 to) {
  constexpr int kMostPlaces = 24;
  const CameraView view = m.camera.view(m.size);
  const float away =
      hover_.cloth ? view_depth(hover_.cloth->point, view) : glm::distance(view.eye, view.target);
  const float step = std::max(4.0f, 0.3f * m.brush.radius / view.pixel_size(away));
  const int places = std::clamp(int(std::ceil(glm::distance(from, to) / step)), 1, kMostPlaces);
  for (int i = 1; i <= places; ++i) hover_ = look(m, glm::mix(from, to, float(i) / float(places))), paint(m);
}

Hover MouseHand::look(const Moment& m, vec2 pixel) {
  Hover hover;
  const CameraView view = m.camera.view(m.size);
  float nearest = kHandleReach * m.scale;
  for (const DragController::Handle& handle : m.drag.handles()) {
    const auto at = view.project(handle.target);
    if (!at || handle.id == m.drag.active()) continue;
    const float d = glm::distance(vec2(*at), pixel);
    if (d < nearest) nearest = d, hover.held_handle = handle.id;
  }
  if (m.frame.model_id != m.scene.model_id) return hover;
  if (m.bodies) hover.gizmo = m.bodies->look(m.frame, m.scene, {view, pixel}, m.scale);
  const Ray ray = view.ray(pixel);
  hover.cloth = picker_.pick(ray, m.frame.positions, m.scene.triangles, 1e30f, m.left_out);
  if (m.show_obstacles) look_at_bodies(m, ray, hover);
  const float depth = hover.cloth           ? view_depth(hover.cloth->point, view)
                      : hover.obstacle >= 0 ? view_depth(hover.on_obstacle, view)
                                            : 1e30f;
  hover.strand = strand_near(m, pixel, depth);
  if (hover.strand >= 0) hover.cloth.reset(), hover.obstacle = -1;
  return hover;
}

void MouseHand::look_at_bodies(const Moment& m, const Ray& ray, Hover& hover) {
  float limit = hover.cloth ? hover.cloth->distance : 1e30f;
  for (const ObstacleView& o : m.frame.obstacles) {
    if (o.index < 0 || o.index >= int(m.scene.obstacle_meshes.size())) continue;
    const TriMesh& mesh = m.scene.obstacle_meshes[o.index];
    const auto& shapes = m.frame.obstacle_positions;
    const bool reshaped = size_t(o.index) < shapes.size() && shapes[size_t(o.index)];
    const auto hit =
        picker_.pick(to_body_frame(ray, o.transform), reshaped ? *shapes[size_t(o.index)] : mesh.positions,
                     mesh.triangles, limit);
    if (!hit) continue;
    hover.cloth.reset();
    hover.obstacle = o.index;
    hover.on_obstacle = ray.origin + hit->distance * ray.direction;
    limit = hit->distance;
  }
}

/// The point of a strand that is nearest to the cursor in the picture, or of the grains near it the one
/// that is nearest to the eye; if nearer to the eye than `depth` (m).
int MouseHand::strand_near(const Moment& m, vec2 pixel, float depth) const {
  const CameraView view = m.camera.view(m.size);
  float nearest = kHandleReach * m.scale;
  int found = -1;
  for (const ModelPart& part : m.scene.parts) {
    const bool grains = part.kind == PartKind::grains;
    if (!grains && part.kind != PartKind::strands) continue;
    for (int v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      const auto at = view.project(m.frame.positions[size_t(v)]);
      if (!at || at->z > depth) continue;
      const float d = glm::distance(vec2(*at), pixel);
      if (d < nearest) found = v, (grains ? depth : nearest) = grains ? at->z : d;
    }
  }
  return found;
}

void MouseHand::move(const Moment& m, vec2 pixel) {
  const vec2 moved = pixel - last_;
  last_ = pixel;
  switch (mode_) {
    case Mode::none: hover_ = look(m, pixel); break;
    case Mode::select: break;  // by its corners
    case Mode::paint: paint_to(m, pixel - moved, pixel); break;
    case Mode::drag: {
      const CameraView view = m.camera.view(m.size);
      m.drag.move({view, pixel});
      if (!m.drag.dragging()) mode_ = Mode::none;  // the simulator released it: another scene
      break;
    }
    case Mode::gizmo: {
      const CameraView view = m.camera.view(m.size);
      m.bodies->move({view, pixel});
      if (!m.bodies->holding()) mode_ = Mode::none;  // a reset, or another scene
      break;
    }
    case Mode::orbit: m.camera.orbit(moved, m.size); break;
    case Mode::pan: m.camera.pan(moved, m.size); break;
  }
}

int MouseHand::press(const Moment& m, MouseButton button, vec2 pixel, Modifiers mods) {
  if (busy()) return -1;
  last_ = pressed_ = pixel;
  hover_ = look(m, pixel);
  button_ = button;
  if (button == MouseButton::middle) return mode_ = Mode::pan, -1;
  if (mods.ctrl && mods.shift && button == MouseButton::left) {
    use_ = mods.alt ? SelectFor::handle : SelectFor::pins;
    return mode_ = Mode::select, -1;
  }
  if (button == MouseButton::right || mods.alt) return mode_ = Mode::orbit, -1;
  const CameraView view = m.camera.view(m.size);
  const Cursor cursor{view, pixel};
  if (m.brush.on && hover_.cloth && !mods.ctrl) {
    use_ = m.brush.use, painted_.clear(), paint(m);
    return mode_ = Mode::paint, -1;
  }
  if (mods.ctrl) {
    if (hover_.strand >= 0) return hover_.strand;
    if (!hover_.cloth) return -1;
    const float reach = kPinReach * m.scale * view.pixel_size(view_depth(hover_.cloth->point, view));
    const int pinned = pinned_near(hover_.cloth->point, reach, m.frame.pinned, m.frame.positions);
    return pinned >= 0 ? pinned : nearest_corner(*hover_.cloth, m.frame.positions, m.scene.triangles);
  }
  if (hover_.gizmo && m.bodies->begin(m.frame, m.scene, cursor, m.scale)) return mode_ = Mode::gizmo, -1;
  if (hover_.held_handle && m.drag.take(hover_.held_handle, cursor)) {
    mode_ = Mode::drag;
  } else if (hover_.strand >= 0) {
    if (m.drag.fasten({hover_.strand}, m.frame, m.scene) && m.drag.take(m.drag.handles().back().id, cursor))
      mode_ = Mode::drag;
  } else if (hover_.cloth) {
    if (m.drag.begin(*hover_.cloth, cursor, m.brush_radius)) mode_ = Mode::drag;
  } else {
    mode_ = Mode::orbit;
  }
  return -1;
}

Selected MouseHand::release(const Moment& m, MouseButton button, Modifiers mods) {
  if (!busy() || button != button_) return {};
  const Mode was = std::exchange(mode_, Mode::none);
  if (was == Mode::drag) m.drag.end(mods.shift);
  if (was == Mode::gizmo) m.bodies->end();
  const bool clicked = button == MouseButton::left && glm::distance(last_, pressed_) <= kClick * m.scale;
  if (was == Mode::orbit && clicked && m.bodies && !mods.alt) {
    m.bodies->select(hover_.obstacle, m.scene);
    m.bodies->hold_plane_at(hover_.on_obstacle, m.frame, m.scene);
  }
  if (was == Mode::paint) {
    const std::set<int> all = std::exchange(painted_, {});
    // of another mesh, if it has changed under the brush
    if (m.frame.model_id != m.scene.model_id || painted_model_ != m.frame.model_id) return {};
    return {use_, std::vector<int>(all.begin(), all.end())};
  }
  if (was != Mode::select || m.frame.model_id != m.scene.model_id) return {};
  return {use_, vertices_within(m.camera.view(m.size), pressed_, last_, m.frame.positions)};
}

std::optional<std::pair<vec2, vec2>> MouseHand::rectangle() const {
  if (mode_ != Mode::select) return {};
  return std::pair(pressed_, last_);
}

void MouseHand::wheel(const Moment& m, float notches, vec2 pixel) {
  if (mode_ == Mode::drag) {
    const CameraView view = m.camera.view(m.size);
    const DragController::Handle* held = m.drag.find(m.drag.active());
    if (held) m.drag.push(notches * kNotchShare * cloth_extent(m.scene, held->triangle), {view, pixel});
  } else {
    m.camera.zoom(notches, pixel, m.size);
  }
}

}  // namespace weft

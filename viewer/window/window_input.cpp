// Mouse and keyboard: carries out the events since the last picture.
#include <imgui.h>

#include <utility>

#include "viewer/session/open_input.h"
#include "viewer/session/window_keys.h"
#include "viewer/window/window_impl.h"

namespace weft {

float Window::Impl::pixel_ratio() const {
  const ivec2 size = desktop.size(), pixels = desktop.framebuffer_size();
  return size.x > 0 ? float(pixels.x) / float(size.x) : 1;
}

bool Window::Impl::over_picture(float x, float y) const {
  return state.viewport.contains(x, y) && !ImGui::GetIO().WantCaptureMouse;
}

vec2 Window::Impl::picture_pixel(float x, float y) const {
  const vec2 pixel = vec2(x - state.viewport.x, y - state.viewport.y) * pixel_ratio();
  return DrawnLanes::in_field(state, glm::max(pictures.size, ivec2(1)), pixel);
}

MouseHand::Moment Window::Impl::moment() {
  // Hidden layers are neither dragged nor selected.
  std::vector<char> left_out;
  if (!state.layers.hidden.empty() && !state.wrinkles.shown(session))
    for (const int layer : state.layers.of_triangle) left_out.push_back(state.layers.hidden.count(layer) > 0);
  return {session.frame(),
          session.view(),
          camera,
          run_size(),
          session.drag(),
          session.scene().drag.brush_radius,
          view.obstacles,
          state.scale * pixel_ratio(),
          std::move(left_out),
          session.playback() ? nullptr : &session.bodies(),
          session.playback() || state.wrinkles.sketching || state.wrinkles.shown(session)
              ? SelectBrush{}
              : state.memory.brush};
}

void Window::Impl::begin_stroke() {
  const auto& cloth = hand.hover().cloth;
  if (!cloth) return;
  const auto [point, name] = material_point(session.view(), cloth->triangle, cloth->barycentric);
  state.wrinkles.stroke = {point, cloth->point};
  state.wrinkles.stroke_cloth = name;
}

/// A stroke from where the button was pressed to where it is released; both must be on one piece of cloth.
void Window::Impl::end_stroke() {
  const auto [from, place] = *state.wrinkles.stroke;
  state.wrinkles.stroke.reset();
  pictures.stale = true;
  const auto& cloth = hand.hover().cloth;
  if (!cloth) return;
  const auto [to, name] = material_point(session.view(), cloth->triangle, cloth->barycentric);
  const float along = glm::length(to - from), apart = glm::length(cloth->point - place);
  if (name != state.wrinkles.stroke_cloth || along > 4 * apart + 0.02f)
    return toasts.add(LogLevel::notice,
                      "A stroke begins and ends on one piece of cloth: draw it again within a panel");
  if (along < 1e-3f) return;
  WrinkleView::Gathers gathers = state.wrinkles.settings.gathers;
  wrinkles::Gather g;
  g.cloth = name, g.from = from, g.to = to;
  gathers.push_back(g);
  state.wrinkles.change(std::move(gathers));
}

void Window::Impl::handle_mouse(const WindowEvent& e) {
  if (e.kind != WindowEvent::Kind::wheel && e.key > 2) return;  // side buttons are ignored
  Modifiers mods{e.shift, e.ctrl, e.alt};
  const vec2 pixel = picture_pixel(float(e.x), float(e.y));
  const auto button = e.key == 1 ? MouseButton::right : e.key == 2 ? MouseButton::middle : MouseButton::left;
  if (e.kind == WindowEvent::Kind::wheel) {
    const bool brushes = moment().brush.on && hand.hover().cloth && (!hand.busy() || hand.painting());
    if (brushes && (hand.busy() || over_picture(float(e.x), float(e.y))))
      state.memory.brush.turn_wheel(e.wheel);
    else if (hand.busy() || over_picture(float(e.x), float(e.y))) hand.wheel(moment(), e.wheel, pixel);
  } else if (e.kind == WindowEvent::Kind::press) {
    if (!over_picture(float(e.x), float(e.y))) return;
    // a recorded run cannot be pulled or pinned: every drag orbits
    if (session.playback()) mods = {.alt = true};
    if (const auto& cloth = hand.hover().cloth; cloth && button == MouseButton::left) {
      const int panel = garment_marks.panel_of(cloth->triangle);
      if (panel >= 0 && !state.pattern.editor.empty()) state.pattern.editor.select({panel, -1});
    }
    if (button == MouseButton::left && state.wrinkles.sketching && !mods.alt) return begin_stroke();
    if (const int vertex = hand.press(moment(), button, pixel, mods); vertex >= 0) session.toggle_pin(vertex);
  } else {
    // The cursor's last stretch may have come in the same turn.
    hand.move(moment(), pixel);
    if (state.wrinkles.stroke && button == MouseButton::left) return end_stroke();
    const Selected chosen = hand.release(moment(), button, mods);
    switch (chosen.use) {
      case SelectFor::handle: session.fasten(chosen.vertices); break;
      case SelectFor::pins: session.toggle_pins(chosen.vertices); break;
      case SelectFor::pin:
      case SelectFor::free: session.set_pins(chosen.vertices, chosen.use == SelectFor::pin); break;
    }
  }
  pictures.stale = true;
}

void Window::Impl::handle_event(const WindowEvent& e) {
  if (e.kind == WindowEvent::Kind::drop) open_input(state, e.paths);
  else if (e.kind == WindowEvent::Kind::key && press_finder_key(state, e.key)) return;
  else if (e.kind != WindowEvent::Kind::key) handle_mouse(e);
  else if (!ImGui::GetIO().WantTextInput && press_key(state, e.key, e.ctrl, e.shift, e.repeated))
    pictures.stale = true;
}

/// Called when ImGui knows the item under the cursor.
void Window::Impl::handle_events() {
  // Each for itself: a button's release is not lost with the key before it.
  for (const WindowEvent& e : std::exchange(waiting, {})) guarded([&] { handle_event(e); });
}

}  // namespace weft

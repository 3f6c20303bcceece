// Arrows and rings on the selected body.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr int kRingPieces = 64;  // of a ring
const ImU32 kAxisColors[3] = {IM_COL32(235, 84, 84, 255), IM_COL32(112, 196, 84, 255),
                              IM_COL32(84, 144, 240, 255)};
const ImU32 kPointed = IM_COL32(255, 214, 92, 255), kOutline = IM_COL32(12, 14, 16, 150);

struct GizmoCanvas {
  ImDrawList* list;
  const CameraView& view;
  const Rect& area;
  float scale;
  std::optional<ImVec2> at(const vec3& world) const {
    const auto p = view.project(world);
    const float ratio = float(view.size.x) / std::max(1.0f, area.width);
    if (!p) return {};
    return ImVec2(area.x + p->x / ratio, area.y + p->y / ratio);
  }
  void line(const vec3& a, const vec3& b, ImU32 color, float width) const {
    const auto p = at(a), q = at(b);
    if (!p || !q) return;
    list->AddLine(*p, *q, kOutline, (width + 2) * scale);
    list->AddLine(*p, *q, color, width * scale);
  }
};

void gizmo_ring(const GizmoCanvas& canvas, const Gizmo& g, int axis, ImU32 color, bool marked) {
  for (const bool outline : {true, false}) {
    for (int i = 0; i < kRingPieces; ++i) {
      const vec3 a = g.on_ring(axis, 2 * kPi * float(i) / kRingPieces),
                 b = g.on_ring(axis, 2 * kPi * float(i + 1) / kRingPieces);
      const auto p = canvas.at(a), q = canvas.at(b);
      // The far half is behind the body, and drawn faintly.
      const bool far = glm::dot(0.5f * (a + b) - g.center, canvas.view.forward()) > 0.02f * g.length;
      if (!p || !q || (outline && far)) continue;
      const ImU32 faint = (color & 0x00ffffffu) | 0x55000000u;
      const float width = (marked ? 3.5f : 2.0f) + (outline ? 2.0f : 0.0f);
      canvas.list->AddLine(*p, *q, outline ? kOutline : far && !marked ? faint : color, width * canvas.scale);
    }
  }
}

void gizmo_arrow(const GizmoCanvas& canvas, const Gizmo& g, int axis, ImU32 color, bool marked) {
  canvas.line(g.center, g.tip(axis), color, marked ? 4.0f : 3.0f);
  const auto p = canvas.at(g.center), q = canvas.at(g.tip(axis));
  if (!p || !q) return;
  vec2 along(q->x - p->x, q->y - p->y);
  const float length = glm::length(along), size = 7 * canvas.scale;
  if (length < size) return canvas.list->AddCircleFilled(*q, size, color, 20);
  along *= size / length;
  const vec2 side(-along.y, along.x);
  canvas.list->AddTriangleFilled(ImVec2(q->x + 1.6f * along.x, q->y + 1.6f * along.y),
                                 ImVec2(q->x + side.x, q->y + side.y), ImVec2(q->x - side.x, q->y - side.y),
                                 color);
}

}  // namespace

void draw_body_gizmo(WindowState& state, const CameraView& camera) {
  Session& session = state.session;
  if (session.playback()) return;
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const auto gizmo = session.bodies().gizmo(session.frame(), session.view(), camera, state.scale * ratio);
  if (!gizmo) return;
  const GizmoCanvas canvas{ImGui::GetBackgroundDrawList(), camera, state.viewport, state.scale};
  const auto marked = [&](GizmoPart part) { return gizmo->pointed == part; };
  const bool on_its_way = glm::distance(gizmo->now, gizmo->center) > 1e-3f;
  if (on_its_way) canvas.line(gizmo->now, gizmo->center, IM_COL32(240, 240, 255, 190), 2);
  for (const bool turns : {true, false})
    for (int axis = 0; axis < 3; ++axis) {
      const GizmoPart part{axis, turns};
      if (gizmo->held && !marked(part)) continue;
      const ImU32 color = marked(part) ? kPointed : kAxisColors[axis];
      turns ? gizmo_ring(canvas, *gizmo, axis, color, marked(part))
            : gizmo_arrow(canvas, *gizmo, axis, color, marked(part));
    }
  const auto at = canvas.at(gizmo->center);
  if (!at) return;
  canvas.list->AddCircleFilled(*at, 4 * state.scale, IM_COL32(245, 245, 245, 255), 16);
  std::string words = gizmo->held ? gizmo->moved : std::string();
  if (on_its_way && !session.playing())
    words += words.empty() ? "it goes here in the next steps" : ", in the next steps";
  if (!words.empty())
    text_plate(canvas.list, ImVec2(at->x + 14 * state.scale, at->y + 14 * state.scale), words,
               ImGui::GetColorU32(theme::plate_text), state.scale);
}

}  // namespace weft

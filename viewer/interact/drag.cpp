#include "viewer/interact/drag.h"

#include <algorithm>

namespace weft {
namespace {
constexpr float kNearestDepth = 0.05f;  // m: a handle nearer to the eye than this would fill the picture
constexpr float kFarthestDepth = 100;   // m
}  // namespace

float view_depth(const vec3& point, const CameraView& view) {
  return glm::dot(point - view.eye, view.forward());
}

float cloth_extent(const SceneView& scene, int triangle) {
  for (const ModelPart& c : scene.parts) {
    if (triangle < c.first_triangle || triangle >= c.first_triangle + c.triangle_count) continue;
    vec3 low(1e30f), high(-1e30f);
    for (int v = c.first_vertex; v < c.first_vertex + c.vertex_count; ++v)
      low = glm::min(low, scene.rest[size_t(v)]), high = glm::max(high, scene.rest[size_t(v)]);
    const vec3 size = high - low;
    return std::max({size.x, size.y, size.z, 0.0f});
  }
  return 0;
}

bool DragController::begin(const PickHit& hit, const Cursor& cursor, float brush_radius) {
  if (may_begin_ && !may_begin_()) return false;
  end(false);
  active_ = ++last_id_;
  handles_.push_back({active_, hit.point, false, hit.triangle, hit.barycentric});
  depth_ = view_depth(hit.point, cursor.view);
  offset_ = hit.point - cursor.view.unproject(cursor.pixel, depth_);
  post_(GrabBegin{active_, hit.triangle, hit.barycentric, brush_radius});
  post_(GrabMove{active_, hit.point});
  return true;
}

bool DragController::fasten(const std::vector<int>& vertices, const Frame& frame, const SceneView& scene) {
  if (vertices.empty() || (may_begin_ && !may_begin_())) return false;
  vec3 middle(0);
  for (const int v : vertices) middle += frame.positions[size_t(v)] / float(vertices.size());
  const auto holds = [&](const ivec3& t) {
    return t.x == vertices[0] || t.y == vertices[0] || t.z == vertices[0];
  };
  const auto triangle = std::find_if(scene.triangles.begin(), scene.triangles.end(), holds);
  Handle handle{++last_id_, middle};
  handle.triangle = int(triangle - scene.triangles.begin());
  handle.fastened = true;
  handles_.push_back(handle);
  post_(GrabVertices{last_id_, vertices});
  return true;
}

bool DragController::take(int id, const Cursor& cursor) {
  const Handle* handle = find(id);
  if (!handle) return false;
  end(false);
  active_ = id;
  depth_ = view_depth(handle->target, cursor.view);
  offset_ = handle->target - cursor.view.unproject(cursor.pixel, depth_);
  return true;
}

void DragController::move(const Cursor& cursor) {
  Handle* handle = find_mutable(active_);
  if (!handle) return;
  const vec3 target = cursor.view.unproject(cursor.pixel, depth_) + offset_;
  if (target == handle->target) return;
  handle->target = target;
  post_(GrabMove{active_, target});
}

void DragController::push(float away, const Cursor& cursor) {
  depth_ = std::clamp(depth_ + away, kNearestDepth, kFarthestDepth);
  move(cursor);
}

void DragController::end(bool keep) {
  if (!active_) return;
  const int id = active_;
  active_ = 0;
  const Handle* held = find(id);
  if (keep || !held) return;
  let_go(*held);
  std::erase_if(handles_, [&](const Handle& h) { return h.id == id; });
}

void DragController::let_go(const Handle& handle) {
  let_go_.push_back(handle);
  post_(GrabEnd{handle.id});
}

void DragController::release_all() {
  for (const Handle& h : handles_) let_go(h);
  handles_.clear();
  active_ = 0;
}

void DragController::reconcile(const std::vector<HandleView>& live) {
  for (const HandleView& v : live) {  // of a state that was gone back to
    const auto is = [&](const Handle& h) { return h.id == v.id; };
    if (v.scripted || std::any_of(handles_.begin(), handles_.end(), is) ||
        std::any_of(let_go_.begin(), let_go_.end(), is))
      continue;
    handles_.push_back({v.id, v.target, true});
    last_id_ = std::max(last_id_, v.id);
  }
  for (std::vector<Handle>* list : {&handles_, &let_go_}) {
    for (Handle& h : *list) {
      const bool is_live = std::any_of(live.begin(), live.end(),
                                       [&](const HandleView& v) { return !v.scripted && v.id == h.id; });
      if (is_live) h.seen = true;
      else if (h.seen) h.id = -1;
    }
    std::erase_if(*list, [](const Handle& h) { return h.id < 0; });
  }
  if (active_ && !find(active_)) active_ = 0;
}

const DragController::Handle* DragController::find(int id) const {
  const auto found =
      std::find_if(handles_.begin(), handles_.end(), [&](const Handle& h) { return h.id == id; });
  return found == handles_.end() ? nullptr : &*found;
}

std::vector<ShownHandle> DragController::shown(const Frame& frame,
                                               const std::vector<ivec3>& triangles) const {
  std::vector<ShownHandle> out;
  const auto is = [](int id) { return [id](const Handle& h) { return h.id == id; }; };
  for (const HandleView& v : frame.handles) {
    const Handle* own = v.scripted ? nullptr : find(v.id);
    if (own) out.push_back({v, own->target});
    else if (v.scripted || std::none_of(let_go_.begin(), let_go_.end(), is(v.id)))
      out.push_back({v, v.target});
  }
  for (const Handle& h : handles_) {
    if (std::any_of(out.begin(), out.end(),
                    [&](const ShownHandle& s) { return !s.simulated.scripted && s.simulated.id == h.id; }))
      continue;
    if (h.fastened || h.triangle < 0 || h.triangle >= int(triangles.size())) continue;
    const ivec3 t = triangles[size_t(h.triangle)];
    if (std::max({t.x, t.y, t.z}) >= int(frame.positions.size())) continue;
    ShownHandle s{{}, h.target, false};
    s.simulated.id = h.id;
    for (int k = 0; k < 3; ++k) s.simulated.point += h.barycentric[k] * frame.positions[size_t(t[k])];
    s.simulated.target = s.simulated.point;
    out.push_back(s);
  }
  return out;
}

DragController::Handle* DragController::find_mutable(int id) { return const_cast<Handle*>(find(id)); }

}  // namespace weft

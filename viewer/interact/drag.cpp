#include "viewer/interact/drag.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {
constexpr float kNearestDepth = 0.05f;  // m: a handle nearer to the eye than this would fill the picture
constexpr float kFarthestDepth = 100;   // m
}  // namespace

float view_depth(const vec3& point, const CameraView& view) {
  return glm::dot(point - view.eye, view.forward());
}

bool DragController::begin(const PickHit& hit, const Cursor& cursor, float brush_radius) {
  if (may_begin_ && !may_begin_()) return false;
  end(false);
  active_ = ++last_id_;
  handles_.push_back({active_, hit.point});
  depth_ = view_depth(hit.point, cursor.view);
  offset_ = hit.point - cursor.view.unproject(cursor.pixel, depth_);
  post_(GrabBegin{active_, hit.triangle, hit.barycentric, brush_radius});
  post_(GrabMove{active_, hit.point});
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

void DragController::push(float notches, const Cursor& cursor) {
  depth_ = std::clamp(depth_ * std::pow(13.0f / 12.0f, notches), kNearestDepth, kFarthestDepth);
  move(cursor);
}

void DragController::end(bool keep) {
  if (!active_) return;
  const int id = active_;
  active_ = 0;
  if (keep) return;
  std::erase_if(handles_, [&](const Handle& h) { return h.id == id; });
  post_(GrabEnd{id});
}

void DragController::release_all() {
  for (const Handle& h : handles_) post_(GrabEnd{h.id});
  handles_.clear();
  active_ = 0;
}

void DragController::reconcile(const std::vector<HandleView>& live) {
  for (Handle& h : handles_) {
    const bool is_live = std::any_of(live.begin(), live.end(),
                                     [&](const HandleView& v) { return !v.scripted && v.id == h.id; });
    if (is_live) h.seen = true;
    else if (h.seen) h.id = -1;
  }
  std::erase_if(handles_, [](const Handle& h) { return h.id < 0; });
  if (active_ && !find(active_)) active_ = 0;
}

const DragController::Handle* DragController::find(int id) const {
  const auto found =
      std::find_if(handles_.begin(), handles_.end(), [&](const Handle& h) { return h.id == id; });
  return found == handles_.end() ? nullptr : &*found;
}

DragController::Handle* DragController::find_mutable(int id) { return const_cast<Handle*>(find(id)); }

}  // namespace weft

#include "viewer/session/window_camera.h"

#include <fmt/format.h>

#include "sim/scene/camera_path.h"
#include "viewer/interact/turntable.h"
#include "viewer/session/window_state.h"

namespace weft {

bool CameraMover::move(WindowState& state) {
  const CameraPose before = state.camera.pose();
  if (!follow_path(state)) turn(state);
  return !(state.camera.pose() == before);
}

bool CameraMover::follow_path(WindowState& state) {
  const auto& path = state.session.scene().camera_path;
  if (!state.memory.camera.follow_path || path.empty())
    return state.memory.camera.follow_path = following_ = false;
  if (following_ && !(state.camera.pose() == placed_)) {
    state.toasts.add(LogLevel::info, "You moved the camera: it no longer follows its path");
    return state.memory.camera.follow_path = following_ = false;
  }
  following_ = true;
  state.camera.set_pose(camera_at(path, state.session.frame().time));
  placed_ = state.camera.pose();
  return true;
}

bool CameraMover::turn(WindowState& state) {
  const double period = state.recording.choices.turntable;
  if (!state.recording.active() || period <= 0) return turning_ = false;
  const double now = state.recording.video_time(state.session.frame());
  if (turning_ && now > turned_until_)
    state.camera.set_pose(on_turntable(state.camera.pose(), now - turned_until_, period));
  turning_ = true;
  turned_until_ = now;
  return true;
}

void add_camera_key(WindowState& state) {
  const CameraKey key = key_of(state.camera.pose(), float(state.session.frame().time));
  state.session.change_camera_path(fmt::format("Camera key at {:.2f} s", key.time),
                                   with_key(state.session.scene().camera_path, key));
}

void remove_camera_key(WindowState& state) {
  std::vector<CameraKey> keys = state.session.scene().camera_path;
  const int nearest = nearest_key(keys, state.session.frame().time);
  if (nearest < 0) return;
  const float time = keys[size_t(nearest)].time;
  keys.erase(keys.begin() + nearest);
  state.session.change_camera_path(fmt::format("Remove the camera key at {:.2f} s", time), std::move(keys));
}

}  // namespace weft

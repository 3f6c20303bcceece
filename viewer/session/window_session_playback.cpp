// A recorded run in the place of the simulation.
#include "viewer/commands/scene_input.h"
#include "viewer/session/window_session.h"

namespace weft {

void Session::open_playback(const std::string& path) {
  auto opened = std::make_unique<Playback>(path);
  drag_.release_all();
  runner_->pause();
  loading_.clear();
  playback_ = std::move(opened);
  playback_opened_ = true;
  view_ = playback_->view();
  frame_ = playback_->frame();
  remember_original({view_->scene, {path}, {}});
  adopt(view_->scene);
  undo_.clear();
  by_hand_.pins.clear();
  edit_before_.reset();
  for (const std::string& notice : playback_->notices()) tell_(LogLevel::warning, notice);
  show_playback();
}

/// Applies the chosen colours.
void Session::show_playback() {
  if (!playback_) return;
  try {
    playback_->set_field(field_);
    if (const std::string reason = playback_->why_not(field_); !reason.empty())
      tell_(LogLevel::notice, reason);
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Session::advance_playback(double seconds, bool every_frame) {
  if (!playback_) return;
  try {
    if (every_frame) playback_->advance_one();
    else playback_->advance(seconds);
  } catch (const std::exception& e) {
    playback_->pause();
    tell_(LogLevel::error, e.what());
  }
}

void Session::go_to_frame(int frame) {
  if (!playback_) return;
  try {
    playback_->go_to(frame);
  } catch (const std::exception& e) {
    playback_->pause();
    tell_(LogLevel::error, e.what());
  }
}

bool Session::refused_in_playback() {
  if (playback_) tell_(LogLevel::notice, kPlaybackReason);
  return playback_ != nullptr;
}

}  // namespace weft

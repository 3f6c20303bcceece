#include "viewer/session/window_session.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "sim/base/error.h"
#include "sim/dressing/dress.h"
#include "sim/methods/method_table.h"
#include "sim/scene/camera_path.h"
#include "sim/scene/fabric_prints.h"
#include "sim/scene/text/import_questions.h"
#include "viewer/commands/scene_input.h"
#include "viewer/session/light_choice.h"
#include "viewer/session/window_command.h"

namespace weft {
namespace {

/// Values count together or not at all: throws Error for one that is refused, and for a solver or a collision
/// method that does not take the scene as it is with all of them.
void check_together(Scene changed, const std::vector<Command>& commands) {
  const StepParams before = changed.step;
  for (const Command& command : commands)
    if (const auto* set = std::get_if<SetParam>(&command)) changed.set(set->key, set->text);
  const auto refuse = [](const std::string& reason, const char* key) {
    if (!reason.empty()) throw Error(reason, key, "choose another, or a scene that it takes");
  };
  if (changed.step.solver != before.solver)
    refuse(why_not(solvers()[size_t(changed.step.solver)], changed), "step.solver");
  if (changed.step.collision != before.collision)
    refuse(why_not(collision_methods()[size_t(changed.step.collision)], changed), "step.collision");
}

}  // namespace

Session::Session(const WindowOptions& options, int threads, Tell tell, Show show)
    : tell_(std::move(tell)),
      drag_([this](Command command) { post_of_drag(std::move(command)); }, [this] { return !refused(); }),
      bodies_([this](Command command) { post(command); },
              [this](Edit edit) { undo_.push(std::move(edit)), ++revision_; }, [this] { return !refused(); }),
      device_choice_(options.device) {
  Scene start = options.playback.empty() ? options.scene : idle_scene();
  for (const auto& [key, text] : options.overrides) start.set(key, text);
  Runner::Options runner_options;
  runner_options.device = options.device;
  runner_options.threads = threads;
  runner_options.open = open_simulation;
  runner_options.show = std::move(show);
  runner_ = std::make_unique<Runner>(start, runner_options);
  runner_->set_keep_up(course_.keep_up);
  course_.lanes = std::make_unique<ComparedLanes>(*runner_, threads, tell_);
  frame_ = runner_->latest();
  view_ = runner_->scene_view();
  adopt(start);
  remember_original({options.scene, options.input, options.overrides});
  for (const std::string& notice : view_->notices)
    tell_(is_import_question(notice) ? LogLevel::warning : LogLevel::notice, notice);
  if (!view_->device_note.empty()) tell_(LogLevel::notice, view_->device_note);
  if (!options.playback.empty()) open_playback(options.playback), playback_opened_ = false;
}

void Session::adopt(const Scene& scene) {
  scene_ = std::make_unique<Scene>(scene);
  params_ = scene_->params();
  ++revision_;
}

void Session::add_own(Scene& tuned) const {
  tuned.camera_path = scene_->camera_path;
  tuned.of<GatherList>() = scene_->of<GatherList>();
  tuned.of<SceneLight>() = scene_->of<SceneLight>();
  tuned.of<ViewpointList>() = scene_->of<ViewpointList>();
}

void Session::keep_light(const ViewSettings& view) {
  const SceneLight before = scene_->of<SceneLight>();
  weft::keep_light(*scene_, view);
  if (!(scene_->of<SceneLight>() == before)) ++revision_;
}

Session::News Session::refresh() {
  News news;
  for (const auto& [level, text] : runner_->take_messages()) {
    tell_(level, text);
    error_heard_ |= level == LogLevel::error;
  }
  const uint64_t ended = runner_->loads_ended();
  const auto newest_view = runner_->scene_view();
  const bool loaded = arrived(*newest_view);
  if (!loaded) loading_.erase(loading_.begin(), loading_.upper_bound(ended));  // could not be built
  if (playback_ && !loaded) {
    news.scene = news.model = news.camera = std::exchange(playback_opened_, false);
    news.frame = frame_ != playback_->frame();
    frame_ = playback_->frame();
    return news;
  }
  playback_.reset();
  if (newest_view != view_) {
    news.model = newest_view->model_id != view_->model_id;
    if (newest_view->device_note != view_->device_note && !newest_view->device_note.empty())
      tell_(LogLevel::notice, newest_view->device_note);
    view_ = newest_view;
    news.scene = loaded;
    if (loaded) news.camera = take_loaded();
    // including those that reached the new scene: ending an unknown handle does nothing
    if (news.model) drag_.release_all(), bodies_.forget();
    if (news.model && lanes().any()) {
      end_comparison();
      tell_(LogLevel::notice, "The comparison has ended: the scene has another mesh now");
    }
  }
  if (error_heard_ && loading_.empty() && !edit_before_) {  // a refused value must not stay on a slider
    error_heard_ = false;
    Scene tuned = runner_->tuned_scene();
    add_own(tuned);
    adopt(tuned);
  }
  // Of compared runs the state that is shown with those of the others.
  const bool compared = lanes().running() && lanes().frame(0);
  if (const auto newest = compared ? lanes().frame(0) : runner_->latest(); newest != frame_) {
    frame_ = newest;
    news.frame = true;
    left_unsolved_.look(*frame_, scene_->step.dt);
    if (frame_->model_id == view_->model_id)
      drag_.reconcile(frame_->handles), bodies_.reconcile(*frame_, *view_);
  }
  return news;
}

/// Switches to the scene that `view_` shows, requested by `open`: data of the previous scene is dropped, and
/// so are earlier requests that were never shown.
bool Session::take_loaded() {
  auto mine = loading_.find(view_->load);
  const bool same_view = (mine->second.again || mine->second.by_hand) &&
                         start_camera(mine->second.scene) == start_camera(original_);
  remember_original(std::move(mine->second));
  loading_.erase(loading_.begin(), std::next(mine));
  adopt(view_->scene);
  undo_.clear();
  by_hand_.pins.clear();
  edit_before_.reset();
  for (const std::string& notice : view_->notices)
    tell_(is_import_question(notice) ? LogLevel::warning : LogLevel::notice, notice);
  return !same_view;
}

const std::string& Session::original_text(const std::string& key) const {
  static const std::string none;
  const auto found = original_texts_.find(key);
  return found == original_texts_.end() ? none : found->second;
}

void Session::remember_original(Opened opened) {
  by_hand_.pattern = opened.by_hand;
  original_ = std::move(opened.scene);
  input_ = std::move(opened.input);
  overrides_ = std::move(opened.overrides);
  original_texts_.clear();
  const ParamTable table = original_.params();
  for (const ParamRef& ref : table.refs()) original_texts_[ref.key()] = ref.text();
  watch_file();
}

/// Commands refer to the shown scene; queued behind a load they would act on the new one.
bool Session::refused_while_loading() {
  if (!loading_.empty())
    tell_(LogLevel::notice, "Nothing was changed: another scene is being loaded. Try again afterwards");
  return !loading_.empty();
}

bool Session::refused() { return refused_in_playback() || refused_while_loading() || refused_while_making(); }

void Session::begin_edit(const std::string& key) {
  end_edit();  // of a slider that scrolled out of view while held
  refusal_told_ = false;
  if (playback_ || !loading_.empty()) return;
  if (const ParamRef* ref = params_.find(key)) edit_before_ = {key, ref->text()};
}

void Session::edit(const std::string& key, const std::string& text) {
  if (playback_ || !loading_.empty() || (lanes().any() && !lanes().running())) {
    if (!std::exchange(refusal_told_, true)) refused();  // once, not for every place that the slider passes
    return;
  }
  const ParamRef* ref = params_.find(key);
  if (!ref || ref->text() == text) return;
  try {
    set_local(key, text);
    post(SetParam{key, text});
  } catch (const Error& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Session::end_edit() {
  if (!edit_before_) return;
  const auto [key, before] = *edit_before_;
  edit_before_.reset();
  const ParamRef* ref = params_.find(key);
  if (ref && ref->text() != before) undo_.push(parameter_edit(ref->info().label, key, before, ref->text()));
}

void Session::change(const std::string& label,
                     const std::vector<std::pair<std::string, std::string>>& values) {
  if (refused()) return;
  end_edit();
  Edit edit{label, {}, {}};
  for (const auto& [key, text] : values) {
    const ParamRef* ref = params_.find(key);
    if (!ref && !is_print_key(*scene_, key)) continue;
    const std::string before = ref ? ref->text() : print_text(*scene_, key);
    if (before == text) continue;
    edit.redo.push_back(SetParam{key, text});
    edit.undo.push_back(SetParam{key, before});
  }
  if (edit.redo.empty()) return;
  try {
    check_together(*scene_, edit.redo);
    carry_out(edit.redo);
    undo_.push(std::move(edit));
  } catch (const Error& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Session::set_local(const std::string& key, const std::string& text) {
  scene_->set(key, text);
  ++revision_;
}

void Session::carry_out(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (const auto* set = std::get_if<SetParam>(&command)) set_local(set->key, set->text);
    else if (const auto* pin = std::get_if<PinVertex>(&command))
      if (!by_hand_.pins.insert(pin->vertex).second) by_hand_.pins.erase(pin->vertex);  // changed back
    if (const auto* body = std::get_if<MoveBody>(&command)) bodies_.posted(*body), ++revision_;
    post(command);
  }
}

void Session::toggle_pin(int vertex) {
  if (refused()) return;
  Edit edit = weft::toggle_pin(vertex, frame_->pinned, frame_->hand_pins);
  carry_out(edit.redo);
  undo_.push(std::move(edit));
}

void Session::fasten(const std::vector<int>& vertices) { drag_.fasten(vertices, *frame_, *view_); }

void Session::toggle_pins(const std::vector<int>& vertices) {
  if (vertices.empty() || refused()) return;
  Edit edit = weft::toggle_pins(vertices, frame_->pinned, frame_->hand_pins);
  carry_out(edit.redo);
  undo_.push(std::move(edit));
}

void Session::set_pins(const std::vector<int>& vertices, bool pin) {
  if (vertices.empty() || refused()) return;
  Edit edit = weft::set_pins(vertices, pin, frame_->pinned, frame_->hand_pins);
  if (edit.redo.empty()) return;
  carry_out(edit.redo);
  undo_.push(std::move(edit));
}

void Session::change_camera_path(const std::string& label, std::vector<CameraKey> keys) {
  if (refused_while_loading()) return;
  end_edit();
  Edit edit{label, {}, {}, keys, scene_->camera_path};
  scene_->camera_path = std::move(keys);
  undo_.push(std::move(edit));
}

void Session::undo() {
  if (refused()) return;
  end_edit();
  if (const auto edit = undo_.undo()) {
    if (edit->grab && refused_while_comparing()) return void(undo_.redo());  // it stays to be undone
    if (edit->grab) drag_.end(false), runner_->go_to_grab(edit->grab);
    carry_out(edit->undo);
    if (edit->path_undo) scene_->camera_path = *edit->path_undo;
  }
}

void Session::redo() {
  if (refused()) return;
  end_edit();
  if (const auto edit = undo_.redo()) {
    if (edit->grab && timeline()->shown < 0)
      tell_(LogLevel::notice, "The drag cannot be done again: the run has gone on without it");
    else if (edit->grab) runner_->go_to(INT_MAX);
    carry_out(edit->redo);
    if (edit->path_redo) scene_->camera_path = *edit->path_redo;
  }
}

bool Session::bodies_by_hand() const {
  return std::any_of(frame_->obstacles.begin(), frame_->obstacles.end(),
                     [](const ObstacleView& o) { return o.hand.to.moves(); });
}

std::vector<ShownHandle> Session::shown_handles() const {
  // Between two scenes the triangles may be those of the other.
  const bool there = frame_->model_id == view_->model_id;
  return drag_.shown(*frame_, there ? view_->triangles : std::vector<ivec3>());
}

void Session::toggle_play() { playing() ? pause() : play(); }

void Session::play() {
  if (!playback_) return runner_->play();
  if (playback_->current() == playback_->frame_count() - 1) go_to_frame(0);
  playback_->play();
}

void Session::pause() { playback_ ? playback_->pause() : runner_->pause(); }

void Session::post_of_drag(Command command) {
  Edit edit{"Drag of the cloth", {}, {}, {}, {}};
  if (const auto* grab = std::get_if<GrabBegin>(&command)) edit.grab = grab->handle;
  if (const auto* grab = std::get_if<GrabVertices>(&command)) edit.grab = grab->handle;
  post(command);
  if (edit.grab) undo_.push(std::move(edit));
}

void Session::show_step(int step) {
  if (refused_while_comparing()) return;
  runner_->pause();
  runner_->go_to(step);
}

void Session::step_back() {
  pause();
  if (playback_) return go_to_frame(playback_->current() - 1);
  const auto line = timeline();
  const int now = line->shown < 0 ? int(line->kept.size()) - 1 : line->shown;
  if (now > 0) show_step(line->kept[size_t(now) - 1].step);
  else if (!line->why.empty()) tell_(LogLevel::notice, "No earlier state is kept. " + line->why);
}

void Session::go_to_end(bool last) {
  if (playback_) return go_to_frame(last ? playback_->frame_count() - 1 : 0);
  show_step(last ? INT_MAX : 0);
}

void Session::step_once() {
  if (const auto line = timeline(); !playback_ && line->shown >= 0 && !line->changed)
    return show_step(line->kept[size_t(line->shown) + 1].step);
  if (!playback_ && lanes().running()) return runner_->pause(), lanes().step_once();
  if (!playback_) return runner_->step_once();
  playback_->pause();
  go_to_frame(playback_->current() + 1);
}

void Session::reset() {
  if (playback_) return go_to_frame(0);
  drag_.release_all();
  bodies_.back_to_start();
  lanes().running() ? lanes().reset() : runner_->reset();
}

void Session::set_pace(Pace pace, double slow_factor) {
  course_.pace = pace, course_.slow_factor = slow_factor;
  if (!lanes().running()) runner_->set_pace(pace, slow_factor);
}

void Session::set_keep_up(KeepUp keep_up) {
  course_.keep_up = keep_up;
  if (!lanes().running()) runner_->set_keep_up(keep_up);
}

void Session::set_device(DeviceChoice choice) {
  device_choice_ = choice;
  runner_->set_device(choice);
}

void Session::set_extras(FrameExtras extras) {
  if (extras == extras_) return;
  extras_ = extras;
  runner_->set_extras(extras);
  lanes().set_extras(extras);
}

void Session::set_field(const std::string& name) {
  if (name == field_) return;
  field_ = name;
  runner_->set_field(name);
  lanes().set_field(name);
  show_playback();
}

}  // namespace weft

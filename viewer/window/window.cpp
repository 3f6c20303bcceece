#include "viewer/window/window.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/scene/camera_path.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/scene_input.h"
#include "viewer/gl/context.h"
#include "viewer/panels/panels.h"
#include "viewer/record/trace_file.h"
#include "viewer/session/first_mesh.h"
#include "viewer/session/open_input.h"
#include "viewer/session/pace_words.h"
#include "viewer/session/stretch_film.h"
#include "viewer/session/window_trace.h"
#include "viewer/theme/theme.h"
#include "viewer/window/window_impl.h"
#include "viewer/window/window_report.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

constexpr double kIdleWait = 0.1;         // s between checks of simulator and file while nothing moves
constexpr double kReportInterval = 0.05;  // s
constexpr double kFileInterval = 0.5;     // s

int simulator_threads(const WindowOptions& options) {
  if (options.threads > 0) return options.threads;
  // Software OpenGL needs its own core, or the window stutters while the simulator works.
  return gl::is_software_renderer() ? std::max(1, int(std::thread::hardware_concurrency()) - 1) : 0;
}

/// Overrides of the picture (view.*) are the window's own business.
bool is_view_override(const std::pair<std::string, std::string>& o) { return o.first.rfind("view.", 0) == 0; }

WindowOptions without_view_overrides(WindowOptions options) {
  std::erase_if(options.overrides, is_view_override);
  return options;
}

DesktopWindow::Options window_options(const WindowOptions& options, const WindowSettings& settings) {
  DesktopWindow::Options o;
  o.width = options.width > 0 ? options.width : int(settings.number("window.width", 1440));
  o.height = options.height > 0 ? options.height : int(settings.number("window.height", 900));
  o.within_screen = options.width <= 0 && options.height <= 0;  // a requested size is not limited
  o.maximized = o.within_screen && settings.flag("window.maximized", false);
  o.scale = options.scale;
  return o;
}

/// Values that an earlier window kept. A damaged or outdated one is ignored without a message: the default is
/// used.
template <class Params>
ParamTable take_kept(const WindowSettings& settings, const char* group, Params& params) {
  ParamTable table;
  table.add(group, params);
  for (const ParamRef& ref : table.refs()) {
    const std::string kept = settings.text(ref.key(), "");
    if (kept.empty()) continue;
    try {
      ref.set_text(kept);
    } catch (const Error&) {}
  }
  return table;
}

/// The picture that lit an earlier window; empty where it is gone.
std::string kept_light(const WindowSettings& settings) {
  const std::string path = settings.text("view.light", "");
  std::error_code unknown;
  return std::filesystem::is_regular_file(path, unknown) ? path : "";
}

}  // namespace

Window::Impl::Impl(const WindowOptions& o)
    : options(o),
      settings(o.fresh ? "" : WindowSettings::default_path()),
      desktop(window_options(o, settings)),
      loading(std::make_unique<WorkWatch>(
          [this] {
            desktop.next_picture(), desktop.events(0);
            return desktop.should_close() || InterruptGuard::interrupted();
          },
          [this](const std::string& what, double share) {
            splash({what, share});
          })),
      session(
          without_view_overrides(with_fitting_mesh(o, settings, simulator_threads(o))), simulator_threads(o),
          [this](LogLevel level, const std::string& text) {
            toasts.add(level, text, level >= LogLevel::warning);
          },
          [this, from = Camera()](const SeenWork& seen) mutable { draw_first(seen, from); }),
      recording(session.runner(),
                [this](LogLevel level, const std::string& text) { toasts.add(level, text); }),
      autosave(o.fresh ? "" : Autosave::default_folder()),
      state{session, renderer, camera, view, settings, toasts, recording} {
  loading.reset();
  log_sink = add_log_sink([this](LogLevel level, const std::string& text) {
    if (level >= LogLevel::warning) toasts.add(level, text);
  });
}

void Window::Impl::draw_first(const SeenWork& seen, Camera& from) {
  const ivec2 pixels = desktop.framebuffer_size();
  if (desktop.minimised() || pixels.x < 1 || pixels.y < 1) return;
  const bool begins = !renderer.picture() || renderer.bounds().empty();
  renderer.set_scene(*seen.view);
  renderer.update(*seen.frame);
  if (begins) from.frame(renderer.bounds(), pixels);
  renderer.draw(from.view(pixels), ViewSettings(), {});
}

void Window::Impl::splash(const Runner::Work& work) {
  if (desktop.minimised()) return;
  desktop.begin_gui();
  const bool seen = renderer.picture() && renderer.picture()->size() == desktop.framebuffer_size();
  loading_splash(work, desktop.scale(), seen);
  const ivec2 pixels = desktop.framebuffer_size();
  glViewport(0, 0, pixels.x, pixels.y);
  glClearColor(0.1f, 0.11f, 0.12f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  if (seen) renderer.present(0, ivec2(0));
  desktop.end_gui();
  desktop.swap();
}

Window::Impl::~Impl() { remove_log_sink(log_sink); }

Window::Window(const WindowOptions& options) : impl_(std::make_unique<Impl>(options)) { impl_->start(); }
Window::~Window() {
  impl_->recording.stop_and_wait();
  end_trace(impl_->state);
  impl_->keep_layout();
}
bool Window::turn() { return impl_->turn(); }
long Window::pictures() const { return impl_->pictures.count; }
Session& Window::session() { return impl_->session; }
std::string Window::renderer_name() const { return impl_->renderer.renderer_name(); }
void Window::set_unthrottled(bool on) {
  impl_->pictures.unthrottled = on;
  impl_->desktop.set_vsync(!on);
}

void Window::Impl::start() {
  state.scale = desktop.scale();
  if (const std::string why = options.fresh ? "" : settings.why_not_kept(); !why.empty())
    toasts.add(LogLevel::notice, "Window size and settings cannot be saved: " + why);
  if (const int vertices = vertices_of_arguments(session.input()); vertices > 0 && options.input.empty())
    toasts.add(LogLevel::notice,
               fmt::format("The cloth has {} vertices, as many as this computer simulates in real time; "
                           "weft --vertices {} shows it as fine as it is.",
                           vertices, options.scene.cloths.front().vertices));
  for (const std::string& path : autosave.left_behind())
    toasts.add(LogLevel::notice,
               "A window ended without closing. Its scene with sliders and pins is in " + path, true);
  theme::use(settings.flag("light", false));
  state.hint.visible = !options.fresh && !settings.flag("hint.dismissed", false);
  take_kept(settings, "view", view);
  view.light = kept_light(settings);
  start_view.light.adopt(view, session.scene());
  for (const auto& o : options.overrides)
    if (is_view_override(o)) set_view(view, o.first, o.second);
  const int pace = int(settings.number("pace", float(Pace::real_time)));
  session.set_pace(pace >= 0 && pace <= 2 ? Pace(pace) : Pace::real_time, session.slow_factor());
  KeepUp keep_up;
  take_kept(settings, "pace", keep_up);
  session.set_keep_up(keep_up);
  const float megabytes = std::max(0.0f, settings.number("history.megabytes", kHistoryMegabytes));
  session.runner().set_history_budget(size_t(megabytes) * 1000000);
  session.keep_light(view);
  state.wrinkles.open(session.view().scene);
  adopt_scene(true);
  if (!options.paused) session.play();
  recording.choices.with_panels = options.panels;
  recording.choices.caption = options.video.caption,
  recording.choices.show_timings = options.video.show_timings;
  recording.choices.turntable = options.video.turntable,
  recording.choices.transparent = options.video.transparent;
  recording.choices.fps = options.fps, recording.choices.fps_chosen = options.fps_given,
  recording.choices.crf = options.crf;
  pictures.last_advance = Clock::now();
  if (options.record.empty() &&
      (options.video.turntable > 0 || !options.video.caption.empty() || options.video.show_timings))
    toasts.add(LogLevel::notice,
               "--turntable, --caption and --show-timings apply to videos only: press V to record one, or "
               "start with --record out.mp4.");
  if (!options.record.empty()) {
    recording.choices.path = options.record;
    recording.choices.replace = true;
    state.requests.toggle_recording = true;
  }
}

void Window::Impl::show() {
  const bool seen = drawn.seen.frame != nullptr;
  const FineState* fine = seen ? nullptr : state.wrinkles.shown(session);
  const SceneView& scene = seen ? *drawn.seen.view : fine ? *fine->view : session.view();
  const std::set<int> none, &hidden = seen || fine ? none : state.layers.hidden;
  if (scene.model_id != drawn.model || hidden != drawn.without) {
    hidden.empty() ? renderer.set_scene(scene) : renderer.set_scene(state.layers.shown(scene));
    drawn.model = scene.model_id, drawn.without = hidden;
  }
  renderer.update(seen ? *drawn.seen.frame : fine ? *fine->frame : session.frame());
  pictures.stale = true;
}

bool Window::Impl::follow_work(const std::optional<Runner::Work>& work) {
  SeenWork seen = work ? work->seen : SeenWork{};
  if (seen == drawn.seen) return false;
  const bool begins = !drawn.seen.frame, ends = !seen.frame;
  drawn.seen = std::move(seen);
  if (begins) drawn.before = camera.pose();
  if (ends) camera.set_pose(drawn.before);  // a scene that has arrived sets it anew
  show();
  if (begins && pictures.size.x > 0) camera.frame(renderer.bounds(), pictures.size);
  return true;
}

void Window::Impl::adopt_scene(bool reset_camera) {
  drawn.model = 0;
  guarded([this] { state.layers.open(session.view()); });
  show();
  hand.leave();  // its triangle does not exist in the new scene
  garment_marks.set_scene(session.view());
  guarded([this] {
    const bool had = !state.pattern.editor.empty();
    state.pattern.editor.open(session.view().scene);
    if (!had) state.pattern.frame = true;
  });
  pictures.look_revision = session.revision();
  pictures.stale = true;
  desktop.set_title(session.scene().title + " \u2013 Weft");
  if (!reset_camera) return;
  state.memory.camera.follow_path = false;
  start_view.chosen = start_camera(session.scene());
  start_view.widened.reset(), start_view.size = ivec2(0);
  if (start_view.chosen) camera.set_pose(*start_view.chosen), start_view.chosen = camera.pose();
  else state.requests.frame_view = true;
}

bool Window::Impl::animated() const {
  return session.playing() || shows_step(pace_reading(session)) || hand.busy() || recording.active() ||
         toasts.needs_pictures() || session.loading() || state.wrinkles.layer.working() ||
         state.memory.timeline.writing || state.memory.timeline.film ||
         (session.lanes().any() && !session.lanes().running()) || ImGui::IsAnyItemActive();
}

void Window::Impl::wait_for_events() {
  double wait = 0;
  desktop.next_picture();
  if (!pictures.unthrottled && !desktop.more_events()) {
    // While things move: one picture per refresh of the display, also if swapping does not wait for it.
    const bool moving = animated() || pictures.settling > 0;
    wait = moving ? 1 / desktop.refresh_rate() - seconds_since(pictures.last) : kIdleWait;
    if (desktop.minimised()) wait = kIdleWait;
  }
  // An event ends the wait at once; while moving, the rest of the picture's time is waited afterwards.
  auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::max(0.0, wait)));
  do {
    const double left = std::chrono::duration<double>(until - Clock::now()).count();
    for (WindowEvent& e : desktop.events(left > 1e-4 ? left : 0)) {
      pictures.settling = kSettlingPictures;
      if (e.kind != WindowEvent::Kind::damage) waiting.push_back(std::move(e));
    }
    if (desktop.more_events() || (!animated() && pictures.settling > 0)) break;
  } while (Clock::now() < until);
}

void Window::Impl::widen_start_view() {
  if (!start_view.chosen || state.memory.camera.follow_path || hand.busy()) return;
  if (camera.pose() != start_view.widened.value_or(*start_view.chosen))
    return start_view.chosen.reset();  // it was moved
  Camera wanted(*start_view.chosen);
  wanted.widen(renderer.bounds(), run_size());
  if (start_view.widened && wanted.pose() == *start_view.widened) return;
  camera = wanted, start_view.widened = wanted.pose(), pictures.stale = true;
}

void Window::Impl::carry_out_requests() {
  Requests& r = state.requests;
  // Between two scenes the first picture of the new one may precede its cloth.
  const bool there = !drawn.seen.frame && session.frame().model_id == session.view().model_id;
  desktop.set_full_screen(r.full_screen);
  r.full_screen = desktop.full_screen();  // not without a monitor
  if (r.frame_view && there && pictures.size.x > 0) {
    camera.frame(renderer.bounds(), run_size());
    pictures.stale = true;
    r.frame_view = false;
  }
  // once for each shape of the picture: cloth that moves away does not move the camera
  if (there && run_size() != start_view.size && pictures.size.x > 0)
    start_view.size = run_size(), widen_start_view();
  if (r.toggle_recording && pictures.size.x > 0) {
    if (recording.active()) recording.stop();
    else {
      const double step = session.playback()          ? 1 / session.playback()->info().fps
                          : session.lanes().running() ? session.lanes().tick()
                                                      : double(session.scene().step.dt);
      const ivec2 own = recording.choices.size;
      recording.start(recording.choices.with_panels ? desktop.framebuffer_size()
                      : own.x > 0                   ? own
                                                    : pictures.size,
                      step);
    }
    r.toggle_recording = false;
  }
}

/// Once per scene: the status bar keeps showing it.
void Window::Impl::tell_if_slow(bool new_scene) {
  if (new_scene) pictures.told.slow = false;
  const Frame& frame = session.frame();
  if (pictures.told.slow || !frame.too_slow || session.pace() != Pace::real_time || !session.playing() ||
      recording.exact())
    return;
  pictures.told.slow = true;
  toasts.add(LogLevel::notice, "Running slower than real time. Try a larger time step or fewer iterations.");
}

void Window::Impl::tell_if_gone(bool new_scene) {
  if (new_scene) pictures.told.gone = false, pictures.told.seen_from.reset();
  const std::vector<vec3>& cloth = session.frame().positions;
  if (pictures.told.gone || cloth.empty() || pictures.size.x < 1 || drawn.seen.frame) return;
  const CameraView view = run_view();
  const size_t apart = 1 + cloth.size() / 300;  // some vertices, spread over all
  size_t looks = 0, visible = 0;
  for (size_t v = 0; v < cloth.size(); v += apart, ++looks)
    if (const auto at = view.project(cloth[v]))
      visible += at->x >= 0 && at->y >= 0 && at->x < float(view.size.x) && at->y < float(view.size.y);
  if (10 * visible >= looks) return void(pictures.told.seen_from = camera.pose());
  // What the camera was turned away from has not left.
  if (session.playback() || pictures.told.seen_from != camera.pose()) return;
  pictures.told.gone = true;
  toasts.add(
      LogLevel::notice,
      session.frame().pinned.empty()
          ? "The cloth has fallen out of the picture: nothing holds it. F shows it; R puts it back, and "
            "Ctrl-click pins it."
          : "The cloth has left the picture. F shows it.");
}

bool Window::Impl::turn() {
  wait_for_events();
  if (seconds_since(pictures.last_file_look) > kFileInterval) {
    pictures.last_file_look = Clock::now();
    session.reload_if_saved();
  }
  if (const auto path = state.offers.dialog.chosen()) open_input(state, *path);
  autosave.turn(session, camera.pose());
  session.set_field(session.playback() ? view.asked_field() : view.needed_field());
  session.set_extras(view.needed_extras());
  // A recording of every frame waits for the picture of the one that is shown.
  if (!recording.exact() || !pictures.stale)
    session.advance_playback(seconds_since(pictures.last_advance), recording.exact());
  if (session.lanes().any()) session.turn_lanes(seconds_since(pictures.last_advance), recording.exact());
  pictures.last_advance = Clock::now();
  if (drawn.lanes.update(state)) pictures.stale = true, pictures.settling = std::max(pictures.settling, 1);
  recording.tell_finished();
  if (auto& film = state.memory.timeline.film; film && !film->turn(state)) film.reset();
  const auto work = session.loading();  // asked before the news, so that the scene before never shows between
  const Session::News news = session.refresh();
  const bool worked = follow_work(news.model ? std::nullopt : work);
  if (news.scene) state.wrinkles.open(session.view().scene);
  if (news.scene && !session.playback()) start_view.light.adopt(view, session.scene());
  if (news.model) adopt_scene(news.camera);
  tell_if_slow(news.scene);
  if (news.any()) tell_if_gone(news.model);
  if (news.any()) record_timings(state);
  if (news.any() || worked) pictures.settling = std::max(pictures.settling, 1);
  if (session.revision() != pictures.look_revision) {
    renderer.set_fabrics(session.scene());
    pictures.look_revision = session.revision(), pictures.stale = true;
  }
  if (toasts.revision() != pictures.toast_revision)
    pictures.toast_revision = toasts.revision(), pictures.settling = kSettlingPictures;
  session.keep_gathers(state.wrinkles.settings.gathers);
  session.keep_light(view);
  const bool other = state.wrinkles.turn(session, simulator_threads(options));
  if (news.frame) video.captions.stepped(double(session.frame().stats.step_ms));
  const bool layers = !state.wrinkles.shown(session) && state.layers.hidden != drawn.without;
  state.memory.crossings.turn(session, CrossingTest(view.crossings));
  if (news.frame || other || layers) show(), pictures.settling = std::max(pictures.settling, 1);
  if (pictures.settling > 0 || pictures.unthrottled || animated()) draw();
  else if (pictures.report_due)
    report(run_view());  // the last picture before the window falls idle counts too
  return !desktop.should_close();
}

void Window::Impl::guarded(const std::function<void()>& part) {
  try {
    part();
  } catch (const std::exception& e) {
    toasts.add(LogLevel::error, e.what());
    // ends open ImGui items, which would keep the picture from being finished
    ImGui::ErrorCheckEndFrameRecover(nullptr);
  }
}

void Window::Impl::draw_gui() {
  if (desktop.rescale()) state.scale = desktop.scale();
  desktop.begin_gui();
  state.item_rects.clear();
  handle_events();
  guarded([this] { draw_layout(state); });
  const ivec2 wanted = glm::max(
      ivec2(glm::round(vec2(state.viewport.width, state.viewport.height) * pixel_ratio())), ivec2(1));
  if (wanted != pictures.size) pictures.size = wanted, pictures.stale = true;
  carry_out_requests();
  const vec2 cursor = desktop.cursor();
  if (hand.busy() || over_picture(cursor.x, cursor.y)) hand.move(moment(), picture_pixel(cursor.x, cursor.y));
  else hand.leave();
  if ((session.playback() && !hand.busy()) || drawn.seen.frame) hand.leave();
  state.pointed = state.wrinkles.shown(session) ? std::nullopt : hand.hover().cloth;
  if (hand.busy()) pictures.stale = true;
  else if (hand.hover().cloth || hand.hover().held_handle || hand.hover().gizmo)
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

void Window::Impl::outline_crossings(Overlay& o) const {
  constexpr size_t kMost = 2000;  // triangles
  const auto record = state.memory.crossings.record();
  const auto& positions = session.frame().positions;
  const auto& triangles = session.view().triangles;
  if (!record || session.frame().model_id != session.view().model_id || positions.empty()) return;
  const std::vector<int>& found = record->last().triangles;
  for (size_t i = 0; i < std::min(found.size(), kMost); ++i) {
    if (size_t(found[i]) >= triangles.size()) break;  // of another mesh, which comes
    const ivec3& t = triangles[size_t(found[i])];
    for (int k = 0; k < 3; ++k)
      o.lines.push_back(
          {positions[size_t(t[k])], positions[size_t(t[(k + 1) % 3])], vec3(1.0f, 0.15f, 0.1f)});
  }
}

Overlay Window::Impl::make_overlay() {
  Overlay o;
  if (drawn.seen.frame) return o;
  o.force_limit = session.scene().drag.force_limit;
  o.handles = session.shown_handles();
  o.lines = garment_marks.lines(state.pattern, session.view(), session.frame());
  outline_crossings(o);
  const auto& cloth = hand.hover().cloth;
  if (const auto& stroke = state.wrinkles.stroke; stroke && cloth)
    o.lines.push_back({stroke->second, cloth->point, vec3(1, 0.75f, 0.2f)});
  // fine triangles have other numbers
  if (!cloth || (hand.busy() && !hand.painting()) || state.wrinkles.shown(session)) return o;
  o.hovered_triangle = cloth->triangle;
  o.hovered_point = cloth->point;
  const SelectBrush& chooser = state.memory.brush;
  if (const float radius = chooser.on ? chooser.radius : session.scene().drag.brush_radius; radius > 0) {
    const ivec3& t = session.view().triangles[size_t(cloth->triangle)];
    const auto& p = session.frame().positions;
    const vec3 normal = glm::cross(p[t.y] - p[t.x], p[t.z] - p[t.x]);
    const float length = glm::length(normal);
    o.brush = BrushCircle{cloth->point, length > 0 ? normal / length : vec3(0, 0, 1), radius};
  }
  return o;
}

void Window::Impl::draw_picture(const CameraView& seen) {
  const Overlay now = make_overlay();
  if (now.hovered_triangle != overlay.hovered_triangle || now.hovered_point != overlay.hovered_point ||
      now.force_limit != overlay.force_limit || now.lines != overlay.lines ||
      now.handles != overlay.handles ||
      (now.brush ? now.brush->radius : 0) != (overlay.brush ? overlay.brush->radius : 0))
    pictures.stale = true;
  overlay = now;
  if (!pictures.stale && !pictures.unthrottled) return;
  const TraceScope trace(TraceTrack::pictures, "draw");
  ViewSettings looks = view;
  if (state.wrinkles.shown(session)) looks.subdivision = 1;  // it is fine already
  drawn.lanes_picture = nullptr;
  if (DrawnLanes::shows(state)) drawn.lanes_picture = &drawn.lanes.draw(state, overlay, pictures.size);
  else renderer.draw(seen, looks, overlay);
  pictures.stale = false;
}

void Window::Impl::draw_painted() {
  const CameraView seen = run_view();
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (const int v : hand.painted(session.frame().model_id))
    if (const auto at = seen.project(session.frame().positions[size_t(v)]))
      list->AddCircleFilled(
          {state.viewport.x + at->x / pixel_ratio(), state.viewport.y + at->y / pixel_ratio()},
          2.5f * state.scale, ImGui::GetColorU32(theme::accent), 8);
}

void Window::Impl::draw_rectangle() {
  const auto corners = hand.rectangle();
  if (!corners) return;
  const vec2 at(state.viewport.x, state.viewport.y), a = at + corners->first / pixel_ratio(),
                                                     b = at + corners->second / pixel_ratio();
  const vec2 low = glm::min(a, b), high = glm::max(a, b);
  ImVec4 inside = theme::accent;
  inside.w = 0.18f;
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->AddRectFilled({low.x, low.y}, {high.x, high.y}, ImGui::GetColorU32(inside));
  list->AddRect({low.x, low.y}, {high.x, high.y}, ImGui::GetColorU32(theme::accent), 0, 0,
                1.5f * state.scale);
}

const gl::Framebuffer& Window::Impl::picture_to_record() {
  const RecordingChoices& choices = recording.choices;
  const bool alpha = recording.alpha();
  const bool as_shown = choices.size.x < 1 && choices.samples == 1 && !alpha;
  if (drawn.lanes_picture) {  // in the size and with the samples that are on screen
    const ivec2 size = choices.size.x > 0 ? choices.size : pictures.size;
    if (size == pictures.size) return *drawn.lanes_picture;
    pictures.stale = true;
    return drawn.lanes.draw(state, overlay, size);
  }
  if (as_shown) return *renderer.picture();
  ViewSettings looks = view;
  if (state.wrinkles.shown(session)) looks.subdivision = 1;  // it is fine already
  Overlay marks = overlay;
  marks.transparent = alpha;
  pictures.stale = true;
  const ivec2 size = choices.size.x > 0 ? choices.size : pictures.size;
  return video.picture.draw(renderer, camera, looks, marks, size, choices.samples);
}

void Window::Impl::take_pictures() {
  if (!renderer.picture() && !drawn.lanes_picture) return;
  const bool still = std::exchange(state.requests.screenshot, false);
  if (!still && !recording.wants(session.frame())) return;
  state.requests.screenshot = still;
  const bool whole = recording.choices.with_panels && !desktop.minimised();
  GLuint from = 0;
  ivec2 size = desktop.framebuffer_size();
  if (!whole) {
    const gl::Framebuffer& picture = picture_to_record();
    from = picture.id(), size = picture.size();
  }
  if (recording.wants(session.frame())) {
    const TraceScope trace(TraceTrack::pictures, "record");
    recording.picture(video.captions.burn(state, from, size), size, session.frame());
  }
  if (still) recording.screenshot(from, size, recording.alpha() && !whole);
  state.requests.screenshot = false;
}

void Window::Impl::report(const CameraView& seen) {
  if (options.test_report.empty() || seconds_since(pictures.last_report) < kReportInterval) return;
  pictures.last_report = Clock::now();
  pictures.report_due = false;
  write_window_report(options.test_report, state, seen, hand.hover(), drawn.seen.frame != nullptr,
                      pictures.count);
}

void Window::Impl::draw() {
  const auto begin = Clock::now();
  pictures.last = begin;
  if (pictures.settling > 0) --pictures.settling;
  if (desktop.minimised()) {
    // The window is invisible, but a recording continues with the last size and without a cursor.
    handle_events();
    hand.leave();
    pictures.stale |= camera_mover.move(state);
    if (recording.active() && pictures.size.x > 0) draw_picture(run_view()), take_pictures();
    return;
  }
  draw_gui();
  pictures.stale |= camera_mover.move(state);
  const CameraView seen = run_view();
  guarded([&] { draw_view_overlay(state, seen); });
  draw_rectangle(), draw_painted();
  draw_picture(seen);
  const float ratio = pixel_ratio();
  const ivec2 pixels = desktop.framebuffer_size();
  const ivec2 corner(int(std::round(state.viewport.x * ratio)),
                     pixels.y - int(std::round(state.viewport.y * ratio)) - pictures.size.y);
  if (drawn.lanes_picture) drawn.lanes_picture->copy_to(0, corner);
  else renderer.present(0, corner);
  desktop.end_gui();
  if (const auto part = std::exchange(state.requests.picture_of, std::nullopt))
    recording.screenshot_of_part(desktop.framebuffer_size(),
                                 ivec2(glm::round(vec2(part->x, part->y) * ratio)),
                                 ivec2(glm::round(vec2(part->width, part->height) * ratio)));
  take_pictures();
  desktop.swap();
  ++pictures.count, ++pictures.rate_count;
  state.rates.picture_ms = 0.9 * state.rates.picture_ms + 0.1 * 1000 * seconds_since(begin);
  if (const double t = seconds_since(pictures.rate_start); t > 0.5)
    state.rates.pictures_per_second = pictures.rate_count / t, pictures.rate_count = 0,
    pictures.rate_start = Clock::now();
  pictures.report_due = true;
  report(seen);
}

void Window::Impl::keep_layout() {
  if (!desktop.minimised() && options.width <= 0 && options.height <= 0) {
    settings.set("window.maximized", desktop.maximised());
    if (!desktop.maximised()) {
      const ivec2 size = desktop.windowed_size();
      settings.set("window.width", float(size.x)), settings.set("window.height", float(size.y));
    }
  }
  settings.save();
}

int run_window(const WindowOptions& options) {
  InterruptGuard interrupt;  // Ctrl-C completes a video as closing the window does
  try {
    Window window(options);
    while (window.turn() && !InterruptGuard::interrupted()) {}
  } catch (const Interrupted&) {  // before its scene was there
  }
  return InterruptGuard::interrupted() ? InterruptGuard::exit_status() : int(ExitStatus::ok);
}

}  // namespace weft

#include "viewer/window/window_report.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/garment/edge_curve.h"
#include "viewer/session/pace_words.h"
#include "viewer/session/pointed_value.h"
#include "viewer/session/window_command.h"

namespace weft {
namespace {

using nlohmann::json;

json vector(const vec3& v) { return {v.x, v.y, v.z}; }
json rectangle(const Rect& r) { return {r.x, r.y, r.width, r.height}; }

json on_screen(const vec3& world, const WindowState& state, const CameraView& camera) {
  const auto at = camera.project(world);
  if (!at) return nullptr;
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  return {state.viewport.x + at->x / ratio, state.viewport.y + at->y / ratio};
}

json hover_of(const WindowState& state, const CameraView& camera, const Hover& hover) {
  if (!hover.cloth) return nullptr;
  return {{"triangle", hover.cloth->triangle},
          {"barycentric", vector(hover.cloth->barycentric)},
          {"point", vector(hover.cloth->point)},
          {"screen", on_screen(hover.cloth->point, state, camera)}};
}

/// The selected body: where it is and is to go, and where its arrows end on the screen.
json body_of(const WindowState& state, const CameraView& camera) {
  Session& session = state.session;
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const auto g = session.bodies().gizmo(session.frame(), session.view(), camera, state.scale * ratio);
  if (!g) return nullptr;
  json out = {{"name", g->body},
              {"now", vector(g->now)},
              {"center", vector(g->center)},
              {"screen", on_screen(g->center, state, camera)},
              {"held", g->held}};
  for (int axis = 0; axis < 3; ++axis) {
    out["tips"].push_back(on_screen(g->tip(axis), state, camera));
    out["rings"].push_back(
        {on_screen(g->on_ring(axis, 0.8f), state, camera), on_screen(g->on_ring(axis, 1.6f), state, camera)});
  }
  return out;
}

json handles_of(const WindowState& state, const CameraView& camera) {
  json list = json::array();
  for (const HandleView& h : state.session.frame().handles)
    list.push_back({{"id", h.id},
                    {"scripted", h.scripted},
                    {"force", h.force},
                    {"point", vector(h.point)},
                    {"target", vector(h.target)},
                    {"point_screen", on_screen(h.point, state, camera)},
                    {"target_screen", on_screen(h.target, state, camera)}});
  return list;
}

/// Points that each shown curve has, and has had before.
json curves_of(const WindowState& state) {
  json list = json::object();
  const auto& timings = state.memory.timings;
  const ComparedLanes& lanes = state.session.lanes();
  for (const Curve& curve : timings.of_lanes.curves(lanes, timings.curves, 0)) {
    size_t points = 0, pale = 0;
    for (const CurveLine& line : curve.lines) (line.pale ? pale : points) += line.points.size();
    const std::string lane = curve.lane > 0 ? " of " + lanes.name(size_t(curve.lane)) : "";
    list[curve.id + lane] = {points, pale};
  }
  return list;
}

/// Length of the selected edge of the pattern.
json edge_cm(const PatternEditor& editor) {
  const PatternPlace place = editor.selected();
  if (place.edge < 0) return nullptr;
  return 100 * curve_of(editor.pattern().panels[size_t(place.panel)], place.edge).length();
}

json points_of(const Pattern& pattern) {
  json list = json::array();
  for (const Panel& p : pattern.panels) list.push_back(p.edge_count());
  return list;
}

json notches_of(const Pattern& pattern) {
  json list = json::array();
  for (const Panel& p : pattern.panels) list.push_back(p.marks.notches.size());
  return list;
}

/// As drawn.
json shown_of(const WindowState& state, const CameraView& camera) {
  json list = json::array();
  for (const ShownHandle& h : state.session.shown_handles())
    list.push_back({{"id", h.simulated.id},
                    {"known", h.known},
                    {"hand", vector(h.hand)},
                    {"hand_screen", on_screen(h.hand, state, camera)},
                    {"target_screen", on_screen(h.simulated.target, state, camera)}});
  return list;
}

/// Of runs that are compared: what each shows.
nlohmann::json lanes_of(const ComparedLanes& lanes) {
  nlohmann::json all = nlohmann::json::array();
  for (size_t i = 0; lanes.running() && i < lanes.size(); ++i)
    if (const auto& frame = lanes.frame(i))
      all.push_back({{"name", lanes.name(i)},
                     {"time", frame->time},
                     {"step", frame->step},
                     {"vertices", frame->vertex_count},
                     {"handles", frame->handles.size()},
                     {"pins", frame->hand_pins.size()},
                     {"left", frame->stats.solver_residual},
                     {"ended_after", frame->stats.budget_iterations},
                     {"mean", lanes.difference(i).mean},
                     {"largest", lanes.difference(i).largest}});
  return all;
}

}  // namespace

void write_window_report(const std::string& path, const WindowState& state, const CameraView& camera,
                         const Hover& hover, bool work_seen, long pictures) {
  Session& session = state.session;
  const Frame& frame = session.frame();
  vec3 sum(0);
  float lowest = 1e30f;
  for (const vec3& p : frame.positions) sum += p, lowest = std::min(lowest, p.y);
  json report = {
      {"size", {camera.size.x, camera.size.y}},
      {"viewport", rectangle(state.viewport)},
      {"title", session.scene().title},
      {"step", frame.step},
      {"time", frame.time},
      {"playing", session.playing()},
      {"hover", hover_of(state, camera, hover)},
      {"handles", handles_of(state, camera)},
      {"shown_handles", shown_of(state, camera)},
      {"pace", pace_words(pace_reading(session)).text},
      {"unsolved", unsolved_words(session.left_unsolved()).text},
      {"pinned", frame.pinned},
      {"body", body_of(state, camera)},
      {"message", state.toasts.newest()},
      {"messages", state.toasts.texts()},
      {"fading", state.toasts.fading()},
      {"staying", state.toasts.staying()},
      {"pictures", pictures},
      {"lowest", lowest},
      {"panels", state.panels_visible},
      {"help", state.help_open},
      {"brush", state.memory.brush.on ? json(state.memory.brush.radius) : json()},
      {"recording", state.recording.active()},
      {"finishing", state.recording.finishing()},
      {"recording_path", state.recording.path()},
      {"tracing", state.memory.timings.trace != nullptr},
      {"camera_keys", session.scene().camera_path.size()},
      {"following", state.memory.camera.follow_path},
      {"wireframe", state.view.wireframe},
      {"colouring", vertex_fields()[size_t(state.view.colouring)].name},
      {"field", frame.field},
      {"light", {state.view.light, state.view.light_turn}},
      {"value", state.pointed
                    ? pointed_value(frame, session.view(), state.view.colouring, *state.pointed).value_or("")
                    : ""},
      {"contact_pairs", frame.contact_pairs.size()},
      {"active_samples", frame.active_samples.size()},
      {"vertex_path", state.renderer.vertex_path()},
      {"why_not_shared", state.renderer.why_not_shared()},
      {"remarks", frame.remarks},
      {"camera",
       {{"target", vector(state.camera.pose().target)},
        {"distance", state.camera.pose().distance},
        {"yaw", state.camera.pose().yaw},
        {"pitch", state.camera.pose().pitch}}},
      {"command", session.command_line(state.view)},
      {"cloth_screen",
       frame.positions.empty() ? json() : on_screen(sum / float(frame.positions.size()), state, camera)}};
  if (const PatternEditor& editor = state.pattern.editor; !editor.empty())
    report["pattern"] = {
        {"seams", editor.pattern().seams.size()},
        {"differs", editor.differs()},
        {"misfits", editor.misfits().size()},
        {"panels", editor.pattern().panels.size()},
        {"points", points_of(editor.pattern())},
        {"notches", notches_of(editor.pattern())},
        {"edge_cm", edge_cm(editor)},
        {"selected",
         editor.selected().panel < 0 ? "" : editor.pattern().panels[size_t(editor.selected().panel)].name}};
  for (const Obstacle& o : session.scene().obstacles)
    if (o.shape == ObstacleShape::mannequin)
      report["mannequin"] = {{"height", o.mannequin.params.height},
                             {"wanted", state.memory.mannequin.wanted.params.height}};
  const auto run = session.timeline();
  report["history"] = {{"kept", run->kept.size()},
                       {"first", run->kept.empty() ? -1 : run->kept.front().step},
                       {"last", run->kept.empty() ? -1 : run->kept.back().step},
                       {"back", run->shown >= 0},
                       {"step", run->step()},
                       {"branch", run->branch},
                       {"budget", run->budget},
                       {"why", run->why},
                       {"writing", state.memory.timeline.writing != nullptr},
                       {"filming", state.memory.timeline.film != nullptr}};
  report["curves"] = curves_of(state);
  report["lanes"] = lanes_of(session.lanes());
  if (const auto& reasons = state.memory.timings.reasons.list(); !reasons.empty())
    report["reason"] = {{"words", reasons.front().words}, {"button", reasons.front().button}};
  if (const auto found = state.memory.crossings.record())
    report["verdict"] = {{"step", found->last().step},
                         {"triangles", found->last().triangles.size()},
                         {"first", found->first_step()},
                         {"tested", found->tested()}};
  report["work_seen"] = work_seen;
  report["hidden_layers"] = state.layers.hidden;
  for (const ObstacleView& o : frame.obstacles)
    report["bodies"].push_back({{"name", session.view().scene.obstacles[size_t(o.index)].name},
                                {"screen", on_screen(vec3(o.transform[3]), state, camera)},
                                {"offset", vector(o.hand.to.offset)}});
  report["vertices"] = frame.positions.size();
  const FineState* fine = state.wrinkles.shown(session);
  report["wrinkles"] = {{"working", state.wrinkles.layer.working()},
                        {"shown", fine ? fine->frame->positions.size() : 0},
                        {"gathers", state.wrinkles.settings.gathers.size()}};
  for (const wrinkles::Gather& g : state.wrinkles.settings.gathers)
    report["wrinkles"]["stitched"].push_back(g.stitched);
  if (const Playback* run = session.playback())
    report["playback"] = {{"frame", run->current()},
                          {"frames", run->frame_count()},
                          {"looping", run->looping()},
                          {"speed", run->speed()},
                          {"path", run->path()}};
  json params = json::object(), items = json::object();
  for (const ParamRef& ref : session.params().refs())
    if (ref.key().rfind("fabric.", 0) != 0 && ref.text() != session.original_text(ref.key()))
      params[ref.key()] = ref.text();
  for (const auto& [name, rect] : state.item_rects) items[name] = rectangle(rect);
  report["params"] = params;
  report["items"] = items;
  {
    std::ofstream file(path + ".new");
    file << report.dump(1);
  }
  std::error_code ignored;
  std::filesystem::rename(path + ".new", path, ignored);
}

}  // namespace weft

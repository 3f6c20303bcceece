// weft.Simulation, and what it returns.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/methods/collision_handler.h"
#include "viewer/commands/scene_input.h"
#include "viewer/python/script_run.h"
#include "viewer/python/values.h"

namespace weft::python {
namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;
using Matrix = nb::ndarray<const double, nb::shape<4, 4>, nb::c_contig, nb::device::cpu>;
using Pixels = nb::ndarray<nb::numpy, const uint8_t, nb::shape<-1, -1, 3>, nb::c_contig>;

/// What `read` returns of the simulation, waiting for its turn without Python's lock.
template <class Read>
auto asked(ScriptRun& run, const Read& read) {
  const nb::gil_scoped_release free;
  const ScriptRun::Turn turn(run);
  return read(*turn);
}

/// Memory of the device if that is this machine's, else a copy.
View<float, 3> points(nb::handle self, Buffer<vec3> State::*which) {
  ScriptRun& run = nb::cast<ScriptRun&>(self);
  std::vector<vec3> copy;
  const Span<const vec3> here = asked(run, [&](Simulation& simulation) -> Span<const vec3> {
    const Buffer<vec3>& buffer = simulation.state().*which;
    if (!simulation.device().is_cuda()) return buffer.span();
    copy = buffer.download();
    return {};
  });
  return here.data ? view_of(here, self) : array_of(std::move(copy));
}

/// A list that stays as it is while the simulation lives.
template <class T, int kColumns, class Row>
View<T, kColumns> fixed(nb::handle self, std::vector<Row> Topology::*list) {
  static_assert(sizeof(Row) == kColumns * sizeof(T));
  const std::vector<Row>& rows = asked(nb::cast<ScriptRun&>(self), [&](Simulation& simulation) {
    return std::cref(simulation.model().host.*list);
  });
  return View<T, kColumns>(reinterpret_cast<const T*>(rows.data()), {rows.size(), size_t(kColumns)}, self);
}

void step(ScriptRun& run, int n) {
  if (n < 0) throw Error("steps cannot be fewer than 0", "step", "give a number of steps");
  SignalWatch signals;
  for (int i = 0; i < n; ++i) {
    {
      const AwayFromPython away;
      run.step(signals.ask());
    }
    check_signals();
  }
}

nb::typed<nb::dict, nb::str, nb::float_> stats(ScriptRun& run) {
  const auto numbers = asked(run, [](Simulation& simulation) { return step_numbers(simulation); });
  nb::dict all;
  for (const auto& [name, value] : numbers) all[name.c_str()] = value;
  return all;
}

nb::typed<nb::dict, nb::str, nb::typed<nb::dict, nb::str, nb::float_>> timings(ScriptRun& run) {
  const auto stages =
      asked(run, [](Simulation& simulation) { return simulation.device().profiler().stages(); });
  nb::dict all;
  for (const StageTime& stage : stages) {
    nb::dict one;
    one["now"] = stage.now, one["mean"] = stage.mean, one["worst"] = stage.worst;
    one["launches"] = stage.launches;
    all[stage.path.c_str()] = one;
  }
  return all;
}

nb::typed<nb::list, nb::dict> parts(ScriptRun& run) {
  nb::list all;
  const auto list = asked(run, [](Simulation& simulation) { return simulation.model().host.parts; });
  constexpr const char* kKinds[] = {"cloth", "solid", "strands", "grains"};
  for (const ModelPart& part : list) {
    nb::dict one;
    one["name"] = part.name;
    one["kind"] = kKinds[int(part.kind)];
    one["vertices"] = nb::slice(part.first_vertex, part.first_vertex + part.vertex_count);
    one["triangles"] = nb::slice(part.first_triangle, part.first_triangle + part.triangle_count);
    all.append(one);
  }
  return all;
}

int grab(ScriptRun& run, const std::optional<Numbers>& vertices, std::optional<int> triangle,
         const Three& barycentric, float radius) {
  if (vertices.has_value() == triangle.has_value())
    throw Error("either vertices or a triangle is grabbed", "grab", "give one of the two");
  GrabVertices of_vertices;
  if (vertices) of_vertices.vertices = as_list(*vertices);
  const nb::gil_scoped_release free;
  if (vertices) return run.grab(of_vertices);
  GrabBegin of_triangle;
  of_triangle.triangle = *triangle;
  of_triangle.barycentric = as_vec3(barycentric);
  of_triangle.brush_radius = radius;
  return run.grab(of_triangle);
}

void pin(ScriptRun& run, int vertex, const std::optional<Three>& place) {
  PinVertex command{vertex, true, false, {}};
  if (place) command.place = as_vec3(*place);
  run.apply(command);
}

void move_body(ScriptRun& run, const std::string& name, const Three& offset, const Three& rotation,
               const std::optional<Three>& center, float speed_factor) {
  const int body = run.body(name);
  MoveBody move;
  move.obstacle = name;
  move.offset = as_vec3(offset);
  move.rotation = as_vec3(rotation);
  move.speed_factor = speed_factor;
  {
    const ScriptRun::Turn turn(run);
    move.center = center ? as_vec3(*center) : turn->scene().obstacles[size_t(body)].placement.position;
  }
  run.apply(move);
}

void pose_body(ScriptRun& run, const std::string& name, const std::optional<Rows<float, 3>>& vertices,
               const std::optional<Matrix>& matrix, std::optional<double> at) {
  if (vertices.has_value() == matrix.has_value())
    throw Error("either vertices or a matrix say where it goes", "body " + name, "give one of the two");
  run.body(name);  // the nearest name, where there is none
  std::vector<vec3> places = vertices ? as_points(*vertices) : std::vector<vec3>();
  glm::dmat4 rigid(1);
  for (int r = 0; matrix && r < 4; ++r)
    for (int c = 0; c < 4; ++c) rigid[c][r] = (*matrix)(r, c);
  if (matrix && rigid[0][3] * rigid[0][3] + rigid[1][3] * rigid[1][3] + rigid[2][3] * rigid[2][3] > 0)
    throw Error("the last row of the matrix is not (0, 0, 0, 1)", "body " + name,
                "give it as mathematics writes it, the offset in the last column");
  const nb::gil_scoped_release free;
  const ScriptRun::Turn turn(run);
  const double time = at.value_or(turn->state().time + double(turn->scene().step.dt));
  if (vertices) turn->pose_body(name, std::move(places), time);
  else turn->place_body(name, rigid, time);
}

std::vector<vec3> body_vertices(ScriptRun& run, const std::string& name) {
  const int body = run.body(name);
  const ScriptRun::Turn turn(run);
  for (const ObstacleView& view : turn->obstacles()) {
    if (view.index != body) continue;
    std::vector<vec3> all = view.deformed ? *view.deformed : turn->obstacle_meshes()[size_t(body)].positions;
    for (vec3& p : all) p = vec3(view.transform * vec4(p, 1));
    return all;
  }
  return {};
}

nb::object present_value(ScriptRun& run, const std::string& key) {
  Scene scene = asked(run, [](Simulation& simulation) { return simulation.scene(); });
  return value_in(scene, key);
}

ScriptCheck check_state(ScriptRun& run, const std::optional<Rows<float, 3>>& since) {
  const std::vector<vec3> before = since ? as_points(*since) : std::vector<vec3>();
  if (since && before.empty()) throw Error("it is empty", "check", "give world_positions() of before");
  const nb::gil_scoped_release free;
  return run.check(before);
}

Pixels picture(ScriptRun& run, int width, int height, nb::dict view, const std::optional<Three>& target,
               float distance, float yaw, float pitch) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384)
    throw Error("a picture has 1 to 16384 pixels each way", "view", "give another width and height");
  ViewSettings settings;
  for (auto [key, value] : view) set_view(settings, "view." + nb::cast<std::string>(key), value_text(value));
  std::optional<CameraPose> pose;
  if (target) pose = CameraPose{as_vec3(*target), distance, yaw, pitch};
  auto* image = [&] {
    const nb::gil_scoped_release free;
    return new Image(run.picture({width, height}, settings, pose));
  }();
  const nb::capsule owner(image, [](void* p) noexcept { delete static_cast<Image*>(p); });
  return Pixels(image->rgb.data(), {size_t(height), size_t(width), 3}, owner);
}

void bind_snapshot(nb::module_& module) {
  nb::class_<Snapshot> snapshot(module, "Snapshot",
                                "A whole state, from which a run goes on with the same bits.");
  snapshot.def_ro("step", &Snapshot::step, "Steps that were made.");
  snapshot.def_ro("time", &Snapshot::time, "s.");
  snapshot.def(
      "save", [](const Snapshot& s, const std::string& path) { write_snapshot(path, s); }, nb::arg("path"),
      "Writes what --start takes (.weftsnap).");
  snapshot.def_static("load", &read_snapshot, nb::arg("path"), "Reads what save and --save-snapshot wrote.");
}

void bind_results(nb::module_& module) {
  nb::class_<ScriptCheck> found(module, "Check", "What the exact checker found.");
  found.def_prop_ro("clean", &ScriptCheck::clean,
                    "Nothing crosses and, if the path was asked for, nothing touches.");
  found.def_prop_ro(
      "crossings",
      [](const ScriptCheck& c) {
        std::vector<nb::tuple> all;
        for (const check::Crossing& one : c.state.pairs)
          all.push_back(nb::make_tuple(one.a, one.b, check::name_of(one.kind)));
        return all;
      },
      "Pairs of triangles and how they are connected: (a, b, kind). Triangles of all parts come first, then\n"
      "lines of strands, then triangles of bodies but planes.");
  found.def_prop_ro(
      "without_area", [](const ScriptCheck& c) { return c.state.without_area; },
      "Triangles whose corners lie in one line.");
  found.def_prop_ro(
      "contacts",
      [](const ScriptCheck& c) {
        std::vector<nb::tuple> all;
        for (const check::PathContact& one : c.path)
          all.push_back(nb::make_tuple(
              one.edges ? "edges" : "vertex and triangle",
              nb::make_tuple(one.vertices[0], one.vertices[1], one.vertices[2], one.vertices[3]), one.time));
        return all;
      },
      "On the straight path: (kind, four vertices, share of the path), ordered by time; of bodies too.");
  found.def("__bool__", &ScriptCheck::clean);
  found.def("__repr__", [](const ScriptCheck& c) {
    return fmt::format("weft.Check({} crossings, {})", c.state.pairs.size(),
                       c.path_checked ? fmt::format("{} contacts", c.path.size()) : "path not checked");
  });

  nb::class_<ScriptRecording> recording(module, "Recording",
                                        "A file that receives every state until it is closed.");
  recording.def("close", &ScriptRecording::close, Unlocked(), "Completes the file.");
  recording.def_prop_ro("frames", &ScriptRecording::frames, "States that were written.");
  recording.def(
      "__enter__", [](ScriptRecording& self) -> ScriptRecording& { return self; }, nb::rv_policy::reference);
  recording.def("__exit__", [](ScriptRecording& self, nb::args) { self.close(); });
}

void bind_state(nb::class_<ScriptRun>& run) {
  run.def_prop_ro(
      "positions", [](nb::handle self) { return points(self, &State::position); },
      "(n, 3) float32, m, of all parts, read-only. On a CPU this is the simulation's own memory: it changes\n"
      "with every step, and keeps the simulation alive; take a .copy() of what must stay. On a GPU it is a "
      "copy.");
  run.def_prop_ro(
      "velocities", [](nb::handle self) { return points(self, &State::velocity); },
      "(n, 3) float32, m/s; as positions.");
  run.def_prop_ro(
      "triangles", [](nb::handle self) { return fixed<int, 3>(self, &Topology::triangles); },
      "(m, 3) int32, of all parts; fixed, read-only, no copy.");
  run.def_prop_ro(
      "edges", [](nb::handle self) { return fixed<int, 2>(self, &Topology::edges); },
      "(e, 2) int32; as triangles.");
  run.def_prop_ro(
      "uv", [](nb::handle self) { return fixed<float, 2>(self, &Topology::uv); },
      "(n, 2) float32, m along warp and weft; as triangles.");
  run.def_prop_ro("parts", &parts, "Dicts with name, kind, and slices: positions[part['vertices']].");
  run.def_prop_ro(
      "time", [](ScriptRun& r) { return asked(r, [](Simulation& s) { return s.state().time; }); }, "s.");
  run.def_prop_ro(
      "steps", [](ScriptRun& r) { return asked(r, [](Simulation& s) { return s.state().step; }); },
      "Steps that were made.");
  run.def_prop_ro("stats", &stats, "The last step's numbers, by the names of --csv.");
  run.def_prop_ro("timings", &timings,
                  "ms of each stage, by its path: now, mean and worst of 100 steps, launches.");
  run.def_prop_ro(
      "hash",
      [](ScriptRun& r) { return fmt::format("{:016x}", asked(r, [](Simulation& s) { return s.hash(); })); },
      "Of the whole state, as the command line prints it.");
  run.def_prop_ro("device",
                  [](ScriptRun& r) { return asked(r, [](Simulation& s) { return s.device().name(); }); });
  run.def_prop_ro(
      "guarantee", [](ScriptRun& r) { return asked(r, [](Simulation& s) { return s.guarantee(); }); },
      "What contact promises, in words.");
  run.def_prop_ro(
      "notices", [](ScriptRun& r) { return asked(r, [](Simulation& s) { return s.model().notices; }); },
      "What was repaired, left out or is odd about the scene.");
  run.def_prop_ro(
      "failed_conditions",
      [](ScriptRun& r) { return asked(r, [](Simulation& s) { return s.failed_end_conditions(); }); },
      "The scene's [[end]] conditions that do not hold now, in words.");
  run.def_prop_ro("scene", &ScriptRun::scene, Unlocked(),
                  "A copy, as it is tuned, with pins and moved bodies.");
}

void bind_commands(nb::class_<ScriptRun>& run) {
  const Three zero{0, 0, 0};
  run.def(
      "grab", &grab, nb::arg("vertices") = nb::none(), nb::kw_only(), nb::arg("triangle") = nb::none(),
      nb::arg("barycentric") = Three{1.0f / 3, 1.0f / 3, 1.0f / 3}, nb::arg("radius") = 0.0f,
      "Grabs vertices (k,) as one at their middle, or a point of a triangle with all that is within radius\n"
      "(m), as the mouse does (drag.*). Returns the number of the handle.");
  run.def(
      "move",
      [](ScriptRun& r, int handle, const Three& target) {
        r.apply(GrabMove{handle, as_vec3(target)});
      },
      nb::arg("handle"), nb::arg("target"), Unlocked(), "Pulls a handle to a place (m).");
  run.def(
      "release", [](ScriptRun& r, int handle) { r.apply(GrabEnd{handle}); }, nb::arg("handle"), Unlocked(),
      "Lets a handle go.");
  run.def("pin", &pin, nb::arg("vertex"), nb::arg("place") = nb::none(), Unlocked(),
          "Pins a vertex where it is, or at a place (m), to which it moves at most at drag.speed_limit.");
  run.def(
      "unpin",
      [](ScriptRun& r, int vertex) {
        r.apply(PinVertex{vertex, false, false, {}});
      },
      nb::arg("vertex"), Unlocked(), "Frees a vertex.");
  run.def(
      "move_body", &move_body, nb::arg("name"), nb::kw_only(), nb::arg("offset") = zero,
      nb::arg("rotation") = zero, nb::arg("center") = nb::none(), nb::arg("speed_factor") = 1.0f, Unlocked(),
      "Moves a body on top of its script: x becomes center + offset + rotation (x - center), reached in the\n"
      "steps to come at most at drag.speed_limit times speed_factor. offset: m from its script's place.\n"
      "rotation: degrees about x, y, z. center: m, its position if absent. A motion that is known before\n"
      "is keys or frames of add_body.");
  run.def(
      "pose_body", &pose_body, nb::arg("name"), nb::arg("vertices") = nb::none(), nb::kw_only(),
      nb::arg("matrix") = nb::none(), nb::arg("at") = nb::none(),
      "Says where a body is at a time to come: for motion that is made while the run goes on.\n\n"
      "vertices: (n, 3), m, of a body with frames (or driven), as its frames have them; they go there in\n"
      "straight lines. matrix: (4, 4), a rigid motion from where a body without script was at the start.\n"
      "at: s, the end of the next step if absent; poses that were given for later are gone. After the last\n"
      "one the body stays. Snapshots have what is given; jumps faster than 25 m/s are refused.");
  run.def(
      "set",
      [](ScriptRun& r, const std::string& key, nb::handle value) {
        const std::string text = value_text(value);
        const nb::gil_scoped_release free;
        r.apply(SetParam{key, text});
      },
      nb::arg("key"), nb::arg("value"), "Sets a parameter while the scene runs, as Scene.set.");
  run.def("get", &present_value, nb::arg("key"), "The present value of a parameter, as Scene.get.");
  run.def(
      "reset", [](ScriptRun& r) { r.apply(ResetState{}); }, Unlocked(),
      "Back to the start; parameters and pins stay.");
}

void bind_files(nb::class_<ScriptRun>& run) {
  run.def(
      "snapshot", [](ScriptRun& r) { return asked(r, [](Simulation& s) { return s.snapshot(); }); },
      "A copy of the whole state.");
  run.def(
      "restore",
      [](ScriptRun& r, const Snapshot& snapshot) {
        asked(r, [&](Simulation& s) { return s.restore(snapshot), 0; });
      },
      nb::arg("snapshot"), "Goes on from a state of this scene.");
  run.def(
      "check", &check_state, nb::arg("since") = nb::none(),
      "Searches the present state for crossings, exactly, as weft-check does: cloth with itself and with\n"
      "bodies but planes. since: world_positions() of an earlier state; then the straight path from there "
      "is\n"
      "checked too. Contact moves cloth in pieces, so that the straight path may touch where the run did "
      "not.");
  run.def(
      "world_positions",
      [](ScriptRun& r) {
        std::vector<vec3> all;
        {
          const nb::gil_scoped_release free;
          all = r.world_positions();
        }
        return array_of(std::move(all));
      },
      "(n + b, 3) float32, m: all parts and then all bodies, in the order of every export; a copy.");
  run.def(
      "body_vertices",
      [](ScriptRun& r, const std::string& name) {
        std::vector<vec3> all;
        {
          const nb::gil_scoped_release free;
          all = body_vertices(r, name);
        }
        return array_of(std::move(all));
      },
      nb::arg("name"), "(k, 3) float32, m: where a body is now; a copy.");
  run.def("export", &ScriptRun::export_state, nb::arg("path"), Unlocked(),
          "Writes the present state: .obj, .gltf, .glb, .usda, .pc2, .weftcache, or a folder.");
  run.def(
      "record", &ScriptRun::record, nb::arg("path"), Unlocked(),
      "Writes the present state and each one to come, until the recording is closed: as export, in files\n"
      "that hold several states.");
  run.def(
      "view", &picture, nb::arg("width") = 1280, nb::arg("height") = 720, nb::arg("settings") = nb::dict(),
      nb::kw_only(), nb::arg("target") = nb::none(), nb::arg("distance") = 2.5f, nb::arg("yaw") = 25.0f,
      nb::arg("pitch") = 12.0f,
      "A picture, drawn without a display: (height, width, 3) uint8, sRGB. settings: values of view.*, such "
      "as\n"
      "{'colouring': 'stretch'}. target (m), distance (m), yaw and pitch (degrees): the scene's camera, or\n"
      "one that shows all, without a target.");
}

}  // namespace

void bind_run(nb::module_& module) {
  bind_snapshot(module);
  bind_results(module);
  nb::class_<ScriptRun> run(module, "Simulation",
                            "A running scene (Scene.start). Threads that call it take turns.");
  run.def(
      "step", &step, nb::arg("n") = 1,
      "Makes n time steps. Other Python threads run meanwhile; Ctrl-C ends it with the state of the last\n"
      "complete step.");
  bind_state(run);
  bind_commands(run);
  bind_files(run);
  run.def("__repr__", [](ScriptRun& r) {
    return asked(r, [](Simulation& s) {
      return fmt::format("weft.Simulation('{}', {} vertices, {:.3f} s, {})", s.scene().title,
                         s.model().vertex_count(), s.state().time, s.device().name());
    });
  });
}

}  // namespace weft::python

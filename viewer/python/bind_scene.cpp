// weft.Scene.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "sim/base/error.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/scene_input.h"
#include "viewer/python/script_run.h"
#include "viewer/python/script_scene.h"
#include "viewer/python/values.h"

namespace weft::python {
namespace {

/// Time (s), offset (m), rotation (degrees about x, y, z).
using Keys = std::vector<std::tuple<float, Three, Three>>;
using Frames = nb::ndarray<const float, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

std::vector<vec2> as_pairs(const Rows<float, 2>& rows) {
  const vec2* first = reinterpret_cast<const vec2*>(rows.data());
  return {first, first + rows.shape(0)};
}

std::vector<MotionKey> keys_of(const Keys& keys) {
  std::vector<MotionKey> all;
  for (const auto& [time, position, rotation] : keys)
    all.push_back({time, as_vec3(position), as_vec3(rotation)});
  return all;
}

using Textures = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Painting = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Rows of (n, 2) or (m, 3, 2).
std::vector<vec2> textures_of(const std::optional<Textures>& array, const std::string& name) {
  if (!array) return {};
  const size_t dims = array->ndim();
  if (dims < 2 || dims > 3 || array->shape(dims - 1) != 2 || (dims == 3 && array->shape(1) != 3))
    throw Error("textures has another shape", "cloth " + name, "give (n, 2) or (m, 3, 2)");
  const vec2* first = reinterpret_cast<const vec2*>(array->data());
  return {first, first + array->size() / 2};
}

/// {parameter: array} or {parameter: (array, from, to)}.
std::vector<FabricMap> maps_of(const nb::dict& maps, const std::string& name) {
  std::vector<FabricMap> all;
  for (const auto& [key, value] : maps) {
    FabricMap map;
    nb::object numbers = nb::borrow(value);
    Painting array;
    try {
      map.parameter = nb::cast<std::string>(key);
      if (nb::isinstance<nb::tuple>(value)) {
        const auto [list, from, to] = nb::cast<std::tuple<nb::object, float, float>>(value);
        numbers = list, map.from = from, map.to = to;
      }
      array = nb::cast<Painting>(numbers);
    } catch (const nb::cast_error&) {
      throw Error("a map is not understood", "cloth " + name,
                  "give {parameter: array (n,)} or {parameter: (array, from, to)}");
    }
    map.values = std::make_shared<const std::vector<float>>(array.data(), array.data() + array.shape(0));
    all.push_back(std::move(map));
  }
  return all;
}

struct ClothArrays {
  Rows<float, 3> vertices;
  Rows<int, 3> triangles;
  std::optional<Rows<float, 2>> uv;
  std::optional<Rows<float, 3>> rest, velocities;
};

TriMesh mesh_of(const ClothArrays& arrays) {
  TriMesh mesh;
  mesh.positions = as_points(arrays.vertices);
  mesh.triangles = as_triangles(arrays.triangles);
  if (arrays.uv) mesh.uv = as_pairs(*arrays.uv);
  if (arrays.rest) mesh.rest = as_points(*arrays.rest);
  if (arrays.velocities) mesh.velocity = as_points(*arrays.velocities);
  return mesh;
}

std::vector<std::vector<vec3>> frames_of(const Frames& frames) {
  std::vector<std::vector<vec3>> all(frames.shape(0));
  const vec3* first = reinterpret_cast<const vec3*>(frames.data());
  for (std::vector<vec3>& frame : all) {
    frame.assign(first, first + frames.shape(1));
    first += frames.shape(1);
  }
  return all;
}

/// Before a part is added, so that one that is refused leaves the scene as it was.
void check_radius(const std::string& part, float radius) {
  if (radius != 0 && !(radius >= ContactRadii::kLeast && radius <= ContactRadii::kMost))
    throw Error(std::to_string(radius) + " m is out of its range", "contact_radius." + part,
                "give 0, or 0.0001 to 0.05 m");
}

void add_cloth(ScriptScene& scene, const std::string& name, Rows<float, 3> vertices, Rows<int, 3> triangles,
               const std::string& fabric, std::optional<Rows<float, 2>> uv,
               std::optional<Rows<float, 3>> rest, std::optional<Rows<float, 3>> velocities,
               const Three& position, const Three& rotation, float scale, const nb::dict& maps,
               const std::optional<Textures>& textures, float contact_radius) {
  check_radius(name, contact_radius);
  scene.add_cloth(name, mesh_of({vertices, triangles, uv, rest, velocities}),
                  {fabric,
                   {as_vec3(position), as_vec3(rotation), scale},
                   maps_of(maps, name),
                   textures_of(textures, name)});
  scene.set_contact_radius(name, contact_radius);
}

void add_body(ScriptScene& scene, const std::string& name, const Rows<float, 3>& vertices,
              const Rows<int, 3>& triangles, const std::optional<Frames>& frames, float fps, const Keys& keys,
              const Three& position, const Three& rotation, float scale, std::optional<float> friction,
              bool driven) {
  TriMesh mesh;
  mesh.positions = as_points(vertices);
  mesh.triangles = as_triangles(triangles);
  ScriptBody body;
  body.placement = {as_vec3(position), as_vec3(rotation), scale};
  body.keys = keys_of(keys);
  if (frames) body.frames = frames_of(*frames);
  else if (driven) body.frames = {mesh.positions};
  body.fps = fps;
  body.friction = friction.value_or(-1);
  scene.add_body(name, std::move(mesh), std::move(body));
}

void add_solid(ScriptScene& scene, const std::string& name, const Rows<float, 3>& vertices,
               const std::optional<Rows<int, 3>>& triangles, const std::optional<Rows<int, 4>>& cells,
               float edge, bool rigid, const Three& velocity, const Three& position, const Three& rotation,
               float scale, float contact_radius) {
  if (triangles.has_value() == cells.has_value())
    throw Error("either triangles or cells are given", "solid " + name, "give one of the two");
  TriMesh mesh;
  mesh.positions = as_points(vertices);
  std::vector<ivec4> tetrahedra;
  if (triangles) mesh.triangles = as_triangles(*triangles);
  for (size_t c = 0; cells && c < cells->shape(0); ++c)
    tetrahedra.emplace_back((*cells)(c, 0), (*cells)(c, 1), (*cells)(c, 2), (*cells)(c, 3));
  if (cells && tetrahedra.empty()) throw Error("it has no cells", "solid " + name, "give (m, 4) vertices");
  SolidParams solid;
  solid.name = name, solid.edge = edge, solid.rigid = rigid;
  solid.velocity = as_vec3(velocity);
  solid.placement = {as_vec3(position), as_vec3(rotation), scale};
  check_radius(name, contact_radius);
  scene.add_solid(std::move(solid), mesh, tetrahedra);
  scene.set_contact_radius(name, contact_radius);
}

void add_strands(ScriptScene& scene, const std::string& name, const Frames& points, float thickness,
                 float density, float stretch, float bending, float contact_radius) {
  StrandParams strands;
  strands.name = name;
  strands.skin.thickness = thickness;
  strands.material = {.density = density, .stretch = stretch, .bending = bending};
  const vec3* first = reinterpret_cast<const vec3*>(points.data());
  check_radius(name, contact_radius);
  scene.add_strands(std::move(strands), {first, first + points.shape(0) * points.shape(1)},
                    int(points.shape(1)));
  scene.set_contact_radius(name, contact_radius);
}

void add_grains(ScriptScene& scene, const std::string& name, const Rows<float, 3>& vertices,
                const Rows<int, 3>& triangles, float radius, float density, const Three& velocity,
                const Three& position) {
  TriMesh mesh;
  mesh.positions = as_points(vertices);
  mesh.triangles = as_triangles(triangles);
  GrainParams grains;
  grains.name = name, grains.radius = radius, grains.density = density;
  grains.velocity = as_vec3(velocity);
  grains.placement.position = as_vec3(position);
  scene.add_grains(std::move(grains), mesh);
}

void add_pin(ScriptScene& scene, const std::string& cloth, const std::optional<Numbers>& vertices,
             const std::string& where, float radius, const std::string& body, std::optional<float> release,
             const Keys& keys) {
  Pin pin;
  pin.cloth = cloth;
  if (vertices) pin.vertices = as_list(*vertices);
  pin.where = where;
  pin.radius = radius;
  pin.body = body;
  pin.release_time = release.value_or(-1);
  pin.motion.keys = keys_of(keys);
  scene.add_pin(std::move(pin));
}

nb::typed<nb::list, nb::dict> rows(ScriptScene& scene) {
  nb::list all;
  const ParamTable table = scene.scene().params();
  for (const ParamRef& ref : table.refs()) all.append(row_of(ref));
  return all;
}

std::unique_ptr<ScriptRun> start(ScriptScene& scene, const std::string& device, int threads) {
  const ScriptScene copy = scene;  // another thread may change it while this one waits
  SignalWatch signals;
  std::unique_ptr<ScriptRun> run;
  {
    const AwayFromPython away;
    run = std::make_unique<ScriptRun>(copy, device, threads, signals.ask());
  }
  return run;
}

void bind_building(nb::class_<ScriptScene>& scene) {
  const Three zero{0, 0, 0};
  scene.def(
      "add_cloth", &add_cloth, nb::arg("name"), nb::arg("vertices"), nb::arg("triangles"), nb::kw_only(),
      nb::arg("fabric") = "cotton", nb::arg("uv") = nb::none(), nb::arg("rest") = nb::none(),
      nb::arg("velocities") = nb::none(), nb::arg("position") = zero, nb::arg("rotation") = zero,
      nb::arg("scale") = 1.0f, nb::arg("maps") = nb::dict(), nb::arg("textures") = nb::none(),
      nb::arg("contact_radius") = 0.0f,
      "Adds a cloth of arrays, which keeps its vertices in their order.\n\n"
      "vertices: (n, 3), m. triangles: (m, 3), numbers of vertices from 0. fabric: a name of\n"
      "assets/fabrics. uv: (n, 2), m along warp and weft. rest: (n, 3), m, the shape without force\n"
      "(the vertices if absent). velocities: (n, 3), m/s at the start. rotation: degrees about x, y, z.\n"
      "maps: {parameter: values (n,)} or {parameter: (values, from, to)}: the parameter of the fabric at a\n"
      "vertex is the fabric's times from + value (to - from), from = 0 and to = 1 if absent. Parameters:\n"
      "stretch_stiffness, bending_rigidity, areal_density, internal_damping, inner_pressure, friction,\n"
      "self_friction. textures: (n, 2), or (m, 3, 2) at corners where there are seams: coordinates of other\n"
      "programs, which exports have again; without seams they give warp and weft, as those of files do.\n"
      "contact_radius: m, half of the thickness in contact; 0: the collision method's distance.");
  scene.def("add_body", &add_body, nb::arg("name"), nb::arg("vertices"), nb::arg("triangles"), nb::kw_only(),
            nb::arg("frames") = nb::none(), nb::arg("fps") = 30.0f, nb::arg("keys") = Keys(),
            nb::arg("position") = zero, nb::arg("rotation") = zero, nb::arg("scale") = 1.0f,
            nb::arg("friction") = nb::none(), nb::arg("driven") = false,
            "Adds a body of arrays, which cloth meets.\n\n"
            "vertices: (n, 3), m. triangles: (m, 3). frames: (f, n, 3), m, all vertices at f times that are\n"
            "1 / fps s apart; vertices move in straight lines in between, and stay after the last. keys:\n"
            "(time in s, offset in m, rotation in degrees) of the whole body, times ascending. friction:\n"
            "contact.friction if absent. driven: its vertices are given while the run goes on\n"
            "(Simulation.pose_body), as those of a body with frames may be.");
  scene.def("add_pin", &add_pin, nb::arg("cloth") = "", nb::arg("vertices") = nb::none(), nb::kw_only(),
            nb::arg("where") = "", nb::arg("radius") = 0.0f, nb::arg("body") = "",
            nb::arg("release") = nb::none(), nb::arg("keys") = Keys(),
            "Pins vertices of a cloth (the first if \"\").\n\n"
            "vertices: (k,), numbers within the cloth. where: top_left, top, boundary ... instead, with all\n"
            "that is within radius (m). body: one whose surface they follow. release: s, never if absent.\n"
            "keys: as of add_body.");
}

void bind_parts(nb::class_<ScriptScene>& scene) {
  const Three zero{0, 0, 0};
  scene.def(
      "add_solid", &add_solid, nb::arg("name"), nb::arg("vertices"), nb::arg("triangles") = nb::none(),
      nb::arg("cells") = nb::none(), nb::kw_only(), nb::arg("edge") = 0.02f, nb::arg("rigid") = false,
      nb::arg("velocity") = zero, nb::arg("position") = zero, nb::arg("rotation") = zero,
      nb::arg("scale") = 1.0f, nb::arg("contact_radius") = 0.0f,
      "Adds a solid of arrays: tetrahedra, or a closed surface that is filled with them.\n\n"
      "vertices: (n, 3), m. cells: (m, 4), or triangles: (m, 3), numbers of vertices from 0. edge: m, of\n"
      "the cells of a filled surface. velocity: m/s. Its material is solid.NAME.young and the like.\n"
      "contact_radius: as of add_cloth.");
  scene.def("add_strands", &add_strands, nb::arg("name"), nb::arg("points"), nb::kw_only(),
            nb::arg("thickness") = 3e-3f, nb::arg("density") = 5e-4f, nb::arg("stretch") = 20.0f,
            nb::arg("bending") = 1e-7f, nb::arg("contact_radius") = 0.0f,
            "Adds strands of arrays: hair, threads. points: (strands, points, 3), m, at rest. thickness: m.\n"
            "density: kg/m. stretch: N, force over strain. bending: N m^2. contact_radius: as of add_cloth.");
  scene.def(
      "add_grains", &add_grains, nb::arg("name"), nb::arg("vertices"), nb::arg("triangles"), nb::kw_only(),
      nb::arg("radius") = 0.006f, nb::arg("density") = 1600.0f, nb::arg("velocity") = zero,
      nb::arg("position") = zero,
      "Fills a closed surface of arrays with grains. vertices: (n, 3), m. triangles: (m, 3). radius: m.\n"
      "density: kg/m^3, of a grain. velocity: m/s.");
}

void bind_rest(nb::class_<ScriptScene>& scene) {
  scene.def(
      "set", [](ScriptScene& s, const std::string& key, nb::handle value) { s.set(key, value_text(value)); },
      nb::arg("key"), nb::arg("value"),
      "Sets a parameter, or with obstacle.NAME.KEY a value of a body, as --set does. Vectors are\n"
      "sequences of three numbers.");
  scene.def(
      "get", [](ScriptScene& s, const std::string& key) { return value_in(s.scene(), key); }, nb::arg("key"),
      "The value of a parameter: float, int, bool, str (a choice), or a tuple of three floats.");
  scene.def("params", &rows,
            "Its parameters, those of its cloths too: dicts with key, label, unit, default, help, choices, "
            "min, max\n"
            "and rebuilds (takes effect before the start alone).");
  scene.def("save", &ScriptScene::save, nb::arg("path"),
            "Writes a scene file. Scenes with meshes of arrays cannot be written.");
  scene.def(
      "start", &start, nb::arg("device") = "auto", nb::arg("threads") = 0,
      "Builds the scene and returns its Simulation. device: auto, cpu or cuda. threads: 0 for all cores.\n"
      "Garments that are worn from the start are put on. The scene may be changed and started again.");
  scene.def_prop_rw(
      "title", [](const ScriptScene& s) { return s.scene().title; },
      [](ScriptScene& s, const std::string& title) { s.scene().title = title; });
  scene.def_prop_rw(
      "duration", [](const ScriptScene& s) { return s.scene().duration; },
      [](ScriptScene& s, float seconds) { s.scene().duration = seconds; },
      "s, of a run of the command line.");
  scene.def_prop_ro("description", [](const ScriptScene& s) { return s.scene().description; });
  scene.def_prop_ro(
      "cloths", [](const ScriptScene& s) { return names_of(s.scene().cloths); }, "Names.");
  scene.def_prop_ro(
      "bodies", [](const ScriptScene& s) { return names_of(s.scene().obstacles); }, "Names.");
  scene.def("__repr__", [](const ScriptScene& s) { return "weft.Scene('" + s.scene().title + "')"; });
}

}  // namespace

void bind_scene(nb::module_& module) {
  nb::class_<ScriptScene> scene(
      module, "Scene", "What is simulated: cloths, bodies, pins, parameters. Lengths are in metres.");
  scene.def(nb::init<>(), "Without cloth and bodies; contact is two_way.");
  scene.def_static(
      "load",
      [](const std::string& input, const std::vector<std::string>& obstacles) {
        return ScriptScene(open_scene(input, obstacles));
      },
      nb::arg("input") = "", nb::arg("obstacles") = std::vector<std::string>(),
      "What the command line takes: the name of a shipped scene or garment, or a path (.toml, .obj, .glb,\n"
      ".usda, .json, .dxf); \"\" is the default scene. obstacles: paths of meshes that are added as bodies.");
  scene.def_static(
      "parse",
      [](const std::string& text, const std::string& path) { return ScriptScene(parse_scene(text, path)); },
      nb::arg("text"), nb::arg("path") = "",
      "A scene file's text. path: for messages, and the folder of the files that it names.");
  bind_building(scene);
  bind_parts(scene);
  bind_rest(scene);
  bind_plugins(scene);
}

}  // namespace weft::python

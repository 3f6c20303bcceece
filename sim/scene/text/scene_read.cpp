#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/nearest.h"
#include "sim/files/file_kind.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/scene/camera_limits.h"
#include "sim/scene/camera_path.h"
#include "sim/scene/cloth_layers.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/fabric_maps.h"
#include "sim/scene/fabric_table.h"
#include "sim/scene/friction.h"
#include "sim/scene/grains.h"
#include "sim/scene/light.h"
#include "sim/scene/model/body_clips.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/pins.h"
#include "sim/scene/model/start_file.h"
#include "sim/scene/model/step_stats.h"
#include "sim/scene/model/stitches.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "sim/scene/teleports.h"
#include "sim/scene/text/garment_table.h"
#include "sim/scene/text/gather_table.h"
#include "sim/scene/text/scene_file.h"
#include "sim/scene/text/scene_table.h"
#include "sim/scene/text/viewpoint_table.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {
namespace {

constexpr double kLeastScale = 1e-6, kMostScale = 1e6;

void read_placement(TomlTable& t, Placement& placement) {
  t.read("position", placement.position);
  t.read("rotation", placement.rotation);
  std::string up = "y", unit = "m";
  // turned about x before anything else
  if (t.read_choice("up", up, up_axes()) && up == "z") placement.rotation += kUpIsZ;
  t.read("scale", placement.scale, kLeastScale, kMostScale);
  if (!t.read_choice("unit", unit, file_units())) return;
  const double scale = double(placement.scale) * metres_of(unit);
  if (!(scale >= kLeastScale && scale <= kMostScale))
    t.fail("unit", fmt::format("scale and unit together are {:.3g} m per unit of the file", scale),
           "use one of the two");
  placement.scale = float(scale);
}

/// A key that would be read, checked and then have no effect; it is refused, because the author expects an
/// effect.
struct Idle {
  const char *key, *why, *instead;
};
void refuse(const TomlTable& t, std::initializer_list<Idle> keys) {
  for (const Idle& idle : keys)
    if (t.has(idle.key)) t.fail(idle.key, idle.why, idle.instead);
}

std::vector<MotionKey> read_keys(TomlTable& t, std::initializer_list<Idle> idle = {}) {
  std::vector<MotionKey> keys;
  for (TomlTable& k : t.tables("keys")) {
    MotionKey key;
    if (!k.read("time", key.time)) k.fail("", "a key needs a time");
    refuse(k, idle);
    if (!keys.empty() && key.time <= keys.back().time) k.fail("time", "times must increase");
    k.read("position", key.position);
    k.read("rotation", key.rotation);
    k.finish();
    keys.push_back(key);
  }
  return keys;
}

/// `center`: what the motion turns about unless the file says otherwise.
void read_motion(TomlTable& owner, Motion& motion, const vec3& center) {
  auto t = owner.table("motion");
  if (!t) return;
  motion.spin_center = center;
  motion.keys = read_keys(*t);
  t->read("spin_axis", motion.spin_axis);
  if (!(glm::length(motion.spin_axis) > 0))
    t->fail("spin_axis", "the axis has no direction", "use [0, 1, 0] for upright");
  t->read("spin_rate", motion.spin_rate);
  t->read("center", motion.spin_center);
  t->finish();
}

class SceneReader {
 public:
  SceneReader(const toml::table& root, const std::string& path) : root_(root, path, "") {
    scene_.path = path;
  }

  Scene run() {
    root_.read("title", scene_.title);
    root_.read("description", scene_.description);
    root_.read("duration", scene_.duration, 0, 1e6);
    read_group("step", scene_.step);
    read_group("forces", scene_.forces);
    read_group("drag", scene_.drag);
    read_group("contact", scene_.contact);
    for (const std::string& name : scene_.methods.names()) {
      ParamTable params;
      scene_.methods.describe(name, params);
      if (params.refs().empty()) continue;  // a list: read below
      if (auto t = root_.table(name)) {
        t->read_table(params);
        t->finish();
      }
    }
    read_fabrics();
    read_cloths();
    for (TomlTable& t : root_.tables("solid")) read_solid(t);
    for (TomlTable& t : root_.tables("strands")) read_strands(t);
    for (TomlTable& t : root_.tables("grains")) read_grains(t);
    for (TomlTable& t : root_.tables("pin")) read_pin(t);
    for (TomlTable& t : root_.tables("obstacle")) read_obstacle(t);
    read_friction();
    scene_.of<StitchList>().list = read_stitches(root_, scene_);
    for (TomlTable& t : root_.tables("scripted_drag")) read_drag(t);
    for (TomlTable& t : root_.tables("end")) read_end(t);
    scene_.of<GatherList>().list = read_gathers(root_);
    read_light();
    read_camera();
    scene_.of<ViewpointList>().list = read_viewpoints(root_);
    root_.finish();
    return std::move(scene_);
  }

 private:
  template <class P>
  void read_group(const char* key, P& params) {
    if (auto t = root_.table(key)) {
      t->read_params(params);
      t->finish();
    }
  }

  void read_light() {
    auto t = root_.table("light");
    if (!t) return;
    SceneLight& light = scene_.of<SceneLight>();
    if (!t->read("picture", light.picture) || light.picture.empty())
      t->fail("", "this light has no picture", "add picture = \"sky.hdr\", or leave out [light]");
    t->read("strength", light.strength, 0, 10);
    t->read("turn", light.turn, -180, 180);
    t->read("shown", light.shown);
    t->finish();
  }

  void read_fabrics() {
    auto all = root_.table("fabrics");
    if (!all) return;
    for (const std::string& name : all->keys()) {
      TomlTable t = *all->table(name);
      FabricParams fabric;
      std::string base;
      if (t.read("base", base)) fabric = find_fabric(t, "base", base);
      read_fabric_table(t, fabric);
      fabrics_[name] = fabric;
    }
  }

  /// One of the scene's own fabrics, else a file in assets/fabrics.
  FabricParams find_fabric(const TomlTable& t, const char* key, const std::string& name) const {
    if (const auto own = fabrics_.find(name); own != fabrics_.end()) return own->second;
    std::vector<std::string> names = fabric_names();
    if (std::find(names.begin(), names.end(), name) != names.end()) return read_fabric(name);
    for (const auto& [own, fabric] : fabrics_) names.push_back(own);
    t.fail(key, "unknown fabric '" + name + "'", did_you_mean(name, names));
  }

  /// [[cloth]] and [[garment]], in the order of the file.
  void read_cloths() {
    std::vector<std::pair<int, bool>> order;  // line, whether it is a garment
    std::vector<TomlTable> cloths = root_.tables("cloth"), garments = root_.tables("garment");
    for (const TomlTable& t : cloths) order.push_back({t.line(), false});
    for (const TomlTable& t : garments) order.push_back({t.line(), true});
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    size_t cloth = 0, garment = 0;
    for (const auto& [line, sewn] : order)
      sewn ? read_garment(garments[garment++]) : read_cloth(cloths[cloth++]);
  }

  void read_garment(TomlTable& t) {
    Cloth cloth;
    cloth.shape = ClothShape::garment;
    cloth.name = unused_name("garment");
    t.read("name", cloth.name);
    check_cloth_name(t, cloth.name);
    t.read("pattern", cloth.file);
    if (!cloth.file.empty())
      refuse(t, {{"panel", "a pattern from a file has its own panels", "leave out pattern or the panels"},
                 {"seam", "a pattern from a file has its own seams", "leave it out"},
                 {"button", "a pattern from a file has its own buttons", "leave it out"}});
    else if (t.has("panel")) cloth.sewing_pattern = read_pattern_tables(t);
    else t.fail("", "a garment needs a pattern", "add pattern = \"shirt.json\", or [[garment.panel]] tables");
    t.read("edge", cloth.edge, 0, 10);
    read_start(t, cloth, true);
    if (std::string size; t.read("size", size)) {
      if (cloth.file.empty()) t.fail("size", "only a pattern from a file has sizes", "leave it out");
      cloth.file = with_size(cloth.file, size);
    }
    refuse(t, {{"unit", "a pattern states its own unit", "use scale, or leave it out"},
               {"map", "a garment's panels get new triangles, on which nothing is painted",
                "give panels fabrics of their own"}});
    read_placement(t, cloth.placement);
    read_cloth_fabric(t, cloth);
    cloth.panel_fabrics = fabrics_;
    if (cloth.sewing_pattern)
      for (const Panel& panel : cloth.sewing_pattern->panels)
        if (!panel.fabric.empty()) find_fabric(t, "panel", panel.fabric);
    read_contact_radius(t, cloth.name);
    t.finish();
    scene_.cloths.push_back(cloth);
  }

  void read_cloth(TomlTable& t) {
    Cloth cloth;
    cloth.name = unused_name("cloth");
    t.read("name", cloth.name);
    check_cloth_name(t, cloth.name);
    t.read("file", cloth.file);
    if (!cloth.file.empty()) cloth.shape = ClothShape::obj;
    t.read_choice("shape", cloth.shape, cloth_shapes());
    if (cloth.shape == ClothShape::obj && cloth.file.empty())
      t.fail("shape", "an obj needs a file", "add file = \"mesh.obj\"");
    refuse_idle(t, cloth.shape);
    if (std::string object; t.read("object", object)) cloth.file = with_object(cloth.file, object);
    t.read("size", cloth.size, 1e-6, 1e4);
    if (cloth.shape == ClothShape::disc || cloth.shape == ClothShape::tube)
      t.read("diameter", cloth.size.x, 1e-6, 1e4);
    if (cloth.shape == ClothShape::tube) t.read("length", cloth.size.y, 1e-6, 1e4);
    t.read("edge", cloth.edge, 0, 1e4);
    t.read("vertices", cloth.vertices, 4, 2e7);
    t.read("unevenness", cloth.unevenness, 0, 0.1);
    t.read_choice("pattern", cloth.pattern, grid_patterns());
    read_rest(t, cloth);
    read_start(t, cloth, false);
    t.read_choice("rest_angles", cloth.rest.angles, rest_angle_choices());
    if (cloth.rest.shape == "texture")
      refuse(t, {{"remesh", "a new mesh would lose the panels that are its rest shape",
                  "leave out remesh or rest"}});
    read_remesh(t, cloth);
    read_weld(t, cloth.weld, cloth.shape == ClothShape::obj);
    read_layer(t, cloth);
    if (std::vector<FabricMap> maps = read_fabric_maps(t); !maps.empty())
      scene_.of<FabricMaps>().of[cloth.name] = std::move(maps);
    read_placement(t, cloth.placement);
    read_cloth_fabric(t, cloth);
    read_contact_radius(t, cloth.name);
    t.finish();
    scene_.cloths.push_back(cloth);
  }

  void read_solid(TomlTable& t) {
    SolidParams solid;
    solid.name = unused_name("body");
    t.read("name", solid.name);
    check_cloth_name(t, solid.name);
    t.read("file", solid.file);
    if (!solid.file.empty()) solid.shape = SolidShape::file;
    t.read_choice("shape", solid.shape, solid_shapes());
    const bool file = solid.shape == SolidShape::file, msh = file_ending(solid.file) == ".msh";
    if (file && !msh && file_ending(solid.file) != ".obj")
      t.fail("file", "a solid is read from .msh files of Gmsh and closed .obj surfaces",
             "export one of them");
    if (file)
      refuse(t, {{"size", "a solid from a file has its own size", "write scale = 0.5, or leave it out"}});
    else
      refuse(t, {{"up", "only files have an up axis", "use rotation, or leave it out"},
                 {"unit", "only files have a unit", "use scale, or leave it out"}});
    if (msh) refuse(t, {{"edge", "a .msh file has its own cells", "leave it out"}});
    t.read("size", solid.size, 1e-4, 1e3);
    if (solid.shape == SolidShape::ball || solid.shape == SolidShape::disc)
      t.read("diameter", solid.size.x, 1e-4, 1e3);
    if (solid.shape == SolidShape::disc) t.read("thickness", solid.size.y, 1e-4, 1e3);
    t.read("edge", solid.edge, 1e-4, 1e3);
    read_placement(t, solid.placement);
    t.read("velocity", solid.velocity, -100, 100);
    t.read("spin", solid.spin, -1e4, 1e4);
    t.read("rigid", solid.rigid);
    if (solid.rigid) solid.material.young = kRigidYoung, solid.material.poisson = 0;
    if (t.read("mass", solid.material.mass, 1e-6, 1e6))
      refuse(t, {{"density", "the mass says it", "give one of the two"}});
    t.read("density", solid.material.density, 1, 1e5);
    t.read("young", solid.material.young, 10, 1e9);
    t.read("poisson", solid.material.poisson, 0, 0.49);
    t.read("friction", solid.skin.friction, -1, 5);
    t.read("self_friction", solid.skin.self_friction, -1, 5);
    t.read("contact_thickness", solid.skin.thickness, 0, 0.1);
    t.read("internal_damping", solid.skin.internal_damping, 0, 1);
    if (t.read("color", solid.skin.front_color, 0, 1)) solid.skin.back_color = solid.skin.front_color;
    read_contact_radius(t, solid.name);
    t.finish();
    scene_.of<SolidList>().list.push_back(solid);
  }

  /// Keys that strands of a shape do not have.
  static void refuse_idle(const TomlTable& t, const StrandParams& s) {
    const bool body = s.shape == StrandShape::body, ring = s.shape == StrandShape::ring,
               file = s.shape == StrandShape::file;
    if (body && s.body.empty()) t.fail("shape", "strands on a body need one", "add body = \"head\"");
    if (file && file_ending(s.file) != ".obj")
      t.fail("file", "strands are read from the lines of .obj files", "add file = \"hair.obj\"");
    if (file)
      for (const char* key : {"count", "length", "segments", "curl", "size"})
        refuse(t, {{key, "a file has its own strands", "leave it out"}});
    else
      refuse(t, {{"file", "only strands of the shape file have one", "leave out shape"},
                 {"up", "only files have an up axis", "use rotation, or leave it out"},
                 {"unit", "only files have a unit", "use scale, or leave it out"}});
    if (body)
      refuse(t, {{"position", "strands on a body are where it is", "leave it out"},
                 {"rotation", "strands on a body are where it is", "leave it out"},
                 {"scale", "strands on a body are where it is", "leave it out"}});
    else
      refuse(t, {{"body", "only strands of the shape body grow on one", "leave it out"},
                 {"cap", "only strands on a body have a cap", "leave it out"}});
    if (ring) refuse(t, {{"curl", "rings have no curl", "leave it out"}});
    else refuse(t, {{"spacing", "only rings have a spacing", "leave it out"}});
    if (body || ring) refuse(t, {{"size", "only a patch has a size", "leave it out"}});
  }

  void read_strands(TomlTable& t) {
    StrandParams s;
    s.name = unused_name("hair");
    t.read("name", s.name);
    check_cloth_name(t, s.name);
    t.read("body", s.body);
    if (!s.body.empty()) s.shape = StrandShape::body;
    t.read("file", s.file);
    if (!s.file.empty()) s.shape = StrandShape::file;
    t.read_choice("shape", s.shape, strand_shapes());
    refuse_idle(t, s);
    const bool ring = s.shape == StrandShape::ring;
    t.read("size", s.size, 0, 100);
    t.read("spacing", s.spacing, 0, 10);
    t.read("count", s.count, 1, 1000000);
    t.read("length", s.length, 1e-3, 100);
    t.read("segments", s.segments, ring ? 3 : 2, 10000);
    constexpr double kMostPoints = 2e7;
    if (const double points = double(s.count) * (s.segments + 1); points > kMostPoints)
      t.fail("count",
             fmt::format("{} strands of {} segments are {:.2g} points, and at most {:.0e} may be", s.count,
                         s.segments, points, kMostPoints),
             "give fewer strands or segments");
    t.read("curl", s.curl, 0, 1);
    t.read("cap", s.cap, -1, 1);
    read_placement(t, s.placement);
    t.read("density", s.material.density, 1e-6, 10);
    t.read("stretch", s.material.stretch, 1e-3, 1e6);
    t.read("bending", s.material.bending, 0, 1);
    t.read("thickness", s.skin.thickness, 1e-5, 0.1);
    read_contact_radius(t, s.name);
    t.read("friction", s.skin.friction, -1, 5);
    t.read("self_friction", s.skin.self_friction, -1, 5);
    t.read("internal_damping", s.skin.internal_damping, 0, 1);
    if (t.read("color", s.skin.front_color, 0, 1)) s.skin.back_color = s.skin.front_color;
    t.finish();
    scene_.of<StrandList>().list.push_back(s);
  }

  void read_grains(TomlTable& t) {
    GrainParams g;
    g.name = unused_name("sand");
    t.read("name", g.name);
    check_cloth_name(t, g.name);
    t.read("file", g.file);
    if (!g.file.empty()) g.shape = GrainShape::file;
    t.read_choice("shape", g.shape, grain_shapes());
    if (g.shape == GrainShape::file && file_ending(g.file) != ".obj")
      t.fail("file", "grains fill closed .obj surfaces", "export one, or leave out shape and file");
    if (g.shape == GrainShape::file)
      refuse(t, {{"size", "a file has its own size", "write scale = 0.5, or leave it out"}});
    else
      refuse(t, {{"up", "only files have an up axis", "use rotation, or leave it out"},
                 {"unit", "only files have a unit", "use scale, or leave it out"}});
    t.read("size", g.size, 1e-4, 1e3);
    t.read("radius", g.radius, 1e-4, 1);
    g.skin.thickness = 2 * g.radius;
    if (t.read("spacing", g.spacing, 0, 10) && g.spacing > 0 && g.spacing < 2.05f * g.radius)
      t.fail("spacing", "the grains would overlap", "give at least 2.05 radii");
    read_placement(t, g.placement);
    t.read("velocity", g.velocity, -100, 100);
    t.read("density", g.density, 1, 1e5);
    t.read("friction", g.skin.friction, -1, 5);
    t.read("self_friction", g.skin.self_friction, -1, 5);
    if (t.read("color", g.skin.front_color, 0, 1)) g.skin.back_color = g.skin.front_color;
    t.finish();
    scene_.of<GrainList>().list.push_back(g);
  }

  /// A word, or an OBJ file of the same vertices.
  static void read_rest(TomlTable& t, Cloth& cloth) {
    std::string text;
    if (t.has("rest") && t.is_string("rest")) t.read("rest", text);
    if (file_ending(text) == ".obj") cloth.rest.file = text;
    else if (t.has("rest")) t.read_choice("rest", cloth.rest.shape, rest_choices());
  }

  /// A file, or one of the words for garments; the frame of a run by the number of its step.
  static void read_start(TomlTable& t, Cloth& cloth, bool garment) {
    std::string text;
    if (t.has("start") && t.is_string("start")) t.read("start", text);
    const bool file = text.find_first_of("./") != text.npos;
    if (file) cloth.start = text;
    else if (garment) t.read_choice("start", cloth.start, garment_starts());
    else if (t.has("start"))
      t.fail("start", "'" + text + "' is no file",
             "name a run or an OBJ file; garments are sewn, placed or dressed");
    int step = 0;
    if (!t.read("start_step", step, 0, 1e9)) return;
    if (!file) t.fail("start_step", "only a file has steps", "leave it out");
    cloth.start = with_step(cloth.start, step);
  }

  static void refuse_idle(const TomlTable& t, ClothShape shape) {
    if (shape == ClothShape::obj)
      refuse(t,
             {{"edge", "a cloth from a file has its own edges", "write remesh = 0.005 (m), or leave it out"},
              {"vertices", "a cloth from a file has its own vertices",
               "write remesh = 0.005 (an edge length in m), or leave it out"},
              {"size", "a cloth from a file has its own size", "write scale = 0.5, or leave it out"},
              {"pattern", "a cloth from a file has its own triangles",
               "write remesh = \"always\" for edges of nearly equal length, or leave it out"},
              {"unevenness", "a cloth from a file has its own vertex positions", "leave it out"}});
    else
      refuse(t, {{"object", "only a cloth from a file can be one of its objects",
                  "give a file, or leave it out"},
                 {"rest", "only a cloth from a file has texture coordinates of its own", "leave it out"},
                 {"rest_angles", "only a cloth from a file has folds of its own", "leave it out"},
                 {"up", "only files have an up axis", "use rotation, or leave it out"},
                 {"unit", "only files have a unit", "use scale, or leave it out"}});
    if (shape == ClothShape::disc || shape == ClothShape::tube)
      refuse(t, {{"pattern", "only grids and strips have patterns",
                  "leave it out; discs and tubes are uniform as they are"}});
  }

  /// A word, or an edge length.
  void read_remesh(TomlTable& t, Cloth& cloth) const {
    if (!t.has("remesh")) return;
    if (cloth.shape != ClothShape::obj)
      t.fail("remesh", "only cloths from a file are remeshed",
             "give a grid or strip pattern = \"uniform\"; discs and tubes are uniform as they are");
    if (t.is_string("remesh")) t.read_choice("remesh", cloth.remesh, remesh_choices());
    else t.read("remesh", cloth.remesh_edge, 1e-5, 1e3);
  }

  void read_layer(TomlTable& t, const Cloth& cloth) {
    int layer = 0;
    if (!t.read("layer", layer, 0, 100) || layer == 0) return;
    if (cloth.shape != ClothShape::obj)
      t.fail("layer", "only cloths from a file have layers",
             "leave it out; panels of garments have their own");
    scene_.of<ClothLayers>().of[cloth.name] = layer;
  }

  /// Of a part; parts without one can be given one in a run.
  void read_contact_radius(TomlTable& t, const std::string& part) {
    float& radius = scene_.of<ContactRadii>().of(part);
    t.read("contact_radius", radius, 0, double(ContactRadii::kMost));
    if (radius > 0 && radius < ContactRadii::kLeast)
      t.fail("contact_radius", fmt::format("{} m is too small", radius),
             "give 0 (the collision method's distance), or at least 0.0001");
  }

  /// A word, or a length: text with its unit, or a number of metres.
  static void read_weld(TomlTable& t, float& weld, bool from_file) {
    if (!t.has("weld")) return;
    if (!from_file) t.fail("weld", "only the vertices of a file are welded", "leave it out");
    if (!t.is_string("weld")) {
      t.read("weld", weld, 0, 1);
      return;
    }
    std::string text;
    t.read("weld", text);
    if (const std::string fault = parse_weld(text, weld); !fault.empty()) t.fail("weld", fault);
  }

  /// fabric = "cotton", or a table with a name and overriding values.
  void read_cloth_fabric(TomlTable& t, Cloth& cloth) {
    if (!t.has("fabric") || t.is_string("fabric")) {
      t.read("fabric", cloth.fabric_name);
      cloth.fabric = find_fabric(t, "fabric", cloth.fabric_name);
      return;
    }
    TomlTable own = *t.table("fabric");
    own.read("name", cloth.fabric_name);
    cloth.fabric = find_fabric(own, "name", cloth.fabric_name);
    read_fabric_table(own, cloth.fabric);
  }

  std::string unused_name(const std::string& stem) const {
    std::string name = stem;
    for (int n = 2; find_cloth(name); ++n) name = fmt::format("{}{}", stem, n);
    return name;
  }

  bool find_cloth(const std::string& name) const {
    for (int p = 0; p < part_count(scene_); ++p)
      if (part_name(scene_, p) == name) return true;
    return false;
  }

  void check_cloth_name(const TomlTable& t, const std::string& name) const {
    if (!is_cloth_name(name))
      t.fail("name", "'" + name + "' cannot name a cloth",
             "use letters, digits, _ and -, and not one of step, forces, drag, descent, newton, contact, "
             "repulsion, two_way, fabric");
    if (find_cloth(name)) t.fail("name", "there are two cloths '" + name + "'", "give each its own name");
  }

  void read_cloth_reference(TomlTable& t, std::string& name) const {
    if (!t.read("cloth", name) || name.empty() || find_cloth(name)) return;
    std::vector<std::string> names;
    for (int p = 0; p < part_count(scene_); ++p) names.push_back(part_name(scene_, p));
    t.fail("cloth", "unknown cloth '" + name + "'", did_you_mean(name, names));
  }

  void read_pin(TomlTable& t) {
    Pin pin;
    read_cloth_reference(t, pin.cloth);
    const bool vertices = t.read("vertices", pin.vertices, 0, 2e9),
               where = t.read_choice("where", pin.where, pin_places());
    if (t.read("radius", pin.radius, 0, 1000) && !where)
      t.fail("radius", "a radius needs a place", "add where = \"center\"");
    if (auto box = t.table("box")) {
      pin.box = Bounds{};
      if (!box->read("min", pin.box->min) || !box->read("max", pin.box->max))
        box->fail("", "a box needs min and max");
      if (glm::min(pin.box->min, pin.box->max) != pin.box->min) box->fail("max", "max is less than min");
      box->finish();
    }
    read_motion(t, pin.motion, vec3(0));
    t.read("release_time", pin.release_time, -1, 1e6);
    t.read("body", pin.body);
    if (bool jumps = false; t.read("teleport", jumps) && jumps)
      scene_.of<Teleports>().pins.insert(int(scene_.pins.size()));
    t.finish();
    if (!vertices && !where && !pin.box) t.fail("", "the pin holds nothing", "add where, vertices or box");
    scene_.pins.push_back(pin);
  }

  void read_obstacle(TomlTable& t) {
    Obstacle o;
    t.read("name", o.name);
    t.read("file", o.file);
    t.read("sequence", o.sequence);
    if (!o.file.empty() && !o.sequence.empty())
      t.fail("sequence", "an obstacle has a file or a sequence, not both", "leave one of them out");
    if (!o.file.empty() || !o.sequence.empty()) o.shape = ObstacleShape::mesh;
    else if (t.has("mannequin")) o.shape = ObstacleShape::mannequin;
    t.read_choice("shape", o.shape, obstacle_shapes());
    if (o.shape == ObstacleShape::mesh && o.file.empty() && o.sequence.empty())
      t.fail("shape", "a mesh needs a file", "add file = \"mesh.obj\", or sequence = \"frames/\"");
    if (o.shape != ObstacleShape::mesh)
      refuse(t, {{"up", "only files have an up axis", "use rotation, or leave it out"},
                 {"unit", "only files have a unit", "use scale, or leave it out"}});
    if (states_unit(o.file) || states_unit(o.sequence))
      refuse(t, {{"up", "a USD file states its up axis (upAxis)", "use rotation, or leave it out"},
                 {"unit", "a USD file states its unit (metersPerUnit)", "use scale, or leave it out"}});
    read_weld(t, o.from_file.weld, o.shape == ObstacleShape::mesh);
    read_parts(t, o);
    read_sequence(t, o);
    for (TomlTable& b : t.tables("bone")) read_bone(b, o);
    read_mannequin(t, o);
    read_lead_in(t, o);
    t.read("size", o.size, 0, 1e4);
    if (o.shape == ObstacleShape::sphere || o.shape == ObstacleShape::capsule)
      t.read("radius", o.size.x, 0, 1e4);
    if (o.shape == ObstacleShape::capsule) t.read("length", o.size.y, 0, 1e4);
    check_extent(t, o);
    read_placement(t, o.placement);
    read_motion(t, o.motion, o.placement.position);
    t.read("friction", o.friction, -1, 5);
    t.read("color", o.color, 0, 1);
    if (o.shape == ObstacleShape::plane) refuse(t, {{"teleport", "planes have no end", "leave it out"}});
    if (bool jumps = false; t.read("teleport", jumps) && jumps)
      scene_.of<Teleports>().obstacles.insert(int(scene_.obstacles.size()));
    t.finish();
    scene_.obstacles.push_back(o);
  }

  /// One name, or a list.
  static void read_names(TomlTable& t, const char* key, std::vector<std::string>& names) {
    if (!t.has(key)) return;
    if (!t.is_string(key)) return void(t.read(key, names));
    std::string name;
    t.read(key, name), names = {name};
  }

  static void read_parts(TomlTable& t, Obstacle& o) {
    if (o.file.empty() || !o.bones.empty())
      refuse(t, {{"object", "only a body from a file has objects", "leave it out"},
                 {"without", "only a body from a file has objects", "leave it out"}});
    read_names(t, "object", o.from_file.parts.object);
    read_names(t, "without", o.from_file.parts.without);
  }

  /// A file with times of its own becomes Obstacle::sequence, with the name of its animation.
  static void read_sequence(TomlTable& t, Obstacle& o) {
    if (has_own_times(o.file)) o.sequence = std::exchange(o.file, {});
    if (std::string animation; t.read("animation", animation)) {
      if (!is_gltf(o.sequence))
        t.fail("animation", "only glTF files have animations with names",
               "give a .glb or .gltf, or leave it out");
      o.sequence = with_animation(o.sequence, animation);
    } else if (o.sequence.empty()) {
      return;
    }
    if (has_own_times(body_file(o)))
      refuse(t, {{"fps", "this kind of file has times of its own", "leave it out"}});
    t.read("fps", o.fps, 1e-3, 1e5);
    t.read("loop", o.loop);
  }

  static void read_mannequin(TomlTable& t, Obstacle& o) {
    if (o.shape != ObstacleShape::mannequin) {
      refuse(t, {{"mannequin", "only a mannequin has measures and clips",
                  "write shape = \"mannequin\", or leave the table out"}});
      return;
    }
    refuse(t, {{"size", "a mannequin has its own measures", "use height in [obstacle.mannequin]"},
               {"bone", "a mannequin has its own bones", "use clips in [obstacle.mannequin]"}});
    auto own = t.table("mannequin");
    if (!own) return;
    own->read_params(o.mannequin.params);
    const std::vector<std::string> names = clip_names();
    for (TomlTable& c : own->tables("clips")) {
      ClipUse use;
      if (!c.read_choice("clip", use.clip, names)) c.fail("", "an entry of the list needs a clip");
      c.read("duration", use.duration, 0, 1e6);
      c.finish();
      o.mannequin.clips.push_back(use);
    }
    own->finish();
  }

  static void read_lead_in(TomlTable& t, Obstacle& o) {
    if (o.shape == ObstacleShape::mannequin)
      return refuse(
          t, {{"lead_in", "a mannequin has it beside its clips", "write it into [obstacle.mannequin]"}});
    if (o.sequence.empty() && o.bones.empty())
      return refuse(t, {{"lead_in", "only a body that deforms by itself has a lead-in",
                         "give its motion time between its keys"}});
    t.read("lead_in", o.mannequin.params.lead_in, 0, 60);
  }

  static void read_bone(TomlTable& t, Obstacle& o) {
    if (!o.sequence.empty())
      t.fail("", "a sequence already defines the deformation", "leave the bones out, or use file");
    if (o.shape == ObstacleShape::plane || o.shape == ObstacleShape::box)
      t.fail("", "a " + obstacle_shapes()[size_t(o.shape)] + " has too few vertices to bend",
             "use a capsule, a sphere or a mesh");
    const auto is_bone = [&](const std::string& name) {
      return std::any_of(o.bones.begin(), o.bones.end(), [&](const Bone& b) { return b.name == name; });
    };
    Bone bone;
    bone.name = fmt::format("bone{}", o.bones.size() + 1);
    t.read("name", bone.name);
    if (is_bone(bone.name))
      t.fail("name", "there are two bones '" + bone.name + "'", "give each its own name");
    t.read("parent", bone.parent);
    if (!bone.parent.empty() && !is_bone(bone.parent))
      t.fail("parent", "there is no bone '" + bone.parent + "' before this one",
             "name parents before their children");
    if (!t.read("head", bone.head) || !t.read("tail", bone.tail)) t.fail("", "a bone needs head and tail");
    bone.keys = read_keys(t, {{"position", "a bone rotates about its head and cannot translate",
                               "use rotation; [obstacle.motion] moves the whole body"}});
    t.finish();
    o.bones.push_back(bone);
  }

  static void check_extent(const TomlTable& t, const Obstacle& o) {
    constexpr float kLeast = 1e-6f;  // m; below it float32 cannot divide by its square
    if ((o.shape == ObstacleShape::sphere || o.shape == ObstacleShape::capsule) && !(o.size.x >= kLeast))
      t.fail("radius", "the radius must be positive (1e-6 m or more)");
    if (o.shape == ObstacleShape::box && !(std::min({o.size.x, o.size.y, o.size.z}) >= kLeast))
      t.fail("size", "all three extents must be positive (1e-6 m or more)");
  }

  void read_friction() {
    if (!root_.has("friction")) return;
    std::vector<std::string> fabrics = fabric_names();
    for (const auto& [name, fabric] : fabrics_) fabrics.push_back(name);
    scene_.of<FrictionPairs>().list = read_friction_pairs(root_, scene_, fabrics);
  }

  void read_drag(TomlTable& t) {
    ScriptedDrag drag;
    read_cloth_reference(t, drag.cloth);
    t.read("at", drag.at, 0, 1);
    t.read("begin", drag.begin, 0, 1e6);
    t.read("end", drag.end, 0, 1e6);
    if (!(drag.end > drag.begin)) t.fail("end", "the drag ends before it begins");
    drag.keys = read_keys(
        t, {{"rotation", "a drag moves one place of the cloth and cannot turn it", "write position"}});
    t.finish();
    scene_.drags.push_back(drag);
  }

  void read_end(TomlTable& t) {
    std::vector<std::string> quantities;
    for (const auto& [name, value] : StepStats{}.all()) quantities.push_back(name);
    for (const std::string& name : counter_names()) quantities.push_back(name);
    EndCondition end;
    if (!t.read_choice("quantity", end.quantity, quantities)) t.fail("", "an end condition needs a quantity");
    const bool low = t.read("min", end.min, -1e300, 1e300), high = t.read("max", end.max, -1e300, 1e300);
    if (!low && !high) t.fail("", "an end condition needs min, max or both");
    if (end.min > end.max) t.fail("max", "max is less than min");
    t.finish();
    scene_.end.push_back(end);
  }

  void read_camera() {
    auto t = root_.table("camera");
    if (!t) return;
    CameraPose pose;
    const bool given = read_pose(*t, pose);
    read_camera_path(*t, pose);
    t->finish();
    if (given || scene_.camera_path.empty()) scene_.camera = pose;
  }

  /// Omitted keys take the value of the previous camera key, or of `pose` in the first.
  void read_camera_path(TomlTable& camera, const CameraPose& pose) {
    CameraKey key;
    key.target = pose.target;
    key.fov = pose.fov;
    for (TomlTable& k : camera.tables("keys")) {
      if (!k.read("time", key.time, 0, 1e6)) k.fail("", "a camera key needs a time", "add time = 0.0 (s)");
      if (!scene_.camera_path.empty() && key.time <= scene_.camera_path.back().time)
        k.fail("time", "times of camera keys must increase", "sort the keys by time");
      if (!k.read("position", key.position))
        k.fail("", "a camera key needs a position", "add position = [x, y, z] (m)");
      k.read("target", key.target);
      k.read("fov", key.fov, kLeastCameraFov, kMostCameraFov);
      k.finish();
      if (glm::distance(key.position, key.target) < kLeastCameraDistance)
        k.fail("position",
               fmt::format("the camera is {:.3g} m from its target, which is too close",
                           glm::distance(key.position, key.target)),
               fmt::format("keep {} m or more between position and target", kLeastCameraDistance));
      scene_.camera_path.push_back(key);
    }
  }

  TomlTable root_;
  Scene scene_;
  std::map<std::string, FabricParams> fabrics_;
};

}  // namespace

Scene scene_of_table(const toml::table& root, const std::string& path_for_messages) {
  return SceneReader(root, path_for_messages).run();
}

Scene parse_scene(const std::string& text, const std::string& path_for_messages) {
  return scene_of_table(parse_toml(text, path_for_messages), path_for_messages);
}

Scene read_scene(const std::string& path) { return parse_scene(read_text_file(path, "a scene"), path); }

}  // namespace weft

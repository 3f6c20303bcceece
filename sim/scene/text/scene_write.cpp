#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/plugin/plugin_list.h"
#include "sim/scene/cloth_layers.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/fabric_maps.h"
#include "sim/scene/friction.h"
#include "sim/scene/grains.h"
#include "sim/scene/light.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/start_file.h"
#include "sim/scene/model/stitches.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "sim/scene/teleports.h"
#include "sim/scene/text/garment_table.h"
#include "sim/scene/text/gather_table.h"
#include "sim/scene/text/scene_file.h"
#include "sim/scene/text/viewpoint_table.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

using toml_text::quoted;
using toml_text::value;

/// Keys without effect for their owner are left out, since the reader refuses them.
std::string motion_keys(const std::vector<MotionKey>& keys, bool moves = true, bool turns = true) {
  std::string text = "keys = [\n";
  for (const MotionKey& k : keys) {
    text += "  { time = " + value(k.time);
    if (moves && k.position != vec3(0)) text += ", position = " + value(k.position);
    if (turns && k.rotation != vec3(0)) text += ", rotation = " + value(k.rotation);
    text += " },\n";
  }
  return text + "]\n";
}

class SceneWriter {
 public:
  explicit SceneWriter(const Scene& scene) : scene_(scene) {}

  std::string run() {
    const Scene defaults;
    text_ += "title = " + quoted(scene_.title) + "\n";
    if (!scene_.description.empty()) text_ += "description = " + quoted(scene_.description) + "\n";
    for (const UsedPlugin& used : scene_.of<PluginList>().list)
      text_ += "# with the plug-in " + quoted(used.plugin->name()) + " from " +
               quoted(used.plugin->origin()) + ", which a file cannot load: --plugin\n";
    differs("duration", scene_.duration, defaults.duration);
    group("step", scene_.step);
    group("forces", scene_.forces);
    group("drag", scene_.drag);
    group("contact", scene_.contact);
    ParamBlocks methods = scene_.methods;
    for (const std::string& name : methods.names()) {
      ParamTable table;
      methods.describe(name, table);
      group(name, changed_lines(table));
    }
    camera();
    light();
    own_fabrics(), panel_fabrics();
    for (const Cloth& c : scene_.cloths) c.shape == ClothShape::garment ? garment(c) : cloth(c);
    for (const SolidParams& s : scene_.of<SolidList>().list) solid(s);
    for (const StrandParams& s : scene_.of<StrandList>().list) strands(s);
    for (const GrainParams& g : scene_.of<GrainList>().list) grains(g);
    const Teleports& teleports = scene_.of<Teleports>();
    for (size_t i = 0; i < scene_.pins.size(); ++i) pin(scene_.pins[i], teleports.pins.count(int(i)) > 0);
    for (size_t i = 0; i < scene_.obstacles.size(); ++i)
      obstacle(scene_.obstacles[i], teleports.obstacles.count(int(i)) > 0);
    text_ += friction_pairs_as_toml(scene_.of<FrictionPairs>().list);
    text_ += stitches_as_toml(scene_.of<StitchList>().list);
    for (const ScriptedDrag& d : scene_.drags) drag(d);
    for (const EndCondition& e : scene_.end) end(e);
    text_ += viewpoints_as_toml(scene_.of<ViewpointList>().list);
    if (const auto& gathers = scene_.of<GatherList>().list; !gathers.empty())
      text_ += "\n" + gathers_as_toml(gathers);
    return std::move(text_);
  }

 private:
  template <class T>
  void differs(const char* key, const T& actual, const T& standard) {
    if (!(actual == standard)) text_ += std::string(key) + " = " + value(actual) + "\n";
  }

  template <class E>
  void choice(const char* key, E actual, E standard, const std::vector<std::string>& names) {
    differs(key, names[size_t(actual)], names[size_t(standard)]);
  }

  /// The values of `params` that differ from `standard`, as lines; "" if none do.
  template <class P>
  static std::string param_lines(P params, P standard) {
    ParamTable table, base;
    table.add("", params);
    base.add("", standard);
    std::string lines;
    for (size_t i = 0; i < table.refs().size(); ++i)
      if (table.refs()[i].text() != base.refs()[i].text())
        lines += table.refs()[i].info().key + " = " + table.refs()[i].text() + "\n";
    return lines;
  }

  static std::string fabric_lines(const FabricParams& fabric, const FabricParams& standard) {
    return (fabric.print == standard.print ? "" : "print = " + quoted(fabric.print) + "\n") +
           param_lines(fabric, standard);
  }

  /// Parameters that do not have their defaults, as lines.
  static std::string changed_lines(const ParamTable& table) {
    std::string lines;
    for (const ParamRef& ref : table.refs())
      if (!ref.is_default()) lines += ref.info().key + " = " + ref.text() + "\n";
    return lines;
  }

  void group(const std::string& name, const std::string& lines) {
    if (!lines.empty()) text_ += fmt::format("\n[{}]\n{}", name, lines);
  }

  template <class P>
  void group(const std::string& name, P params) {
    ParamTable table;
    table.add(name, params);
    group(name, changed_lines(table));
  }

  void camera() {
    if (!scene_.camera && scene_.camera_path.empty()) return;
    text_ += "\n[camera]\n";
    if (scene_.camera) text_ += pose_as_toml(*scene_.camera);
    if (scene_.camera_path.empty()) return;
    text_ += "keys = [\n";
    for (const CameraKey& k : scene_.camera_path)
      text_ += fmt::format("  {{ time = {}, position = {}, target = {}, fov = {} }},\n", value(k.time),
                           value(k.position), value(k.target), value(k.fov));
    text_ += "]\n";
  }

  void light() {
    const SceneLight &light = scene_.of<SceneLight>(), standard;
    if (light.picture.empty()) return;
    text_ += "\n[light]\n";
    differs("picture", light.picture, standard.picture);
    differs("strength", light.strength, standard.strength);
    differs("turn", light.turn, standard.turn);
    differs("shown", light.shown, standard.shown);
  }

  /// Fabrics that no file defines: the first cloth that wears one defines it.
  void own_fabrics() {
    for (const Cloth& c : scene_.cloths) {
      if (fabrics_.count(c.fabric_name)) continue;
      if (const auto shipped = shipped_fabric(c.fabric_name)) {
        fabrics_[c.fabric_name] = *shipped;
        continue;
      }
      fabrics_[c.fabric_name] = c.fabric;
      text_ +=
          fmt::format("\n[fabrics.{}]\n{}", quoted(c.fabric_name), fabric_lines(c.fabric, FabricParams{}));
    }
  }

  /// Fabrics of the scene that no cloth wears as a whole, but panels may.
  void panel_fabrics() {
    for (const Cloth& c : scene_.cloths)
      for (const auto& [name, fabric] : c.panel_fabrics)
        if (fabrics_.emplace(name, fabric).second)
          text_ += fmt::format("\n[fabrics.{}]\n{}", quoted(name), fabric_lines(fabric, FabricParams{}));
  }

  static std::optional<FabricParams> shipped_fabric(const std::string& name) {
    try {
      return read_fabric(name);
    } catch (const Error&) {
      return {};
    }
  }

  void placement(const Placement& p) {
    const Placement standard;
    differs("position", p.position, standard.position);
    differs("rotation", p.rotation, standard.rotation);
    differs("scale", p.scale, standard.scale);
  }

  void weld(float distance) {
    if (distance < 0) text_ += "weld = \"never\"\n";
    else differs("weld", distance, Cloth().weld);
  }

  void contact_radius(const std::string& part) {
    differs("contact_radius", scene_.of<ContactRadii>().of(part), 0.0f);
  }

  void garment(const Cloth& c) {
    const Cloth standard;
    text_ += fmt::format("\n[[garment]]\nname = {}\n", quoted(c.name));
    const SizeReference pattern = split_size(c.file);
    differs("pattern", pattern.path, standard.file);
    differs("size", pattern.size, std::string());
    differs("edge", c.edge, standard.edge);
    start(c);
    placement(c.placement);
    const std::string lines = fabric_lines(c.fabric, fabrics_[c.fabric_name]);
    text_ += lines.empty() ? "fabric = " + quoted(c.fabric_name) + "\n" : "";
    if (c.sewing_pattern) text_ += write_pattern_tables(*c.sewing_pattern);
    if (!lines.empty()) text_ += fmt::format("[garment.fabric]\nname = {}\n{}", quoted(c.fabric_name), lines);
  }

  void start(const Cloth& c) {
    contact_radius(c.name);
    const StartReference from = split_start(c.start);
    differs("start", from.path, Cloth().start);
    differs("start_step", int(from.step), -1);
  }

  void cloth(const Cloth& c) {
    const Cloth standard;
    text_ += fmt::format("\n[[cloth]]\nname = {}\nshape = {}\n", quoted(c.name),
                         quoted(cloth_shapes()[size_t(c.shape)]));
    const ObjReference named = split_object(c.file);
    differs("file", named.path, standard.file);
    differs("object", named.object, std::string());
    if (c.shape == ClothShape::tube || (c.shape == ClothShape::disc && c.size.y == standard.size.y)) {
      differs("diameter", c.size.x, standard.size.x);
      if (c.shape == ClothShape::tube) differs("length", c.size.y, standard.size.y);
    } else if (c.shape != ClothShape::obj) {
      differs("size", c.size, standard.size);
    }
    // a file has all of these itself, and the reader refuses them beside one
    if (c.shape != ClothShape::obj) {
      differs("edge", c.edge, standard.edge);
      differs("vertices", c.vertices, standard.vertices);
      differs("unevenness", c.unevenness, standard.unevenness);
    }
    if (c.shape == ClothShape::grid || c.shape == ClothShape::strip)
      differs("pattern", c.pattern, standard.pattern);
    if (c.remesh_edge > 0) differs("remesh", c.remesh_edge, standard.remesh_edge);
    else choice("remesh", c.remesh, standard.remesh, remesh_choices());
    differs("rest", c.rest.file.empty() ? c.rest.shape : c.rest.file, standard.rest.shape);
    start(c);
    choice("rest_angles", c.rest.angles, standard.rest.angles, rest_angle_choices());
    weld(c.weld);
    const auto& layers = scene_.of<ClothLayers>().of;
    if (const auto own = layers.find(c.name); own != layers.end()) differs("layer", own->second, 0);
    placement(c.placement);
    const std::string lines = fabric_lines(c.fabric, fabrics_[c.fabric_name]);
    if (lines.empty()) text_ += "fabric = " + quoted(c.fabric_name) + "\n";
    else text_ += fmt::format("[cloth.fabric]\nname = {}\n{}", quoted(c.fabric_name), lines);
    const auto& maps = scene_.of<FabricMaps>().of;
    if (const auto own = maps.find(c.name); own != maps.end()) text_ += fabric_maps_as_toml(own->second);
  }

  /// `center`: what the reader assumes where the file names none.
  void motion(const char* owner, const Motion& m, const vec3& center) {
    const Motion standard;
    if (!m.scripted() && m.spin_axis == standard.spin_axis && m.spin_center == standard.spin_center) return;
    text_ += fmt::format("[{}.motion]\n", owner);
    if (!m.keys.empty()) text_ += motion_keys(m.keys);
    differs("spin_axis", m.spin_axis, standard.spin_axis);
    differs("spin_rate", m.spin_rate, standard.spin_rate);
    differs("center", m.spin_center, center);
  }

  void pin(const Pin& p, bool teleport) {
    const Pin standard;
    text_ += "\n[[pin]]\n";
    differs("cloth", p.cloth, standard.cloth);
    differs("where", p.where, standard.where);
    differs("radius", p.radius, standard.radius);
    if (!p.vertices.empty() || (p.where.empty() && !p.box)) text_ += "vertices = " + value(p.vertices) + "\n";
    if (p.box) text_ += fmt::format("box = {{ min = {}, max = {} }}\n", value(p.box->min), value(p.box->max));
    differs("release_time", p.release_time, standard.release_time);
    differs("body", p.body, standard.body);
    differs("teleport", teleport, false);
    motion("pin", p.motion, vec3(0));
  }

  void names(const char* key, const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& name : list) text += (text.empty() ? "" : ", ") + quoted(name);
    if (!list.empty()) text_ += fmt::format("{} = [{}]\n", key, text);
  }

  /// Radius and length where they say all of the size.
  void extent(const Obstacle& o, const Obstacle& standard) {
    const bool sphere = o.shape == ObstacleShape::sphere && o.size.y == standard.size.y,
               capsule = o.shape == ObstacleShape::capsule;
    if (!(sphere || capsule) || o.size.z != standard.size.z) return differs("size", o.size, standard.size);
    differs("radius", o.size.x, standard.size.x);
    if (capsule) differs("length", o.size.y, standard.size.y);
  }

  void obstacle(const Obstacle& o, bool teleport) {
    const Obstacle standard;
    text_ += fmt::format("\n[[obstacle]]\nname = {}\nshape = {}\n", quoted(o.name),
                         quoted(obstacle_shapes()[size_t(o.shape)]));
    const AnimationReference moving = split_animation(o.sequence);
    const bool own_times = has_own_times(moving.path);
    differs("file", own_times ? moving.path : o.file, standard.file);
    differs("sequence", own_times ? standard.sequence : o.sequence, standard.sequence);
    differs("animation", moving.animation, std::string());
    weld(o.from_file.weld);
    names("object", o.from_file.parts.object), names("without", o.from_file.parts.without);
    differs("fps", o.fps, standard.fps);
    differs("loop", o.loop, standard.loop);
    if (o.shape != ObstacleShape::mannequin)
      differs("lead_in", o.mannequin.params.lead_in, standard.mannequin.params.lead_in);
    extent(o, standard);
    placement(o.placement);
    differs("friction", o.friction, standard.friction);
    differs("color", o.color, standard.color);
    differs("teleport", teleport, false);
    motion("obstacle", o.motion, o.placement.position);
    for (const Bone& b : o.bones) {
      text_ += fmt::format("[[obstacle.bone]]\nname = {}\n", quoted(b.name));
      differs("parent", b.parent, std::string());
      const vec3 nowhere(1e30f);  // head and tail are always written
      differs("head", b.head, nowhere);
      differs("tail", b.tail, nowhere);
      if (!b.keys.empty()) text_ += motion_keys(b.keys, false);
    }
    if (o.shape == ObstacleShape::mannequin) mannequin(o.mannequin);
  }

  void solid(const SolidParams& s) {
    const SolidParams standard;
    text_ += "\n[[solid]]\nname = " + quoted(s.name) + "\n";
    contact_radius(s.name);
    differs("file", s.file, standard.file);
    if (s.shape != SolidShape::file) {
      choice("shape", s.shape, standard.shape, solid_shapes());
      differs("size", s.size, standard.size);
    }
    differs("edge", s.edge, standard.edge);
    placement(s.placement);
    differs("velocity", s.velocity, standard.velocity);
    differs("spin", s.spin, standard.spin);
    differs("rigid", s.rigid, standard.rigid);
    differs("mass", s.material.mass, standard.material.mass);
    if (!(s.material.mass > 0)) differs("density", s.material.density, standard.material.density);
    differs("young", s.material.young, s.rigid ? kRigidYoung : standard.material.young);
    differs("poisson", s.material.poisson, s.rigid ? 0 : standard.material.poisson);
    differs("friction", s.skin.friction, standard.skin.friction);
    differs("self_friction", s.skin.self_friction, standard.skin.self_friction);
    differs("contact_thickness", s.skin.thickness, standard.skin.thickness);
    differs("internal_damping", s.skin.internal_damping, standard.skin.internal_damping);
    differs("color", s.skin.front_color, standard.skin.front_color);
  }

  void grains(const GrainParams& g) {
    const GrainParams standard;
    text_ += "\n[[grains]]\nname = " + quoted(g.name) + "\n";
    differs("file", g.file, standard.file);
    if (g.shape == GrainShape::box) differs("size", g.size, standard.size);
    differs("radius", g.radius, standard.radius);
    differs("spacing", g.spacing, standard.spacing);
    placement(g.placement);
    differs("velocity", g.velocity, standard.velocity);
    differs("density", g.density, standard.density);
    differs("friction", g.skin.friction, standard.skin.friction);
    differs("self_friction", g.skin.self_friction, standard.skin.self_friction);
    differs("color", g.skin.front_color, standard.skin.front_color);
  }

  void strands(const StrandParams& s) {
    const StrandParams standard;
    text_ += "\n[[strands]]\nname = " + quoted(s.name) + "\n";
    contact_radius(s.name);
    differs("body", s.body, standard.body);
    differs("file", s.file, standard.file);
    if (s.shape != StrandShape::file) choice("shape", s.shape, standard.shape, strand_shapes());
    differs("size", s.size, standard.size);
    differs("spacing", s.spacing, standard.spacing);
    differs("count", s.count, standard.count);
    differs("length", s.length, standard.length);
    differs("segments", s.segments, standard.segments);
    differs("curl", s.curl, standard.curl);
    differs("cap", s.cap, standard.cap);
    placement(s.placement);
    differs("density", s.material.density, standard.material.density);
    differs("stretch", s.material.stretch, standard.material.stretch);
    differs("bending", s.material.bending, standard.material.bending);
    differs("thickness", s.skin.thickness, standard.skin.thickness);
    differs("friction", s.skin.friction, standard.skin.friction);
    differs("self_friction", s.skin.self_friction, standard.skin.self_friction);
    differs("internal_damping", s.skin.internal_damping, standard.skin.internal_damping);
    differs("color", s.skin.front_color, standard.skin.front_color);
  }

  void mannequin(const Mannequin& m) {
    if (m == Mannequin()) return;
    text_ += "[obstacle.mannequin]\n" + param_lines(m.params, MannequinParams());
    if (m.clips.empty()) return;
    text_ += "clips = [\n";
    for (const ClipUse& c : m.clips) {
      text_ += "  { clip = " + quoted(c.clip);
      if (c.duration > 0) text_ += ", duration = " + value(c.duration);
      text_ += " },\n";
    }
    text_ += "]\n";
  }

  void drag(const ScriptedDrag& d) {
    const ScriptedDrag standard;
    text_ += "\n[[scripted_drag]]\n";
    differs("cloth", d.cloth, standard.cloth);
    differs("at", d.at, standard.at);
    differs("begin", d.begin, standard.begin);
    differs("end", d.end, standard.end);
    if (!d.keys.empty()) text_ += motion_keys(d.keys, true, false);
  }

  void end(const EndCondition& e) {
    const EndCondition standard;
    text_ += "\n[[end]]\nquantity = " + quoted(e.quantity) + "\n";
    differs("min", e.min, standard.min);
    differs("max", e.max, standard.max);
  }

  const Scene& scene_;
  std::string text_;
  std::map<std::string, FabricParams> fabrics_;  // values that a name alone stands for
};

}  // namespace

std::string write_scene(const Scene& scene) { return SceneWriter(scene).run(); }

void save_scene(const std::string& path, const Scene& scene) {
  namespace fs = std::filesystem;
  // Files are named relative to the scene, so paths change if the scene moves to another folder.
  Scene moved = scene;
  const auto folder = [](const std::string& file) {
    return fs::absolute(file).lexically_normal().parent_path();
  };
  const bool moves = !scene.path.empty() && folder(scene.path) != folder(path);
  const auto rename = [&](std::string& file) {
    if (!file.empty() && !fs::path(file).is_absolute())
      file = (folder(scene.path) / file).lexically_normal().lexically_proximate(folder(path)).string();
  };
  for (size_t c = 0; moves && c < moved.cloths.size(); ++c) {
    ObjReference named = split_object(moved.cloths[c].file);
    rename(named.path);
    moved.cloths[c].file = with_object(named.path, named.object);
    rename(moved.cloths[c].rest.file);
    if (is_start_file(moved.cloths[c].start)) rename(moved.cloths[c].start);
  }
  if (moves) {
    for (SolidParams& s : moved.of<SolidList>().list) rename(s.file);
    for (GrainParams& g : moved.of<GrainList>().list) rename(g.file);
    for (auto& [cloth, maps] : moved.of<FabricMaps>().of)
      for (FabricMap& map : maps) rename(map.file);
  }
  for (size_t o = 0; moves && o < moved.obstacles.size(); ++o)
    rename(moved.obstacles[o].file), rename(moved.obstacles[o].sequence);
  std::string& picture = moved.of<SceneLight>().picture;
  if (moves) rename(picture);
  // one beside the scene, chosen in the window by its whole path, goes with it
  const std::string beside = fs::path(picture).lexically_proximate(folder(path)).string();
  if (fs::path(picture).is_absolute() && !beside.starts_with("..")) picture = beside;
  write_text_file(path, write_scene(moved));
}

}  // namespace weft

#include "sim/methods/method_table.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/garment/sewing_params.h"
#include "sim/plugin/plugin_list.h"
#include "sim/scene/cloth_layers.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/fabric_maps.h"
#include "sim/scene/friction.h"
#include "sim/scene/grains.h"
#include "sim/scene/light.h"
#include "sim/scene/model/stitches.h"
#include "sim/scene/scene.h"
#include "sim/scene/solids.h"
#include "sim/scene/strands.h"
#include "sim/scene/teleports.h"
#include "sim/scene/text/gather_table.h"
#include "sim/scene/text/viewpoint_table.h"

// One line for each method, in the order of menus. NAME_method() stands in NAME_method.cpp of the method's
// folder.
#define WEFT_SOLVERS(METHOD) \
  METHOD(newton)             \
  METHOD(descent)            \
  METHOD(projective)         \
  METHOD(block_descent)
#define WEFT_COLLISION_METHODS(METHOD) \
  METHOD(bodies)                       \
  METHOD(repulsion)                    \
  METHOD(two_way)                      \
  METHOD(impact_zones)                 \
  METHOD(ndb)                          \
  METHOD(none)

namespace weft {

#define DECLARE_SOLVER(name) SolverEntry name##_method();
#define DECLARE_COLLISION(name) CollisionEntry name##_method();
WEFT_SOLVERS(DECLARE_SOLVER)
WEFT_COLLISION_METHODS(DECLARE_COLLISION)

namespace {

#define LIST(name) name##_method(),
std::vector<SolverEntry>& solver_table() {
  static std::vector<SolverEntry> table = {WEFT_SOLVERS(LIST)};
  return table;
}

std::vector<CollisionEntry>& collision_table() {
  static std::vector<CollisionEntry> table = {WEFT_COLLISION_METHODS(LIST)};
  return table;
}

std::vector<VertexField> fields_of_every_state() {
  const std::string positions = "it stores positions only.", contacts = "A recorded run has no contacts: ",
                    threads = "A recorded run has no threads: " + positions;
  return {
      {.name = "none", .label = "Fabric colours"},
      {.name = "stretch", .label = "Stretch", .unit = "%", .offset = 1, .factor = 100},
      {.name = "speed", .label = "Speed", .unit = "m/s"},
      {.name = "contact",
       .label = "Contact depth",
       .unit = "mm",
       .factor = 1000,
       .of_step = true,
       .recorded = contacts + positions},
      {.name = "warp",
       .label = "Stretch along the warp",
       .unit = "%",
       .offset = 1,
       .factor = 100,
       .recorded = threads},
      {.name = "weft",
       .label = "Stretch along the weft",
       .unit = "%",
       .offset = 1,
       .factor = 100,
       .recorded = threads},
      {.name = "pressure",
       .label = "Pressure on bodies",
       .unit = "kPa",
       .factor = 1e-3f,
       .help = "Pressure: of contact with bodies in the last step.",
       .of_step = true,
       .recorded = "A recorded run has no forces: " + positions},
      {.name = kEaseField,
       .label = "Ease",
       .unit = "cm",
       .factor = 100,
       .help = "Ease: distance to the nearest body, the ground apart; below 0 inside of one.",
       .missing = "This scene has no body.",
       .recorded = "Ease is measured while a scene runs, not in a recorded run."},
      {.name = kDifferenceField,
       .label = "Distance from the first lane",
       .unit = "mm",
       .factor = 1000,
       .help =
           "Distance from the first lane: how far each point is from where the first of the runs that are "
           "compared has it at the same time.",
       .missing = "No runs are compared.",
       .recorded = "A recorded run is compared with nothing."},
  };
}

std::vector<VertexField>& field_table() {
  static std::vector<VertexField> table;
  return table;
}

/// What is painted on cloth: factors on a parameter of the fabric.
VertexField field_of_map(const std::string& parameter) {
  std::string words = parameter;
  std::replace(words.begin(), words.end(), '_', ' ');
  return {.name = std::string(kMapField) + parameter,
          .label = "Map: " + words,
          .unit = "times",
          .missing = "No cloth of this scene has a map of this parameter.",
          .recorded = "A recorded run has no maps: it stores positions only."};
}

/// Of the methods that are listed now.
void list_fields() {
  std::vector<VertexField>& table = field_table();
  table = fields_of_every_state();
  for (const std::string& parameter : painted_parameters()) table.push_back(field_of_map(parameter));
  for (const CollisionEntry& c : collision_table())
    for (const VertexField& f : c.fields)
      if (std::none_of(table.begin(), table.end(), [&](const VertexField& t) { return t.name == f.name; }))
        table.push_back(f);
}

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const MethodInfo& m : table) names.push_back(m.name);
  return names;
}

bool acts(const MethodInfo& m, const std::string& group) {
  return (!m.params.name.empty() && m.params.name == group) || (m.contact_params && group == "contact");
}

}  // namespace

const std::vector<SolverEntry>& solvers() { return solver_table(); }
const std::vector<CollisionEntry>& collision_methods() { return collision_table(); }
const MethodInfo& solver_info(const Scene& scene) { return solvers().at(size_t(scene.step.solver)); }
const MethodInfo& collision_info(const Scene& scene) {
  return collision_methods().at(size_t(scene.step.collision));
}
std::vector<std::string> solver_names() { return names_of(solvers()); }
std::vector<std::string> collision_names() { return names_of(collision_methods()); }

std::vector<std::string> counter_names() {
  std::vector<std::string> names;
  for (const CollisionEntry& c : collision_methods())
    for (const CounterInfo& i : c.counters)
      if (std::find(names.begin(), names.end(), i.name) == names.end()) names.push_back(i.name);
  return names;
}

const std::vector<VertexField>& vertex_fields() {
  static const bool listed = (list_fields(), true);
  (void)listed;
  return field_table();
}

int vertex_field(std::string_view name) {
  const std::vector<VertexField>& all = vertex_fields();
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return int(i);
  throw Error("there is no colouring of that name", std::string(name), "choose one of view.colouring");
}

ParamBlocks method_params() {
  ParamBlocks blocks;
  const auto add = [&](const MethodInfo& m) {
    if (m.params.add) m.params.add(blocks, m.params.name);
  };
  for (const SolverEntry& s : solvers()) add(s);
  for (const CollisionEntry& c : collision_methods()) add(c);
  blocks.add<SewingParams>("sewing");
  blocks.add<GatherList>("gather");
  blocks.add<FrictionPairs>("friction");
  blocks.add<ClothLayers>("layers");
  blocks.add<FabricMaps>("maps");
  blocks.add<ContactRadii>("contact_radius");
  blocks.add<Teleports>("teleports");
  blocks.add<StitchList>("stitch");
  blocks.add<SolidList>("solid");
  blocks.add<StrandList>("strands");
  blocks.add<GrainList>("grains");
  blocks.add<SceneLight>("light");
  blocks.add<ViewpointList>("viewpoint");
  blocks.add<PluginList>("plugin");
  return blocks;
}

std::vector<ParamGroup> method_groups() {
  std::vector<ParamGroup> groups;
  const auto add = [&](const MethodInfo& m) {
    if (!m.params.name.empty()) groups.push_back(m.params);
  };
  groups.push_back({"contact", "Contact with bodies"});
  for (const SolverEntry& s : solvers()) add(s);
  for (const CollisionEntry& c : collision_methods()) add(c);
  return groups;
}

bool has_part(const std::string& group_or_key, const SolverEntry& s, const CollisionEntry& c) {
  const std::string group = group_or_key.substr(0, group_or_key.find('.'));
  return (acts(s, group) || acts(c, group)) &&
         std::find(c.without.begin(), c.without.end(), group_or_key) == c.without.end();
}

std::string why_not(const MethodInfo& m, const Scene& scene) {
  std::string why = m.solids ? "" : why_no_solids(scene, m.label);
  if (why.empty() && !m.rigid) why = why_no_rigid_bodies(scene, m.label);
  if (why.empty() && !m.strands) why = why_no_strands(scene, m.label);
  return why.empty() && !m.grains ? why_no_grains(scene, m.label) : why;
}
std::string why_not(const SolverEntry& s, const Scene& scene) {
  const std::string why = s.refuses ? s.refuses(scene) : "";
  return why.empty() ? why_not(static_cast<const MethodInfo&>(s), scene) : why;
}

ListedMethod::ListedMethod(SolverEntry entry) : solver_(true) { solver_table().push_back(std::move(entry)); }
ListedMethod::ListedMethod(CollisionEntry entry) : solver_(false) {
  collision_table().push_back(std::move(entry));
  list_fields();
}
ListedMethod::~ListedMethod() {
  if (solver_) solver_table().pop_back();
  else collision_table().pop_back();
  list_fields();
}

}  // namespace weft

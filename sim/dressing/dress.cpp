#include "sim/dressing/dress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/hash.h"
#include "sim/base/shorten.h"
#include "sim/base/work_watch.h"
#include "sim/dressing/body_growth.h"
#include "sim/dressing/dress_cache.h"
#include "sim/dressing/dress_start.h"
#include "sim/dressing/seam_rows.h"
#include "sim/garment/finer.h"
#include "sim/garment/formats/pattern_file.h"
#include "sim/garment/sewing_params.h"
#include "sim/mesh/import/seams.h"
#include "sim/mesh/rest_shape.h"
#include "sim/methods/method_table.h"
#include "sim/scene/command.h"
#include "sim/scene/contact_radii.h"
#include "sim/scene/friction.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/model/cloth_mesh.h"
#include "sim/scene/model/deformation.h"
#include "sim/scene/motion.h"
#include "sim/scene/text/scene_file.h"

namespace weft {
namespace {

constexpr float kStep = 0.01f;      // s
constexpr double kLongest = 3;      // s after growth in which seams may close
constexpr int kPatience = 15;       // steps in which open rows get no shorter, after which they are closed
constexpr float kSlippery = 0.05f;  // friction while seams close
constexpr float kCalm = 4;          // 1/s, air damping while the garment settles
constexpr float kDamping = 0.2f;    // internal damping, at least
constexpr double kOpenSeam = 1.1;   // stretch at a seam that is worth a notice
// s in which a mannequin goes from its rest pose to its first clip, where the scene has no time for it
constexpr float kUsualLeadIn = 1;

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return int(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Throws Error that names places where panels cross each other or a body. Rows that are stretched between
/// panels may cross each other: closing seams draw them apart.
void check_start(const Scene& start, const std::vector<GarmentMesh>& garments) {
  const StartCrossings found = start_crossings(start, garments);
  if (found.with_bodies > 0)
    throw Error("panels cross the body at the start, though it is thin: " + found.places,
                start.cloths[0].name,
                "place them further from it, with a larger bend_radius, or in another pose of the body");
  if (found.of_panels > 0)
    throw Error("panels cross each other at the start: " + found.places, start.cloths[0].name,
                "place them further apart, or on other layers");
}

/// Of each seam of two sides or more: the largest length over rest length (edge_springs) of an edge that
/// ends at it, where no elastic is meant to be stretched; else 0.
std::vector<double> seam_stretches(const GarmentMesh& garment, const TriMesh& worn) {
  const Topology t = build_topology({{"garment", worn}});
  const std::vector<float> rest = rest_lengths(t);
  std::vector<char> elastic(worn.positions.size(), 0);
  for (size_t i = 0; i < worn.corners.rest_scale.size(); ++i)
    if (worn.corners.rest_scale[i] != vec3(1, 0, 1))
      for (int k = 0; k < 3; ++k) elastic[worn.triangles[i][k]] = 1;
  std::vector<double> most(worn.positions.size(), 0);  // of the edges at each vertex
  for (size_t e = 0; e < t.edges.size(); ++e) {
    const size_t a = t.edges[e].x, b = t.edges[e].y;
    if (elastic[a] && elastic[b]) continue;
    const double ratio =
        double(glm::length(worn.positions[a] - worn.positions[b])) / std::max(double(rest[e]), 1e-12);
    most[a] = std::max(most[a], ratio), most[b] = std::max(most[b], ratio);
  }
  std::vector<double> out;
  for (size_t s = 0; s < garment.seam_lines.size(); ++s) {
    out.push_back(0);
    if (garment.pattern.seams[s].sides.size() > 1)
      for (const int v : garment.seam_lines[s]) out.back() = std::max(out.back(), most[v]);
  }
  return out;
}

class Dresser {
 public:
  Dresser(const Scene& scene, const DressOptions& options)
      : wanted_(scene), options_(options), sewing_(scene.of<SewingParams>()) {}

  Dressed run() {
    start_ = scene_of_dressing(wanted_, garments_, out_.notices);
    begin_clear(start_, garments_, out_.notices);
    for (const Cloth& c : start_.cloths) placed_.push_back(heights_of(c));
    report(0, "placing panels");
    Positions positions = kept_or([this] { return sewn(); });
    if (go_to_first_poses(positions)) positions = kept_or([this] { return hung(kUsualLeadIn); });
    if (options_.finer > 0) {
      refine(positions);
      positions = kept_or([this] { return hung(0); });
    }
    finish(positions);
    return std::move(out_);
  }

 private:
  using Positions = std::vector<std::vector<vec3>>;  // of each garment, m

  /// What start_ leads to, from the cache or made.
  Positions kept_or(const std::function<std::vector<vec3>()>& make) {
    // what start_ leaves to the end, too
    uint64_t key = hash_bytes(&wanted_.forces.gravity, sizeof(vec3), dressing_key(start_));
    key = hash_bytes(&wanted_.contact.friction, sizeof(float), key);
    for (const Cloth& c : wanted_.cloths)
      for (const float said : {c.fabric.friction, c.fabric.self_friction})
        if (said >= 0) key = hash_bytes(&said, sizeof(float), key);
    for (const FrictionPair& p : wanted_.of<FrictionPairs>().list)
      key = hash_bytes(&p.coefficient, sizeof(float), key);
    std::vector<int> counts;
    for (const GarmentMesh& g : garments_) counts.push_back(g.mesh.vertex_count());
    out_.from_cache = false;
    const bool looked_up = options_.cached && !options_.state;
    std::optional<DressingTurn> turn;
    if (looked_up) turn.emplace(key, options_.give_up);
    if (looked_up)
      if (auto kept = find_dressed(key, counts)) {
        out_.from_cache = true;
        return std::move(*kept);
      }
    check_start(start_, garments_);
    const std::vector<vec3> all = make();
    Positions positions;
    auto at = all.begin();
    for (const int n : counts) positions.emplace_back(at, at + n), at += n;
    if (options_.cached) keep_dressed(key, positions);
    return positions;
  }

  /// Positions of all vertices in the end, m.
  std::vector<vec3> sewn() {
    const auto device = Device::create(options_.device, options_.threads);
    Simulation sim(start_, *device);
    for (const Cloth& c : start_.cloths) {
      TriMesh placed = *c.mesh;
      stiffen_seams(placed, sewing_.seam_bending);
      rows_.emplace_back(placed);
    }
    show(sim);
    sew(sim);
    settle(sim);
    return sim.positions();
  }

  /// The same of garments that are worn already, by bodies that move on for `moving` s.
  std::vector<vec3> hung(float moving) {
    const auto device = Device::create(options_.device, options_.threads);
    Simulation sim(start_, *device);
    show(sim);
    settle(sim, moving);
    return sim.positions();
  }

  /// Makes start_ a scene of worn garments in which mannequins that have clips and no lead-in go from their
  /// rest pose to their first one. False where there are none.
  bool go_to_first_poses(const Positions& worn) {
    constexpr float kRate = 60;  // frames per second
    bool any = false;
    for (size_t i = 0; i < start_.obstacles.size(); ++i) {
      const Mannequin& own = wanted_.obstacles[i].mannequin;
      any |= wanted_.obstacles[i].shape == ObstacleShape::mannequin && !own.clips.empty() &&
             own.params.lead_in == 0;
    }
    if (!any) return false;
    for (size_t i = 0; i < start_.obstacles.size(); ++i) {
      const Obstacle& wanted = wanted_.obstacles[i];
      Obstacle& o = start_.obstacles[i];
      if (!o.frames) continue;
      if (wanted.shape == ObstacleShape::mannequin && !wanted.mannequin.clips.empty() &&
          wanted.mannequin.params.lead_in == 0) {
        o.frames = std::make_shared<std::vector<std::vector<vec3>>>(
            path_to_first_pose(wanted.mannequin, kUsualLeadIn, kRate));
        o.fps = kRate;
      } else {
        o.frames = std::make_shared<std::vector<std::vector<vec3>>>(1, o.frames->back());
      }
    }
    for (size_t g = 0; g < garments_.size(); ++g) place(g, garments_[g].mesh, worn[g]);
    return true;
  }

  /// Makes start_ a scene of finer garments as they are worn, around bodies that have grown.
  void refine(const Positions& worn) {
    Scene wanted = wanted_;
    for (Cloth& c : wanted.cloths) c.edge = float(options_.finer);
    std::vector<GarmentMesh> fine;
    std::vector<std::string> told;  // of the pattern, once more
    start_ = scene_of_dressing(wanted, fine, told);
    for (Obstacle& o : start_.obstacles)
      if (o.frames) o.frames = std::make_shared<std::vector<std::vector<vec3>>>(1, o.frames->back());
    for (size_t g = 0; g < fine.size(); ++g)
      place(g, fine[g].mesh, resampled(fine[g], garments_[g], worn[g]));
    if (const StartCrossings found = start_crossings(start_, fine);
        found.with_bodies + found.of_panels + found.of_rows > 0) {
      const int pairs = found.with_bodies + found.of_panels + found.of_rows;
      // Triangles that lie across folds of the worn mesh cut through the next layer.
      for (size_t g = 0; g < fine.size(); ++g) {
        const double scale = double(start_.cloths[g].placement.scale);
        const int n = divisions(garments_[g].pattern.edge, scale, options_.finer);
        fine[g] = divided(garments_[g], worn[g], n);
        place(g, fine[g].mesh, fine[g].mesh.positions);
        out_.notices.push_back(
            fmt::format("garment {}: its layers are too close for another mesh ({} pairs of triangles would "
                        "cross), so each "
                        "triangle is divided into {} x {}",
                        start_.cloths[g].name, pairs, n, n));
      }
    }
    garments_ = std::move(fine);
  }

  /// Garment `g` of start_ with this mesh at these places in the world, m.
  void place(size_t g, TriMesh mesh, std::vector<vec3> positions) {
    const mat4 back = glm::inverse(placement_matrix(start_.cloths[g].placement));
    for (vec3& p : positions) p = vec3(back * vec4(p, 1));
    mesh.positions = std::move(positions);
    start_.cloths[g].mesh = std::make_shared<TriMesh>(std::move(mesh));
  }

  /// Body and seams, without gravity and inertia: cloth goes where it is pulled and pushed.
  void sew(Simulation& sim) {
    const int growing = int(std::ceil(double(sewing_.growth / kStep))),
              most = growing + int(kLongest / kStep);
    int all = 0;
    for (const SeamRows& rows : rows_) all += rows.rows();
    double best = 1e300;  // excess stretch of open rows, the least so far
    int idle = 0;         // steps since it fell by 3 %
    for (int k = 0; k < most; ++k) {
      const int open = pull(sim);
      if (const double excess = excess_stretch(sim); excess < 0.97 * best) best = excess, idle = 0;
      else ++idle;
      if (k >= growing && (open == 0 || idle > kPatience)) break;
      sim.state().velocity.clear();
      step(sim);
      report(0.7 * std::min(1.0, 0.5 * double(k) / growing + 0.5 * (1 - double(open) / std::max(all, 1))),
             fmt::format("{:.0f} % of the seams closed", 100 * (1 - double(open) / std::max(all, 1))));
    }
    for (size_t c = 0; c < rows_.size(); ++c) {
      rows_[c].close();
      sim.set_rest(int(c), rows_[c].rest_scale(), rows_[c].factor());
    }
  }

  double excess_stretch(Simulation& sim) const {
    const std::vector<vec3> x = sim.positions();
    double sum = 0;
    for (size_t c = 0; c < rows_.size(); ++c)
      for (const int t : rows_[c].open_triangles())
        sum += rows_[c].stretch(t, x.data() + sim.model().host.parts[c].first_vertex) - 1;
    return sum;
  }

  /// Number of rows that are open in the coming step.
  int pull(Simulation& sim) {
    const std::vector<vec3> x = sim.positions();
    int open = 0;
    for (size_t c = 0; c < rows_.size(); ++c) {
      const ModelPart& range = sim.model().host.parts[c];
      const SeamPull pull{double(sewing_.tension), double(sewing_.closing_speed),
                          double(start_.cloths[c].fabric.stretch_stiffness)};
      if (rows_[c].update(x.data() + range.first_vertex, double(kStep), pull))
        sim.set_rest(int(c), rows_[c].rest_scale(), rows_[c].factor());
      open += rows_[c].open();
    }
    return open;
  }

  /// What fabrics and pairs say of friction, which was left out while seams closed.
  void set_named_friction(Simulation& sim) const {
    const auto set = [&](const std::string& key, float value) {
      sim.apply(SetParam{key, fmt::format("{}", value)});
    };
    for (const Cloth& c : wanted_.cloths)
      if (c.shape == ClothShape::garment && (c.fabric.friction >= 0 || c.fabric.self_friction >= 0))
        set(c.name + ".friction", c.fabric.friction), set(c.name + ".self_friction", c.fabric.self_friction);
    for (const FrictionPair& p : wanted_.of<FrictionPairs>().list)
      set("friction." + p.first + "." + p.second, p.coefficient);
  }

  /// Under gravity, for `moving` s in which bodies move and then for the time that is set.
  void settle(Simulation& sim, float moving = 0) {
    const vec3 g = wanted_.forces.gravity;
    sim.apply(SetParam{"forces.gravity", fmt::format("[{}, {}, {}]", g.x, g.y, g.z)});
    sim.apply(SetParam{"contact.friction", fmt::format("{}", wanted_.contact.friction)});
    set_named_friction(sim);
    sim.apply(SetParam{"forces.air_damping", fmt::format("{}", kCalm)});
    sim.state().velocity.clear();
    const int steps = int(std::ceil(double((moving + sewing_.settle) / kStep)));
    for (int k = 0; k < steps; ++k) {
      step(sim);
      report(0.7 + 0.3 * double(k + 1) / steps, "settling");
    }
  }

  void step(Simulation& sim) {
    sim.step(options_.give_up);
    ++out_.steps, out_.forward_steps += sim.stats().collision_steps;
    show(sim);
  }

  void show(Simulation& sim) const {
    if (options_.state) options_.state(sim);
    if (options_.seen) options_.seen(sim);
  }

  void report(double share, const std::string& words) const {
    if (options_.give_up && options_.give_up()) throw Interrupted();
    if (options_.progress) options_.progress({share, words});
  }

  Heights heights_of(const Cloth& cloth) const {
    std::vector<std::string> ignored;
    return Heights(build_cloth_mesh(cloth, folder_of(start_), ignored).positions);
  }

  void finish(const std::vector<std::vector<vec3>>& positions) {
    out_.faults = faults_of_worn(start_, garments_, positions, placed_);
    for (size_t g = 0; g < garments_.size(); ++g) {
      DressedGarment& out = out_.garments.emplace_back();
      out.name = start_.cloths[g].name;
      out.mesh = garments_[g].mesh;
      out.mesh.positions = positions[g];
      for (const Panel& panel : garments_[g].pattern.panels) out.layers.push_back(panel.layer);
      for (vec2& t : out.mesh.corners.values) t *= start_.cloths[g].placement.scale;
      report_seams(garments_[g], out);
    }
  }

  /// Stretch along seams, and a notice that names those that are open.
  void report_seams(const GarmentMesh& garment, DressedGarment& out) {
    const std::vector<double> stretch = seam_stretches(garment, out.mesh);
    out.seam_stretch = 0;
    for (size_t s = 0; s < stretch.size(); ++s) {
      out.seam_stretch = std::max(out.seam_stretch, stretch[s]);
      if (stretch[s] > kOpenSeam)
        out_.notices.push_back(fmt::format(
            "garment {}, seam {}{}: cloth beside it is stretched by {:.0f} %; the garment is tight there, or "
            "the body "
            "is in the way",
            out.name, s,
            garment.pattern.seams[s].name.empty() ? "" : " (" + garment.pattern.seams[s].name + ")",
            100 * (stretch[s] - 1)));
    }
  }

  const Scene wanted_;
  const DressOptions& options_;
  const SewingParams sewing_;
  Scene start_;
  std::vector<GarmentMesh> garments_;
  std::vector<Heights> placed_;  // of each garment before it is sewn
  std::vector<SeamRows> rows_;
  Dressed out_;
};

}  // namespace

int divisions(double edge, double scale, double finer) {
  return std::max(1, int(std::lround(edge * scale / finer)));
}

Scene scene_of_dressing(const Scene& wanted, std::vector<GarmentMesh>& garments,
                        std::vector<std::string>& notices) {
  const SewingParams sewing = wanted.of<SewingParams>();
  const std::string folder = folder_of(wanted);
  Scene scene = wanted;
  scene.cloths.clear(), scene.obstacles.clear();
  scene.pins.clear(), scene.drags.clear(), scene.end.clear();
  scene.step = {};
  scene.step.dt = kStep;
  scene.step.solver = index_of(solver_names(), "newton");
  scene.step.collision = index_of(collision_names(), "two_way");
  scene.methods = method_params();
  scene.of<SewingParams>() = sewing;
  scene.contact.friction = kSlippery;
  scene.of<FrictionPairs>() = wanted.of<FrictionPairs>();
  for (FrictionPair& p : scene.of<FrictionPairs>().list) p.coefficient = kSlippery;
  scene.forces = {};
  scene.forces.gravity = vec3(0), scene.forces.lift = 0, scene.forces.drag = 0;
  for (const Cloth& given : wanted.cloths) {
    if (given.shape != ClothShape::garment) continue;
    Cloth cloth = given;
    garments.push_back(make_cloth_garment(cloth, folder,
                                          {double(sewing.first_layer), double(sewing.layer_distance)},
                                          notices, double(sewing.elastic)));
    cloth.mesh = std::make_shared<TriMesh>(garments.back().mesh);
    cloth.fabric.strain_limit = 0;
    cloth.fabric.friction = cloth.fabric.self_friction = -1;
    cloth.fabric.internal_damping = std::max(cloth.fabric.internal_damping, kDamping);
    scene.cloths.push_back(std::move(cloth));
  }
  const auto has_folds = [](const GarmentMesh& g) {
    return std::any_of(g.pattern.seams.begin(), g.pattern.seams.end(),
                       [](const Seam& seam) { return seam.angle != 0; });
  };
  if (std::any_of(garments.begin(), garments.end(), has_folds))  // quadratic bending is flat at rest
    scene.step.bending_model = int(BendingModel::dihedral);
  if (garments.empty())
    throw Error("the scene has no garment to dress", wanted.path.empty() ? "scene" : wanted.path,
                "add a [[garment]] table");
  for (const Obstacle& o : wanted.obstacles)
    scene.obstacles.push_back(growing(o, folder, kThin, sewing.growth, notices));
  return scene;
}

namespace {

/// The fabric that a pattern's file names, if there is one of that name; else `usual`.
std::string fabric_of(const std::string& pattern, const std::string& usual) {
  std::vector<std::string> ignored;
  const std::string named = read_pattern(pattern, 0, ignored).fabric;
  if (named.empty()) return usual;
  try {
    (void)read_fabric(named);
    return named;
  } catch (const Error&) {  // reported where the garment is made
    return usual;
  }
}

}  // namespace

Scene dressing_scene(const std::string& pattern, std::vector<std::string> bodies, double edge,
                     const MannequinParams& measures) {
  Scene scene;
  scene.title = "Dressing";
  Cloth cloth;
  cloth.name = "garment";
  cloth.shape = ClothShape::garment;
  cloth.file = pattern;
  cloth.edge = float(edge);
  if (!pattern.empty()) cloth.fabric_name = fabric_of(pattern, cloth.fabric_name);
  cloth.fabric = read_fabric(cloth.fabric_name);
  scene.of<ContactRadii>().of(cloth.name) = 0;  // its parameter
  scene.cloths.push_back(cloth);
  if (bodies.empty()) bodies.push_back("mannequin");
  for (const std::string& body : bodies) {
    Obstacle o;
    o.name = bodies.size() > 1 ? fmt::format("body{}", scene.obstacles.size() + 1) : "body";
    o.shape = body == "mannequin" ? ObstacleShape::mannequin : ObstacleShape::mesh;
    if (body == "mannequin") o.mannequin.params = measures;
    else set_body_file(o, body);
    scene.obstacles.push_back(o);
  }
  return scene;
}

namespace {

constexpr double kGentle = 0.5;  // m/s: speed at the start that does not jerk the cloth
constexpr double kLook = 1e-3;   // s, over which that speed is measured

/// The largest speed of a body's vertices at its start, m/s.
double first_speed(const Obstacle& o, const std::string& folder) {
  std::vector<std::string> ignored;
  TriMesh mesh = build_obstacle_mesh(o, folder, ignored);
  const auto moving = make_deformation(o, folder, mesh, ignored);
  if (!moving) return 0;
  std::vector<vec3> begin, next;
  moving->positions(0, begin);
  moving->positions(kLook, next);
  double most = 0;
  for (size_t v = 0; v < begin.size(); ++v)
    most = std::max(most, double(glm::length(next[v] - begin[v])) / kLook);
  return most;
}

/// Garments are put on in a body's first pose, a mannequin's rest pose, and at rest: its motion has to begin
/// there, unless the scene says that there is no lead-in.
void begin_gently(Scene& scene, std::vector<std::string>& notices) {
  for (Obstacle& o : scene.obstacles) {
    if (!o.deforms() || o.frames || lead_in_of(o) > 0) continue;
    if (o.shape == ObstacleShape::mannequin) {
      if (o.mannequin.clips.empty() || o.mannequin.params.lead_in == 0) continue;
      o.mannequin.params.lead_in = kUsualLeadIn;
      notices.push_back(fmt::format(
          "obstacle {}: garments are put on in its rest pose, so it goes to its first clip within {:g} s; "
          "lead_in in [obstacle.mannequin] sets that time, and 0 starts in the first clip's pose",
          o.name, kUsualLeadIn));
    } else if (const double speed = first_speed(o, folder_of(scene)); speed > kGentle) {
      notices.push_back(
          fmt::format("obstacle {} starts at {:.2g} m/s, which jerks a garment that was put on at rest; "
                      "lead_in = 1 in its "
                      "[[obstacle]] lets its motion begin gently within a second",
                      o.name, speed));
    }
  }
}

}  // namespace

void dress_starts(Scene& scene, const DressOptions& options, std::vector<std::string>& notices,
                  std::vector<std::string>& faults) {
  if (std::none_of(scene.cloths.begin(), scene.cloths.end(), waits_for_dressing)) return;
  begin_gently(scene, notices);
  Scene worn = scene;  // garments that start otherwise are dressed by themselves, or not at all
  std::erase_if(worn.cloths, [&](const Cloth& c) { return !waits_for_dressing(c); });
  const Dressed dressed = dress(worn, options);
  notices.insert(notices.end(), dressed.notices.begin(), dressed.notices.end());
  notices.insert(notices.end(), dressed.faults.begin(), dressed.faults.end());
  faults.insert(faults.end(), dressed.faults.begin(), dressed.faults.end());
  for (const DressedGarment& g : dressed.garments)
    for (Cloth& c : scene.cloths)
      if (c.name == g.name) {
        TriMesh mesh = g.mesh;
        const mat4 back = glm::inverse(placement_matrix(c.placement));
        for (vec3& p : mesh.positions) p = vec3(back * vec4(p, 1));
        for (vec2& t : mesh.corners.values) t /= c.placement.scale;
        c.mesh = std::make_shared<TriMesh>(std::move(mesh));
      }
}

std::unique_ptr<Simulation> open_simulation(Scene scene, Device& device,
                                            const std::function<void(Simulation&)>& seen) {
  std::vector<std::string> faults;  // they are notices, too
  return open_dressed(std::move(scene), device, seen, faults);
}

std::unique_ptr<Simulation> open_dressed(Scene scene, Device& device,
                                         const std::function<void(Simulation&)>& seen,
                                         std::vector<std::string>& faults) {
  std::vector<std::string> notices;
  DressOptions options;
  options.seen = seen;
  options.device = device.is_cuda() ? DeviceChoice::cuda : DeviceChoice::cpu;
  options.give_up = WorkWatch::asked();
  options.progress = [](const DressProgress& p) { WorkWatch::report("Dressing: " + p.words, p.share); };
  dress_starts(scene, options, notices, faults);
  return std::make_unique<Simulation>(std::move(scene), device, std::move(notices));
}

Dressed dress(const Scene& scene, const DressOptions& options) { return Dresser(scene, options).run(); }

}  // namespace weft

#include "viewer/session/wrinkle_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sim/base/error.h"
#include "sim/base/work_watch.h"
#include "sim/collision/bodies/placed_bodies.h"
#include "sim/mesh/sides.h"
#include "sim/mesh/smooth_normals.h"
#include "sim/wrinkles/certificate.h"

namespace weft {
namespace {

using wrinkles::CoarseCloth;
using wrinkles::Synthesis;
using wrinkles::WrinkleSettings;

std::atomic<uint64_t> next_model_id{uint64_t(1) << 41};  // apart from simulated scenes and recorded runs

CoarseCloth coarse_cloth(const SceneView& view, size_t index) {
  const ModelPart& range = view.parts[index];
  CoarseCloth out{range.name, {}, {}};
  if (index < view.scene.cloths.size()) out.fabric = view.scene.cloths[index].fabric;
  const auto part = [&](const auto& all) {
    return std::vector(all.begin() + range.first_vertex,
                       all.begin() + range.first_vertex + range.vertex_count);
  };
  TriMesh& mesh = out.mesh;
  mesh.positions = mesh.rest = part(view.rest);
  mesh.uv = part(view.uv);
  mesh.uv_scale = range.uv_scale, mesh.corners = range.corners;
  for (int t = 0; t < range.triangle_count; ++t)
    mesh.triangles.push_back(view.triangles[size_t(range.first_triangle + t)] - ivec3(range.first_vertex));
  return out;
}

/// Bodies that cloth holds back, and those that were moved by hand: a frame has their positions. Of those
/// that deform it has them always.
BodyPlaces held_back(const SceneView& view, const Frame& frame) {
  BodyPlaces places(view.scene.obstacles.size());
  for (const ObstacleView& o : frame.obstacles) {
    if (size_t(o.index) >= places.size()) continue;
    auto& place = places[size_t(o.index)];
    if (o.deformed && (o.hand.moves() || !view.scene.obstacles[size_t(o.index)].deforms()))
      place = o.deformed;
    if (place || !o.hand.moves()) continue;
    std::vector<vec3> moved = view.obstacle_meshes[size_t(o.index)].positions;
    for (vec3& p : moved) p = vec3(o.transform * vec4(p, 1));
    place = std::make_shared<const std::vector<vec3>>(std::move(moved));
  }
  return places;
}

}  // namespace

/// What lasts from one state to the next: device, grids, the last wrinkles.
struct WrinkleLayer::Worker {
  uint64_t model = 0;
  WrinkleSettings settings;
  std::unique_ptr<Device> device;
  std::unique_ptr<PlacedBodies> bodies;  // where they really are at the state's time
  std::vector<std::unique_ptr<Synthesis>> cloths;
  std::shared_ptr<const SceneView> fine;

  void build(const SceneView& coarse, const WrinkleSettings& wanted, DeviceChoice choice, int threads) {
    if (fine && model == coarse.model_id && settings == wanted) return;
    fine.reset(), cloths.clear(), bodies.reset();
    device = Device::create(choice, threads);
    if (wanted.params.bodies)
      device->run([&] { bodies = std::make_unique<PlacedBodies>(*device, coarse.scene); });
    device->run([&] {
      for (size_t c = 0; c < coarse.parts.size(); ++c)
        cloths.push_back(std::make_unique<Synthesis>(*device, coarse_cloth(coarse, c), wanted));
    });
    auto view = std::make_shared<SceneView>(coarse);
    view->model_id = next_model_id++;
    view->triangles.clear(), view->edges.clear(), view->uv.clear(), view->rest.clear(), view->parts.clear();
    for (size_t c = 0; c < cloths.size(); ++c) {
      const grid::SewnSurface& s = cloths[c]->surface();
      const int first = int(view->uv.size());
      view->parts.push_back({coarse.parts[c].name, first, s.vertex_count(), int(view->triangles.size()),
                             int(s.triangles.size())});
      if (!s.corners.empty()) view->parts.back().corners = {s.points, s.corners, true};
      for (const ivec3& t : s.triangles) view->triangles.push_back(t + ivec3(first));
      for (const vec2& m : s.material) view->uv.push_back(m), view->rest.push_back(vec3(m, 0));
    }
    view->edges = unique_edges(view->triangles);
    fine = view, model = coarse.model_id, settings = wanted;
  }

  /// The state of the coarse frame that stays, without its vertices.
  static std::shared_ptr<Frame> without_vertices(const Frame& frame) {
    auto shown = std::make_shared<Frame>(frame);
    shown->positions.clear(), shown->scalar.clear(), shown->pinned.clear(), shown->hand_pins.clear();
    shown->contact_pairs.clear(), shown->active_samples.clear();
    shown->device_positions = shown->device_normals = nullptr, shown->device_scalar = nullptr;
    shown->ready = shown->consumed = nullptr, shown->device_memory.reset();
    shown->field = "none";
    return shown;
  }

  /// Calls `put(c, positions)`, which makes the surface of each cloth.
  template <class Put>
  std::shared_ptr<FineState> make(const SceneView& coarse, const Frame& frame, Put put) {
    auto out = std::make_shared<FineState>();
    auto shown = without_vertices(frame);
    if (bodies) {
      const BodiesView view = bodies->at(frame.time, held_back(coarse, frame));
      for (const auto& c : cloths) c->set_bodies(view);
    }
    for (size_t c = 0; c < cloths.size(); ++c) {
      const ModelPart& range = coarse.parts[c];
      const auto first = frame.positions.begin() + range.first_vertex;
      put(c, std::vector<vec3>(first, first + range.vertex_count));
      const std::vector<vec3> fine_positions = cloths[c]->positions();
      shown->positions.insert(shown->positions.end(), fine_positions.begin(), fine_positions.end());
    }
    shown->normals = smooth_normals(shown->positions.data(), int(shown->positions.size()), fine->triangles);
    shown->vertex_count = int(shown->positions.size());
    shown->model_id = fine->model_id;
    out->view = fine, out->frame = shown, out->of_model = coarse.model_id, out->of_step = frame.step;
    return out;
  }

  std::shared_ptr<FineState> solve(const SceneView& coarse, const Frame& frame,
                                   const std::function<void(double)>& progress) {
    int64_t close = 0;
    std::vector<std::vector<vec3>> solved;
    auto out = make(coarse, frame, [&](size_t c, const std::vector<vec3>& positions) {
      cloths[c]->progress = [&](double share) { progress((double(c) + share) / double(cloths.size())); };
      cloths[c]->solve(positions);
      solved.push_back(cloths[c]->wrinkles());
      close += wrinkles::certify(cloths[c]->positions(), cloths[c]->surface().triangles).close_pairs;
    });
    out->displacements = std::move(solved);
    out->certificate = close == 0
                           ? "Nothing crosses beyond two rings of triangles."
                           : fmt::format("{} pairs of vertices are too close to exclude crossings.", close);
    return out;
  }

  std::shared_ptr<FineState> carry(const SceneView& coarse, const Frame& frame, const FineState& solved) {
    auto out = make(coarse, frame, [&](size_t c, const std::vector<vec3>& positions) {
      cloths[c]->carry(positions, solved.displacements[c]);
    });
    out->carried = true;
    out->certificate = "Wrinkles of an earlier state: nothing is proved about crossings.";
    return out;
  }
};

void WrinkleLayer::end() {
  give_up_ = true;
  if (thread_.joinable()) thread_.join();
  working_ = false;
}

WrinkleLayer::~WrinkleLayer() {
  end();
  if (carry_.thread.joinable()) carry_.thread.join();
}

void WrinkleLayer::clear() {
  cancel();
  cleared_ = true;
  shown_.reset(), carry_.solved.reset();
}

void WrinkleLayer::synthesise(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame,
                              const WrinkleSettings& settings, DeviceChoice device, int threads) {
  end();  // it has worked to its end already
  give_up_ = false, progress_ = 0, working_ = true, cleared_ = false;
  if (!worker_) worker_ = std::make_shared<Worker>();
  thread_ = std::thread([=, this] { run(view, frame, settings, device, threads); });
}

void WrinkleLayer::run(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame,
                       WrinkleSettings settings, DeviceChoice device, int threads) {
  const auto begin = std::chrono::steady_clock::now();
  std::shared_ptr<FineState> result;
  std::string fault;
  const WorkWatch watch([this] { return give_up_.load(); });
  try {
    worker_->build(*view, settings, device, threads);
    worker_->device->run([&] {
      result = worker_->solve(*view, *frame, [this](double share) {
        if (give_up_) throw Interrupted();
        progress_ = share;
      });
    });
    result->begun = begin, result->settings = settings;
    result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  } catch (const Interrupted&) {
    for (const auto& c : worker_->cloths) c->forget();  // the frame in work is undefined
  } catch (const std::exception& e) {
    worker_->fine.reset();
    fault = e.what();
  }
  std::lock_guard lock(mutex_);
  if (result) finished_ = result;
  fault_ = fault;
  working_ = false;
}

void WrinkleLayer::carry(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame,
                         DeviceChoice device) {
  if (!carry_.solved || carry_.solved->of_model != view->model_id) return;
  if (carry_.thread.joinable()) carry_.thread.join();
  carry_.works = true;
  if (!carry_.worker) carry_.worker = std::make_shared<Worker>();
  carry_.thread =
      std::thread([=, this, solved = carry_.solved] { run_carrying(view, frame, solved, device); });
}

void WrinkleLayer::run_carrying(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame,
                                std::shared_ptr<const FineState> solved, DeviceChoice device) {
  const auto begin = std::chrono::steady_clock::now();
  std::shared_ptr<FineState> result;
  std::string fault;
  try {
    Worker& worker = *carry_.worker;
    worker.build(*view, solved->settings, device, 1);
    worker.device->run([&] { result = worker.carry(*view, *frame, *solved); });
    result->begun = begin, result->seconds = solved->seconds;
  } catch (const std::exception& e) {
    carry_.worker->fine.reset();
    fault = e.what();
  }
  std::lock_guard lock(mutex_);
  if (result) brought_ = result;
  if (!fault.empty()) fault_ = fault;
  carry_.works = false;
}

bool WrinkleLayer::refresh() {
  std::string fault;
  std::shared_ptr<const FineState> solved, brought;
  {
    std::lock_guard lock(mutex_);
    fault.swap(fault_), solved.swap(finished_), brought.swap(brought_);
  }
  if (!fault.empty()) tell_(LogLevel::error, fault), carry_.solved.reset();  // else each state reports it
  if (cleared_) return false;
  if (solved) shown_ = carry_.solved = solved;
  if (brought && (!shown_ || brought->begun > shown_->begun)) shown_ = brought;
  return solved || brought;
}

wrinkles::SynthesisNeed wrinkle_need(const SceneView& view, const WrinkleSettings& settings) {
  wrinkles::SynthesisNeed sum;
  for (size_t c = 0; c < view.parts.size(); ++c) {
    const wrinkles::SynthesisNeed need = Synthesis::need(coarse_cloth(view, c), settings);
    sum.vertices += need.vertices, sum.slots += need.slots, sum.bytes += need.bytes;
  }
  return sum;
}

std::pair<vec2, std::string> material_point(const SceneView& view, int triangle, const vec3& barycentric) {
  for (const ModelPart& range : view.parts) {
    const int t = triangle - range.first_triangle;
    if (t < 0 || t >= range.triangle_count) continue;
    vec2 sum(0);
    for (int k = 0; k < 3; ++k) {
      const int corner = range.corners.empty() ? -1 : range.corners.of_triangle[size_t(t)][k];
      const vec2 at = corner >= 0 ? range.corners.values[size_t(corner)] * range.uv_scale
                                  : view.uv[size_t(view.triangles[size_t(triangle)][k])];
      sum += barycentric[k] * at;
    }
    return {sum, range.name};
  }
  throw Error(fmt::format("there is no triangle {}", triangle), "wrinkles", "give one of the scene");
}

}  // namespace weft

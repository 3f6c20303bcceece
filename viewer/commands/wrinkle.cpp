#include "viewer/commands/wrinkle.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/collision/bodies/placed_bodies.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_source.h"
#include "sim/files/frame_writer.h"
#include "sim/geometry_processing/crossing_free_path.h"
#include "sim/mesh/import/texture_rest.h"
#include "sim/methods/collision_handler.h"
#include "sim/scene/text/scene_file.h"
#include "sim/wrinkles/certificate.h"
#include "sim/wrinkles/normal_map.h"
#include "sim/wrinkles/simplify.h"
#include "sim/wrinkles/synthesis.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/progress.h"
#include "viewer/gl/image.h"

namespace weft {
namespace {

using wrinkles::CoarseCloth;
using wrinkles::Synthesis;
using wrinkles::WrinkleSettings;

constexpr int kMostGuarded = 250000;    // vertices of a cloth
constexpr float kGuardDistance = 0.2f;  // cells between layers on a guarded way

/// Frames that are read: first, first + every, ... up to last.
struct FrameRange {
  int first = 0, last = 0, every = 1;
  int count() const { return (last - first) / every + 1; }
};

FrameRange frames_of(const WrinkleRequest& request, const FrameSource& source) {
  const int end = source.frame_count() - 1;
  for (const auto& [frame, option] :
       {std::pair{request.first, "--from"}, {request.last, "--to"}, {request.reference, "--reference"}})
    if (frame > end)
      throw Error(fmt::format("frame {} does not exist: {} has frames 0 to {}", frame, request.from, end),
                  option, "give a smaller number");
  FrameRange out{std::max(0, request.first), request.last >= 0 ? request.last : end, request.every};
  if (out.first > out.last)
    throw Error(fmt::format("--from {} is after --to {}", out.first, out.last), "command line",
                "exchange them");
  if (out.count() > 1 && frames_of_file(request.to) == FileFrames::one)
    throw Error("a file of this kind holds one frame", request.to,
                "give --from and --to the same number, or a folder");
  return out;
}

/// The gathers of the scene that a run was made of; none where it cannot be read.
std::vector<Gather> gathers_of(const RunInfo& info, const std::string& path) {
  if (info.scene.empty()) return {};
  try {
    return parse_scene(info.scene, path).of<GatherList>().list;
  } catch (const Error& e) {
    log_notice("the scene of the run cannot be read ({}); its gathers are left out", e.what());
    return {};
  }
}

/// Gathers of the settings count if there are any, else those of the run's scene.
WrinkleSettings settings_of(const WrinkleRequest& request, const RunInfo& info) {
  WrinkleSettings settings;
  if (!request.settings_file.empty()) settings = wrinkles::read_wrinkle_settings(request.settings_file);
  if (settings.gathers.empty()) settings.gathers = gathers_of(info, request.from);
  ParamTable table;
  table.add("wrinkle", settings.params);
  for (const auto& [key, text] : request.overrides) table.set("wrinkle." + key, text);
  wrinkles::check(settings.params);
  return settings;
}

/// The fabrics of a run's cloths, by name, from the scene that it was made of.
FabricParams fabric_of(const WrinkleRequest& request, const RunInfo& info, const std::string& cloth) {
  if (!request.fabric.empty()) return read_fabric(request.fabric);
  if (!info.scene.empty()) {
    try {
      for (const Cloth& c : parse_scene(info.scene, request.from).cloths)
        if (c.name == cloth) return c.fabric;
    } catch (const Error& e) {
      log_notice("the scene of the run cannot be read ({}); {} is taken as cotton", e.what(), cloth);
    }
  }
  return read_fabric("cotton");
}

CoarseCloth cloth_of(const WrinkleRequest& request, const RunInfo& info, const RunGroup& group,
                     const RunFrame& frame, bool recorded) {
  CoarseCloth out{group.name, {}, fabric_of(request, info, group.name)};
  TriMesh& mesh = out.mesh;
  mesh.positions.assign(frame.positions.begin() + group.first,
                        frame.positions.begin() + group.first + group.count);
  mesh.triangles = group.triangles, mesh.rest = group.rest;
  mesh.uv = group.uv, mesh.uv_scale = group.uv_scale, mesh.corners = group.corners;
  if (mesh.uv.empty() && mesh.corners.empty() && (!recorded || mesh.rest.empty()))
    throw Error(
        fmt::format("'{}' has no texture coordinates, which say where its points lie on the flat material",
                    group.name),
        request.from,
        "export it with its pattern as texture coordinates, or run the simulation with --cache run.weftcache "
        "and give that file");
  if (recorded && mesh.corners.empty()) return out;
  // Corners with their own texture coordinates are the panels of a garment, if they are flat ones of it.
  std::vector<std::string> notices;
  try {
    TriMesh flat = mesh;
    take_texture_as_rest(flat, request.from, notices);
    mesh = std::move(flat);
  } catch (const Error& e) {
    if (!recorded || mesh.uv.empty())
      throw Error(e.what_happened, e.where, "export the cloth with its flat pattern as texture coordinates");
    notices = {
        fmt::format("{}: {}; the material coordinates of the run serve instead", e.where, e.what_happened)};
  }
  for (const std::string& notice : notices) log_notice("{}", notice);
  return out;
}

std::string amount(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes * 1e-6) : fmt::format("{:.2f} GB", bytes * 1e-9);
}

/// Everything about the cloths of a run.
class Cloths {
 public:
  Cloths(const WrinkleRequest& request, FrameSource& source, Device& device, const WrinkleSettings& settings)
      : request_(request), settings_(settings) {
    RunFrame frame;
    source.read(0, frame);
    const bool recorded = file_ending(request.from) == ".weftcache";
    size_t bytes = 0;
    std::vector<CoarseCloth> coarse;
    for (const RunGroup& g : source.info().groups) {
      if (g.body || g.triangles.empty()) continue;
      coarse.push_back(cloth_of(request, source.info(), g, frame, recorded));
      const wrinkles::SynthesisNeed need = Synthesis::need(coarse.back(), settings);
      std::printf("%s: %d vertices become %lld; memory %s, %.0f bytes a vertex\n", g.name.c_str(), g.count,
                  (long long)need.vertices, amount(double(need.bytes)).c_str(), need.bytes_per_vertex());
      bytes += need.bytes, groups_.push_back(g);
    }
    std::fflush(stdout);
    if (coarse.empty()) throw Error("the run has no cloth", request.from, "give a run with a cloth");
    if (bytes > device.bytes_free())
      throw Error(fmt::format("the wrinkles need {} and {} is free", amount(double(bytes)),
                              amount(double(device.bytes_free()))),
                  "wrinkles", "use a larger --cell");
    for (const CoarseCloth& c : coarse) {
      material_.push_back(grid::material_mesh(c.mesh));
      synthesis_.push_back(std::make_unique<Synthesis>(device, c, settings));
      look_at(c.name, synthesis_.back()->surface());
      if (settings.params.tolerance > 0)
        simplifiers_.emplace_back(synthesis_.back()->grid(0), synthesis_.back()->surface());
    }
  }

  /// Bodies of the scene that the run was made of, where they were at a time.
  void set_bodies(const BodiesView& bodies) {
    for (const auto& s : synthesis_) s->set_bodies(bodies);
  }
  void solve(const RunFrame& frame) {
    for (size_t c = 0; c < groups_.size(); ++c) synthesis_[c]->solve(part(frame, c));
  }
  void carry(const RunFrame& frame) {
    for (size_t c = 0; c < groups_.size(); ++c) synthesis_[c]->carry(part(frame, c));
  }
  void stop_when(const std::function<void(double)>& told) {
    for (const auto& s : synthesis_) s->progress = told;
  }

  /// Takes the positions of the frame that was solved or carried. Before anything of it is asked for.
  void finish(const RunFrame& from) {
    shown_.clear();
    for (size_t c = 0; c < groups_.size(); ++c) {
      shown_.push_back(synthesis_[c]->positions());
      if (request_.guard) guard(c, from);
    }
  }

  /// The fine surfaces and, last, the bodies of the run: what is written. With a tolerance triangles differ
  /// from frame to frame.
  RunInfo info(const RunInfo& coarse) {
    RunInfo out = coarse;
    out.groups.clear();
    int first = 0;
    for (size_t c = 0; c < groups_.size(); ++c) {
      const grid::SewnSurface& s = synthesis_[c]->surface();
      RunGroup g{groups_[c].name, false, first, s.vertex_count(), s.triangles, s.material, {}};
      if (!s.corners.empty()) g.corners = {s.points, s.corners};
      if (!simplifiers_.empty()) simplify(c, g);
      first += g.count;
      out.groups.push_back(std::move(g));
    }
    for (const RunGroup& g : coarse.groups)
      if (g.body) out.groups.push_back(g), out.groups.back().first = first, first += g.count;
    return out;
  }
  /// Positions for `info`, which is asked first.
  RunFrame frame(const RunInfo& coarse, const RunFrame& from) {
    RunFrame out{from.step, from.time, {}};
    for (size_t c = 0; c < groups_.size(); ++c) {
      const std::vector<vec3>& all = shown_[c];
      if (simplifiers_.empty()) out.positions.insert(out.positions.end(), all.begin(), all.end());
      else
        for (const int v : kept_[c].vertices) out.positions.push_back(all[size_t(v)]);
    }
    for (const RunGroup& g : coarse.groups)
      if (g.body)
        out.positions.insert(out.positions.end(), from.positions.begin() + g.first,
                             from.positions.begin() + g.first + g.count);
    return out;
  }
  /// Writes the normal maps of a frame, one per cloth.
  void write_normal_maps(const RunFrame& from, bool numbered) const {
    for (size_t c = 0; c < groups_.size(); ++c) {
      const grid::SewnSurface& s = synthesis_[c]->surface();
      wrinkles::TexturedSurface fine{shown_[c], s.triangles, {}, s.corners.empty() ? s.triangles : s.corners};
      for (const vec2& at : s.corners.empty() ? s.material : s.points) fine.material.push_back(dvec2(at));
      wrinkles::TexturedSurface coarse{part(from, c), material_[c].triangles, material_[c].point,
                                       material_[c].corners};
      const wrinkles::NormalMap map = wrinkles::make_normal_map(coarse, fine, request_.map_size);
      const std::filesystem::path path = request_.normal_map;
      std::string name = path.stem().string();
      if (groups_.size() > 1) name += "_" + groups_[c].name;
      if (numbered) name += fmt::format("_{:06d}", from.step);
      const std::string file = (path.parent_path() / (name + ".png")).string();
      write_png(file, {map.width, map.height, map.rgb});
      std::printf("normal map: %s, material (%g, %g) to (%g, %g) m\n", file.c_str(), map.least.x, map.least.y,
                  map.most.x, map.most.y);
    }
  }
  /// What is proved about crossings within each cloth, before simplification.
  std::string certificates() const {
    std::string out;
    for (size_t c = 0; c < groups_.size(); ++c) {
      const wrinkles::Certificate k = wrinkles::certify(shown_[c], synthesis_[c]->surface().triangles);
      out += (out.empty() ? "" : "; ") + (groups_.size() > 1 ? groups_[c].name + ": " : "");
      out += k.holds()
                 ? "nothing crosses beyond two rings"
                 : fmt::format("{} pairs of vertices are too close to exclude crossings", k.close_pairs);
      out += fmt::format(" (least distance {:.3f} mm, at most {:.3f} mm needed)", 1e3 * double(k.least),
                         1e3 * double(k.most_needed));
    }
    return out;
  }

  /// How the frame was solved, level by level from coarse to fine.
  std::string efforts() const {
    std::string out;
    for (size_t c = 0; c < groups_.size(); ++c) {
      std::string momentum, grown;
      wrinkles::LevelReport last;
      for (int l = synthesis_[c]->level_count() - 1; l >= 0; --l) {
        last = synthesis_[c]->report(l);
        momentum += fmt::format("{}{}", momentum.empty() ? "" : ", ", last.accelerated);
        grown += fmt::format("{}{}", grown.empty() ? "" : ", ", last.returns);
      }
      out += fmt::format("  {}: energy {:.4g} J; momentum in {} of {} iterations, taken back {} times\n",
                         groups_[c].name, last.energy, momentum, last.iterations, grown);
    }
    return out;
  }

  /// Surfaces of frames that were to be guarded and could not be.
  int unguarded() const { return unguarded_; }

 private:
  std::vector<vec3> part(const RunFrame& frame, size_t c) const {
    return {frame.positions.begin() + groups_[c].first,
            frame.positions.begin() + groups_[c].first + groups_[c].count};
  }
  /// What a user should know of a cloth's surface before anything is solved.
  void look_at(const std::string& name, const grid::SewnSurface& surface) const {
    if (request_.guard && surface.vertex_count() > kMostGuarded)
      throw Error(fmt::format("'{}' has {} vertices, and a guard takes up to {}", name,
                              surface.vertex_count(), kMostGuarded),
                  "--guard", "use a larger --cell");
    if (!surface.without_outline.empty())
      log_notice("{}: {} of its panels meet themselves in the material, and have gaps at their seams", name,
                 surface.without_outline.size());
  }
  /// From the resampled frame, if nothing crosses there, towards the wrinkles.
  void guard(size_t c, const RunFrame& from) {
    const Synthesis& s = *synthesis_[c];
    const grid::SewnSurface& surface = s.surface();
    Device& device = s.grid(0).device();
    const Buffer<vec3> coarse(device, "coarse frame", part(from, c));
    grid::OutlineVertices outline(device, surface);
    outline.place(device, s.frame(0).view(), s.frame(0).view(), coarse.span());
    std::vector<vec3> beside(surface.outline.size());
    device.download(beside.data(), outline.at().data, beside.size() * sizeof(vec3));
    const std::vector<vec3> start =
        grid::surface_positions(surface, s.frame(0).download(), {beside.data(), int(beside.size())});
    PathOptions options;
    options.distance = kGuardDistance * settings_.params.cell;
    options.device = request_.device, options.threads = request_.threads;
    options.give_up = InterruptGuard::interrupted;
    std::optional<CrossingFreePath> path;
    try {
      path.emplace(start, surface.triangles, options, groups_[c].name);
    } catch (const DeviceLost&) {
      throw;
    } catch (const Error& e) {  // it crosses where it starts
      log_notice("step {}: {}: {}; it is written without a guard", from.step, e.where, e.what_happened);
      ++unguarded_;
      return;
    }
    const Arrival arrival = path->move_to(shown_[c]);
    shown_[c] = path->positions();
    std::printf("%s: guarded in %d steps, at most %.2f mm from its wrinkles\n", groups_[c].name.c_str(),
                arrival.steps, 1e3 * arrival.largest);
  }
  void simplify(size_t c, RunGroup& g) {
    kept_.resize(groups_.size());
    kept_[c] = simplifiers_[c].run(shown_[c], settings_.params.tolerance);
    g.count = int(kept_[c].vertices.size()), g.triangles = kept_[c].triangles, g.uv.clear();
    const grid::SewnSurface& s = synthesis_[c]->surface();
    for (const int v : kept_[c].vertices) g.uv.push_back(s.material[size_t(v)]);
    if (!s.corners.empty()) g.corners = used_textures(s.points, kept_[c].corners);
  }

  const WrinkleRequest& request_;
  WrinkleSettings settings_;
  std::vector<RunGroup> groups_;  // of the coarse run
  std::vector<grid::MaterialMesh> material_;
  std::vector<std::unique_ptr<Synthesis>> synthesis_;
  std::vector<std::vector<vec3>> shown_;  // of the frame
  int unguarded_ = 0;
  std::vector<wrinkles::Simplifier> simplifiers_;
  std::vector<wrinkles::Simplifier::Result> kept_;
};

/// Bodies of the scene that a run was made of, where the run has them.
class RunBodies {
 public:
  /// Without bodies that can be had again it says so, and `at` gives none.
  RunBodies(Device& device, const RunInfo& info, const std::string& path) : groups_(info.groups) {
    if (std::none_of(info.groups.begin(), info.groups.end(), [](const RunGroup& g) { return g.body; }))
      return;
    try {
      if (info.scene.empty()) throw Error("the run holds no scene", path, "");
      scene_ = parse_scene(info.scene, path);
      bodies_ = std::make_unique<PlacedBodies>(device, scene_);
    } catch (const Error& e) {
      log_notice("wrinkles do not keep clear of bodies ({}); a --tether keeps them near the coarse surface",
                 e.what_happened);
    }
  }
  BodiesView at(const RunFrame& frame) {
    return bodies_ ? bodies_->at(frame.time, bodies_->lagging(frame.time, places(frame), kShownLag))
                   : BodiesView{};
  }

 private:
  BodyPlaces places(const RunFrame& frame) const {
    BodyPlaces out(scene_.obstacles.size());
    for (const RunGroup& g : groups_)
      for (size_t i = 0; g.body && i < out.size(); ++i)
        if (scene_.obstacles[i].name == g.name)
          out[i] = std::make_shared<const std::vector<vec3>>(frame.positions.begin() + g.first,
                                                             frame.positions.begin() + g.first + g.count);
    return out;
  }
  std::vector<RunGroup> groups_;
  Scene scene_;
  std::unique_ptr<PlacedBodies> bodies_;
};

/// Writes frames; where their triangles differ each gets a file of its own in the folder.
class Output {
 public:
  Output(const std::string& path, bool each) : path_(path), each_(each) {
    if (each && frames_of_file(path) == FileFrames::all && !fills_folder(path))
      throw Error("simplified frames have each their own triangles", path,
                  "give a folder, which gets an OBJ per frame, or leave out --tolerance");
  }
  void write(const RunInfo& info, const RunFrame& frame) {
    ++frames_;
    if (each_ && fills_folder(path_)) {
      std::error_code fault;
      std::filesystem::create_directories(path_, fault);
      const std::string file =
          (std::filesystem::path(path_) / fmt::format("step_{:06d}.obj", frame.step)).string();
      const auto one = make_frame_writer(file, info);
      one->frame(frame);
      return one->finish();
    }
    if (!writer_) writer_ = make_frame_writer(path_, info);
    writer_->frame(frame);
  }
  std::string finish() {
    if (!writer_) return fmt::format("{} frames in {}", frames_, path_);
    writer_->finish();
    return writer_->summary();
  }

 private:
  std::string path_;
  bool each_;
  int frames_ = 0;
  std::unique_ptr<FrameWriter> writer_;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void wrinkle_frames(const WrinkleRequest& request, const FrameRange& range, FrameSource& source,
                    RunBodies& bodies, Cloths& cloths, Output& output, Progress& progress) {
  RunFrame frame;
  int done = 0;
  cloths.stop_when([&](double share) {
    if (InterruptGuard::interrupted()) throw Interrupted();
    progress.update(long(100 * (done + share) / range.count()),
                    fmt::format("frame {}", range.first + done * range.every));
  });
  if (request.reference >= 0) {
    source.read(request.reference, frame);
    cloths.set_bodies(bodies.at(frame));
    cloths.solve(frame);
  }
  for (int f = range.first; f <= range.last; f += range.every, ++done) {
    const auto start = std::chrono::steady_clock::now();
    source.read(f, frame);
    cloths.set_bodies(bodies.at(frame));
    request.reference >= 0 ? cloths.carry(frame) : cloths.solve(frame);
    cloths.finish(frame);
    const double took = seconds_since(start);
    const RunInfo info = cloths.info(source.info());
    output.write(info, cloths.frame(source.info(), frame));
    if (!request.normal_map.empty()) cloths.write_normal_maps(frame, range.count() > 1);
    progress.update(100L * (done + 1) / range.count());
    std::printf("frame %d (step %lld): %.2f s; %s\n", f, frame.step, took, cloths.certificates().c_str());
    if (request.reference < 0) std::fputs(cloths.efforts().c_str(), stdout);
    std::fflush(stdout);
  }
}

}  // namespace

int run_wrinkle(const WrinkleRequest& request) {
  InterruptGuard interrupt;
  frames_of_file(request.to);  // an unwritable format is reported before anything is read
  check_apart({request.to}, {request.from});
  if (!request.normal_map.empty() && file_ending(request.normal_map) != ".png")
    throw Error("a normal map is written as PNG", request.normal_map, "give a name that ends in .png");
  const auto source = open_frame_source(request.from, request.input_fps);
  const WrinkleSettings settings = settings_of(request, source->info());
  if (request.guard && settings.params.tolerance > 0)
    throw Error("a guarded surface is not simplified", "--guard", "leave out --guard or --tolerance");
  Output output(request.to, settings.params.tolerance > 0);
  for (const std::string& notice : source->notices()) log_notice("{}", notice);
  const FrameRange range = frames_of(request, *source);
  check_apart(files_to_replace(request.to, source->info()), files_to_read(request.from));
  std::string note;
  const auto device = Device::create(request.device, request.threads, &note);
  if (!note.empty()) log_notice("{}", note);
  bool stopped = false;
  int unguarded = 0;
  std::string summary;
  device->run([&] {
    Cloths cloths(request, *source, *device, settings);
    RunBodies bodies(*device, source->info(), request.from);
    Progress progress("wrinkling", "%", 100, request.quiet);
    try {
      wrinkle_frames(request, range, *source, bodies, cloths, output, progress);
    } catch (const Interrupted&) {
      stopped = true;
    }
    progress.finish();
    summary = output.finish();
    unguarded = cloths.unguarded();
  });
  std::printf("%s\n", summary.c_str());
  if (stopped || InterruptGuard::interrupted()) return InterruptGuard::exit_status();
  if (unguarded > 0)
    throw Error(fmt::format("{} surfaces cross where they start and were written without a guard", unguarded),
                "--guard", "use a smaller --cell, or look at the coarse run with weft-check");
  return int(ExitStatus::ok);
}

}  // namespace weft

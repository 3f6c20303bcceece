#include "viewer/bench/bench_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>

#include "sim/base/log.h"
#include "sim/dressing/dress.h"
#include "sim/run/simulation.h"
#include "viewer/bench/bench_timing.h"
#include "viewer/commands/output_check.h"
#include "viewer/commands/progress.h"
#include "viewer/commands/scene_input.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// A solver with so much work.
struct Effort {
  std::string solver, work;
  Settings settings;
  bool usual = false;  // the solver's defaults
};

struct Subject {
  std::string name;
  Scene scene;
};

/// One effort over all states of a scene: errors in 9.81 m/s² dt², ms of processor time.
struct Outcome {
  std::vector<double> error, told, ms;
  std::string refused;  // why there is nothing
};

/// The parameters with these keys at `factor` times what `scene` has.
Settings scaled(Scene& scene, const std::vector<std::string>& keys, double factor) {
  Settings settings;
  const ParamTable params = scene.params();
  for (const std::string& key : keys) {
    const double value = std::stod(params.find(key)->text());
    settings.emplace_back(key, std::to_string(std::max(1, int(std::lround(factor * value)))));
  }
  return settings;
}

std::vector<Effort> efforts(Scene scene) {
  std::vector<Effort> all;
  const auto add = [&](const std::string& solver, std::string work, const Settings& settings, bool usual) {
    Settings with{{"step.solver", solver}};
    with.insert(with.end(), settings.begin(), settings.end());
    all.push_back({solver, std::move(work), std::move(with), usual});
  };
  for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0}) {
    const Settings steps = scaled(scene, {"newton.steps"}, factor);
    add("newton", fmt::format("at most {} Newton steps", steps[0].second), steps, factor == 1);
  }
  add("newton", "at most 20, tolerance 0.001, 60 iterations each",
      {{"newton.steps", "20"}, {"newton.tolerance", "0.001"}, {"newton.cg_iterations", "60"}}, false);
  const std::vector<std::string> descent = {"descent.fine_iterations", "descent.middle_iterations",
                                            "descent.coarse_iterations"};
  for (const double factor : {0.5, 1.0, 2.0, 4.0, 8.0})
    add("descent", fmt::format("{:g} times its iterations", factor), scaled(scene, descent, factor),
        factor == 1);
  for (const std::string solver : {"projective", "block_descent"})
    for (const double factor : {0.5, 1.0, 2.0, 4.0, 8.0})
      add(solver, fmt::format("{:g} times its iterations", factor),
          scaled(scene, {solver + ".iterations"}, factor), factor == 1);
  return all;
}

const Settings& solved_to_the_end() {
  static const Settings settings{{"step.solver", "newton"},       {"newton.steps", "60"},
                                 {"newton.tolerance", "0.0001"},  {"newton.cg_iterations", "300"},
                                 {"newton.cg_tolerance", "0.01"}, {"newton.forcing_terms", "0"},
                                 {"newton.line_search", "true"}};
  return settings;
}

/// A cloth that hangs, one that folds, one that a hand moves fast, and one over a table.
std::vector<Subject> usual_subjects(int vertices) {
  std::vector<Subject> all;
  const auto add = [&](const char* name, const char* scene) -> Scene& {
    all.push_back({name, open_scene(scene, {})});
    for (Cloth& cloth : all.back().scene.cloths) cloth.vertices = vertices, cloth.edge = 0;
    return all.back().scene;
  };
  add("hangs", "hanging_corners");
  add("folds", "");
  Scene& dragged = add("is dragged", "");
  ScriptedDrag hand;
  hand.cloth = dragged.cloths[0].name;
  hand.at = {0.5f, 0.1f};
  hand.end = 2.5f;
  for (const auto& [time, place] :
       {std::pair{0.f, vec3(0)}, std::pair{0.5f, vec3(0.3f, 0.25f, 0.25f)},
        std::pair{1.f, vec3(-0.3f, 0.3f, -0.2f)}, std::pair{1.5f, vec3(0.2f, 0.35f, 0.3f)},
        std::pair{2.f, vec3(-0.4f, 0.2f, 0.1f)}}) {
    MotionKey key;
    key.time = time, key.position = place;
    hand.keys.push_back(key);
  }
  dragged.drags = {hand};
  add("lies over a table", "drape_table").set("step.collision", "two_way");
  return all;
}

std::vector<Subject> subjects(const ErrorRequest& request) {
  std::vector<Subject> all;
  const int vertices = request.bench.vertices.empty() ? 2500 : request.bench.vertices.front();
  if (request.scenes.empty()) all = usual_subjects(vertices);
  for (const std::string& name : request.scenes) {
    all.push_back({name, open_scene(name, {})});
    if (request.bench.vertices.empty()) continue;
    for (Cloth& cloth : all.back().scene.cloths) cloth.vertices = vertices, cloth.edge = 0;
  }
  for (Subject& subject : all)
    for (const auto& [key, value] : request.bench.overrides) subject.scene.set(key, value);
  return all;
}

/// A scene with other settings, put into states of another run of it.
class Repeated {
 public:
  Repeated(Scene scene, const Settings& settings, Device& device) : device_(device) {
    for (const auto& [key, value] : settings) scene.set(key, value);
    simulation_ = open_simulation(std::move(scene), device);
    start_ = simulation_->snapshot();
  }
  /// What this run's methods keep from step to step and the other's do not is as at the start.
  void put(const Snapshot& state) {
    Snapshot mixed = start_;
    mixed.step = state.step, mixed.time = state.time;
    for (auto& [name, bytes] : mixed.parts)
      for (const auto& [other, its] : state.parts)
        if (other == name && its.size() == bytes.size()) bytes = its;
    simulation_->restore(mixed);
  }
  /// One step from `state`, twice: the first makes the lists as long as they must be. ms of processor time;
  /// on a GPU, by the clock.
  double step(const Snapshot& state) {
    put(state);
    bench_step(*simulation_);
    put(state);
    device_.synchronize();
    const std::clock_t from = std::clock();
    const auto wall = BenchClock::now();
    bench_step(*simulation_);
    device_.synchronize();
    return 1e3 * (device_.is_cuda() ? seconds_since(wall) : double(std::clock() - from) / CLOCKS_PER_SEC);
  }
  Simulation& simulation() { return *simulation_; }

 private:
  Device& device_;
  std::unique_ptr<Simulation> simulation_;
  Snapshot start_;
};

/// Root of the mean square, by mass, of how far two states are apart, in 9.81 m/s² dt².
double apart(const std::vector<vec3>& a, const std::vector<vec3>& b, const std::vector<float>& mass,
             double dt) {
  double sum = 0, whole = 0;
  for (size_t v = 0; v < a.size(); ++v) {
    const glm::dvec3 d = glm::dvec3(a[v]) - glm::dvec3(b[v]);
    sum += double(mass[v]) * glm::dot(d, d);
    whole += double(mass[v]);
  }
  return std::sqrt(sum / whole) / (9.81 * dt * dt);
}

struct Measured {
  Subject* subject = nullptr;
  std::vector<Effort> efforts;
  std::vector<Outcome> outcomes;
  std::vector<double> times;  // s, of the states
  int vertices = 0;
};

Measured measure(const ErrorRequest& request, Device& device, Subject& subject, Progress& progress,
                 long& done) {
  Measured result;
  result.subject = &subject;
  result.efforts = efforts(subject.scene);
  result.outcomes.resize(result.efforts.size());
  const double dt = subject.scene.step.dt;
  Simulation run(subject.scene, device);
  Repeated right(subject.scene, solved_to_the_end(), device);
  std::vector<std::unique_ptr<Repeated>> tried(result.efforts.size());
  for (size_t k = 0; k < tried.size(); ++k) try {
      tried[k] = std::make_unique<Repeated>(subject.scene, result.efforts[k].settings, device);
    } catch (const Error& error) {
      result.outcomes[k].refused = error.what();
    }
  result.vertices = run.model().vertex_count();
  const std::vector<float> mass = run.model().host_mass;
  for (int s = 1; s <= request.states; ++s) {
    const double until = request.seconds * s / request.states;
    while (run.state().time + 0.5 * dt < until) bench_step(run);
    const Snapshot state = run.snapshot();
    result.times.push_back(state.time);
    right.step(state);
    const std::vector<vec3> end = right.simulation().positions();
    for (size_t k = 0; k < tried.size(); ++k) {
      if (!tried[k]) continue;
      Outcome& outcome = result.outcomes[k];
      outcome.ms.push_back(tried[k]->step(state));
      outcome.error.push_back(apart(tried[k]->simulation().positions(), end, mass, dt));
      outcome.told.push_back(tried[k]->simulation().stats().solver_residual);
    }
    progress.update(++done, subject.name);
  }
  return result;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / double(values.size());
}

std::string table(const Measured& m) {
  std::string text = fmt::format(
      "\n## {}: {} vertices, {}, 1/{:.0f} s\n\n| solver | work | error, median | worst | told over true, "
      "median | ms |\n|---|---|---|---|---|---|\n",
      m.subject->name, m.vertices, m.subject->scene.params().find("step.collision")->text(),
      1 / m.subject->scene.step.dt);
  for (size_t k = 0; k < m.efforts.size(); ++k) {
    const Outcome& o = m.outcomes[k];
    const char* const mark = m.efforts[k].usual ? "**" : "";
    text += fmt::format("| {}{}{} | {}", mark, m.efforts[k].solver, mark, m.efforts[k].work);
    if (!o.refused.empty() || o.error.empty()) {
      text += fmt::format(" | {} | | | |\n", o.refused);
      continue;
    }
    std::vector<double> ratio;
    for (size_t s = 0; s < o.error.size(); ++s) ratio.push_back(o.told[s] / std::max(1e-9, o.error[s]));
    text += fmt::format(" | {:.4f} | {:.4f} | {:.2f} | {:.1f} |\n", median(o.error),
                        *std::max_element(o.error.begin(), o.error.end()), median(ratio), mean(o.ms));
  }
  return text;
}

nlohmann::ordered_json to_json(const Measured& m) {
  nlohmann::ordered_json j;
  j["scene"] = m.subject->name;
  j["vertices"] = m.vertices;
  j["times"] = m.times;
  for (size_t k = 0; k < m.efforts.size(); ++k) {
    const Outcome& o = m.outcomes[k];
    nlohmann::ordered_json row{{"solver", m.efforts[k].solver}, {"work", m.efforts[k].work}};
    row["default"] = m.efforts[k].usual;
    if (!o.refused.empty()) row["refused"] = o.refused;
    row["error"] = o.error, row["told"] = o.told, row["ms"] = o.ms;
    j["rows"].push_back(row);
  }
  return j;
}

}  // namespace

int run_error_bench(const ErrorRequest& request) {
  for (const std::string& file : {request.bench.json_file, request.bench.markdown_file})
    if (!file.empty()) check_file(file);
  InterruptGuard interrupt;
  std::string note;
  const auto device = Device::create(request.bench.device, request.bench.threads, &note);
  if (!note.empty()) log_notice("{}", note);
  std::vector<Subject> all = subjects(request);
  nlohmann::ordered_json results;
  results["program"] = version_facts();
  results["device"] = device->name();
  std::string text = fmt::format(
      "Steps from {} states in {:g} s of each scene, on {} ({}; {}). Error: root of the mean square, by "
      "mass, "
      "of how far the positions are from those of the same step solved to its end, over 9.81 m/s² dt². Time: "
      "processor time of the process. In bold: each solver's defaults.\n",
      request.states, request.seconds, device->name(), results["program"]["processor"].get<std::string>(),
      results["program"]["weft"].get<std::string>());
  Progress progress("measuring", "states", long(request.states) * long(all.size()), request.bench.quiet);
  long done = 0;
  for (Subject& subject : all) {
    const Measured measured = measure(request, *device, subject, progress, done);
    text += table(measured);
    results["scenes"].push_back(to_json(measured));
  }
  progress.finish();
  std::fputs(text.c_str(), stdout);
  write_bench_files(request.bench, results, text);
  return ExitStatus::ok;
}

}  // namespace weft

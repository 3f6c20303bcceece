// States, OBJ files and statistics of a headless run.
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "viewer/app/headless.h"
#include "viewer/app/versions.h"
#include "viewer/record/export.h"

namespace weft {
namespace {

class StatesOutput final : public StepOutput {
 public:
  StatesOutput(std::string folder, Simulation& simulation) : folder_(std::move(folder)), mesh_(simulation) {
    make_folder(folder_);
    mesh_.write_obj(folder_ + "/mesh.obj", simulation);
  }
  void state(Simulation& simulation) override {
    write_npy(fmt::format("{}/step_{:06d}.npy", folder_, simulation.state().step), mesh_.positions(simulation));
    ++count_;
  }
  std::string summary() const override { return fmt::format("states: {} arrays and mesh.obj in {}", count_, folder_); }

 private:
  std::string folder_;
  ExportedMesh mesh_;
  long count_ = 0;
};

class ObjOutput final : public StepOutput {
 public:
  ObjOutput(std::string folder, Simulation& simulation) : folder_(std::move(folder)), mesh_(simulation) { make_folder(folder_); }
  void state(Simulation& simulation) override {
    mesh_.write_obj(fmt::format("{}/step_{:06d}.obj", folder_, simulation.state().step), simulation);
    ++count_;
  }
  std::string summary() const override { return fmt::format("export: {} OBJ files in {}", count_, folder_); }

 private:
  std::string folder_;
  ExportedMesh mesh_;
  long count_ = 0;
};

/// Numbers of every state as columns, and what the run cost. JSON has no infinity and no NaN: they become null.
class StatsOutput final : public StepOutput {
 public:
  explicit StatsOutput(std::string file) : file_(std::move(file)), out_(file_) {
    if (!out_) throw Error(std::string("cannot be written: ") + std::strerror(errno), file_, "choose another file");
  }
  void state(Simulation& simulation) override {
    columns_["step"].push_back(simulation.state().step);
    for (const auto& [name, value] : simulation.stats().all()) columns_[name].push_back(number(value));
    if (simulation.state().step > first_step(simulation)) wall_ms_ += double(simulation.stats().step_ms);
  }
  bool finish(Simulation& simulation) override {
    nlohmann::ordered_json all;
    all["program"] = version_facts();
    all["scene"] = {{"title", simulation.scene().title}, {"file", simulation.scene().path}};
    all["device"] = simulation.device().name();
    all["vertices"] = simulation.model().vertex_count();
    all["triangles"] = simulation.model().triangle_count();
    all["dt"] = simulation.scene().step.dt;
    const size_t steps = columns_["step"].size() - 1;
    all["steps"] = steps;
    all["simulating_s"] = wall_ms_ * 1e-3;
    all["steps_per_second"] = wall_ms_ > 0 ? double(steps) / (wall_ms_ * 1e-3) : 0.0;
    all["hash"] = fmt::format("{:016x}", simulation.hash());
    for (const auto& [name, value] : simulation.stats().all()) all["final"][name] = number(value);
    all["unmet_end_conditions"] = simulation.failed_end_conditions();
    for (const StageTime& s : simulation.device().profiler().stages())
      all["stages"].push_back({{"path", s.path}, {"mean_ms", s.mean}, {"worst_ms", s.worst}, {"launches", s.launches}});
    all["states"] = columns_;
    out_ << all.dump(1) << '\n';
    if (!out_.flush()) throw Error(std::string("cannot be written: ") + std::strerror(errno), file_, "is the disk full?");
    return true;
  }
  std::string summary() const override { return "statistics: " + file_; }

 private:
  static nlohmann::ordered_json number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  }
  int first_step(Simulation& simulation) {
    if (first_step_ < 0) first_step_ = simulation.state().step;
    return first_step_;
  }

  std::string file_;
  std::ofstream out_;
  nlohmann::ordered_json columns_;
  double wall_ms_ = 0;
  int first_step_ = -1;
};

}  // namespace

std::unique_ptr<StepOutput> make_states_output(const std::string& folder, Simulation& simulation) {
  return std::make_unique<StatesOutput>(folder, simulation);
}
std::unique_ptr<StepOutput> make_obj_output(const std::string& folder, Simulation& simulation) {
  return std::make_unique<ObjOutput>(folder, simulation);
}
std::unique_ptr<StepOutput> make_stats_output(const std::string& file) { return std::make_unique<StatsOutput>(file); }

}  // namespace weft

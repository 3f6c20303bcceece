// States, OBJ files and statistics of a headless run.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/file.h"
#include "sim/files/frame_writer.h"
#include "sim/files/input_order.h"
#include "sim/files/obj_writers.h"
#include "sim/files/onward.h"
#include "sim/run/simulation_run.h"
#include "sim/run/verdict.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/run_origin.h"
#include "viewer/commands/run_worst.h"
#include "viewer/commands/standard_output.h"
#include "viewer/commands/versions.h"
#include "viewer/record/export.h"

namespace weft {
namespace {

/// "3-7 12": the numbers of marks that are not 0.
std::string ranges_of(const std::vector<float>& marks) {
  std::string text;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (!(marks[i] > 0)) continue;
    const size_t first = i;
    while (i + 1 < marks.size() && marks[i + 1] > 0) ++i;
    text += text.empty() ? "" : " ";
    text += first == i ? std::to_string(i) : fmt::format("{}-{}", first, i);
  }
  return text;
}

class StatesOutput final : public StepOutput {
 public:
  StatesOutput(std::string folder, const RunInfo& info)
      : folder_(std::move(folder)), info_(as_simulated(info)), onward_(info.dt) {
    make_folder(folder_);
  }
  void state(Simulation& simulation) override {
    read_state(simulation, frame_);
    onward_.take(frame_.step, frame_.time);
    try {
      if (count_ == 0) remove_later_files(folder_, "step_", ".npy", frame_.step);
      if (count_ == 0) write_frame_obj(folder_ + "/mesh.obj", info_, frame_);
      write_npy(fmt::format("{}/step_{:06d}.npy", folder_, frame_.step), frame_.positions);
    } catch (const Error& e) {
      throw Error(fmt::format("{}; {} arrays before it are kept", e.what_happened, count_), e.where,
                  e.what_to_do);
    }
    ++count_;
    note_passages(simulation);
  }
  std::string summary() const override {
    return fmt::format("states: {} arrays and mesh.obj in {}", count_, folder_) + onward_.words();
  }

 private:
  std::string folder_;
  RunInfo info_;
  RunFrame frame_;
  OnwardFrames onward_;
  long count_ = 0;
  std::string passages_;  // let_through.csv so far

  /// Where bodies pass through cloth that they leave no room, and which vertices, so that weft-check knows.
  void note_passages(Simulation& simulation) {
    const StepStats stats = simulation.stats();
    const std::string file = folder_ + "/let_through.csv";
    if (count_ == 1) std::filesystem::remove(file);
    if (stats.let_through == 0) return;
    if (passages_.empty()) passages_ = "step,vertices,place,which\n";
    std::string place = stats.let_through_place;
    std::replace(place.begin(), place.end(), '"', '\'');
    const Span<const float> field = simulation.device_field("let_through");
    std::vector<float> marks(size_t(field.size));
    if (!marks.empty()) simulation.device().download(marks.data(), field.data, marks.size() * sizeof(float));
    passages_ += fmt::format("{},{},\"{}\",{}\n", frame_.step, stats.let_through, place, ranges_of(marks));
    write_text_file(file, passages_);
  }
};

/// A file or folder of sim/files.
class FileOutput final : public StepOutput {
 public:
  FileOutput(const std::string& path, const RunInfo& info)
      : folder_(fills_folder(path) ? path : std::string()), writer_(make_frame_writer(path, info)) {}
  void state(Simulation& simulation) override {
    read_state(simulation, frame_);
    if (!folder_.empty()) remove_later_files(std::exchange(folder_, {}), "step_", ".obj", frame_.step);
    failed_ = true;  // unless the writer returns
    writer_->frame(frame_);
    failed_ = false;
  }
  bool finish(Simulation&) override {
    try {
      writer_->finish();
    } catch (const Error&) {
      if (!failed_) throw;  // else the run ends with the first fault, which is more informative
    }
    return !failed_;
  }
  std::string summary() const override { return writer_->summary(); }

 private:
  std::string folder_;  // folder of one file per frame, until the first is written
  std::unique_ptr<FrameWriter> writer_;
  RunFrame frame_;
  bool failed_ = false;
};

/// Statistics of every state as columns, and the cost of the run. JSON has no infinity and NaN: they become
/// null.
class StatsOutput final : public StepOutput {
 public:
  StatsOutput(std::string file, std::string command, const VerdictRecord* verdict,
              std::vector<std::string> misfits)
      : file_(std::move(file)),
        command_(std::move(command)),
        verdict_(verdict),
        misfits_(std::move(misfits)) {}
  void state(Simulation& simulation) override {
    columns_["step"].push_back(simulation.state().step);
    const StepStats stats = simulation.stats();
    worst_.take(stats, simulation.state().step);
    for (const auto& [name, value] : stats.all()) columns_[name].push_back(number(value));
    if (simulation.state().step > first_step(simulation)) wall_ms_ += double(simulation.stats().step_ms);
  }
  bool finish(Simulation& simulation) override {
    if (columns_.empty()) return false;  // the run has not begun
    nlohmann::ordered_json all;
    all["program"] = version_facts();
    const nlohmann::ordered_json origin = origin_facts(simulation, command_);
    if (!command_.empty()) all["command"] = command_;
    all["scene"] = {{"title", simulation.scene().title},
                    {"file", simulation.scene().path},
                    {"toml", write_scene(simulation.scene())}};
    all["settings"] = origin["settings"];
    all["device"] = simulation.device().name();
    all["vertices"] = simulation.model().vertex_count();
    all["triangles"] = simulation.model().triangle_count();
    all["dt"] = simulation.scene().step.dt;
    const size_t steps = columns_["step"].empty() ? 0 : columns_["step"].size() - 1;
    all["steps"] = steps;
    all["simulating_s"] = wall_ms_ * 1e-3;
    all["steps_per_second"] = wall_ms_ > 0 ? double(steps) / (wall_ms_ * 1e-3) : 0.0;
    all["hash"] = fmt::format("{:016x}", simulation.hash());
    for (const auto& [name, value] : simulation.stats().all()) all["final"][name] = number(value);
    for (const RunWorst::Peak& peak : worst_.peaks())
      if (peak.step >= 0)
        all["worst"][peak.quantity] = {{"value", peak.value}, {"time", peak.time}, {"step", peak.step}};
    all["unmet_end_conditions"] = simulation.failed_end_conditions();
    if (!misfits_.empty()) all["misfits"] = misfits_;
    if (verdict_)
      all["verdict"] = {{"tested", verdict_->tested()},
                        {"crossing", verdict_->crossing()},
                        {"first_step", verdict_->first_step()},
                        {"mean_ms", verdict_->mean_ms()}};
    for (const StageTime& s : simulation.device().profiler().stages())
      all["stages"].push_back(
          {{"path", s.path}, {"mean_ms", s.mean}, {"worst_ms", s.worst}, {"launches", s.launches}});
    all["states"] = columns_;
    const std::string text = all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    StandardOutput::is(file_) ? append(text) : write_text_file(file_, text);
    written_ = true;
    return true;
  }
  std::string summary() const override {
    return written_ ? "statistics: " + StandardOutput::name(file_) : std::string();
  }

 private:
  static nlohmann::ordered_json number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  }
  int first_step(Simulation& simulation) {
    if (first_step_ < 0) first_step_ = simulation.state().step;
    return first_step_;
  }

  void append(const std::string& text) const {
    std::ofstream out(file_, std::ios::binary | std::ios::app);
    if (!(out << text << std::flush)) throw write_fault(file_, errno, text.size(), "");
  }

  std::string file_, command_;
  const VerdictRecord* verdict_;  // nullptr: none
  std::vector<std::string> misfits_;
  bool written_ = false;
  RunWorst worst_;
  nlohmann::ordered_json columns_;
  double wall_ms_ = 0;
  int first_step_ = -1;
};

}  // namespace

std::unique_ptr<StepOutput> make_states_output(const std::string& folder, const RunInfo& info) {
  return std::make_unique<StatesOutput>(folder, info);
}
std::unique_ptr<StepOutput> make_file_output(const std::string& path, const RunInfo& info) {
  return std::make_unique<FileOutput>(path, info);
}
std::unique_ptr<StepOutput> make_stats_output(const std::string& file, const std::string& command,
                                              const VerdictRecord* verdict,
                                              const std::vector<std::string>& misfits) {
  return std::make_unique<StatsOutput>(file, command, verdict, misfits);
}

}  // namespace weft

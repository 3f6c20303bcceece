#include "sim/run/lockstep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

#include "sim/base/error.h"
#include "sim/run/simulation_run.h"

namespace weft {
namespace {

double processor_seconds_now() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Adds what passes while it lives.
class Measured {
 public:
  Measured(double& processor, double& wall) : processor_(processor), wall_(wall) {}
  ~Measured() {
    processor_ += processor_seconds_now() - begun_;
    wall_ += std::chrono::duration<double>(Clock::now() - begun_at_).count();
  }
  Measured(const Measured&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double &processor_, &wall_;
  double begun_ = processor_seconds_now();
  Clock::time_point begun_at_ = Clock::now();
};

/// Times of one moment differ by roundings of their sums.
double slack(double dt) { return 1e-3 * dt; }

MappedMesh mesh_of(Simulation& simulation) {
  const Topology& t = simulation.model().host;
  return {t.parts, t.rest, t.triangles};
}

}  // namespace

double common_step(const std::vector<double>& steps, double most) {
  constexpr double kSame = 1e-5;  // steps are float32 numbers
  const double longest = steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end());
  if (longest <= 0) return 0;
  for (int k = 1; k == 1 || k * longest <= most; ++k) {
    const double time = k * longest;
    const auto divides = [&](double step) {
      const double count = time / step;
      return std::abs(count - std::round(count)) <= kSame * count;
    };
    if (std::all_of(steps.begin(), steps.end(), divides)) return time;
  }
  return 0;
}

Lane::Lane(LaneSetup setup, const OpenRun& open) : setup_(std::move(setup)) {
  setup_.scene.step.budget = 0;  // of dragged steps: lanes have their own, or none
  device_ = Device::create(setup_.device, setup_.threads);
  simulation_ = open(setup_.scene, *device_);
  if (setup_.budget > 0) simulation_->set_budget(float(setup_.budget), true);
  now_ = before_ = shown_ = simulation_->positions();
}

void Lane::step(const std::function<bool()>& give_up) {
  time_before_ = simulation_->state().time;
  before_.swap(now_);
  try {
    const Measured measured(processor_, wall_);
    simulation_->step(give_up);
  } catch (const Error& fault) {
    throw Error(fault.what_happened, "lane " + setup_.name + (fault.where.empty() ? "" : ": " + fault.where),
                fault.what_to_do);
  }
  ++steps_;
  const StepStats stats = simulation_->stats();
  residual_ += double(stats.solver_residual), ended_ += stats.budget_iterations > 0;
  now_ = simulation_->positions();
}

HandRecording Lane::recording() {
  return recording_of(setup_.scene, simulation_->state().step, simulation_->recorded());
}

void Lane::show(double time) {
  const double after = simulation_->state().time, dt = after - time_before_;
  const float share = dt > 0 ? float(std::clamp((time - time_before_) / dt, 0.0, 1.0)) : 1.0f;
  if (share > 1 - 1e-3f || before_.size() != now_.size()) return void(shown_ = now_);
  shown_.resize(now_.size());
  for (size_t v = 0; v < now_.size(); ++v) shown_[v] = before_[v] + share * (now_[v] - before_[v]);
}

Lockstep::Lockstep(std::vector<LaneSetup> setups, const OpenRun& open, std::vector<TimedCommand> commands)
    : commands_(std::move(commands)) {
  if (setups.empty()) throw Error("there is nothing to compare", "lanes", "name at least one");
  for (LaneSetup& setup : setups) lanes_.push_back(std::make_unique<Lane>(std::move(setup), open));
  const MappedMesh first = mesh_of(lanes_[0]->simulation());
  for (auto& lane : lanes_) {
    const MappedMesh own = mesh_of(lane->simulation());
    lane->from_first_ = std::make_unique<MaterialMap>(first, own);
    lane->to_first_ = std::make_unique<MaterialMap>(own, first);
  }
}

double Lockstep::next_reset() const {
  for (size_t i = reset_; i < commands_.size(); ++i)
    if (std::holds_alternative<ResetState>(commands_[i].command)) return commands_[i].time;
  return std::numeric_limits<double>::infinity();
}

void Lockstep::apply_due(Lane& lane) {
  const double dt = double(lane.simulation().scene().step.dt);
  for (; lane.next_command_ < commands_.size(); ++lane.next_command_) {
    const TimedCommand& c = commands_[lane.next_command_];
    if (std::holds_alternative<ResetState>(c.command)) return;  // of all lanes at once
    if (c.time > lane.simulation().state().time + slack(dt)) return;
    const auto* set = std::get_if<SetParam>(&c.command);
    if (set && lane.setup_.fixed.count(set->key)) continue;
    if (std::holds_alternative<EndSolve>(c.command)) continue;
    if (const auto command = lane.from_first_->carried_over(c.command)) lane.simulation().apply(*command);
  }
}

void Lockstep::advance(const std::function<bool()>& give_up) {
  double longest = 0;
  for (const auto& lane : lanes_) longest = std::max(longest, double(lane->simulation().scene().step.dt));
  const double reset_at = next_reset();
  const bool resets = reset_at <= time_ + longest + slack(longest);
  const double target = resets ? std::max(time_, reset_at) : time_ + longest;
  for (auto& lane : lanes_) {
    for (;;) {
      const double dt = double(lane->simulation().scene().step.dt);
      if (lane->simulation().state().time >= target - slack(dt)) break;
      apply_due(*lane);
      lane->step(give_up);
    }
    lane->show(target);
  }
  time_ = target;
  if (!resets) return;
  earlier_ += time_;
  while (!std::holds_alternative<ResetState>(commands_[reset_].command)) ++reset_;
  ++reset_;
  for (auto& lane : lanes_) {
    apply_due(*lane);  // pins that were set at this time stay
    lane->next_command_ = reset_;
    lane->simulation().reset();
    lane->now_ = lane->before_ = lane->shown_ = lane->simulation().positions();
    lane->time_before_ = 0;
  }
  time_ = 0;
}

const std::vector<float>& Lockstep::distances(size_t lane) {
  lanes_[lane]->to_first_->distances(lanes_[lane]->positions(), lanes_[0]->positions(), distances_);
  return distances_;
}

}  // namespace weft

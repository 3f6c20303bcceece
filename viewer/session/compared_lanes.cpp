#include "viewer/session/compared_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/error.h"
#include "sim/dressing/dress.h"
#include "sim/run/lockstep.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kMostCredit = 0.1;    // s: lanes that are too slow run slower instead of catching up
constexpr double kLongestTick = 0.25;  // s: a picture that comes more rarely is no motion

MappedMesh mesh_of(const SceneView& view) { return {view.parts, view.rest, view.triangles}; }

}  // namespace

ComparedLanes::ComparedLanes(Runner& first, int threads, Tell tell)
    : first_(first), threads_(threads), tell_(std::move(tell)), shown_(1), distances_(1) {}

ComparedLanes::~ComparedLanes() = default;

std::string ComparedLanes::name(size_t lane) const { return lane == 0 ? "this run" : spec(lane).name; }

std::shared_ptr<const SceneView> ComparedLanes::view(size_t lane) const {
  return lane == 0 ? first_.scene_view() : others_[lane - 1].runner->scene_view();
}

std::shared_ptr<const RunTimeline> ComparedLanes::timeline(size_t lane) const {
  return lane == 0 ? first_.timeline() : others_[lane - 1].runner->timeline();
}

std::vector<FrameNumbers> ComparedLanes::take_numbers(size_t lane) {
  if (!shown_[lane]) return {};
  return (lane == 0 ? first_ : *others_[lane - 1].runner).take_numbers(shown_[lane]->id);
}

void ComparedLanes::watch(size_t lane, std::vector<int> vertices) {
  (lane == 0 ? first_ : *others_[lane - 1].runner).watch(std::move(vertices));
}

int ComparedLanes::vertex(size_t lane, int of_first) const {
  return lane == 0 ? of_first : others_[lane - 1].from_first->nearest_vertex(of_first);
}

size_t ComparedLanes::reference() const {
  for (size_t i = 1; i < size(); ++i)
    if (spec(i).reference) return i;
  return 0;
}

void ComparedLanes::map_to_reference() {
  const size_t of = reference();
  for (Other& other : others_) other.to_reference.reset();
  if (of == 0) return;
  const auto to = view(of);
  for (size_t i = 1; i < size(); ++i)
    if (i != of) others_[i - 1].to_reference = std::make_unique<MaterialMap>(mesh_of(*view(i)), mesh_of(*to));
}

std::optional<RunDifference> ComparedLanes::error(size_t lane) const {
  const size_t of = reference();
  if (of == 0 || !shown_[lane] || !shown_[of]) return std::nullopt;
  if (lane == of) return RunDifference{};
  const auto& map = lane == 0 ? others_[of - 1].from_first : others_[lane - 1].to_reference;
  const Other& other = others_[of - 1];
  const bool fits = shown_[of]->model_id == other.own_model && shown_[0]->model_id == other.first_model;
  if (!map || !fits) return std::nullopt;
  std::vector<float> distances;
  map->distances(shown_[lane]->positions, shown_[of]->positions, distances);
  return difference_of(distances);
}

void ComparedLanes::add(const Scene& scene, const LaneSpec& lane, DeviceChoice device) {
  try {
    if (size() >= kMostLanes)
      throw Error("four runs at most are compared", "lane " + lane.name, "end one of the others first");
    for (const Other& other : others_)
      if (other.spec.name == lane.name)
        throw Error("two lanes have one name", "lane " + lane.name, "give one another with name=");
    Other other;
    other.spec = lane, other.number = ++numbers_;
    Scene own = lane_scene(scene, lane);
    own.step.budget = 0;
    other.fixed = own_keys(lane);
    other.step = double(own.step.dt), course_.first_step = double(scene.step.dt);
    Runner::Options options;
    options.device = lane.own_device ? lane.device : device;
    options.threads = threads_;
    options.open = open_simulation;
    other.runner = std::make_unique<Runner>(idle_scene(), options);
    other.runner->set_time_limit(0);
    other.runner->set_pace(Pace::fastest);
    other.runner->set_keep_up({.on = false});
    other.runner->set_history_budget(0);
    other.runner->set_field(field_);
    other.runner->set_extras(extras_);
    other.load = other.runner->load(std::move(own));
    others_.push_back(std::move(other));
    shown_.emplace_back(), distances_.emplace_back();
    stage_.begun = false;
  } catch (const std::exception& fault) {
    tell_(LogLevel::error, fault.what());
  }
}

void ComparedLanes::remove(size_t lane) {
  if (lane == 0 || lane > others_.size()) return;
  others_.erase(others_.begin() + long(lane) - 1);
  shown_.erase(shown_.begin() + long(lane)), distances_.erase(distances_.begin() + long(lane));
  ++revision_;
  if (others_.empty()) return end();
  share_budget();
  if (stage_.begun) map_to_reference();
}

void ComparedLanes::end() {
  others_.clear();
  shown_.assign(1, nullptr), distances_.assign(1, {});
  stage_.begun = stage_.had_begun = stage_.restarting = false;
  first_.set_time_limit(kUnlimited);
  first_.set_budget(0);
  ++revision_;
}

bool ComparedLanes::collect(Other& other) {
  for (const auto& [level, text] : other.runner->take_messages())
    if (level >= LogLevel::warning) tell_(level, "Lane " + other.spec.name + ": " + text);
  if (other.there || other.runner->loads_ended() < other.load) return true;
  const auto view = other.runner->scene_view(), first = first_.scene_view();
  if (view->load != other.load) return false;
  try {
    other.from_first = std::make_unique<MaterialMap>(mesh_of(*first), mesh_of(*view));
    other.to_first = std::make_unique<MaterialMap>(mesh_of(*view), mesh_of(*first));
  } catch (const Error& fault) {
    tell_(LogLevel::error, fault.what());
    return false;
  }
  other.own_model = view->model_id, other.first_model = first->model_id;
  other.there = true;
  return true;
}

/// All from their start, at the same time.
void ComparedLanes::begin() {
  stage_.begun = stage_.had_begun = true;
  shown_.assign(size(), nullptr), distances_.assign(size(), {});
  ++revision_;
  first_.set_pace(Pace::fastest);
  first_.set_keep_up({.on = false});
  share_budget();
  map_to_reference();
  reset();
}

void ComparedLanes::back_to_start() {
  course_.limit = 0;
  first_.set_time_limit(0, true);
  for (Other& other : others_) other.limit = 0, other.runner->set_time_limit(0);
}

void ComparedLanes::reset() {
  back_to_start();
  course_.credit = 0, course_.singles = 0;
  stage_.restarting = true;
  first_.reset();
  for (Other& other : others_) other.runner->reset(), other.runner->play();  // one that failed goes on too
}

std::vector<double> ComparedLanes::steps() const {
  std::vector<double> all{course_.first_step};
  for (const Other& other : others_) all.push_back(other.step);
  return all;
}

double ComparedLanes::tick() const {
  const std::vector<double> all = steps();
  const double common = common_step(all, kLongestTick);
  return common > 0 ? common : *std::max_element(all.begin(), all.end());
}

/// By counts of steps: summed times of short and long ones differ by roundings, which must not add up.
double ComparedLanes::own_limit(const Runner& runner, double step, double whole) const {
  const double time = runner.latest()->time, count = std::round(whole / step);
  const bool even = common_step(steps(), kLongestTick) > 0;
  return even ? time + count * step : course_.limit + whole;
}

void ComparedLanes::set_budget(double seconds) {
  course_.budget = seconds;
  if (any()) share_budget();
}

void ComparedLanes::share_budget() {
  const std::vector<double> all = steps();
  const double longest = *std::max_element(all.begin(), all.end());
  first_.set_budget(lane_budget({}, course_.budget, course_.first_step, longest));
  for (Other& other : others_)
    other.runner->set_budget(lane_budget(other.spec, course_.budget, other.step, longest));
}

void ComparedLanes::go_on(double whole) {
  for (Other& other : others_) {
    other.limit = own_limit(*other.runner, other.step, whole);
    other.runner->set_time_limit(other.limit);
  }
  course_.limit = own_limit(first_, course_.first_step, whole);
  first_.set_time_limit(course_.limit, true);
}

void ComparedLanes::set_field(const std::string& name) {
  field_ = name;
  for (Other& other : others_) other.runner->set_field(name);
}

void ComparedLanes::set_extras(FrameExtras extras) {
  extras_ = extras;
  for (Other& other : others_) other.runner->set_extras(extras);
}

void ComparedLanes::post(const Command& command) {
  if (!stage_.begun) return first_.post(command);
  first_.post_at(course_.limit, command);
  const auto* set = std::get_if<SetParam>(&command);
  const double step = set && set->key == "step.dt" ? std::strtod(set->text.c_str(), nullptr) : 0;
  if (step > 0) course_.first_step = step;
  for (Other& other : others_) {
    if (set && other.fixed.count(set->key)) continue;
    if (step > 0) other.step = step;
    if (auto own = other.from_first->carried_over(command))
      other.runner->post_at(other.limit, std::move(*own));
  }
  if (step > 0) share_budget();
}

bool ComparedLanes::together() const {
  constexpr double kRounding = 1.1e-4;  // s: a run stops within a thousandth of its step, 0.1 s at most
  const auto there = [](const Runner& runner, double limit) {
    return runner.latest()->time >= limit - kRounding;
  };
  return there(first_, course_.limit) && std::all_of(others_.begin(), others_.end(), [&](const Other& o) {
           return there(*o.runner, o.limit);
         });
}

void ComparedLanes::show() {
  std::vector<std::shared_ptr<const Frame>> newest = {first_.latest()};
  for (const Other& other : others_) newest.push_back(other.runner->latest());
  if (newest == shown_) return;
  shown_ = std::move(newest);
  for (size_t i = 1; i < shown_.size(); ++i) {
    const Other& other = others_[i - 1];
    const bool fits = shown_[i]->model_id == other.own_model && shown_[0]->model_id == other.first_model;
    if (fits) other.to_first->distances(shown_[i]->positions, shown_[0]->positions, distances_[i]);
  }
  ++revision_;
}

void ComparedLanes::grant(double pace, bool by_step) {
  constexpr int kAtOnce = 4;  // steps between two pictures, as fast as lanes can
  const std::vector<double> all = steps();
  const double longest = *std::max_element(all.begin(), all.end()), by = tick();
  if (common_step(all, kLongestTick) <= 0 && course_.uneven_told != longest) {
    course_.uneven_told = longest;
    tell_(LogLevel::notice, fmt::format("The time steps of the compared runs have no common multiple below "
                                        "{:g} s: the shown states are up to {:.3g} ms apart. Choose steps "
                                        "that divide each other.",
                                        kLongestTick, 1e3 * longest));
  }
  if (by_step) course_.credit = by;
  else if (pace <= 0) course_.credit = std::max(1.0, std::floor(kAtOnce * longest / by)) * by;
  course_.credit = std::min(course_.credit, std::max(kMostCredit * std::max(pace, 1.0), by));
  const double whole = std::floor(course_.credit / by + 1e-3) * by;
  if (whole <= 0) return;
  course_.credit = std::max(0.0, course_.credit - whole);
  go_on(whole);
}

void ComparedLanes::turn(bool playing, double wall, double pace, bool by_step) {
  for (size_t i = 0; i < others_.size();)
    if (collect(others_[i])) ++i;
    else remove(i + 1), stage_.begun = stage_.had_begun && !others_.empty();
  if (others_.empty()) return;
  if (!stage_.begun) {
    if (std::all_of(others_.begin(), others_.end(), [](const Other& o) { return o.there; })) begin();
    return;
  }
  if (stage_.restarting) {
    const auto at_start = [](const Runner& runner) { return runner.latest()->step == 0; };
    if (!at_start(first_) ||
        !std::all_of(others_.begin(), others_.end(), [&](const Other& o) { return at_start(*o.runner); }))
      return;
    stage_.restarting = false;
  }
  if (playing) course_.credit += wall * pace;
  if (!together()) return;
  show();
  if (playing) grant(pace, by_step), course_.singles = 0;
  else if (course_.singles > 0) grant(0, true), --course_.singles;
}

}  // namespace weft

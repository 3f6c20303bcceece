#include "viewer/session/compared_lanes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/error.h"
#include "sim/dressing/dress.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kMostCredit = 0.1;  // s: lanes that are too slow run slower instead of catching up

MappedMesh mesh_of(const SceneView& view) { return {view.parts, view.rest, view.triangles}; }

}  // namespace

ComparedLanes::ComparedLanes(Runner& first, int threads, Tell tell)
    : first_(first), threads_(threads), tell_(std::move(tell)), shown_(1), distances_(1) {}

ComparedLanes::~ComparedLanes() = default;

std::string ComparedLanes::name(size_t lane) const { return lane == 0 ? "this run" : spec(lane).name; }

std::shared_ptr<const SceneView> ComparedLanes::view(size_t lane) const {
  return lane == 0 ? first_.scene_view() : others_[lane - 1].runner->scene_view();
}

void ComparedLanes::add(const Scene& scene, const LaneSpec& lane, DeviceChoice device) {
  try {
    if (size() >= kMostLanes)
      throw Error("four runs at most are compared", "lane " + lane.name, "end one of the others first");
    for (const Other& other : others_)
      if (other.spec.name == lane.name)
        throw Error("two lanes have one name", "lane " + lane.name, "give one another with name=");
    Other other;
    other.spec = lane;
    Scene own = lane_scene(scene, lane);
    own.step.budget = 0;
    other.fixed = own_keys(lane);
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
    begun_ = false;
  } catch (const std::exception& fault) {
    tell_(LogLevel::error, fault.what());
  }
}

void ComparedLanes::remove(size_t lane) {
  if (lane == 0 || lane > others_.size()) return;
  others_.erase(others_.begin() + long(lane) - 1);
  shown_.erase(shown_.begin() + long(lane)), distances_.erase(distances_.begin() + long(lane));
  ++revision_;
  if (others_.empty()) end();
}

void ComparedLanes::end() {
  others_.clear();
  shown_.assign(1, nullptr), distances_.assign(1, {});
  begun_ = had_begun_ = restarting_ = false;
  first_.set_time_limit(kUnlimited);
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
  other.step = double(view->scene.step.dt), first_step_ = double(first->scene.step.dt);
  other.there = true;
  return true;
}

/// All from their start, at the same time.
void ComparedLanes::begin() {
  begun_ = had_begun_ = true;
  shown_.assign(size(), nullptr), distances_.assign(size(), {});
  ++revision_;
  first_.set_pace(Pace::fastest);
  first_.set_keep_up({.on = false});
  reset();
}

void ComparedLanes::set_limit(double time) {
  limit_ = time;
  first_.set_time_limit(time);
  for (Other& other : others_) other.runner->set_time_limit(time);
}

void ComparedLanes::reset() {
  set_limit(0);
  credit_ = 0;
  restarting_ = true;
  first_.reset();
  for (Other& other : others_) other.runner->reset(), other.runner->play();  // one that failed goes on too
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
  if (!begun_) return first_.post(command);
  first_.post_at(limit_, command);
  const auto* set = std::get_if<SetParam>(&command);
  const double step = set && set->key == "step.dt" ? std::strtod(set->text.c_str(), nullptr) : 0;
  if (step > 0) first_step_ = step;
  for (Other& other : others_) {
    if (set && other.fixed.count(set->key)) continue;
    if (step > 0) other.step = step;
    if (auto own = other.from_first->carried_over(command)) other.runner->post_at(limit_, std::move(*own));
  }
}

bool ComparedLanes::together(double time) const {
  constexpr double kRounding = 1.1e-4;  // s: a run stops within a thousandth of its step, 0.1 s at most
  const auto there = [&](const Runner& runner) { return runner.latest()->time >= time - kRounding; };
  return there(first_) &&
         std::all_of(others_.begin(), others_.end(), [&](const Other& o) { return there(*o.runner); });
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
  double longest = first_step_;
  for (const Other& other : others_) longest = std::max(longest, other.step);
  if (by_step) credit_ = longest;
  else if (pace <= 0) credit_ = kAtOnce * longest;
  credit_ = std::min(credit_, std::max(kMostCredit * std::max(pace, 1.0), longest));
  const double whole = std::floor(credit_ / longest + 1e-3) * longest;
  if (whole <= 0) return;
  credit_ = std::max(0.0, credit_ - whole);
  set_limit(limit_ + whole);
}

void ComparedLanes::turn(bool playing, double wall, double pace, bool by_step) {
  for (size_t i = 0; i < others_.size();)
    if (collect(others_[i])) ++i;
    else remove(i + 1), begun_ = had_begun_ && !others_.empty();
  if (others_.empty()) return;
  if (!begun_) {
    if (std::all_of(others_.begin(), others_.end(), [](const Other& o) { return o.there; })) begin();
    return;
  }
  if (restarting_) {
    const auto at_start = [](const Runner& runner) { return runner.latest()->step == 0; };
    if (!at_start(first_) ||
        !std::all_of(others_.begin(), others_.end(), [&](const Other& o) { return at_start(*o.runner); }))
      return;
    restarting_ = false;
  }
  if (playing) credit_ += wall * pace;
  if (const double time = first_.latest()->time; time > limit_ + 1e-6) set_limit(time);  // a single step
  if (!together(limit_)) return;
  show();
  if (playing) grant(pace, by_step);
}

}  // namespace weft

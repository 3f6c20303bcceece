#include "viewer/session/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace weft {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// "vertex.12" and "distance.3.40": the numbers after the name.
std::vector<int> numbers_of(const std::string& id) {
  std::vector<int> all;
  for (size_t dot = id.find('.'); dot != id.npos; dot = id.find('.', dot + 1)) {
    try {
      all.push_back(std::stoi(id.substr(dot + 1)));
    } catch (const std::exception&) {
      return {};
    }
  }
  return all;
}

bool of_places(const std::string& id) { return id.starts_with("vertex.") || id.starts_with("distance."); }

float place_value(const FrameNumbers& frame, const std::string& id) {
  std::vector<vec3> places;
  for (const int v : numbers_of(id)) {
    const auto found = std::find_if(frame.watched.begin(), frame.watched.end(),
                                    [&](const auto& watched) { return watched.first == v; });
    if (found == frame.watched.end()) return kNone;
    places.push_back(found->second);
  }
  if (places.size() == 1) return places[0].y;
  return places.size() == 2 ? glm::distance(places[0], places[1]) : kNone;
}

std::vector<std::pair<std::string, double>> values_of(const FrameNumbers& frame) {
  std::vector<std::pair<std::string, double>> all;
  for (const auto& [name, value] : frame.stats.all())
    if (name != "time") all.emplace_back("stats." + name, value);
  for (const StageTime& s : frame.stages) all.emplace_back("stage." + s.path, s.now);
  all.emplace_back("handle.force", frame.handle_force);
  all.emplace_back("rate.steps", frame.steps_per_second);
  all.emplace_back("rate.real_time", frame.real_time_factor);
  all.emplace_back("rate.launches", frame.launches);
  return all;
}

}  // namespace

size_t Curves::number(const std::string& id) {
  const auto found = std::find(names_.begin(), names_.end(), id);
  if (found != names_.end()) return size_t(found - names_.begin());
  names_.push_back(id);
  return names_.size() - 1;
}

void Curves::branch_off(const RunTimeline& timeline) {
  branch_ = timeline.branch;
  ++line_;
  for (Row& row : rows_)
    if (!row.pale && row.step > timeline.branch_step) row.pale = true, row.line = line_;
  ++line_;
}

void Curves::add(const FrameNumbers& frame, const RunTimeline& timeline, const std::string& methods,
                 const More& more) {
  if (frame.model_id != model_) rows_.clear(), methods_.clear(), branch_ = timeline.branch;
  model_ = frame.model_id;
  if (timeline.branch != branch_) {
    if (frame.id < timeline.branch_frame) return;  // of the future that was left since
    branch_off(timeline);
  }
  const auto last = std::find_if(rows_.rbegin(), rows_.rend(), [](const Row& row) { return !row.pale; });
  if (last != rows_.rend() && frame.step <= last->step) return;  // shown again
  if (methods != methods_) {
    for (Row& row : rows_) row.pale = true;
    ++line_;
    methods_ = methods;
  }
  Row row{frame.step, frame.time, line_, false, {}};
  const auto put = [&](const std::string& id, float value) {
    const size_t i = number(id);
    if (i >= row.values.size()) row.values.resize(i + 1, kNone);
    row.values[i] = value;
  };
  for (const auto& [id, value] : values_of(frame)) put(id, float(value));
  for (const auto& [id, value] : more) put(id, float(value));
  for (const std::string& id : shown_)
    if (of_places(id)) put(id, place_value(frame, id));
  rows_.push_back(std::move(row));
  if (rows_.size() > length_) rows_.pop_front();
}

void Curves::toggle(const std::string& id) {
  const auto found = std::find(shown_.begin(), shown_.end(), id);
  if (found != shown_.end()) shown_.erase(found);
  else shown_.push_back(id);
}

bool Curves::shows(const std::string& id) const {
  return std::find(shown_.begin(), shown_.end(), id) != shown_.end();
}

std::vector<int> Curves::vertices() const {
  std::set<int> all;
  for (const std::string& id : shown_)
    if (of_places(id))
      for (const int v : numbers_of(id)) all.insert(v);
  return {all.begin(), all.end()};
}

std::vector<std::string> Curves::ids() const {
  std::vector<std::string> all;
  for (const std::string& name : names_)
    if (!of_places(name)) all.push_back(name);
  return all;
}

std::vector<Curve> Curves::curves(double seconds) const {
  double latest = 0;
  for (const Row& row : rows_)
    if (!row.pale) latest = std::max(latest, row.time);
  std::vector<Curve> all;
  for (const std::string& id : shown_) {
    Curve& curve = all.emplace_back(Curve{id, curve_label(id), curve_unit(id), {}, 0, 0});
    const size_t i = size_t(std::find(names_.begin(), names_.end(), id) - names_.begin());
    std::map<std::pair<int, bool>, CurveLine> lines;
    bool any = false;
    for (const Row& row : rows_) {
      if (i >= row.values.size() || !std::isfinite(row.values[i])) continue;
      if (seconds > 0 && row.time < latest - seconds) continue;
      const double value = double(row.values[i]);
      CurveLine& line = lines[{row.line, row.pale}];
      line.pale = row.pale;
      line.points.push_back({row.time, value});
      curve.low = any ? std::min(curve.low, value) : value;
      curve.high = any ? std::max(curve.high, value) : value;
      any = true;
    }
    for (auto& [key, line] : lines) curve.lines.push_back(std::move(line));
    // pale ones below
    std::stable_sort(curve.lines.begin(), curve.lines.end(),
                     [](const CurveLine& a, const CurveLine& b) { return a.pale && !b.pale; });
  }
  return all;
}

std::string curve_label(const std::string& id) {
  const std::vector<int> v = numbers_of(id);
  if (id.starts_with("vertex.") && v.size() == 1) return "height of vertex " + std::to_string(v[0]);
  if (id.starts_with("distance.") && v.size() == 2)
    return "distance of vertices " + std::to_string(v[0]) + " and " + std::to_string(v[1]);
  if (id == "rate.steps") return "steps per second";
  if (id == "rate.real_time") return "real-time factor";
  if (id == "rate.launches") return "kernel launches";
  if (id == "handle.force") return "force of the handle";
  if (id == "lane.error") return "mean distance from the reference";
  if (id == "lane.apart") return "mean distance from the first run";
  std::string name = id.substr(id.find('.') + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  if (name.ends_with(" ms")) name.resize(name.size() - 3);
  return name;
}

std::string curve_unit(const std::string& id) {
  static const std::map<std::string, std::string> units = {
      {"stats.max_speed", "m/s"}, {"stats.kinetic_energy", "J"}, {"stats.max_penetration", "m"},
      {"stats.min_height", "m"},  {"stats.max_height", "m"},     {"stats.mean_height", "m"},
      {"stats.pin_lag", "m"},     {"stats.body_lag", "m"},       {"stats.step_ms", "ms"},
      {"lane.error", "m"},        {"lane.apart", "m"},           {"handle.force", "N"},
      {"rate.steps", "1/s"}};
  if (id.starts_with("stage.")) return "ms";
  if (of_places(id)) return "m";
  const auto found = units.find(id);
  return found == units.end() ? "" : found->second;
}

}  // namespace weft

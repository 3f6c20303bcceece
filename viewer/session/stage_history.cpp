#include "viewer/session/stage_history.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {
constexpr const char* kOther = "other";
}

int StageHistory::index_of(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return int(found - names_.begin());
  names_.push_back(name);
  return int(names_.size()) - 1;
}

void StageHistory::add(const std::vector<StageTime>& stages) {
  if (stages.empty()) return;
  std::vector<float> times(names_.size(), 0.0f);
  double parts = 0;
  const auto put = [&](const std::string& name, double ms) {
    const size_t i = size_t(index_of(name));
    if (i >= times.size()) times.resize(i + 1, 0.0f);
    times[i] += float(ms);
  };
  for (size_t i = 1; i < stages.size(); ++i) {
    // Measures of the start have a place among the stages, but no part in a step.
    if (stages[i].depth != stages[0].depth + 1 || stages[i].now <= 0) continue;
    put(stages[i].name, stages[i].now);
    parts += stages[i].now;
  }
  if (const double rest = stages[0].now - parts; rest > 0) put(kOther, rest);
  steps_.push_back(std::move(times));
  if (steps_.size() > length_) steps_.pop_front();
}

void StageHistory::clear() {
  names_.clear();
  steps_.clear();
}

int StageHistory::series_of(const std::string& path) const {
  const size_t first = path.find('/');
  if (first == std::string::npos) return -1;
  const std::string name = path.substr(first + 1, path.find('/', first + 1) - first - 1);
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? -1 : int(found - names_.begin());
}

double nice_ceiling(double value) {
  if (!(value > 0)) return 1;
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (double m : {1.0, 2.0, 5.0})
    if (m * decade >= value * (1 - 1e-9)) return m * decade;
  return 10 * decade;
}

}  // namespace weft

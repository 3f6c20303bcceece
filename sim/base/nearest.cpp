#include "sim/base/nearest.h"

#include <algorithm>

namespace weft {
namespace {

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t up = row[j];
      row[j] = std::min({up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = up;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& wanted, const std::vector<std::string>& names) {
  // characters compared: the cost is quadratic, and a name may have any length
  constexpr size_t kCompared = 200;
  const std::string begin = wanted.substr(0, kCompared);
  const auto distance = [&](const std::string& name) {
    return edit_distance(begin, name.substr(0, kCompared));
  };
  const auto best = std::min_element(names.begin(), names.end(),
                                     [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return best == names.end() ? "" : *best;
}

}  // namespace weft

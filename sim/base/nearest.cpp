#include "sim/base/nearest.h"

#include <algorithm>
#include <cctype>

#include "sim/base/shorten.h"

namespace weft {
namespace {

/// Characters that are missing, added, different, or swapped with their neighbour.
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last), std::swap(last, row);
  }
  return last[b.size()];
}

/// At most `most` letters, which is short enough for a message.
std::string in_message(const std::string& name, size_t most) {
  const bool usual = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '/' || c == '-';
  });
  return usual ? shortened(name, most) : "'" + shortened(name, most) + "'";
}

}  // namespace

std::string near_name(const std::string& wanted, const std::vector<std::string>& names) {
  // characters compared: the cost is quadratic, and a name may have any length
  constexpr size_t kCompared = 200;
  const std::string begin = wanted.substr(0, kCompared);
  std::string best;
  size_t least = kCompared + 1;
  for (const std::string& name : names) {
    const std::string compared = name.substr(0, kCompared);
    const size_t most = std::max<size_t>(1, std::max(begin.size(), compared.size()) / 3);
    const size_t distance = edit_distance(begin, compared);
    if (distance <= most && distance < least) least = distance, best = name;
  }
  return best;
}

std::string did_you_mean(const std::string& wanted, const std::vector<std::string>& names) {
  constexpr size_t kListed = 12;
  if (const std::string near = near_name(wanted, names); !near.empty())
    return "did you mean " + in_message(near, 80) + "?";
  if (names.empty() || names.size() > kListed) return "";
  std::string all = "use one of ";
  for (const std::string& name : names) all += (&name == &names.front() ? "" : ", ") + in_message(name, 24);
  return all;
}

}  // namespace weft

#include "sim/base/part_choice.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"

namespace weft {
namespace {

bool any_of(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  });
}

}  // namespace

bool PartChoice::takes(const std::vector<std::string>& names) const {
  return (object.empty() || any_of(names, object)) && !any_of(names, without);
}

void PartChoice::check(const std::vector<std::vector<std::string>>& parts, const std::string& path) const {
  std::vector<std::string> known;
  for (const auto& names : parts)
    for (const std::string& name : names)
      if (!name.empty()) known.push_back(name);
  for (const auto* list : {&object, &without})
    for (const std::string& name : *list) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      throw Error("the file has no object '" + shortened(name, 80) + "'", path,
                  known.empty() ? "it names none: leave the key out" : did_you_mean(name, known));
    }
  if (std::none_of(parts.begin(), parts.end(), [&](const auto& names) { return takes(names); }))
    throw Error("no object of the file is left", path, "name fewer in 'without'");
}

}  // namespace weft

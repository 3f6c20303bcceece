// Which of a file's named parts are taken.
#pragma once
#include <string>
#include <vector>

namespace weft {

struct PartChoice {
  std::vector<std::string> object;   // these alone; empty: all
  std::vector<std::string> without;  // but none of these
  bool operator==(const PartChoice&) const = default;
  bool all() const { return object.empty() && without.empty(); }
  /// `names`: all by which the part is known.
  bool takes(const std::vector<std::string>& names) const;
  /// Throws Error where it names a part that `names` does not have, or leaves none of them.
  void check(const std::vector<std::vector<std::string>>& parts, const std::string& path) const;
};

}  // namespace weft

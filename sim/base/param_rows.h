// Descriptions of parameters as rows of a table: name, label, range, and what the value does.
//
//   const ParamRows row(v);
//   row(stiffness, param("stiffness", "Drag stiffness").unit("N/m").range(0, 100), "Force per ...");
#pragma once
#include <utility>

#include "sim/base/params.h"

namespace weft {

/// A ParamInfo that is written in one line: each function sets what its name says. Values are in SI units.
class ParamRow {
 public:
  ParamRow(std::string key, std::string label) { info_.key = std::move(key), info_.label = std::move(label); }

  ParamRow&& range(double min, double max) { return info_.min = min, info_.max = max, std::move(*this); }
  ParamRow&& unit(const char* unit) { return info_.unit = unit, std::move(*this); }
  /// From `min` to `max` m, shown in mm.
  ParamRow&& length(double min, double max) { return range(min, max).unit("m").shown_in("mm", 1e3); }
  /// Shown as `scale` times the value, in `unit`.
  ParamRow&& shown_in(const char* unit, double scale) {
    return info_.display_unit = unit, info_.display_scale = scale, std::move(*this);
  }
  ParamRow&& log_scale() { return info_.log_scale = true, std::move(*this); }
  ParamRow&& choices(std::vector<std::string> names) {
    return info_.choices = std::move(names), std::move(*this);
  }
  ParamRow&& zero(const char* meaning) { return info_.zero = meaning, std::move(*this); }
  ParamRow&& advanced() { return info_.advanced = true, std::move(*this); }
  ParamRow&& rebuilds() { return info_.rebuilds = true, std::move(*this); }
  const ParamInfo& help(std::string text) { return info_.help = std::move(text), info_; }

 private:
  ParamInfo info_;
};

/// A row for the parameter `key` of its group, which panels call `label`.
inline ParamRow param(std::string key, std::string label) { return {std::move(key), std::move(label)}; }

/// Hands rows to a visitor, each with the value that it describes and what that does.
class ParamRows {
 public:
  explicit ParamRows(ParamVisitor& visitor) : visitor_(visitor) {}
  template <class T>
  void operator()(T& value, ParamRow&& row, std::string help) const {
    visitor_(value, row.help(std::move(help)));
  }

 private:
  ParamVisitor& visitor_;
};

}  // namespace weft

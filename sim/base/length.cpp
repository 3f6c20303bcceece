#include "sim/base/length.h"

#include <cmath>
#include <cstdio>

namespace weft {

std::string read_length(const std::string& text, double& metres, bool may_be_negative) {
  double value = 0;
  char unit[8] = "";
  const int parts = std::sscanf(text.c_str(), "%lf %7s", &value, unit);
  const std::string name = unit;
  const double factor = name.empty() || name == "m" ? 1 : name == "mm" ? 1e-3 : name == "cm" ? 1e-2 : 0;
  if (parts < 1 || factor == 0 || !std::isfinite(value) || !(value > 0 || (may_be_negative && value < 0)))
    return "'" + text +
           "' is not a length; write for example 4.2mm, 0.42cm or 0.0042m (a plain number is in metres)";
  metres = value * factor;
  return {};
}

}  // namespace weft

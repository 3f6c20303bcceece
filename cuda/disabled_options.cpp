#include "cuda/disabled_options.h"

#include <sstream>

#include "sim/base/error.h"

namespace weft::cuda {

DisabledOptions parse_disabled_options(const std::string& text) {
  DisabledOptions off;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "graphs") off.graphs = true;
    else if (name == "resident") off.resident = true;
    else if (name == "cooperative") off.cooperative = true;
    else
      throw Error("'" + name + "' is nothing that can be switched off", "WEFT_CUDA_OFF",
                  "use graphs, resident or cooperative, separated by commas");
  }
  return off;
}

}  // namespace weft::cuda

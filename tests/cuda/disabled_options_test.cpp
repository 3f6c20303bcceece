#if WEFT_CUDA
#include "cuda/disabled_options.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"

using namespace weft;

TEST_CASE(
    "ways of running on a GPU are switched off by name, and a name that there is not is refused with those "
    "that there are") {
  for (int all = 0; all < 8; ++all) {
    std::string text;
    const std::pair<int, const char*> names[] = {{1, "graphs"}, {2, "resident"}, {4, "cooperative"}};
    for (const auto& [bit, name] : names)
      if (all & bit) text += (text.empty() ? "" : ",") + std::string(name);
    const cuda::DisabledOptions off = cuda::parse_disabled_options(text);
    CHECK(off.graphs == bool(all & 1));
    CHECK(off.resident == bool(all & 2));
    CHECK(off.cooperative == bool(all & 4));
  }
  for (const char* bad : {"graph", "graphs resident", "graphs,,resident", " graphs"}) {
    std::string message;
    try {
      cuda::parse_disabled_options(bad);
    } catch (const Error& e) {
      message = e.what();
    }
    CAPTURE(bad);
    CHECK(message.find("WEFT_CUDA_OFF") != std::string::npos);
    CHECK(message.find("cooperative") != std::string::npos);
  }
}
#endif

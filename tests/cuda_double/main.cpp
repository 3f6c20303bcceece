// Tests of the CUDA side on a double of its runtime. Where no test is left out by a filter (name=...), a
// kernel that none has launched is a failure.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "tests/cuda_double/double.h"
#include "tests/cuda_double/races.h"

int main(int argc, char** argv) {
  std::puts("On a double of the CUDA runtime, on the CPU: nothing here ran on a GPU or with CUDA.");
  cuda_double::races::stay_on_one_processor();
  doctest::Context context(argc, argv);
  const int failed = context.run();
  const bool filtered =
      std::any_of(argv + 1, argv + argc, [](const char* a) { return std::strchr(a, '=') != nullptr; });
  if (context.shouldExit() || filtered) return failed;
  const cuda_double::Counts c = cuda_double::counts();
  std::printf("%ld launches, %ld recordings, %ld made executable, %ld played, %ld parts and %ld loops\n",
              c.launches, c.recordings, c.instantiations, c.played, c.ifs, c.whiles);
  const auto names = cuda_double::never_launched();
  for (const auto& name : names) std::printf("FAILED: no test here launches %s\n", name.c_str());
  return failed != 0 || !names.empty() ? 1 : 0;
}

// A program built for x86-64-v3 says so on an older processor, where it would otherwise end by an illegal
// instruction. This file is compiled for every x86-64 processor and runs before anything else of the program.
#ifdef WEFT_NEEDS_AVX2
#include <unistd.h>

#include <cstring>

namespace {

[[gnu::constructor(101)]] void check_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return;
  const char* words =
      "weft: this program is built for processors with AVX2, FMA and BMI2 (x86-64-v3, since about 2013), and "
      "this one "
      "lacks them; build it from source here\n";
  if (write(STDERR_FILENO, words, std::strlen(words)) < 0) _exit(2);
  _exit(1);
}

}  // namespace
#endif

// One libFuzzer program per target: WEFT_FUZZ_TARGET names its function. Not part of the test programs.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::fuzz::WEFT_FUZZ_TARGET(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

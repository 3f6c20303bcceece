// Writes the inputs of binary formats into the corpus. Not part of the test programs.
#include "tests/fuzz/targets.h"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string corpus = arguments[1];
  weft::fuzz::write_run_cache_seeds(corpus + "/run_cache");
  weft::fuzz::write_snapshot_seeds(corpus + "/snapshot");
  weft::fuzz::write_gltf_seeds(corpus + "/gltf");
}

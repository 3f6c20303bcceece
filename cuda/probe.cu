#include "cuda/probe.h"

namespace weft::cuda {
namespace {
__global__ void probe() {}
}  // namespace

bool has_code_for_current_gpu() {
  cudaFuncAttributes attributes;
  const bool found = cudaFuncGetAttributes(&attributes, probe) == cudaSuccess;
  cudaGetLastError();  // a refusal is an answer here
  return found;
}

}  // namespace weft::cuda

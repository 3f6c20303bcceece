#include "cuda/check.h"

#include <string>

#include "sim/base/error.h"

namespace weft::cuda {
namespace {

std::string advice(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation: return "use a coarser mesh, or --device cpu";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorLaunchTimeout:
    case cudaErrorECCUncorrectable:
      return "the GPU is lost to this run: save nothing from it, start again; --device cpu runs the same code";
    default: return "--device cpu runs the same code";
  }
}

}  // namespace

void check(cudaError_t code, const char* where) {
  if (code == cudaSuccess) return;
  throw Error(std::string("CUDA: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")", where, advice(code));
}

}  // namespace weft::cuda

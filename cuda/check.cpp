#include "cuda/check.h"

#include <string>

#include "sim/base/error.h"

namespace weft::cuda {

/// Errors that stay: CUDA returns them from every later call of the process, or the GPU itself is gone.
bool is_lost(cudaError_t code) {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorDevicesUnavailable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorCudartUnloading:
    case cudaErrorExternalDevice:
    case cudaErrorMpsClientTerminated:
#if CUDART_VERSION >= 13000
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
#endif
    case cudaErrorUnknown: return true;
    default: return false;
  }
}

namespace {

std::string advice(cudaError_t code) {
  if (code == cudaErrorMemoryAllocation) return "use a coarser mesh, or --device cpu";
  if (is_lost(code)) return "nothing can be read from this GPU any more; --device cpu runs the same code";
  return "--device cpu runs the same code";
}

}  // namespace

void check(cudaError_t code, const char* where) {
  if (code == cudaSuccess) return;
  // else the next launch would report it as its own; what the GPU does not recover from comes back by itself
  cudaGetLastError();
  const std::string what =
      std::string("CUDA: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")";
  if (is_lost(code)) throw DeviceLost(what, where, advice(code));
  throw Error(what, where, advice(code));
}

bool has_passed(cudaEvent_t event, const char* where) {
  const cudaError_t code = cudaEventQuery(event);
  if (code == cudaErrorNotReady) {
    cudaGetLastError();  // no error, but the next launch would report it as its own
    return false;
  }
  check(code, where);
  return true;
}

}  // namespace weft::cuda

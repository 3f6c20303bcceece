// From CUDA's error codes to errors for people.
#pragma once
#include <cuda_runtime_api.h>

namespace weft::cuda {

/// Whether nothing can be had from the GPU after this error.
bool is_lost(cudaError_t code);

/// Throws weft::Error (DeviceLost where is_lost) with CUDA's description if `code` is not success. `where`
/// names the call, launch or stage.
void check(cudaError_t code, const char* where);

/// False while the work before `event` is under way; throws as check does.
bool has_passed(cudaEvent_t event, const char* where);

}  // namespace weft::cuda

// A part of a recorded step that runs only if a flag in device memory is set when its turn comes.
#pragma once
#include <cuda_runtime_api.h>

#include <functional>

namespace weft::cuda {

/// `outer` is being captured. Adds a conditional node to its graph: `work`, which queues on `inner`, becomes
/// the node's body, and runs if flag[0] is not 0. Throws Error; `inner` is then not capturing any more.
void record_when(cudaStream_t outer, cudaStream_t inner, const int* flag, const std::function<void()>& work);

/// The same, but the body runs again and again for as long as flag[0] is not 0.
void record_repeat(cudaStream_t outer, cudaStream_t inner, const int* flag,
                   const std::function<void()>& work);

}  // namespace weft::cuda

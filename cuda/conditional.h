// A part of a recorded step that runs only if a flag in device memory is set when its turn comes.
#pragma once
#include <cuda_runtime_api.h>

#include <functional>

namespace weft::cuda {

/// `outer` is being captured. Adds a conditional node to its graph: `work`, which queues on `inner`, becomes the node's body, and
/// runs if flag[0] is not 0. Throws Error; `inner` is then not capturing any more.
void record_when(cudaStream_t outer, cudaStream_t inner, const int* flag, const std::function<void()>& work);

/// The same, but the body runs again and again for as long as flag[0] is not 0.
void record_repeat(cudaStream_t outer, cudaStream_t inner, const int* flag, const std::function<void()>& work);

/// For parts that are always launched (small_parts.h): `to` becomes 1 where flag[0] is not 0 and *wanted, if there is
/// one, is not either, else 0.
void copy_condition(cudaStream_t stream, int* to, const int* flag, const int* wanted);

/// cudaMemsetAsync to 0 and cudaMemcpyAsync within the device, where *wanted is not 0.
void clear_where(cudaStream_t stream, const int* wanted, void* memory, size_t bytes);
void copy_where(cudaStream_t stream, const int* wanted, void* to, const void* from, size_t bytes);

}  // namespace weft::cuda

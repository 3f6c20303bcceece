// Whether this build has code for a GPU.
#pragma once

namespace weft::cuda {

/// True if kernels of this build can run on the current GPU: it was named in WEFT_CUDA_ARCHITECTURES, or is
/// newer.
bool has_code_for_current_gpu();

}  // namespace weft::cuda

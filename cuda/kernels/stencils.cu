#include "cuda/launch.cuh"
#include "sim/linear/stencil_kernels.h"

WEFT_CUDA_KERNEL(weft::stencils::Keys)
WEFT_CUDA_KERNEL(weft::stencils::Starts)
WEFT_CUDA_COUNTED_KERNEL(weft::stencils::Pull)
WEFT_CUDA_KERNEL(weft::stencils::AddForces)
WEFT_CUDA_KERNEL(weft::stencils::AddProduct)
WEFT_CUDA_KERNEL(weft::stencils::Merit)

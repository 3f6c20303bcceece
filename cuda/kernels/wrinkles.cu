#include "cuda/launch.cuh"
#include "sim/wrinkles/transfer_kernels.h"

WEFT_CUDA_KERNEL(weft::wrinkles::ToLocal)
WEFT_CUDA_KERNEL(weft::wrinkles::FromLocal)
WEFT_CUDA_KERNEL(weft::wrinkles::Inject)

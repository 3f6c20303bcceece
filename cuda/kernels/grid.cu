#include "cuda/launch.cuh"
#include "sim/grid/grid_kernels.h"

WEFT_CUDA_KERNEL(weft::grid::PlaceOrigins)
WEFT_CUDA_KERNEL(weft::grid::Resample)
WEFT_CUDA_KERNEL(weft::grid::Upsample)

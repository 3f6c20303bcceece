#include "cuda/launch.cuh"
#include "sim/solvers/crease_kernels.h"

WEFT_CUDA_KERNEL(weft::creases::Yield)
WEFT_CUDA_KERNEL(weft::creases::TakeRestAngles)

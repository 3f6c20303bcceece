// Kernels of two-way contact that tests launch in another way than steps do.
#include "cuda/launch.cuh"
#include "sim/collision/free_path/step_kernels.h"

WEFT_CUDA_KERNEL(weft::two_way::VisitAll)

#include "cuda/launch.cuh"
#include "sim/geometry/crossing_search_kernels.h"

WEFT_CUDA_KERNEL(weft::crossing_search::CurveKeys)
WEFT_CUDA_KERNEL(weft::crossing_search::TriangleBoxes)
WEFT_CUDA_KERNEL(weft::crossing_search::Areas)
WEFT_CUDA_KERNEL(weft::crossing_search::Cross)

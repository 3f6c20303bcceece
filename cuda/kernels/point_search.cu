#include "cuda/launch.cuh"
#include "sim/collision/proximity/point_search_kernels.h"

WEFT_CUDA_KERNEL(weft::point_search::SumDisplacements)
WEFT_CUDA_KERNEL(weft::point_search::CheckCache)
WEFT_CUDA_KERNEL(weft::point_search::HashPoints)
WEFT_CUDA_KERNEL(weft::KeyRuns)
WEFT_CUDA_KERNEL(weft::point_search::FillBuckets)
WEFT_CUDA_KERNEL(weft::point_search::FillCache)
WEFT_CUDA_KERNEL(weft::point_search::FilterCache)

#include "cuda/launch.cuh"
#include "sim/grid/grid_kernels.h"
#include "sim/grid/layers.h"
#include "sim/grid/outline_kernels.h"
#include "sim/grid/seam_kernels.h"

WEFT_CUDA_KERNEL(weft::grid::PlaceOrigins)
WEFT_CUDA_KERNEL(weft::grid::Resample)
WEFT_CUDA_KERNEL(weft::grid::Upsample)
WEFT_CUDA_KERNEL(weft::grid::PlaceGhosts)
WEFT_CUDA_KERNEL(weft::grid::PullSeams)
WEFT_CUDA_KERNEL(weft::grid::SeamGaps)
WEFT_CUDA_KERNEL(weft::grid::FindLayers)
WEFT_CUDA_KERNEL(weft::grid::PlaceOutline)

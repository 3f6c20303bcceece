#include "cuda/launch.cuh"
#include "sim/grid/contact/half_planes.h"
#include "sim/grid/contact/proximity_kernels.h"

WEFT_CUDA_KERNEL(weft::grid_repulsion::BoundBlocks)
WEFT_CUDA_KERNEL(weft::grid_repulsion::HashBlocks)
WEFT_CUDA_KERNEL(weft::grid_repulsion::LongRange)
WEFT_CUDA_KERNEL(weft::grid_repulsion::FindContacts)
WEFT_CUDA_KERNEL(weft::grid_repulsion::BlockStarts)
WEFT_CUDA_KERNEL(weft::grid_repulsion::CheckRoom)
WEFT_CUDA_KERNEL(weft::grid_repulsion::FindPlanes)
WEFT_CUDA_KERNEL(weft::grid_repulsion::KeepOutside)
WEFT_CUDA_KERNEL(weft::grid_repulsion::LeaveBodies)

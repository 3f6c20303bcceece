#include "cuda/launch.cuh"
#include "sim/solvers/element_kernels.h"
#include "sim/solvers/neighborhood_kernels.h"

WEFT_CUDA_KERNEL(weft::elements::TriangleBound)
WEFT_CUDA_KERNEL(weft::elements::TriangleForces)
WEFT_CUDA_KERNEL(weft::elements::WovenForces)
WEFT_CUDA_KERNEL(weft::elements::HingeForces)
WEFT_CUDA_KERNEL(weft::elements::GatherForces)
WEFT_CUDA_KERNEL(weft::neighborhoods::BendNeighborhoods)
WEFT_CUDA_KERNEL(weft::neighborhoods::GatherNeighborhoods)

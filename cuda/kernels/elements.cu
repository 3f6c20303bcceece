#include "cuda/elements.cuh"
#include "sim/solvers/neighborhood_kernels.h"
#include "sim/solvers/stitch_kernels.h"

WEFT_ELEMENT(weft::DihedralHinge)
WEFT_ELEMENT(weft::CorotatedTriangle)
WEFT_ELEMENT(weft::StvkTriangle)
WEFT_ELEMENT(weft::Stitch)
WEFT_ELEMENT(weft::StableTetrahedron)
WEFT_ELEMENT(weft::StvkTetrahedron)
WEFT_ELEMENT(weft::Spring)
WEFT_ELEMENT(weft::StrandBend)
WEFT_ELEMENT(weft::CorotatedTetrahedron)
WEFT_CUDA_KERNEL(weft::elements::FixedBounds<weft::CorotatedTriangle>)
WEFT_CUDA_KERNEL(weft::elements::FixedBounds<weft::Stitch>)
WEFT_CUDA_KERNEL(weft::elements::FixedBounds<weft::StableTetrahedron>)
WEFT_CUDA_KERNEL(weft::elements::FixedBounds<weft::StvkTetrahedron>)
WEFT_CUDA_KERNEL(weft::elements::FixedBounds<weft::StrandBend>)
WEFT_CUDA_KERNEL(weft::elements::FixedBounds<weft::CorotatedTetrahedron>)
WEFT_CUDA_KERNEL(weft::stitching::TakeHold)
WEFT_CUDA_KERNEL(weft::elements::GatherForces)
WEFT_CUDA_KERNEL(weft::elements::GatherBounds)
WEFT_CUDA_KERNEL(weft::neighborhoods::BendNeighborhoods)
WEFT_CUDA_KERNEL(weft::neighborhoods::GatherNeighborhoods)

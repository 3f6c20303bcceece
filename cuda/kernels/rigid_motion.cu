#include "cuda/launch.cuh"
#include "sim/linear/rigid_motion_kernels.h"

WEFT_CUDA_KERNEL(weft::linear::PlaceRows)
WEFT_CUDA_KERNEL(weft::linear::SumForCentre)
WEFT_CUDA_KERNEL(weft::linear::FindCentres)
WEFT_CUDA_KERNEL(weft::linear::SumForTurn)
WEFT_CUDA_KERNEL(weft::linear::SolveTurn)
WEFT_CUDA_KERNEL(weft::linear::TurnIslands)

#include "cuda/launch.cuh"
#include "sim/solvers/newton/cg_kernels.h"
#include "sim/solvers/newton/element_kernels.h"
#include "sim/solvers/newton/line_search_kernels.h"

WEFT_CUDA_KERNEL(weft::newton::AssembleRows<false>)
WEFT_CUDA_KERNEL(weft::newton::AssembleRows<true>)
WEFT_CUDA_KERNEL(weft::newton::CorotatedBlocks)
WEFT_CUDA_KERNEL(weft::newton::WovenBlocks)
WEFT_CUDA_KERNEL(weft::newton::HingeSlopes)
WEFT_CUDA_KERNEL(weft::newton::GatherBlocks)
WEFT_CUDA_KERNEL(weft::newton::Multiply<false>)
WEFT_CUDA_KERNEL(weft::newton::Multiply<true>)
WEFT_CUDA_KERNEL(weft::newton::StartCg)
WEFT_CUDA_KERNEL(weft::newton::Judge)
WEFT_CUDA_KERNEL(weft::newton::StepCg)
WEFT_CUDA_KERNEL(weft::newton::TurnCg)
WEFT_CUDA_KERNEL(weft::newton::Slope)
WEFT_CUDA_KERNEL(weft::newton::RowMerit)
WEFT_CUDA_KERNEL(weft::newton::CorotatedMerit)
WEFT_CUDA_KERNEL(weft::newton::WovenMerit)
WEFT_CUDA_KERNEL(weft::newton::HingeMerit)
WEFT_CUDA_KERNEL(weft::newton::NeighborhoodMerit)
WEFT_CUDA_KERNEL(weft::newton::TakeFullStep)
WEFT_CUDA_KERNEL(weft::newton::ChooseLength)
WEFT_CUDA_KERNEL(weft::newton::Move)
WEFT_CUDA_KERNEL(weft::newton::Negate)

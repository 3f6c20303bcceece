#include "cuda/block.cuh"
#include "cuda/launch.cuh"
#include "tests/device/test_kernels.h"

WEFT_CUDA_KERNEL(weft::testing::CountVisits)
WEFT_CUDA_COUNTED_KERNEL(weft::testing::CountVisits)
WEFT_CUDA_KERNEL(weft::testing::CountRowVisits)
WEFT_CUDA_KERNEL(weft::testing::Normalize<float, 3>)
WEFT_CUDA_KERNEL(weft::testing::Accumulate)
WEFT_CUDA_KERNEL(weft::testing::Turn)
WEFT_CUDA_KERNEL(weft::testing::SumOfRow)
WEFT_CUDA_BLOCK_KERNEL(weft::testing::BlockSums)
WEFT_CUDA_ITERATED_KERNEL(weft::testing::MeanOfLongRows)
WEFT_CUDA_ITERATED_KERNEL(weft::testing::MixWithNeighbors)
WEFT_CUDA_ITERATED_KERNEL(weft::testing::MeanOfNeighbors)

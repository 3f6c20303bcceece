#include "cuda/launch.cuh"
#include "sim/collision/swept_search/block_kernels.h"
#include "sim/collision/swept_search/hash_kernels.h"

WEFT_CUDA_KERNEL(weft::swept_search::Displacements)
WEFT_CUDA_KERNEL(weft::swept_search::MeanMotion)
WEFT_CUDA_KERNEL(weft::swept_search::PointBoxes)
WEFT_CUDA_KERNEL(weft::swept_search::BlockBoxes)
WEFT_CUDA_KERNEL(weft::swept_search::NearPrimitives)
WEFT_CUDA_KERNEL(weft::swept_search::WriteBlockPairs)
WEFT_CUDA_KERNEL(weft::swept_search::LogSides)
WEFT_CUDA_KERNEL(weft::swept_search::CellSize)
WEFT_CUDA_KERNEL(weft::swept_search::CarrierBoxes)
WEFT_CUDA_KERNEL(weft::swept_search::MarkCells)
WEFT_CUDA_KERNEL(weft::swept_search::ListCells)
WEFT_CUDA_KERNEL(weft::swept_search::PadEntries)
WEFT_CUDA_KERNEL(weft::swept_search::MeetInCells)
WEFT_CUDA_KERNEL(weft::swept_search::TestCarriers)
WEFT_CUDA_COUNTED_KERNEL(weft::swept_search::WriteCarrierPairs)

#include "cuda/launch.cuh"
#include "sim/collision/free_path/path_impacts.h"

WEFT_CUDA_KERNEL(weft::path::PathsLeft)
WEFT_CUDA_KERNEL(weft::path::PieceEnds)
WEFT_CUDA_KERNEL(weft::path::NoImpact)
WEFT_CUDA_COUNTED_KERNEL(weft::path::PairImpacts)
WEFT_CUDA_COUNTED_KERNEL(weft::path::WidePairImpacts)
WEFT_CUDA_KERNEL(weft::path::PlaneImpacts)
WEFT_CUDA_KERNEL(weft::path::WidePlaneImpacts)
WEFT_CUDA_KERNEL(weft::path::BeginPiece)
WEFT_CUDA_KERNEL(weft::path::BeginUpTo)
WEFT_CUDA_KERNEL(weft::path::JudgePiece)

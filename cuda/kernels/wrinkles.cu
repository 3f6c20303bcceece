#include "cuda/launch.cuh"
#include "sim/wrinkles/reference_kernels.h"
#include "sim/wrinkles/synthesis_kernels.h"

WEFT_CUDA_KERNEL(weft::wrinkles::ToLocal)
WEFT_CUDA_KERNEL(weft::wrinkles::FromLocal)
WEFT_CUDA_KERNEL(weft::wrinkles::Inject)
WEFT_CUDA_KERNEL(weft::wrinkles::MarkGathered)
WEFT_CUDA_KERNEL(weft::wrinkles::WriteRest)
WEFT_CUDA_KERNEL(weft::wrinkles::MeanDisplacements)
WEFT_CUDA_KERNEL(weft::wrinkles::SetTargets)
WEFT_CUDA_KERNEL(weft::wrinkles::Roughen)
WEFT_CUDA_KERNEL(weft::wrinkles::MarkBoundary)
WEFT_CUDA_KERNEL(weft::wrinkles::MarkStitched)
WEFT_CUDA_KERNEL(weft::wrinkles::LowerLayers)
WEFT_CUDA_KERNEL(weft::wrinkles::PutPinned)
WEFT_CUDA_KERNEL(weft::wrinkles::PutGhosts)

// Names the kernels over the elements of one energy (sim/solvers/element_kernels.h).
#pragma once
#include "cuda/launch.cuh"
#include "sim/solvers/element_kernels.h"

/// As WEFT_CUDA_KERNEL; `...` is the energy's full name. An energy without kBoundMoves names FixedBounds too.
#define WEFT_ELEMENT(...)                                 \
  WEFT_CUDA_KERNEL(weft::elements::Forces<__VA_ARGS__>)   \
  WEFT_CUDA_KERNEL(weft::elements::Tangents<__VA_ARGS__>) \
  WEFT_CUDA_KERNEL(weft::elements::Merit<__VA_ARGS__>)

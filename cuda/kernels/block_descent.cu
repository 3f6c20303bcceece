#include "cuda/block.cuh"
#include "sim/grid/descent/block_lists.h"
#include "sim/grid/descent/energy_kernel.h"
#include "sim/grid/descent/general_step.h"
#include "sim/grid/descent/uniform_step.h"
#include "sim/solvers/block_descent/solver_kernels.h"

namespace {
using weft::block_descent::SpringSheet;
using Corotated = weft::block_descent::TriangleSheet<weft::CorotatedTriangle>;
using Stvk = weft::block_descent::TriangleSheet<weft::StvkTriangle>;
}  // namespace

#define WEFT_STEPS(Sheet)                                             \
  WEFT_CUDA_BLOCK_KERNEL(weft::block_descent::UniformStep<8, Sheet>)  \
  WEFT_CUDA_BLOCK_KERNEL(weft::block_descent::GeneralStep<8, Sheet>)  \
  WEFT_CUDA_BLOCK_KERNEL(weft::block_descent::UniformStep<16, Sheet>) \
  WEFT_CUDA_BLOCK_KERNEL(weft::block_descent::GeneralStep<16, Sheet>) \
  WEFT_CUDA_KERNEL(weft::block_descent::VertexEnergy<Sheet>)
WEFT_STEPS(SpringSheet)
WEFT_STEPS(Corotated)
WEFT_STEPS(Stvk)
WEFT_CUDA_KERNEL(weft::block_descent::MarkUniform)
WEFT_CUDA_KERNEL(weft::block_descent::NextOmega)
WEFT_CUDA_KERNEL(weft::block_descent::Judge)
WEFT_CUDA_KERNEL(weft::block_descent::KeepOrReturn)
WEFT_CUDA_KERNEL(weft::block_descent::ResetControl)
WEFT_CUDA_KERNEL(weft::block_descent::SaveEnergy)
WEFT_CUDA_KERNEL(weft::block_descent::KeepBetter)
WEFT_CUDA_KERNEL(weft::block_descent::PlaceBlocks)
WEFT_CUDA_KERNEL(weft::block_descent::LoadStep)
WEFT_CUDA_KERNEL(weft::block_descent::LoadStart)
WEFT_CUDA_KERNEL(weft::block_descent::LoadAnchors)
WEFT_CUDA_KERNEL(weft::block_descent::LoadFactors)
WEFT_CUDA_KERNEL(weft::block_descent::MarkAnchored)
WEFT_CUDA_KERNEL(weft::block_descent::StoreStep)
WEFT_CUDA_KERNEL(weft::block_descent::StoreGradient)
WEFT_CUDA_KERNEL(weft::block_descent::BlockGains)
WEFT_CUDA_KERNEL(weft::block_descent::NextBeta)
WEFT_CUDA_KERNEL(weft::block_descent::Conjugate)
WEFT_CUDA_KERNEL(weft::block_descent::ProjectPlanes)

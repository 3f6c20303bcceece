#include "cuda/launch.cuh"
#include "sim/solvers/descent/transfer_kernels.h"
#include "sim/solvers/residual_kernels.h"

WEFT_CUDA_KERNEL(weft::descent::LinearizeRows)
WEFT_CUDA_ITERATED_KERNEL(weft::descent::RelaxRows)
WEFT_CUDA_ITERATED_KERNEL(weft::descent::SmoothRows)
WEFT_CUDA_KERNEL(weft::descent::TurnSize)
WEFT_CUDA_KERNEL(weft::descent::WatchMomentum)
WEFT_CUDA_KERNEL(weft::descent::TakeOver)
WEFT_CUDA_KERNEL(weft::descent::ResidualRows)
WEFT_CUDA_KERNEL(weft::residual::Negate)
WEFT_CUDA_KERNEL(weft::descent::StepTerms)
WEFT_CUDA_KERNEL(weft::descent::GoCoarser)
WEFT_CUDA_KERNEL(weft::descent::GoBack)
WEFT_CUDA_KERNEL(weft::descent::Prolong)
WEFT_CUDA_KERNEL(weft::descent::Correct)
WEFT_CUDA_KERNEL(weft::descent::SumChunks)
WEFT_CUDA_KERNEL(weft::descent::Translate)
WEFT_CUDA_KERNEL(weft::descent::AddTranslation)
WEFT_CUDA_KERNEL(weft::descent::LocalGain)
WEFT_CUDA_KERNEL(weft::descent::SolvedGain)
WEFT_CUDA_KERNEL(weft::residual::SumGains)
WEFT_CUDA_KERNEL(weft::linear::LoadContext)

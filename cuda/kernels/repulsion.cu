#include "cuda/launch.cuh"
#include "sim/collision/repulsion/coupling_kernels.h"
#include "sim/collision/repulsion/hard_kernels.h"
#include "sim/collision/repulsion/initial_motion_kernels.h"
#include "sim/collision/repulsion/numbers_kernels.h"
#include "sim/collision/repulsion/soft_kernels.h"

WEFT_CUDA_KERNEL(weft::repulsion::AcceptAndAim)
WEFT_CUDA_KERNEL(weft::repulsion::Mobile)
WEFT_CUDA_KERNEL(weft::repulsion::MoveTogether)
WEFT_CUDA_KERNEL(weft::repulsion::MarkFailing)
WEFT_CUDA_KERNEL(weft::repulsion::SpreadStay)
WEFT_CUDA_KERNEL(weft::repulsion::Settle)
WEFT_CUDA_KERNEL(weft::repulsion::Truncate)
WEFT_CUDA_KERNEL(weft::repulsion::HalveFailing)
WEFT_CUDA_KERNEL(weft::repulsion::CountWay)
WEFT_CUDA_KERNEL(weft::repulsion::Tally)
WEFT_CUDA_KERNEL(weft::repulsion::HardGradient)
WEFT_CUDA_KERNEL(weft::repulsion::TrySteps)
WEFT_CUDA_KERNEL(weft::repulsion::ChooseStep)
WEFT_CUDA_KERNEL(weft::repulsion::HardMove)
WEFT_CUDA_KERNEL(weft::repulsion::BeginHardPhase)
WEFT_CUDA_KERNEL(weft::repulsion::Couple)
WEFT_CUDA_KERNEL(weft::repulsion::RaiseMultiplier)
WEFT_CUDA_KERNEL(weft::repulsion::BodyPlanes)
WEFT_CUDA_KERNEL(weft::repulsion::TakeOver)
WEFT_CUDA_KERNEL(weft::repulsion::NoRebound)
WEFT_CUDA_KERNEL(weft::repulsion::CountPairs)
WEFT_CUDA_KERNEL(weft::repulsion::ListPairs)
WEFT_CUDA_KERNEL(weft::repulsion::InPhase)
WEFT_CUDA_KERNEL(weft::repulsion::PinLag)
WEFT_CUDA_ITERATED_KERNEL(weft::repulsion::SoftPhase)

WEFT_CUDA_KERNEL(weft::initial_motion::ChunkBoxes)
WEFT_CUDA_KERNEL(weft::initial_motion::PlaceGrid)
WEFT_CUDA_KERNEL(weft::initial_motion::CellKeys)
WEFT_CUDA_KERNEL(weft::initial_motion::CellRuns)
WEFT_CUDA_KERNEL(weft::initial_motion::ToNodes)
WEFT_CUDA_KERNEL(weft::initial_motion::Coarsen)
WEFT_CUDA_KERNEL(weft::initial_motion::FillFrom)
WEFT_CUDA_KERNEL(weft::initial_motion::Blur)
WEFT_CUDA_KERNEL(weft::initial_motion::Steepness)
WEFT_CUDA_KERNEL(weft::initial_motion::Sample)

#include "cuda/launch.cuh"
#include "sim/linear/affine_kernels.h"
#include "sim/methods/solve_end.h"
#include "sim/step/stepper_kernels.h"

WEFT_CUDA_KERNEL(weft::stepping::AirForces)
WEFT_CUDA_KERNEL(weft::stepping::Predict)
WEFT_CUDA_KERNEL(weft::stepping::NewVelocity)
WEFT_CUDA_KERNEL(weft::affine::HoldBodies)
WEFT_CUDA_KERNEL(weft::affine::FlyFreely)
WEFT_CUDA_KERNEL(weft::affine::AnchorBodies)
WEFT_CUDA_KERNEL(weft::affine::FitBodies)
WEFT_CUDA_KERNEL(weft::stepping::FitSpin)
WEFT_CUDA_KERNEL(weft::stepping::DampVelocity)
WEFT_CUDA_KERNEL(weft::stepping::Finish)
WEFT_CUDA_KERNEL(weft::stepping::FindBroken)
WEFT_CUDA_KERNEL(weft::BeginSolve)
WEFT_CUDA_KERNEL(weft::AskToGoOn)

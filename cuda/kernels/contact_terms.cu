#include "cuda/launch.cuh"
#include "sim/collision/contact_terms/merit_kernels.h"
#include "sim/collision/contact_terms/pair_kernels.h"
#include "sim/collision/contact_terms/stick_kernels.h"
#include "sim/collision/surface/contact_points_kernels.h"
#include "sim/collision/surface/point_kernels.h"
#include "sim/collision/surface/view_kernels.h"

WEFT_CUDA_KERNEL(weft::contact::SmoothNormals)
WEFT_CUDA_KERNEL(weft::contact::MeanNormals)
WEFT_CUDA_KERNEL(weft::contact::Positions)
WEFT_CUDA_KERNEL(weft::contact::InverseMasses)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::PairReach)
WEFT_CUDA_KERNEL(weft::contact::LeavePath)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::MakeTerms<weft::NoPartRadii>)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::MakeTerms<weft::PartRadii>)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::LookAtTerms)
WEFT_CUDA_KERNEL(weft::contact::AddPairs<weft::contact::Term>)
WEFT_CUDA_KERNEL(weft::contact::MarkActing<weft::contact::Term>)
WEFT_CUDA_KERNEL(weft::contact::MarkKept)
WEFT_CUDA_KERNEL(weft::contact::CountKept)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::KeepPairs)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::CopyKept)
WEFT_CUDA_KERNEL(weft::contact::KeepPlanes)
WEFT_CUDA_KERNEL(weft::contact::CountWanted)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::EmitPairs<weft::contact::Term>)
WEFT_CUDA_KERNEL(weft::contact::MoveWithBodies<weft::contact::Term>)
WEFT_CUDA_KERNEL(weft::contact::MoveWithPlanes)
WEFT_CUDA_KERNEL(weft::contact::AddPlaneTerms)
WEFT_CUDA_KERNEL(weft::contact::TakenBack)
WEFT_CUDA_KERNEL(weft::contact::StartAgain)
WEFT_CUDA_KERNEL(weft::contact::PairMerit)
WEFT_CUDA_KERNEL(weft::contact::PlaneMerit)
WEFT_CUDA_KERNEL(weft::contact::PinLag)
WEFT_CUDA_KERNEL(weft::contact::GoWithBodies)
WEFT_CUDA_KERNEL(weft::contact::BodyLag)

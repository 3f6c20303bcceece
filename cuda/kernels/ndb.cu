#include "cuda/launch.cuh"
#include "sim/collision/contact_terms/pair_kernels.h"
#include "sim/collision/contact_terms/stick_kernels.h"
#include "sim/collision/free_path/exit_kernels.h"
#include "sim/collision/ndb/contact_kernels.h"
#include "sim/collision/ndb/round_kernels.h"

WEFT_CUDA_COUNTED_KERNEL(weft::ndb::MakeBarriers<weft::NoPartRadii>)
WEFT_CUDA_COUNTED_KERNEL(weft::ndb::MakeBarriers<weft::PartRadii>)
WEFT_CUDA_COUNTED_KERNEL(weft::ndb::LookAtBarriers)
WEFT_CUDA_KERNEL(weft::contact::AddPairs<weft::ndb::Barrier>)
WEFT_CUDA_KERNEL(weft::contact::MarkActing<weft::ndb::Barrier>)
WEFT_CUDA_COUNTED_KERNEL(weft::contact::EmitPairs<weft::ndb::Barrier>)
WEFT_CUDA_KERNEL(weft::contact::MoveWithBodies<weft::ndb::Barrier>)
WEFT_CUDA_KERNEL(weft::ndb::BeginPlaneBarriers)
WEFT_CUDA_KERNEL(weft::ndb::AddPlaneBarriers)
WEFT_CUDA_KERNEL(weft::ndb::NoteVertices)
WEFT_CUDA_KERNEL(weft::ndb::BeginAges)
WEFT_CUDA_KERNEL(weft::ndb::BeginProgress)
WEFT_CUDA_KERNEL(weft::ndb::BeginRound)
WEFT_CUDA_KERNEL(weft::ndb::BeginIteration)
WEFT_CUDA_KERNEL(weft::ndb::Change)
WEFT_CUDA_KERNEL(weft::ndb::JudgeChange)
WEFT_CUDA_KERNEL(weft::ndb::BeginExit)
WEFT_CUDA_KERNEL(weft::ndb::BeginPieces)
WEFT_CUDA_KERNEL(weft::ndb::ChooseShare)
WEFT_CUDA_KERNEL(weft::ndb::DecidePiece)
WEFT_CUDA_KERNEL(weft::ndb::TakePiece)
WEFT_CUDA_KERNEL(weft::ndb::KeepResidual)
WEFT_CUDA_KERNEL(weft::ndb::AddResidual)

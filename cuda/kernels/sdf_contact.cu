#include "cuda/launch.cuh"
#include "sim/collision/sdf_contact/sdf_contact_kernels.h"

WEFT_CUDA_KERNEL(weft::sdf_contact::FreeDistance)
WEFT_CUDA_KERNEL(weft::sdf_contact::PinnedDepth)
WEFT_CUDA_KERNEL(weft::sdf_contact::SpreadDepth)
WEFT_CUDA_KERNEL(weft::sdf_contact::CarryAnchors)
WEFT_CUDA_KERNEL(weft::sdf_contact::MoveWithBodies)
WEFT_CUDA_KERNEL(weft::sdf_contact::FindAndAdd)
WEFT_CUDA_KERNEL(weft::sdf_contact::ExpectAndFind)
WEFT_CUDA_KERNEL(weft::sdf_contact::ProjectOut)
WEFT_CUDA_KERNEL(weft::sdf_contact::RememberContacts)

#include "cuda/launch.cuh"
#include "sim/handles.h"
#include "sim/kinematics.h"
#include "sim/simulation_kernels.h"

WEFT_CUDA_KERNEL(weft::handles::HeldPoint)
WEFT_CUDA_KERNEL(weft::handles::HeldShare)
WEFT_CUDA_KERNEL(weft::handles::Pull)
WEFT_CUDA_KERNEL(weft::kinematics::Prescribe)
WEFT_CUDA_KERNEL(weft::display::VertexNormals)
WEFT_CUDA_KERNEL(weft::display::EdgeStretch)
WEFT_CUDA_KERNEL(weft::display::VertexStretch)
WEFT_CUDA_KERNEL(weft::display::VertexSpeed)
WEFT_CUDA_KERNEL(weft::display::VertexNumbers)
WEFT_CUDA_KERNEL(weft::display::IsContact)

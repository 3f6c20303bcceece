#include "cuda/launch.cuh"
#include "sim/mesh/vertex_normals.h"
#include "sim/run/display_kernels.h"
#include "sim/run/ease_kernels.h"
#include "sim/step/handles.h"
#include "sim/step/pins.h"

WEFT_CUDA_KERNEL(weft::handles::HandlePoint)
WEFT_CUDA_KERNEL(weft::handles::HandleShare)
WEFT_CUDA_KERNEL(weft::handles::Pull)
WEFT_CUDA_KERNEL(weft::kinematics::Prescribe)
WEFT_CUDA_KERNEL(weft::VertexNormals)
WEFT_CUDA_KERNEL(weft::display::CellTurned)
WEFT_CUDA_KERNEL(weft::display::EdgeStretch)
WEFT_CUDA_KERNEL(weft::display::VertexStretch)
WEFT_CUDA_KERNEL(weft::display::WeaveStretch)
WEFT_CUDA_KERNEL(weft::display::VertexMean)
WEFT_CUDA_KERNEL(weft::display::BodyPressure)
WEFT_CUDA_KERNEL(weft::display::VertexSpeed)
WEFT_CUDA_KERNEL(weft::display::VertexNumbers)
WEFT_CUDA_KERNEL(weft::display::IsContact)
WEFT_CUDA_KERNEL(weft::ease::Clear)
WEFT_CUDA_KERNEL(weft::ease::ToShape)
WEFT_CUDA_KERNEL(weft::ease::ToSurface)

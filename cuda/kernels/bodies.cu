#include "cuda/launch.cuh"
#include "sim/geometry/moving_sdf_kernels.h"
#include "sim/geometry/surface_tree_kernels.h"

WEFT_CUDA_KERNEL(weft::moving_sdf::Faces)
WEFT_CUDA_KERNEL(weft::moving_sdf::VertexNormals)
WEFT_CUDA_KERNEL(weft::moving_sdf::Pseudonormals)
WEFT_CUDA_KERNEL(weft::moving_sdf::CountCells)
WEFT_CUDA_KERNEL(weft::moving_sdf::ClearKeys)
WEFT_CUDA_KERNEL(weft::moving_sdf::ListPairs)
WEFT_CUDA_KERNEL(weft::moving_sdf::CellStarts)
WEFT_CUDA_KERNEL(weft::moving_sdf::CenterDistances)
WEFT_CUDA_KERNEL(weft::moving_sdf::SweepRows)
WEFT_CUDA_KERNEL(weft::moving_sdf::SpreadBounds)
WEFT_CUDA_KERNEL(weft::surface_tree::LeafBoxes)
WEFT_CUDA_KERNEL(weft::surface_tree::NodeBoxes)

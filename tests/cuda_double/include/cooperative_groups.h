// Groups of threads in the double of the CUDA runtime (../double.h).
#pragma once
#include "tests/cuda_double/double.h"

namespace cooperative_groups {

struct grid_group {
  void sync() const { cuda_double::barrier(cuda_double::Group::grid); }
};
inline grid_group this_grid() { return {}; }

struct cluster_group {
  void sync() const { cuda_double::barrier(cuda_double::Group::cluster); }
  template <class T>
  T* map_shared_rank(T* mine, unsigned rank) const {
    return static_cast<T*>(cuda_double::shared_of_rank(mine, rank));
  }
};
inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups

// The energies of which solvers hold element sets. A new one is its file in sim/energies, its name here, a
// line in cuda/kernels/elements.cu, and where it comes from in scene_elements.cpp.
#pragma once
#include <tuple>

#include "sim/energies/corotated_tetrahedron.h"
#include "sim/energies/corotated_triangle.h"
#include "sim/energies/dihedral_hinge.h"
#include "sim/energies/spring.h"
#include "sim/energies/stable_tetrahedron.h"
#include "sim/energies/stitch.h"
#include "sim/energies/strand_bend.h"
#include "sim/energies/stvk_tetrahedron.h"
#include "sim/energies/stvk_triangle.h"

namespace weft {

/// T<all energies>.
template <template <class...> class T>
using OfAllEnergies = T<CorotatedTriangle, StvkTriangle, DihedralHinge, Stitch, StableTetrahedron,
                        StvkTetrahedron, Spring, StrandBend, CorotatedTetrahedron>;

/// Whether an energy is that of a membrane's triangles.
template <class E>
constexpr bool kOfTriangles = std::is_base_of_v<TriangleEnergy<E>, E>;

template <class... E>
struct EnergyCount {
  static constexpr int value = int(sizeof...(E));
};
constexpr int kEnergies = OfAllEnergies<EnergyCount>::value;

/// One T<E> for each energy E.
template <template <class> class T>
struct EachEnergy {
  template <class... E>
  using Tuple = std::tuple<T<E>...>;
  using type = OfAllEnergies<Tuple>;
};
template <template <class> class T>
using PerEnergy = typename EachEnergy<T>::type;

template <class... E>
using PointersTo = std::tuple<E*...>;

/// Calls f.template operator()<E>(number) for each energy, in order.
template <class F>
void for_each_energy(F&& f) {
  const auto call = [&]<class... E>(std::tuple<E*...>) {
    int number = 0;
    (f.template operator()<E>(number++), ...);
  };
  call(OfAllEnergies<PointersTo>());
}

}  // namespace weft

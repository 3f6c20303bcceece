// A triangle of a membrane that is not special, and its deformations.
#pragma once
#include "element_checks.h"
#include "sim/energies/triangle.h"

namespace weft::testing {

template <class E>
struct Membrane : TestElement<E> {
  using Points = typename TestElement<E>::Points;
  glm::dmat2 rest_edges{0.9, 0.1, 0.3, 0.8};  // columns, along warp and weft
  explicit Membrane(typename E::template Material<double> m) {
    const glm::dmat2 i = glm::inverse(rest_edges);
    this->rest = {.u1 = i[0][0],
                  .u2 = i[0][1],
                  .v1 = i[1][0],
                  .v2 = i[1][1],
                  .area = 0.5 * glm::determinant(rest_edges)};
    this->material = m;
  }
  /// Corners for F = rotation * f, f 2x2 in the material frame.
  Points deformed(const glm::dmat3& rotation, const glm::dmat2& f, const P& origin) const {
    const glm::dmat2 s = f * rest_edges;
    return {origin, origin + rotation * P(s[0], 0), origin + rotation * P(s[1], 0)};
  }
  /// Of singular values s1 and s2 along axes at the angle `turn`.
  Points stretched(const glm::dmat3& rotation, double turn, double s1, double s2, const P& origin) const {
    const glm::dmat2 v(std::cos(turn), std::sin(turn), -std::sin(turn), std::cos(turn));
    return deformed(rotation, v * glm::dmat2(s1, 0, 0, s2) * glm::transpose(v), origin);
  }
};

/// Triangles that have collapsed or are inverted.
template <class E>
void check_collapsed(const Membrane<E>& element) {
  const P line(0.3, -0.2, 0.9);
  const std::array<std::array<P, 2>, 6> edges = {{{P(0), P(0)},
                                                  {line, P(0)},
                                                  {line, line},
                                                  {line, -2.0 * line},
                                                  {line, 1.0000001 * line + P(1e-9, 0, 0)},
                                                  {1e-12 * line, P(1e-12, 0, 0)}}};
  for (auto& [e1, e2] : edges) check_finite<E>(element, {P(0), e1, e2});
}

}  // namespace weft::testing

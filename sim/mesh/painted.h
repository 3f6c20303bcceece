// Numbers per vertex beside the shape of a mesh: attributes of its file, and factors on a fabric's parameters
// that are made of them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/math.h"

namespace weft {

struct Topology;

/// What a file says about each vertex, such as a painted map.
struct VertexAttribute {
  std::string name;
  std::vector<float> values;  // NaN: the file says nothing there
};

/// Adds a colour as four attributes: NAME, its luminance (Rec. 709, of the numbers as they are), and NAME.r,
/// NAME.g and NAME.b.
void add_color(std::vector<VertexAttribute>& to, const std::string& name, const std::vector<vec3>& colors);

/// Adds attributes of `count` more vertices, before which there were `first`; NaN where some lack one.
void add_attributes(std::vector<VertexAttribute>& to, const std::vector<VertexAttribute>& own, size_t first,
                    size_t count);

/// Parameters of a fabric that may differ from point to point.
enum class Painted {
  stretch_stiffness,  // and with it those along the weft and of shear
  bending_rigidity,   // and with it that along the weft
  areal_density,
  internal_damping,
  inner_pressure,
  friction,
  self_friction
};

/// Factors on one of them, one per vertex of the mesh.
struct PaintedFactors {
  Painted parameter = Painted::stretch_stiffness;
  std::vector<float> factor;
};

/// Factors on a parameter at all vertices of a model; empty: 1.
std::vector<float> painted_factors(const Topology& topology, Painted parameter);
/// Of three vertices the mean; 1 where `factors` is empty.
inline float painted_mean(const std::vector<float>& factors, const ivec3& t) {
  return factors.empty() ? 1.0f : (factors[t.x] + factors[t.y] + factors[t.z]) / 3;
}
/// At one vertex; 1 where `factors` is empty.
inline float painted_at(const std::vector<float>& factors, int vertex) {
  return factors.empty() ? 1.0f : factors[size_t(vertex)];
}

}  // namespace weft

// Kernels of the ease of a garment.
#pragma once
#include "sim/device/launch.h"
#include "sim/geometry/surface_tree_kernels.h"

namespace weft::ease {

/// A rigid frame: world = rotation local + translation.
struct Frame {
  mat3 rotation{1};
  vec3 translation{0};
  // v * R = Rᵀ v
  HD vec3 local(const vec3& world) const { return (world - translation) * rotation; }
};

struct Clear {
  Span<float> out;
  HD void operator()(int v) const { out[v] = 1e19f; }
};

/// Distance to an analytic shape, where that is smaller than what is there.
struct ToShape {
  Span<const vec3> position;
  BodyShape shape;
  Frame frame;
  Span<float> out;
  HD void operator()(int v) const {
    vec3 normal;
    const float d = shape.distance(frame.local(position[v]), normal);
    out[v] = d < out[v] ? d : out[v];
  }
};

/// The same to a mesh.
struct ToSurface {
  Span<const vec3> position;
  surface_tree::View surface;
  Frame frame;
  Span<float> out;
  HD void operator()(int v) const {
    const float d = surface.distance(frame.local(position[v]));
    out[v] = d < out[v] ? d : out[v];
  }
};

}  // namespace weft::ease

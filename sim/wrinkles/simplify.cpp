#include "sim/wrinkles/simplify.h"

#include <algorithm>
#include <bit>

namespace weft::wrinkles {
namespace {

template <class T>
std::vector<T> on_host(Device& device, Span<const T> span) {
  std::vector<T> out(size_t(span.size));
  if (span.size > 0) device.download(out.data(), span.data, out.size() * sizeof(T));
  return out;
}

}  // namespace

Simplifier::Simplifier(const grid::Grid& g) {
  const grid::GridView view = g.view();
  const std::vector<grid::Block> blocks = on_host(g.device(), view.block);
  const std::vector<grid::Panel> panels = on_host(g.device(), view.panel);
  const std::vector<grid::Flags> flags = on_host(g.device(), view.flags);
  const int width = view.width();
  for (const grid::Panel& p : panels) {
    Panel out;
    out.surface.width = p.blocks_x * width, out.surface.height = p.blocks_y * width;
    const size_t count = size_t(out.surface.width) * size_t(out.surface.height);
    out.surface.occupied.assign(count, 0), out.surface.missing.assign(count, 3);
    out.number.assign(count, -1), out.mirrored = p.mirrored != 0;
    panels_.push_back(std::move(out));
  }
  const std::vector<int> vertices = g.published().vertices;
  for (size_t n = 0; n < vertices.size(); ++n) {
    const int v = vertices[n];
    const grid::Block& b = blocks[size_t(view.block_of(v))];
    Panel& p = panels_[size_t(b.panel)];
    const size_t at = p.surface.at(b.x * width + view.local_x(v), b.y * width + view.local_y(v));
    p.surface.occupied[at] = 1, p.number[at] = int(n);
    p.surface.missing[at] =
        uint8_t(3 - (flags[size_t(v)] & grid::kLower ? 1 : 0) - (flags[size_t(v)] & grid::kUpper ? 2 : 0));
  }
}

Simplifier::Result Simplifier::run(const std::vector<vec3>& positions, float tolerance) const {
  Result out;
  std::vector<ivec3> triangles;
  std::vector<int> place(positions.size(), -1);
  for (const Panel& p : panels_) {
    GridSurface surface = p.surface;
    surface.positions.assign(p.number.size(), vec3(0));
    for (size_t k = 0; k < p.number.size(); ++k)
      if (p.number[k] >= 0) surface.positions[k] = positions[size_t(p.number[k])];
    const GridTriangles g = simplified(surface, tolerance);
    const auto number = [&](int v) { return p.number[size_t(g.vertices[size_t(v)])]; };
    for (const ivec3& t : g.triangles) {
      triangles.push_back(p.mirrored ? ivec3(number(t.x), number(t.z), number(t.y))
                                     : ivec3(number(t.x), number(t.y), number(t.z)));
      for (int k = 0; k < 3; ++k) place[size_t(triangles.back()[k])] = 0;
    }
  }
  for (size_t v = 0; v < place.size(); ++v)
    if (place[v] == 0) place[v] = int(out.vertices.size()), out.vertices.push_back(int(v));
  for (const ivec3& t : triangles)
    out.triangles.push_back({place[size_t(t.x)], place[size_t(t.y)], place[size_t(t.z)]});
  return out;
}

}  // namespace weft::wrinkles

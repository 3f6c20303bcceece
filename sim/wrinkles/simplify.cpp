#include "sim/wrinkles/simplify.h"

namespace weft::wrinkles {
namespace {

template <class T>
std::vector<T> on_host(Device& device, Span<const T> span) {
  std::vector<T> out(span.size);
  if (span.size > 0) device.download(out.data(), span.data, out.size() * sizeof(T));
  return out;
}

}  // namespace

Simplifier::Simplifier(const grid::Grid& g, const grid::SewnSurface& surface) : surface_(&surface) {
  const grid::GridView view = g.view();
  const std::vector<grid::Block> blocks = on_host(g.device(), view.block);
  const std::vector<grid::Panel> panels = on_host(g.device(), view.panel);
  const int width = view.width();
  for (const grid::Panel& p : panels) {
    Panel out;
    out.surface.width = p.blocks_x * width, out.surface.height = p.blocks_y * width;
    const size_t count = size_t(out.surface.width) * out.surface.height;
    out.surface.occupied.assign(count, 0), out.surface.missing.assign(count, 3);
    out.surface.needed.assign(count, 0);
    out.number.assign(count, -1), out.mirrored = p.mirrored != 0;
    panels_.push_back(std::move(out));
  }
  std::vector<int> panel;
  std::vector<ivec2> place;  // in the panel
  for (size_t n = 0; n < surface.vertices.size(); ++n) {
    const int v = surface.vertices[n];
    const grid::Block& b = blocks[view.block_of(v)];
    panel.push_back(b.panel), place.push_back({b.x * width + view.local_x(v), b.y * width + view.local_y(v)});
    Panel& p = panels_[b.panel];
    const size_t at = p.surface.at(place[n].x, place[n].y);
    p.surface.occupied[at] = 1, p.number[at] = int(n);
  }
  for (size_t t = 0; t < surface.triangles.size(); ++t) {
    const ivec3& corners = surface.triangles[t];
    if (int(t) < surface.lattice_triangles) {
      const ivec2 a = place[corners.x], b = place[corners.y], c = place[corners.z];
      const ivec2 low = glm::min(a, glm::min(b, c)), east = low + ivec2(1, 0);
      GridSurface& s = panels_[panel[corners.x]].surface;
      s.missing[s.at(low.x, low.y)] &= uint8_t(a == east || b == east || c == east ? ~1 : ~2);
      continue;
    }
    for (int k = 0; k < 3; ++k)
      if (const size_t n = corners[k]; n < place.size()) {
        GridSurface& s = panels_[panel[n]].surface;
        s.needed[s.at(place[n].x, place[n].y)] = 1;
      }
  }
}

Simplifier::Result Simplifier::run(const std::vector<vec3>& positions, float tolerance) const {
  Result out;
  std::vector<ivec3> triangles;
  for (const Panel& p : panels_) {
    GridSurface surface = p.surface;
    surface.positions.assign(p.number.size(), vec3(0));
    for (size_t k = 0; k < p.number.size(); ++k)
      if (p.number[k] >= 0) surface.positions[k] = positions[p.number[k]];
    const GridTriangles g = simplified(surface, tolerance);
    const auto number = [&](int v) { return p.number[g.vertices[v]]; };
    for (const ivec3& t : g.triangles)
      triangles.push_back(p.mirrored ? ivec3(number(t.x), number(t.z), number(t.y))
                                     : ivec3(number(t.x), number(t.y), number(t.z)));
  }
  if (!surface_->corners.empty())
    out.corners = triangles;  // a vertex of the lattice has one material point, of its number
  for (size_t t = surface_->lattice_triangles; t < surface_->triangles.size(); ++t) {
    triangles.push_back(surface_->triangles[t]);
    if (!surface_->corners.empty()) out.corners.push_back(surface_->corners[t]);
  }
  std::vector<int> place(positions.size(), -1);
  for (const ivec3& t : triangles)
    for (int k = 0; k < 3; ++k) place[t[k]] = 0;
  for (size_t v = 0; v < place.size(); ++v)
    if (place[v] == 0) place[v] = int(out.vertices.size()), out.vertices.push_back(int(v));
  for (const ivec3& t : triangles) out.triangles.push_back({place[t.x], place[t.y], place[t.z]});
  return out;
}

}  // namespace weft::wrinkles

#include "viewer/render/cloth_painter.h"

#include <algorithm>
#include <string>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "viewer/gl/image.h"
#include "viewer/render/color_scale.h"

namespace weft {
namespace {

gl::Program::Defines defines_for(Quality quality) {
  if (quality == Quality::low) return {{"LOW", "1"}};
  return {};
}

/// A folded edge is three sheets thick and rolled; half of a millimetre more is the thread that holds it.
float rim_radius(const ClothLook& look, const ViewSettings& settings) {
  return settings.thickness_scale * (1.1f * look.thickness + 0.0004f);
}

}  // namespace

ClothPainter::ClothPainter(Quality quality)
    : quality_(quality),
      rim_pieces_(quality == Quality::low ? 1 : 4),
      rim_sides_(quality == Quality::low ? 4 : 8),
      by_pixel_({"cloth.vert", "cloth.frag"}, defines_for(quality)) {
  if (quality == Quality::high) {
    smooth_ = gl::Program({"cloth.vert", "cloth.tesc", "cloth.tese", "cloth.frag"}, defines_for(quality));
  } else {
    by_vertex_ = gl::Program({"cloth_low.vert", "cloth_low.frag"}, defines_for(quality));
    by_vertex_colored_ = gl::Program({"cloth_low.vert", "cloth_low.frag"}, {{"LOW", "1"}, {"COLORING", "1"}});
  }
  gl::Program::Defines rim = defines_for(quality);
  rim.push_back({"RIM", "1"});
  rim.push_back({"PIECES", std::to_string(rim_pieces_)});
  rim.push_back({"SIDES", std::to_string(rim_sides_)});
  rim_ = gl::Program({"rim.vert", "cloth.frag"}, rim);
  rim.push_back({"DEPTH", "1"});
  rim_depth_ = gl::Program({"rim.vert", "depth.frag"}, rim);
  // Balls, which one piece between two poles would leave flat.
  ball_pieces_ = quality == Quality::low ? 4 : 8;
  gl::Program::Defines ball = defines_for(quality);
  ball.insert(
      ball.end(),
      {{"RIM", "1"}, {"PIECES", std::to_string(ball_pieces_)}, {"SIDES", std::to_string(2 * ball_pieces_)}});
  ball_ = gl::Program({"rim.vert", "cloth.frag"}, ball);
  ball.push_back({"DEPTH", "1"});
  ball_depth_ = gl::Program({"rim.vert", "depth.frag"}, ball);
}

const gl::Texture* ClothPainter::print(const std::string& path) {
  if (path.empty()) return nullptr;
  auto known = prints_.find(path);
  if (known == prints_.end()) {
    gl::Texture picture;
    try {
      picture = gl::repeated_picture(read_png(path));
    } catch (const Error& e) {
      log_warning("{}", e.what());
    }
    known = prints_.emplace(path, std::move(picture)).first;
  }
  return known->second.size().x > 0 ? &known->second : nullptr;
}

/// From metres of the material to the picture, whose first row is at its top.
void ClothPainter::place_print(const gl::Program& program, const gl::Texture* picture,
                               const ClothMesh::Part& part, const ClothLook& look) {
  vec4 place(0);
  if (picture) {
    const vec2 size = vec2(picture->size());
    const vec2 repeat = look.print_size > 0 ? look.print_size * vec2(1, size.y / size.x)
                                            : glm::max(part.uv_high - part.uv_low, vec2(1e-6f));
    place = vec4(1 / repeat.x, -1 / repeat.y, part.uv_low.x, part.uv_high.y);
    picture->bind(4);
  }
  program.set("print_place", place);
}

void ClothPainter::describe(const gl::Program& program, const ClothMesh::Part& part, const ClothLook& look,
                            const ViewSettings& settings, const ColouringRange& colouring) const {
  program.set("front_color", look.front);
  program.set("back_color", look.back);
  program.set("threads", look.threads);
  program.set("gloss", look.gloss);
  program.set("weave_kind", look.weave);
  program.set("shading", settings.shading);
  const float colours = settings.colour_lit ? 1.0f : 3.0f;
  const float kind = colouring.marks ? 2.0f : colouring.on ? colours : 0.0f;
  program.set("coloring", vec3(kind, colouring.low, 1 / colouring.range));
  program.set("mark_color", class_color(kMarkClass));
  program.set("hem_width",
              settings.shading == int(Shading::fabric) && part.hem_width > 0 ? part.hem_width : -1.0f);
}

const gl::Program& ClothPainter::program_for(const ViewSettings& settings, const ColouringRange& colouring,
                                             float edge_pixels) const {
  if (settings.shading == int(Shading::facets)) return by_pixel_;
  if (quality_ == Quality::high) return settings.subdivision > 1 ? smooth_ : by_pixel_;
  // Triangles that cover many pixels show threads, and the difference between light at vertices and at
  // pixels.
  constexpr float kLargeEdge = 16;  // pixels
  if (edge_pixels > kLargeEdge) return by_pixel_;
  return colouring.on || colouring.marks ? by_vertex_colored_ : by_vertex_;
}

void ClothPainter::draw(const ClothMesh& mesh, const std::vector<ClothLooks>& looks,
                        const VertexStream& stream, const ClothArrays& arrays, const ViewSettings& settings,
                        const ColouringRange& colouring, float edge_pixels) {
  const gl::Program& common = program_for(settings, colouring, edge_pixels);
  for (size_t i = 0; i < mesh.parts.size(); ++i) {
    const size_t cloth = size_t(mesh.parts[i].cloth);
    const ClothLook look = cloth < looks.size() ? looks[cloth].of(mesh.parts[i].panel) : ClothLook{};
    const gl::Texture* picture = print(look.print);
    // Light at vertices knows no material points.
    const gl::Program& sheet = picture && &common != &smooth_ ? by_pixel_ : common;
    describe(sheet, mesh.parts[i], look, settings, colouring);
    place_print(sheet, picture, mesh.parts[i], look);
    sheet.use();
    if (&sheet == &smooth_ || &sheet == &by_pixel_) {
      bind(stream);
      arrays.drawn.bind();
    } else {
      arrays.vertices.bind();
    }
    if (&sheet == &smooth_) {
      draw_shells(mesh.parts[i], look, settings);
    } else {
      draw_sheet(mesh.parts[i]);
    }
    if (mesh.parts[i].rims == 0 || (settings.thickness_scale <= 0 && !mesh.parts[i].strands)) continue;
    // With one sample per pixel a thinner tube is hit irregularly, on its lit side or on its dark one: a
    // dotted outline.
    constexpr float kLeastRadius = 1.25f;                                              // pixels
    const float least = kLeastRadius * mesh.mean_edge / std::max(edge_pixels, 1e-6f);  // m
    float radius = mesh.parts[i].strands ? 0.5f * look.thickness : rim_radius(look, settings);
    if (quality_ == Quality::low && radius < least) {
      if (!mesh.parts[i].strands) continue;
      radius = least;
    }
    const gl::Program& tube = mesh.parts[i].grains ? ball_ : rim_;
    describe(tube, mesh.parts[i], look, settings, colouring);
    draw_rim(tube, mesh, mesh.parts[i], radius, stream);
  }
}

void ClothPainter::draw_strand_depth(const ClothMesh& mesh, const std::vector<ClothLooks>& looks,
                                     const VertexStream& stream, const mat4& transform) {
  for (const ClothMesh::Part& part : mesh.parts) {
    if (!part.strands || part.rims == 0) continue;
    const size_t own = size_t(part.cloth);
    const ClothLook look = own < looks.size() ? looks[own].of(part.panel) : ClothLook{};
    const gl::Program& tube = part.grains ? ball_depth_ : rim_depth_;
    tube.set("transform", transform);
    draw_rim(tube, mesh, part, 0.5f * look.thickness, stream);
  }
}

void ClothPainter::draw_sheet(const ClothMesh::Part& part) const {
  glDrawElements(GL_TRIANGLES, 3 * part.triangles, GL_UNSIGNED_INT,
                 reinterpret_cast<const void*>(size_t(part.first_triangle) * sizeof(ivec3)));
}

void ClothPainter::draw_shells(const ClothMesh::Part& part, const ClothLook& look,
                               const ViewSettings& settings) const {
  glPatchParameteri(GL_PATCH_VERTICES, 3);
  smooth_.set("most_pieces", float(settings.subdivision));
  // Each side of the sheet shows its front faces only: two shells with the cloth's thickness between them.
  const float offset = 0.5f * look.thickness * settings.thickness_scale;
  glEnable(GL_CULL_FACE);
  for (const bool front : {true, false}) {
    glCullFace(front ? GL_BACK : GL_FRONT);
    smooth_.set("shell_offset", front ? offset : -offset);
    glDrawElements(GL_PATCHES, 3 * part.triangles, GL_UNSIGNED_INT,
                   reinterpret_cast<const void*>(size_t(part.first_triangle) * sizeof(ivec3)));
  }
  glDisable(GL_CULL_FACE);
}

/// The stream's memory for shaders that look vertices up.
void ClothPainter::bind(const VertexStream& stream) {
  const VertexSlice* const slices[3] = {&stream.positions, &stream.normals, &stream.scalars};
  // Each quantity by itself: drivers limit the size of a block, not of a buffer.
  for (GLuint k = 0; k < 3; ++k)
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, k, slices[k]->buffer, GLintptr(slices[k]->offset),
                      GLsizeiptr(slices[k]->bytes));
}

void ClothPainter::draw_rim(const gl::Program& program, const ClothMesh& mesh, const ClothMesh::Part& part,
                            float radius, const VertexStream& stream) const {
  bind(stream);
  program.set("radius", radius);
  program.set("on_surface", part.strands ? 0 : 1);
  rim_vertices_.attribute(0, 4, mesh.rim_edges.id(), size_t(part.first_rim) * sizeof(vec4), sizeof(vec4), 1);
  rim_vertices_.attribute(1, 4, mesh.rim_uv.id(), size_t(part.first_rim) * sizeof(vec4), sizeof(vec4), 1);
  rim_vertices_.bind();
  program.use();
  const int quads = part.grains ? ball_pieces_ * 2 * ball_pieces_ : rim_pieces_ * rim_sides_;
  glDrawArraysInstanced(GL_TRIANGLES, 0, 6 * quads, part.rims);
}

}  // namespace weft

#include "viewer/render/overlay_painter.h"

#include <algorithm>

#include "viewer/render/color_scale.h"

namespace weft {
namespace {

constexpr float kNoThreshold = -1e30f;
// Lines that lie in the surface are moved towards the eye by this share of the distance: 2 mm at 2 m, more
// than a curved triangle leaves its chord in most views, less than would show things behind an edge.
constexpr float kLift = 0.001f;
constexpr float kCaughtUp = 12;  // pixels by which a hand may be ahead of the target that pulls
const vec4 kPaleLine(0.97f, 0.97f, 1.0f, 0.75f);

}  // namespace

OverlayPainter::OverlayPainter()
    : flat_({"flat.vert", "flat.frag"}),
      points_({"flat.vert", "flat.frag"}, {{"POINTS", "1"}}),
      marks_({"marks.vert", "marks.frag"}),
      pairs_({"pairs.vert", "marks.frag"}),
      samples_({"samples.vert", "marks.frag"}) {
  glEnable(GL_PROGRAM_POINT_SIZE);
  flat_.set("threshold", kNoThreshold);
}

void OverlayPainter::wireframe(const ClothMesh& mesh, const gl::VertexArray& vertices, bool dark) {
  flat_.set("lift", kLift);
  flat_.set("color", dark ? vec4(0, 0, 0, 0.45f) : vec4(1, 1, 1, 0.5f));
  flat_.use();
  vertices.indices(mesh.edges.indices);
  vertices.bind();
  glDrawElements(GL_LINES, 2 * mesh.edges.count, GL_UNSIGNED_INT, nullptr);
  if (mesh.inner_edges.count > 0) {  // paler, and through the skin
    flat_.set("color", dark ? vec4(0, 0, 0, 0.16f) : vec4(1, 1, 1, 0.18f));
    vertices.indices(mesh.inner_edges.indices);
    vertices.bind();
    glDisable(GL_DEPTH_TEST);
    glDrawElements(GL_LINES, 2 * mesh.inner_edges.count, GL_UNSIGNED_INT, nullptr);
    glEnable(GL_DEPTH_TEST);
  }
  vertices.indices(mesh.triangles);
}

void OverlayPainter::triangle(const ClothMesh& mesh, const gl::VertexArray& vertices, int index) {
  if (index < 0 || index >= int(mesh.host_triangles.size())) return;
  flat_.set("lift", 2 * kLift);
  flat_.set("color", vec4(to_linear({1.0f, 0.72f, 0.20f}), 0.6f));
  flat_.use();
  vertices.bind();
  glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT,
                 reinterpret_cast<const void*>(size_t(index) * sizeof(ivec3)));
}

void OverlayPainter::pins(const ClothMesh& mesh, const gl::VertexArray& vertices,
                          const std::vector<int>& pinned, float pixels) {
  if (pinned.empty()) return;
  if (pin_indices_.bytes() < pinned.size() * sizeof(int))
    pin_indices_ = gl::Buffer(2 * pinned.size() * sizeof(int));
  pin_indices_.write(pinned);
  points_.set("threshold", kNoThreshold);
  points_.set("lift", 3 * kLift);
  points_.set("point_size", pixels);
  points_.set("color", vec4(to_linear({0.93f, 0.26f, 0.22f}), 1));
  points_.use();
  vertices.indices(pin_indices_);
  vertices.bind();
  glDrawElements(GL_POINTS, GLsizei(pinned.size()), GL_UNSIGNED_INT, nullptr);
  vertices.indices(mesh.triangles);
}

void OverlayPainter::contacts(const ClothMesh& mesh, const gl::VertexArray& vertices, float threshold,
                              float pixels) {
  points_.set("threshold", threshold);
  points_.set("lift", 2 * kLift);
  points_.set("point_size", pixels);
  points_.set("color", vec4(to_linear({0.15f, 0.45f, 0.95f}), 1));
  points_.use();
  vertices.bind();
  glDrawArrays(GL_POINTS, 0, mesh.vertex_count);
}

void OverlayPainter::set_pairs(const std::vector<ContactPair>& pairs) {
  pair_count_ = int(pairs.size());
  if (pairs.empty()) return;
  vec4 colors[kContactKinds];
  for (int k = 0; k < kContactKinds; ++k) colors[k] = vec4(to_linear(contact_color(ContactKind(k))), 1);
  std::vector<vec4> lines;  // ends and colour
  lines.reserve(3 * pairs.size());
  for (const ContactPair& p : pairs)
    for (const vec4& part : {vec4(p.a, 1), vec4(p.b, 1), colors[int(p.kind)]}) lines.push_back(part);
  const size_t bytes = lines.size() * sizeof(vec4);
  if (pair_buffer_.bytes() < bytes) pair_buffer_ = gl::Buffer(2 * bytes);
  pair_buffer_.write(lines);
}

void OverlayPainter::pairs(float scale) {
  if (pair_count_ == 0) return;
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, pair_buffer_.id());
  pairs_.set("lift", 2 * kLift);
  pairs_.use();
  none_.bind();
  const auto draw = [&](float pixels, bool dark, float opacity) {
    pairs_.set("half_width", 0.5f * pixels * scale + 0.5f);
    pairs_.set("dark", dark ? 1.0f : 0.0f);
    pairs_.set("opacity", opacity);
    glDrawArrays(GL_TRIANGLES, 0, 6 * pair_count_);
  };
  // Most of a pair's line lies between two layers: there it shows through faintly.
  glDepthFunc(GL_GREATER);
  draw(1.2f, false, 0.25f);
  glDepthFunc(GL_LEQUAL);
  draw(2.8f, true, 1);
  draw(1.2f, false, 1);
}

void OverlayPainter::set_samples(const std::vector<ActiveSample>& samples) {
  sample_count_ = int(samples.size());
  if (samples.empty()) return;
  std::vector<ivec4> rows;  // ends, whether it is guarded
  rows.reserve(samples.size());
  for (const ActiveSample& s : samples) rows.push_back(ivec4(s.ends, s.guarded, 0));
  const size_t bytes = rows.size() * sizeof(ivec4);
  if (sample_buffer_.bytes() < bytes) sample_buffer_ = gl::Buffer(2 * bytes);
  sample_buffer_.write(rows);
}

void OverlayPainter::samples(const ClothMesh& mesh, const VertexSlice& positions, float scale) {
  if (sample_count_ == 0) return;
  // Whole buffers are bound, so that CUDA's shared ones of any size work; the shader adds the offset of the
  // positions.
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, positions.buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, sample_buffer_.id());
  samples_.set("first", int(positions.offset / sizeof(float)));
  samples_.set("lift", 2 * kLift);
  samples_.set("least_lift", 0.2f * mesh.mean_edge);
  samples_.set("radius", 4 * scale);
  samples_.set("guarded_color", to_linear(sample_color(true)));
  samples_.set("other_color", to_linear(sample_color(false)));
  samples_.use();
  none_.bind();
  const auto draw = [&](float opacity) {
    samples_.set("opacity", opacity);
    glDrawArrays(GL_TRIANGLES, 0, 6 * sample_count_);
  };
  // Those in layers behind show through faintly.
  glDepthFunc(GL_GREATER);
  draw(0.35f);
  glDepthFunc(GL_LEQUAL);
  draw(1);
}

void OverlayPainter::line(const CameraView& camera, const vec3& a, const vec3& b, float pixels,
                          const vec4& color) {
  const auto p = camera.project(a), q = camera.project(b);
  if (!p || !q) return;
  const vec2 along(q->x - p->x, p->y - q->y);  // y up, as offsets are
  const float length = glm::length(along);
  const vec2 side =
      length > 1e-3f ? vec2(-along.y, along.x) / length * (0.5f * pixels + 0.5f) : vec2(0, 0.5f * pixels);
  const Corner c[4] = {{a, -side, vec3(0, -1, 0), color},
                       {a, side, vec3(0, 1, 0), color},
                       {b, -side, vec3(1, -1, 0), color},
                       {b, side, vec3(1, 1, 0), color}};
  for (int k : {0, 1, 2, 2, 1, 3}) corners_.push_back(c[k]);
}

void OverlayPainter::disc(const vec3& at, float pixels, float kind, const vec4& color) {
  const float r = 0.5f * pixels;
  Corner c[4];
  for (int k = 0; k < 4; ++k) {
    const vec2 s(k & 1 ? 1 : -1, k & 2 ? 1 : -1);
    c[k] = {at, r * s, vec3(s, kind), color};
  }
  for (int k : {0, 1, 2, 2, 1, 3}) corners_.push_back(c[k]);
}

/// What pulls at the cloth has the colour of its force; from there to the hand it is pale while the simulator
/// has not caught up, which at a good pace is less than the mark's own size.
void OverlayPainter::handle(const CameraView& camera, const ShownHandle& handle, float force_limit,
                            float scale) {
  const HandleView& h = handle.simulated;
  const vec4 color(force_color(h.force / std::max(force_limit, 1e-6f)), 1), dark(0.02f, 0.02f, 0.02f, 0.7f);
  const auto pulled = camera.project(h.target), hand = camera.project(handle.hand);
  const bool behind =
      !handle.known || !pulled || !hand || glm::distance(vec2(*pulled), vec2(*hand)) > kCaughtUp * scale;
  const vec3 end = behind ? h.target : handle.hand;
  if (behind) {
    line(camera, end, handle.hand, 4.5f * scale, vec4(0.02f, 0.02f, 0.02f, 0.5f));
    line(camera, end, handle.hand, 2 * scale, kPaleLine);
  }
  line(camera, h.point, end, 4.5f * scale, dark);
  line(camera, h.point, end, 2.5f * scale, color);
  disc(h.point, 9 * scale, 1, vec4(0.9f, 0.9f, 0.9f, 1));
  if (behind && handle.known) disc(end, 9 * scale, 1, color);
  disc(handle.hand, 15 * scale, 1, behind ? kPaleLine : color);
}

void OverlayPainter::marks(const CameraView& camera, const std::vector<ShownHandle>& handles,
                           const Overlay& overlay) {
  const float scale = std::max(1.0f, float(camera.size.y) / 720);
  for (const ShownHandle& h : handles) handle(camera, h, overlay.force_limit, scale);
  for (const MarkedLine& l : overlay.lines) line(camera, l.a, l.b, 2.5f * scale, vec4(to_linear(l.color), 1));
  if (overlay.hovered_point) disc(*overlay.hovered_point, 9 * scale, 2, vec4(1, 1, 1, 0.9f));
  if (overlay.brush) {
    const BrushCircle& brush = *overlay.brush;
    const vec3 n = glm::normalize(brush.normal);
    const vec3 u = glm::normalize(glm::cross(n, std::abs(n.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0))),
               v = glm::cross(n, u);
    constexpr int kPieces = 48;
    const auto on_circle = [&](int i) {
      const float angle = 2 * kPi * float(i) / kPieces;
      return brush.center + brush.radius * (std::cos(angle) * u + std::sin(angle) * v);
    };
    for (int i = 0; i < kPieces; ++i)
      line(camera, on_circle(i), on_circle(i + 1), 2.0f * scale, vec4(1.0f, 0.75f, 0.2f, 0.9f));
  }
  flush();
}

void OverlayPainter::flush() {
  if (corners_.empty()) return;
  const size_t bytes = corners_.size() * sizeof(Corner);
  if (corners_buffer_.bytes() < bytes) {
    corners_buffer_ = gl::Buffer(2 * bytes);
    const GLuint id = corners_buffer_.id();
    corners_array_.attribute(0, 3, id, offsetof(Corner, position), sizeof(Corner));
    corners_array_.attribute(1, 2, id, offsetof(Corner, offset), sizeof(Corner));
    corners_array_.attribute(2, 3, id, offsetof(Corner, shape), sizeof(Corner));
    corners_array_.attribute(3, 4, id, offsetof(Corner, color), sizeof(Corner));
  }
  corners_buffer_.write(corners_);
  corners_array_.bind();
  marks_.use();
  // Parts behind the cloth are drawn faintly, so that a handle is always visible.
  glDepthFunc(GL_GREATER);
  marks_.set("opacity", 0.3f);
  glDrawArrays(GL_TRIANGLES, 0, GLsizei(corners_.size()));
  glDepthFunc(GL_LEQUAL);
  marks_.set("opacity", 1.0f);
  glDrawArrays(GL_TRIANGLES, 0, GLsizei(corners_.size()));
  corners_.clear();
}

}  // namespace weft

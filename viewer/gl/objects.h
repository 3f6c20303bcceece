// Owners of OpenGL objects. Move-only; an empty one holds no object.
#pragma once
#include <utility>
#include <vector>

#include "sim/base/math.h"
#include "viewer/gl/gl.h"

namespace weft::gl {

/// A buffer object.
class Buffer {
 public:
  Buffer() = default;
  /// Uninitialised, for updates with `write`.
  explicit Buffer(size_t bytes);
  template <class T>
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size() * sizeof(T)) {
    write(values);
  }
  ~Buffer();
  Buffer(Buffer&& o) noexcept { swap(o); }
  Buffer& operator=(Buffer&& o) noexcept { return swap(o), *this; }

  /// Takes ownership of an existing buffer object.
  static Buffer adopt(GLuint id, size_t bytes) {
    Buffer buffer;
    buffer.id_ = id, buffer.bytes_ = bytes;
    return buffer;
  }
  /// A buffer permanently mapped for writing, coherent; `memory` receives the address.
  static Buffer persistent(size_t bytes, void*& memory);

  GLuint id() const { return id_; }
  size_t bytes() const { return bytes_; }
  void write(const void* data, size_t bytes, size_t offset = 0) const;
  template <class T>
  void write(const std::vector<T>& values) const {
    write(values.data(), values.size() * sizeof(T));
  }

 private:
  void swap(Buffer& o) { std::swap(id_, o.id_), std::swap(bytes_, o.bytes_); }
  GLuint id_ = 0;
  size_t bytes_ = 0;
};

/// A vertex array with up to one buffer per attribute.
class VertexArray {
 public:
  VertexArray();
  ~VertexArray();
  VertexArray(VertexArray&& o) noexcept { std::swap(id_, o.id_); }
  VertexArray& operator=(VertexArray&& o) noexcept { return std::swap(id_, o.id_), *this; }

  GLuint id() const { return id_; }
  void bind() const { glBindVertexArray(id_); }
  /// Float attribute of `components` from `buffer`; binding index = attribute index. May be called again to
  /// move an attribute to another buffer or offset. `divisor` 1 advances per instance.
  void attribute(int index, int components, GLuint buffer, size_t offset, int stride, int divisor = 0) const;
  /// One int per vertex, closely packed.
  void whole_numbers(int index, GLuint buffer) const;
  void indices(const Buffer& buffer) const { glVertexArrayElementBuffer(id_, buffer.id()); }

 private:
  GLuint id_ = 0;
};

/// A 2D texture with one level.
class Texture {
 public:
  Texture() = default;
  Texture(GLenum format, ivec2 size, int samples = 0);
  /// With smaller versions, filtered between them; it repeats.
  static Texture with_levels(GLenum format, ivec2 size, int levels);
  /// Another reading of the same texels; shares their memory.
  Texture(const Texture& other, GLenum format);
  ~Texture();
  Texture(Texture&& o) noexcept { swap(o); }
  Texture& operator=(Texture&& o) noexcept { return swap(o), *this; }

  GLuint id() const { return id_; }
  ivec2 size() const { return size_; }
  void bind(int unit) const { glBindTextureUnit(GLuint(unit), id_); }
  void filter(GLenum mode) const;
  void wrap(GLenum mode) const;

 private:
  void swap(Texture& o) { std::swap(id_, o.id_), std::swap(size_, o.size_); }
  GLuint id_ = 0;
  ivec2 size_{0};
};

/// Sampling state of a texture, separate from the texture.
class Sampler {
 public:
  /// `compare`: returns the share of the four nearest depths that are not below the third coordinate.
  Sampler(GLenum filter, bool compare);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  void bind(int unit) const { glBindSampler(GLuint(unit), id_); }

 private:
  GLuint id_ = 0;
};

}  // namespace weft::gl

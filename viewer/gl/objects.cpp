#include "viewer/gl/objects.h"

namespace weft::gl {

Buffer::Buffer(size_t bytes) : bytes_(bytes) {
  glCreateBuffers(1, &id_);
  // OpenGL refuses storage of no bytes; an empty mesh still gets a valid buffer.
  glNamedBufferStorage(id_, GLsizeiptr(bytes ? bytes : 4), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

Buffer Buffer::persistent(size_t bytes, void*& memory) {
  Buffer buffer;
  buffer.bytes_ = bytes;
  constexpr GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glCreateBuffers(1, &buffer.id_);
  glNamedBufferStorage(buffer.id_, GLsizeiptr(bytes ? bytes : 4), nullptr, flags);
  memory = glMapNamedBufferRange(buffer.id_, 0, GLsizeiptr(bytes ? bytes : 4), flags);
  return buffer;
}

Buffer::~Buffer() {
  if (id_) glDeleteBuffers(1, &id_);
}

void Buffer::write(const void* data, size_t bytes, size_t offset) const {
  if (bytes) glNamedBufferSubData(id_, GLintptr(offset), GLsizeiptr(bytes), data);
}

VertexArray::VertexArray() { glCreateVertexArrays(1, &id_); }

VertexArray::~VertexArray() {
  if (id_) glDeleteVertexArrays(1, &id_);
}

void VertexArray::attribute(int index, int components, GLuint buffer, size_t offset, int stride,
                            int divisor) const {
  const auto i = GLuint(index);
  glVertexArrayVertexBuffer(id_, i, buffer, GLintptr(offset), stride);
  glVertexArrayAttribFormat(id_, i, components, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(id_, i, i);
  glVertexArrayBindingDivisor(id_, i, GLuint(divisor));
  glEnableVertexArrayAttrib(id_, i);
}

void VertexArray::whole_numbers(int index, GLuint buffer) const {
  const auto i = GLuint(index);
  glVertexArrayVertexBuffer(id_, i, buffer, 0, sizeof(GLint));
  glVertexArrayAttribIFormat(id_, i, 1, GL_INT, 0);
  glVertexArrayAttribBinding(id_, i, i);
  glEnableVertexArrayAttrib(id_, i);
}

Texture::Texture(GLenum format, ivec2 size, int samples) : size_(size) {
  glCreateTextures(samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D, 1, &id_);
  if (samples > 1) {
    glTextureStorage2DMultisample(id_, samples, format, size.x, size.y, GL_TRUE);
  } else {
    glTextureStorage2D(id_, 1, format, size.x, size.y);
    filter(GL_LINEAR);
    wrap(GL_CLAMP_TO_EDGE);
  }
}

Texture Texture::with_levels(GLenum format, ivec2 size, int levels) {
  Texture out;
  out.size_ = size;
  glCreateTextures(GL_TEXTURE_2D, 1, &out.id_);
  glTextureStorage2D(out.id_, levels, format, size.x, size.y);
  glTextureParameteri(out.id_, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(out.id_, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  out.wrap(GL_REPEAT);
  return out;
}

Texture::Texture(const Texture& other, GLenum format) : size_(other.size_) {
  glGenTextures(1, &id_);  // a view must not have been created as a texture before
  glTextureView(id_, GL_TEXTURE_2D, other.id_, format, 0, 1, 0, 1);
}

Texture::~Texture() {
  if (id_) glDeleteTextures(1, &id_);
}

void Texture::filter(GLenum mode) const {
  glTextureParameteri(id_, GL_TEXTURE_MIN_FILTER, GLint(mode));
  glTextureParameteri(id_, GL_TEXTURE_MAG_FILTER, GLint(mode));
}

void Texture::wrap(GLenum mode) const {
  glTextureParameteri(id_, GL_TEXTURE_WRAP_S, GLint(mode));
  glTextureParameteri(id_, GL_TEXTURE_WRAP_T, GLint(mode));
}

Sampler::Sampler(GLenum filter, bool compare) {
  glCreateSamplers(1, &id_);
  glSamplerParameteri(id_, GL_TEXTURE_MIN_FILTER, GLint(filter));
  glSamplerParameteri(id_, GL_TEXTURE_MAG_FILTER, GLint(filter));
  // Outside of a depth map there is no occluder.
  const float far[] = {1, 1, 1, 1};
  glSamplerParameterfv(id_, GL_TEXTURE_BORDER_COLOR, far);
  glSamplerParameteri(id_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glSamplerParameteri(id_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  if (!compare) return;
  glSamplerParameteri(id_, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glSamplerParameteri(id_, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

Sampler::~Sampler() { glDeleteSamplers(1, &id_); }

}  // namespace weft::gl

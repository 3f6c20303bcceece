// OpenGL context of an existing window, or of EGL without a display.
#pragma once
#include <memory>
#include <string>

#include "viewer/gl/gl.h"

namespace weft::gl {

/// Loads OpenGL's functions for the context that is current on this thread (a window's). `get_address` is
/// glfwGetProcAddress or the like. Throws Error if the context is older than 4.5 or lacks what Weft's shaders
/// read.
void load(void* (*get_address)(const char* name));

/// Storage buffers that vertex shaders of cloth read (shaders/stream.glsl). OpenGL 4.5 leaves it to drivers
/// whether vertex shaders have any.
constexpr int kVertexStorageBlocks = 3;
/// Throws Error if a renderer gives vertex shaders fewer.
void require_vertex_storage(int blocks, const std::string& renderer);

/// Name and version of the current context's renderer, for the status bar: "llvmpipe (LLVM 15.0.6, 256 bits),
/// 4.5".
std::string renderer_name();

/// True where the processor draws (llvmpipe, softpipe, SwiftShader). Needs a current context.
bool is_software_renderer();

/// A context without a display or window: EGL on a GPU where there is one, else Mesa's surfaceless platform.
/// There is no default framebuffer; draw into a Framebuffer. Made current on construction, on this thread.
class HeadlessContext {
 public:
  /// `allow_gpu` false uses software OpenGL directly (for tests that compare pictures). Throws Error with the
  /// attempts made.
  explicit HeadlessContext(bool allow_gpu = true);
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;
  void make_current();

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace weft::gl

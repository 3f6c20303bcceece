#include "viewer/gl/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "sim/base/error.h"

namespace weft::gl {
namespace {

const char* text(GLenum name) {
  const auto* s = reinterpret_cast<const char*>(glGetString(name));
  return s ? s : "";
}

bool has_extension(const char* list, const char* name) {
  return list && (std::string(" ") + list + " ").find(std::string(" ") + name + " ") != std::string::npos;
}

struct Candidate {
  EGLDisplay display;
  std::string name;
};

/// Displays in the order to try: GPUs by device, then Mesa without a surface, then software devices.
std::vector<Candidate> candidate_displays(bool allow_gpu) {
  std::vector<Candidate> gpus, software;
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const auto device_text =
      reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(eglGetProcAddress("eglQueryDeviceStringEXT"));
  if (has_extension(client, "EGL_EXT_platform_device") && query && device_text) {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!query(16, devices, &count)) count = 0;
    for (int i = 0; i < count; ++i) {
      const bool is_software =
          has_extension(device_text(devices[i], EGL_EXTENSIONS), "EGL_MESA_device_software");
      if (!is_software && !allow_gpu) continue;
      (is_software ? software : gpus)
          .push_back({eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr),
                      fmt::format("EGL device {}{}", i, is_software ? " (software)" : "")});
    }
  }
  if (has_extension(client, "EGL_MESA_platform_surfaceless")) {
    Candidate c{eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr),
                "Mesa surfaceless"};
    // Mesa's surfaceless platform takes a GPU where it can; the software device is the one that surely does
    // not.
    allow_gpu ? software.insert(software.begin(), c) : software.insert(software.end(), c);
  }
  gpus.insert(gpus.end(), software.begin(), software.end());
  return gpus;
}

EGLContext create_context(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return EGL_NO_CONTEXT;
  if (!eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
  const EGLint want_config[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, want_config, &config, 1, &count) || count < 1) config = EGL_NO_CONFIG_KHR;
  const EGLint want[] = {EGL_CONTEXT_MAJOR_VERSION,
                         4,
                         EGL_CONTEXT_MINOR_VERSION,
                         5,
                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                         EGL_NONE};
  return eglCreateContext(display, config, EGL_NO_CONTEXT, want);
}

void* egl_address(const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); }

}  // namespace

void check(const char* where) {
  const GLenum code = glGetError();
  if (code == GL_NO_ERROR) return;
  while (glGetError() != GL_NO_ERROR) {}
  throw Error(fmt::format("OpenGL reported error 0x{:04x}", code), where);
}

void load(void* (*get_address)(const char* name)) {
  using Loader = GLADapiproc (*)(const char*);
  const int version = gladLoadGL(reinterpret_cast<Loader>(get_address));
  if (version < GLAD_MAKE_VERSION(4, 5))
    throw Error(
        version
            ? fmt::format("OpenGL {}.{} is too old", GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version))
            : "OpenGL could not be loaded",
        "graphics", "Weft needs OpenGL 4.5; install a driver for your GPU, or Mesa for software OpenGL");
  GLint blocks = 0;
  glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &blocks);
  require_vertex_storage(blocks, renderer_name());
}

void require_vertex_storage(int blocks, const std::string& renderer) {
  if (blocks >= kVertexStorageBlocks) return;
  throw Error(fmt::format("{} gives vertex shaders {} of the {} storage buffers that cloth is drawn from",
                          renderer, blocks, kVertexStorageBlocks),
              "graphics",
              "use a newer driver, another GPU, or Mesa's software OpenGL (LIBGL_ALWAYS_SOFTWARE=1)");
}

std::string renderer_name() {
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  return fmt::format("{}, OpenGL {}.{}", text(GL_RENDERER), major, minor);
}

bool is_software_renderer() {
  const std::string name = text(GL_RENDERER);
  for (const char* known : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software Rasterizer"})
    if (name.find(known) != std::string::npos) return true;
  return false;
}

HeadlessContext::HeadlessContext(bool allow_gpu) {
  std::string tried;
  for (const Candidate& c : candidate_displays(allow_gpu)) {
    EGLContext context = create_context(c.display);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(c.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      try {
        load(egl_address);
        display_ = c.display;
        context_ = context;
        return;
      } catch (const Error& e) {
        tried += fmt::format("{}{} ({})", tried.empty() ? "" : ", ", c.name, e.what());
        eglMakeCurrent(c.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      }
    } else {
      tried += fmt::format("{}{} (EGL error 0x{:04x})", tried.empty() ? "" : ", ", c.name, eglGetError());
    }
    if (context != EGL_NO_CONTEXT) eglDestroyContext(c.display, context);
  }
  throw Error("no OpenGL 4.5 context without a display; tried " +
                  (tried.empty() ? "nothing, EGL offers none" : tried),
              "graphics", "install a GPU driver with EGL, or Mesa (libegl-mesa0, libgl1-mesa-dri)");
}

HeadlessContext::~HeadlessContext() {
  if (!context_) return;
  if (eglGetCurrentContext() == context_)
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  // The display stays initialised: EGL has one per platform, and another context may use it.
  eglDestroyContext(display_, context_);
}

void HeadlessContext::make_current() {
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
    throw Error(
        fmt::format("the OpenGL context could not be made current (EGL error 0x{:04x})", eglGetError()),
        "graphics");
}

}  // namespace weft::gl

// Shader programs, from files in the folder of shaders.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/math.h"
#include "viewer/gl/gl.h"

namespace weft::gl {

/// Folder of shaders: $WEFT_SHADERS, beside the executable, the install prefix, or the source tree. Throws
/// Error with the searched folders.
std::string shader_folder();

/// One linked program. Uniforms are set without binding (direct state access); unused names are ignored,
/// since compilers drop uniforms without effect.
class Program {
 public:
  using Defines = std::vector<std::pair<std::string, std::string>>;

  Program() = default;
  /// Compiles and links files such as {"cloth.vert", "cloth.frag"}; the extension (vert, tesc, tese, frag,
  /// comp) names the stage. `#include "common.glsl"` is resolved within the folder; `defines` stand before
  /// the first line. Throws
  /// Error with file and line of the first message of the compiler.
  explicit Program(const std::vector<std::string>& files, const Defines& defines = {});
  ~Program();
  Program(Program&& o) noexcept;
  Program& operator=(Program&& o) noexcept;

  void use() const { glUseProgram(id_); }
  GLuint id() const { return id_; }
  bool valid() const { return id_ != 0; }

  void set(const char* name, int value) const;
  void set(const char* name, float value) const;
  void set(const char* name, const vec2& value) const;
  void set(const char* name, const vec3& value) const;
  void set(const char* name, const vec4& value) const;
  void set(const char* name, const mat3& value) const;
  void set(const char* name, const mat4& value) const;

 private:
  int location(const char* name) const;
  GLuint id_ = 0;
  // locations of all active uniforms, read once after linking
  std::map<std::string, int, std::less<>> locations_;
};

}  // namespace weft::gl

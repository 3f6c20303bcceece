#include "viewer/gl/program.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "sim/base/error.h"
#include "sim/base/program_folder.h"

namespace weft::gl {
namespace fs = std::filesystem;
namespace {

/// A source put together from several files. Line n of files[k] is announced to the compiler as line k *
/// kLines + n:
/// GLSL has source numbers for this, but Mesa 22 forgets them in messages about identifiers.
constexpr int kLines = 10000;
struct Source {
  std::string text;
  std::vector<std::string> files;
};

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error("the shader cannot be read", path.string(),
                "reinstall, or set WEFT_SHADERS to the folder of shaders");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void append(Source& source, const fs::path& folder, const std::string& file, int depth) {
  if (depth > 8) throw Error("shaders include each other in a cycle", file);
  const int index = int(source.files.size());
  source.files.push_back(file);
  std::istringstream in(read_text(folder / file));
  source.text += fmt::format("#line {}\n", index * kLines + 1);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string marker = "#include \"";
    if (line.compare(0, marker.size(), marker) != 0) {
      source.text += line + '\n';
      continue;
    }
    const size_t end = line.find('"', marker.size());
    if (end == std::string::npos)
      throw Error("#include without closing quote", fmt::format("{}:{}", file, number));
    append(source, folder, line.substr(marker.size(), end - marker.size()), depth + 1);
    source.text += fmt::format("#line {}\n", index * kLines + number + 1);
  }
}

GLenum stage_of(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  if (extension == ".vert") return GL_VERTEX_SHADER;
  if (extension == ".tesc") return GL_TESS_CONTROL_SHADER;
  if (extension == ".tese") return GL_TESS_EVALUATION_SHADER;
  if (extension == ".geom") return GL_GEOMETRY_SHADER;
  if (extension == ".frag") return GL_FRAGMENT_SHADER;
  if (extension == ".comp") return GL_COMPUTE_SHADER;
  throw Error("the extension is not a shader stage", file, "use vert, tesc, tese, geom, frag or comp");
}

/// The compiler's log with places as "file:line"; `first` receives the first of them. Mesa writes "0:12(5):
/// error",
/// NVIDIA "0(12) : error".
std::string readable_log(const std::string& log, const Source& source, std::string& first) {
  static const std::regex place(R"((^|\n)\d+[:(](\d+)(\(\d+\)|\))?)");
  std::string text;
  auto at = log.cbegin();
  for (std::smatch match; std::regex_search(at, log.cend(), match, place); at = match[0].second) {
    const int code = std::stoi(match[2]);
    const size_t file = std::min(size_t(code / kLines), source.files.size() - 1);
    const std::string name = fmt::format("{}:{}", source.files[file], code % kLines);
    if (first.empty()) first = name;
    text += match.prefix().str() + match[1].str() + name;
  }
  if (first.empty()) first = source.files.front();
  return text + std::string(at, log.cend());
}

GLuint compile(const fs::path& folder, const std::string& file, const std::string& head) {
  Source source;
  append(source, folder, file, 0);
  const GLuint shader = glCreateShader(stage_of(file));
  const std::string text = head + source.text;
  const char* pointer = text.c_str();
  glShaderSource(shader, 1, &pointer, nullptr);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  std::string log(4096, '\0');
  GLsizei length = 0;
  glGetShaderInfoLog(shader, GLsizei(log.size()), &length, log.data());
  log.resize(size_t(length));
  glDeleteShader(shader);
  std::string place;
  const std::string readable = readable_log(log, source, place);
  throw Error("the shader does not compile: " + readable, place);
}

}  // namespace

std::string shader_folder() {
  std::vector<fs::path> places;
  if (const char* variable = std::getenv("WEFT_SHADERS")) places.emplace_back(variable);
  std::error_code ignored;
  places.push_back(program_folder() / "shaders");
  places.push_back(installed_path("shaders"));
  places.emplace_back(WEFT_SOURCE_SHADERS);
  std::string list;
  for (const fs::path& p : places) {
    if (fs::is_regular_file(p / "common.glsl", ignored)) return p.string();
    list += (list.empty() ? "" : ", ") + p.string();
  }
  throw Error("the folder of shaders is missing; looked in " + list, "graphics", "set WEFT_SHADERS to it");
}

Program::Program(const std::vector<std::string>& files, const Defines& defines) {
  const fs::path folder = shader_folder();
  std::string head = "#version 450 core\n";
  for (const auto& [name, value] : defines) head += fmt::format("#define {} {}\n", name, value);
  std::vector<GLuint> shaders;
  id_ = glCreateProgram();
  try {
    for (const std::string& file : files) {
      shaders.push_back(compile(folder, file, head));
      glAttachShader(id_, shaders.back());
    }
  } catch (...) {
    for (GLuint s : shaders) glDeleteShader(s);
    glDeleteProgram(id_);
    throw;
  }
  glLinkProgram(id_);
  for (GLuint s : shaders) glDeleteShader(s);
  GLint ok = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &ok);
  if (!ok) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetProgramInfoLog(id_, GLsizei(log.size()), &length, log.data());
    log.resize(size_t(length));
    glDeleteProgram(id_);
    throw Error("the shaders do not link: " + log, files.front());
  }
  GLint count = 0;
  glGetProgramiv(id_, GL_ACTIVE_UNIFORMS, &count);
  for (GLint i = 0; i < count; ++i) {
    char name[256];
    GLint size = 0;
    GLenum type = 0;
    glGetActiveUniform(id_, GLuint(i), sizeof name, nullptr, &size, &type, name);
    locations_.emplace(name, glGetUniformLocation(id_, name));
  }
}

Program::~Program() {
  if (id_) glDeleteProgram(id_);
}
Program::Program(Program&& o) noexcept { *this = std::move(o); }
Program& Program::operator=(Program&& o) noexcept {
  std::swap(id_, o.id_);
  std::swap(locations_, o.locations_);
  return *this;
}

int Program::location(const char* name) const {
  const auto found = locations_.find(std::string_view(name));
  return found == locations_.end() ? -1 : found->second;
}

void Program::set(const char* name, int value) const { glProgramUniform1i(id_, location(name), value); }
void Program::set(const char* name, float value) const { glProgramUniform1f(id_, location(name), value); }
void Program::set(const char* name, const vec2& v) const {
  glProgramUniform2f(id_, location(name), v.x, v.y);
}
void Program::set(const char* name, const vec3& v) const {
  glProgramUniform3f(id_, location(name), v.x, v.y, v.z);
}
void Program::set(const char* name, const vec4& v) const {
  glProgramUniform4f(id_, location(name), v.x, v.y, v.z, v.w);
}
void Program::set(const char* name, const mat3& v) const {
  glProgramUniformMatrix3fv(id_, location(name), 1, GL_FALSE, &v[0][0]);
}
void Program::set(const char* name, const mat4& v) const {
  glProgramUniformMatrix4fv(id_, location(name), 1, GL_FALSE, &v[0][0]);
}

}  // namespace weft::gl

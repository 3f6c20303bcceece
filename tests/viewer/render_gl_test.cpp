// The wrappers of OpenGL, and pictures on the host.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "render_scene.h"
#include "sim/base/error.h"
#include "test_paths.h"
#include "tests/viewer/image_difference.h"
#include "viewer/gl/context.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/image.h"
#include "viewer/gl/program.h"
#include "viewer/render/renderer.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

/// A folder of shaders of the test's own while it lives.
struct ShaderFolder {
  fs::path path = fs::temp_directory_path() / ("weft-shaders-" + std::to_string(getpid()));
  ShaderFolder() {
    fs::create_directories(path);
    write("common.glsl", "const float HALF = 0.5;\n");
    setenv("WEFT_SHADERS", path.c_str(), 1);
  }
  ~ShaderFolder() {
    unsetenv("WEFT_SHADERS");
    fs::remove_all(path);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
};

const char* kTriangle =
    "void main() { gl_Position = vec4(vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1), 0, 1); }\n";

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

Image plain(int width, int height, uint8_t value) {
  return {width, height, std::vector<uint8_t>(3 * size_t(width) * size_t(height), value)};
}

}  // namespace

TEST_CASE("a driver whose vertex shaders cannot read the cloth's buffers is refused with what to do") {
  CHECK_NOTHROW(gl::require_vertex_storage(gl::kVertexStorageBlocks, "Some GPU"));
  try {
    gl::require_vertex_storage(0, "Old GPU, OpenGL 4.5");
    FAIL("nothing is said");
  } catch (const Error& e) {
    const std::string said = e.what();
    for (const char* part : {"graphics", "Old GPU, OpenGL 4.5", "0 of the 3 storage buffers", "newer driver"})
      CHECK(said.find(part) != std::string::npos);
  }
  // The cloth's own shaders include this file, which reads as many as are asked for.
  std::ifstream file(std::string(WEFT_SOURCE_FOLDER) + "/shaders/stream.glsl");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  int buffers = 0;
  for (size_t at = 0; (at = text.find("readonly buffer", at)) != std::string::npos; ++at) ++buffers;
  CHECK(buffers == gl::kVertexStorageBlocks);
}

TEST_CASE("a context without a display is OpenGL 4.5 and knows who draws") {
  gl::HeadlessContext context(false);
  CHECK(gl::is_software_renderer());
  CHECK(gl::renderer_name().find("OpenGL 4.5") != std::string::npos);
}

TEST_CASE("an error in a shader names the file and the line, also in an included file") {
  gl::HeadlessContext context(false);
  ShaderFolder folder;
  folder.write("a.vert", kTriangle);
  folder.write("bad.frag",
               "#include \"common.glsl\"\nout vec4 c;\nvoid main() {\n  c = vec4(HALF) * wrong;\n}\n");
  CHECK(message_of([] { gl::Program({"a.vert", "bad.frag"}); }).find("bad.frag:4") != std::string::npos);
  folder.write("common.glsl", "const float HALF = 0.5;\n\nfloat f() { return nonsense; }\n");
  CHECK(message_of([] { gl::Program({"a.vert", "bad.frag"}); }).find("common.glsl:3") != std::string::npos);
  CHECK(message_of([] { gl::Program({"missing.vert"}); }).find("missing.vert") != std::string::npos);
}

TEST_CASE("a program draws with its defines and uniforms") {
  gl::HeadlessContext context(false);
  ShaderFolder folder;
  folder.write("a.vert", kTriangle);
  folder.write(
      "b.frag",
      "#include \"common.glsl\"\nout vec4 c;\nuniform vec3 color;\nvoid main() { c = vec4(color * GAIN * "
      "HALF, 1); }\n");
  gl::Program program({"a.vert", "b.frag"}, {{"GAIN", "2.0"}});
  program.set("color", vec3(1, 0.4f, 0));
  program.set("no_such_uniform", 1);
  gl::Framebuffer target(ivec2(8, 4), GL_RGBA8, 0);
  gl::VertexArray none;
  target.bind();
  none.bind();
  program.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  gl::check("test");
  const Image image = gl::read_pixels(target.id(), target.size());
  REQUIRE(image.width == 8);
  REQUIRE(image.height == 4);
  CHECK(int(image.at(7, 3)[0]) == 255);
  CHECK(int(image.at(7, 3)[1]) == 102);
  CHECK(int(image.at(7, 3)[2]) == 0);
}

TEST_CASE("a framebuffer without area or beyond the driver's limit is refused in words") {
  gl::HeadlessContext context(false);
  CHECK(message_of([] { gl::Framebuffer(ivec2(0, 10), GL_RGBA8, 0); }).find("0 x 10") != std::string::npos);
  CHECK(message_of([] { gl::Framebuffer(ivec2(1 << 20, 10), GL_RGBA8, 0); }).find("too large") !=
        std::string::npos);
}

TEST_CASE("resolving averages samples, and reading back starts with the top row") {
  gl::HeadlessContext context(false);
  gl::Framebuffer many(ivec2(4, 4), GL_SRGB8_ALPHA8, GL_DEPTH_COMPONENT24, 4),
      one(ivec2(4, 4), GL_SRGB8_ALPHA8, 0);
  gl::Framebuffer stored(one, GL_RGBA8);
  many.bind();
  glEnable(GL_FRAMEBUFFER_SRGB);
  glClearColor(0.5f, 0.5f, 0.5f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 2, 4, 2);  // the upper half
  glClearColor(1, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  many.resolve_to(one);
  const Image image = gl::read_pixels(stored.id(), stored.size());
  CHECK(int(image.at(0, 0)[0]) == 255);
  CHECK(int(image.at(0, 0)[1]) == 0);
  CHECK(std::abs(int(image.at(0, 3)[1]) - 188) <= 1);  // linear 0.5 is 188 in sRGB
}

TEST_CASE("pictures read without waiting come out in order and complete") {
  gl::HeadlessContext context(false);
  gl::Framebuffer target(ivec2(64, 32), GL_RGBA8, 0);
  gl::PixelReader reader(2);
  std::vector<int> reds;
  const auto collect = [&](bool wait) {
    while (auto image = reader.take(wait)) reds.push_back(image->at(63, 31)[0]);
  };
  for (int i = 0; i < 7; ++i) {
    target.bind();
    glClearColor(float(i) / 255, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    reader.start(target.id(), target.size());
    if (i % 3 == 2) collect(false);
  }
  collect(true);
  CHECK(reds == std::vector<int>{0, 1, 2, 3, 4, 5, 6});
  CHECK_FALSE(reader.take(true));
}

TEST_CASE("a picture survives the way through a PNG file") {
  Image image = plain(5, 3, 10);
  image.rgb[0] = 200;
  const std::string path =
      (fs::temp_directory_path() / ("weft-" + std::to_string(getpid()) + ".png")).string();
  write_png(path, image);
  const Image back = read_png(path);
  fs::remove(path);
  CHECK(back.width == 5);
  CHECK(back.height == 3);
  CHECK(back.rgb == image.rgb);
  CHECK(message_of([&] { write_png("/no/such/folder/x.png", image); }).find("/no/such/folder/x.png") !=
        std::string::npos);
  CHECK(message_of([] { read_png("/no/such/file.png"); }).find("/no/such/file.png") != std::string::npos);
}

TEST_CASE("the difference of pictures counts what changed") {
  const Image a = plain(16, 16, 100);
  CHECK(image_difference(a, a).mean == 0);
  CHECK(image_difference(a, plain(16, 16, 110)).mean == doctest::Approx(10));
  Image b = a;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) b.rgb[3 * size_t(16 * y + x)] = 200;
  const ImageDifference d = image_difference(a, b);
  CHECK(d.worst == 100);
  CHECK(d.share_off == doctest::Approx(1.0 / 16));
  CHECK_THROWS_AS(image_difference(a, plain(16, 8, 0)), Error);
}

TEST_CASE("more samples than the driver has are asked for once, not for every picture") {
  gl::HeadlessContext context(false);
  Renderer renderer;
  const testing::StillLife life = testing::make_flat_sheet(100);
  renderer.set_scene(life.scene);
  renderer.update(life.frame);
  ViewSettings settings;
  settings.quality = int(Quality::high);
  const auto draw = [&](int samples) {
    settings.msaa = samples;
    renderer.draw(Camera().view({64, 48}), settings, {});
  };
  GLint most = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  REQUIRE(most > 2);
  draw(4 * most);
  static int made;
  static PFNGLCREATEFRAMEBUFFERSPROC create;
  made = 0, create = glad_glCreateFramebuffers;
  glad_glCreateFramebuffers = [](GLsizei count, GLuint* names) { made += count, create(count, names); };
  draw(4 * most);
  const int again = made;
  draw(2);
  const int fewer = made - again;
  glad_glCreateFramebuffers = create;
  CHECK(again == 0);
  CHECK(fewer == 1);
}

// Sizes, frames of other scenes, and the way into a window, of pictures drawn by software OpenGL without a
// display.
#include "render_studio.h"
#include "tests/viewer/image_difference.h"

using namespace weft;
using testing::kSize, testing::StillLife, testing::Studio;

TEST_CASE("the picture follows the size that is asked for, and no size draws nothing") {
  Studio studio(testing::make_flat_sheet(400));
  for (const ivec2& size : {ivec2(320, 180), ivec2(64, 400), ivec2(1, 1), ivec2(500, 300)}) {
    const Image image = studio.draw(size);
    CHECK(image.width == size.x);
    CHECK(image.height == size.y);
  }
  CameraView nothing = studio.camera.view({500, 300});
  nothing.size = {0, 300};
  studio.renderer.draw(nothing, studio.settings);
  CHECK(studio.renderer.picture()->size() == ivec2(500, 300));
  gl::check("draw");
}

TEST_CASE("before there is a scene the studio is empty, and nothing is presented before the first picture") {
  gl::HeadlessContext context(false);
  Renderer renderer;
  CHECK(renderer.picture() == nullptr);
  renderer.present(0);
  renderer.draw(Camera().view(kSize), ViewSettings{});
  gl::check("draw");
  CHECK(renderer.picture() != nullptr);
}

TEST_CASE("a frame of another scene is not drawn over this one") {
  Studio studio(testing::make_flat_sheet(400));
  const Image before = studio.draw();
  StillLife other = testing::make_flat_sheet(900);
  other.frame.model_id = 7;
  studio.renderer.update(other.frame);
  CHECK(image_difference(before, studio.draw()).mean == 0);
}

TEST_CASE("presenting copies the picture into place") {
  Studio studio(testing::make_flat_sheet(400));
  const Image image = studio.draw({40, 30});
  gl::Framebuffer window(ivec2(100, 80), GL_RGBA8, 0);
  studio.renderer.present(window.id(), {50, 10});
  const Image shown = gl::read_pixels(window.id(), {40, 30}, {50, 10});
  CHECK(shown.rgb == image.rgb);
}

TEST_CASE("bounds hold cloth and bodies, but no endless floor") {
  Studio studio(testing::make_still_life(400));
  const Bounds bounds = studio.renderer.bounds();
  CHECK(bounds.min.x == doctest::Approx(-1.07).epsilon(0.01));
  CHECK(bounds.max.x == doctest::Approx(1.30).epsilon(0.01));
  CHECK(bounds.min.y == doctest::Approx(0).epsilon(0.01));
  CHECK(bounds.max.y > 1.5f);
}

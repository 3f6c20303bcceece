// What the plot of collision handling shows.
#include <doctest/doctest.h>

#include "viewer/session/contact_history.h"

using namespace weft;

namespace {

Frame state(int step, int steps, int hard, float residual, int method = 1, uint64_t model = 1) {
  Frame f;
  f.model_id = model, f.step = step, f.collision = method;
  f.stats.collision_steps = steps, f.stats.residual = residual;
  f.stats.counters = {{"failed_steps", double(hard)}};
  return f;
}

}  // namespace

TEST_CASE("the plot of contact has each step once, the newest last, and no more than asked for") {
  ContactHistory history(3);
  history.add(state(0, 0, 0, 0));  // the start is no step
  CHECK(history.steps().empty());
  for (int n = 1; n <= 5; ++n) {
    history.add(state(n, 10 * n, n, 1e-5f * float(n)));
    history.add(state(n, 99, 99, 1));  // the same state, published again
  }
  REQUIRE(history.steps().size() == 3);
  CHECK(history.steps().back().steps == 50);
  CHECK(history.steps().back().failed == 5);
  CHECK(history.steps().back().residual == 5e-5f);
  CHECK(history.steps().front().steps == 30);
  CHECK(history.steps().front().number == 3);
}

TEST_CASE("another scene, another method and a reset begin the plot of contact anew") {
  ContactHistory history;
  history.add(state(1, 10, 0, 0)), history.add(state(2, 10, 0, 0));
  history.add(state(3, 24, 0, 0, 2));
  CHECK(history.steps().size() == 1);
  CHECK(history.method() == 2);
  history.add(state(4, 24, 0, 0, 2)), history.add(state(1, 24, 0, 0, 2));
  CHECK(history.steps().size() == 1);
  history.add(state(2, 24, 0, 0, 2, 7));
  CHECK(history.steps().size() == 1);
  history.add(state(3, 0, 0, 0, 0, 7));  // a method that takes no steps
  CHECK(history.steps().empty());
}

TEST_CASE("residuals stand on a scale of six decades, and none at its bottom") {
  CHECK(residual_height(1) == doctest::Approx(1));
  CHECK(residual_height(1e-3f) == doctest::Approx(0.5));
  CHECK(residual_height(1e-6f) == doctest::Approx(0).epsilon(1e-5));
  CHECK(residual_height(0) == 0);
  CHECK(residual_height(1e-12f) == 0);
}

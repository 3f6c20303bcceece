#include "viewer/session/panel_memory.h"

#include <doctest/doctest.h>

using namespace weft;

TEST_CASE(
    "measures that are typed while a mannequin is built with others are kept until it is another scene's") {
  Mannequin body;
  MannequinMeasures measures;
  measures.follow(1, body);
  CHECK(measures.wanted == body);
  measures.wanted.params.height = 1.8f;
  Mannequin built = measures.send();
  CHECK(built.params.height == 1.8f);
  measures.wanted.params.waist = 0.75f;  // meanwhile
  measures.follow(1, body);
  measures.follow(2, built);
  CHECK(measures.wanted.params.height == 1.8f);
  CHECK(measures.wanted.params.waist == 0.75f);
  measures.follow(20, built);  // sewn anew
  CHECK(measures.wanted.params.waist == 0.75f);
  measures.follow(3, body);  // another scene
  CHECK(measures.wanted == body);
  measures.send();
  measures.wanted.params.waist = 0.8f;
  body.params.height = 1.6f;
  measures.follow(4, body);  // another one was opened meanwhile
  CHECK(measures.wanted == body);
}

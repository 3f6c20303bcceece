#include "viewer/window/event_turns.h"

#include <doctest/doctest.h>

using namespace weft;
using Kind = WindowEvent::Kind;

namespace {

WindowEvent event(Kind kind, double x = 0, double y = 0, int key = 0) {
  WindowEvent e;
  e.kind = kind, e.x = x, e.y = y, e.key = key;
  return e;
}

}  // namespace

TEST_CASE("two clicks within a picture at two places are shown one button at a time where it was") {
  EventTurns turns;
  for (const double x : {10.0, 50.0}) {
    turns.add(event(Kind::move, x, 20));
    turns.add(event(Kind::press, x, 20));
    turns.add(event(Kind::release, x, 20));
  }
  turns.add(event(Kind::move, 90, 90));
  for (const double x : {10.0, 50.0})
    for (const bool down : {true, false}) {
      turns.next_picture();
      CHECK(turns.take().size() == (down ? 2 : 1));
      CHECK(turns.down(0) == down);
      CHECK(turns.cursor() == vec2(x, 20));
      CHECK(turns.take().empty());  // the rest is of the next picture
      CHECK_FALSE(turns.waiting().empty());
    }
  turns.next_picture();
  CHECK(turns.take().size() == 1);
  CHECK(turns.cursor() == vec2(90, 90));
  CHECK(turns.waiting().empty());
}

TEST_CASE("what is typed after a click waits for it and keys and motion alone do not wait") {
  EventTurns turns;
  turns.add(event(Kind::key, 1, 1, 65));
  turns.add(event(Kind::text, 1, 1));
  for (int i = 0; i < 5; ++i) turns.add(event(Kind::move, i, i));
  turns.add(event(Kind::wheel, 4, 4));
  turns.add(event(Kind::press, 4, 4));
  turns.add(event(Kind::damage, 4, 4));
  turns.add(event(Kind::move, 4, 4));  // to where it is
  turns.add(event(Kind::text, 4, 4));
  CHECK(turns.take().size() == 11);
  REQUIRE(turns.waiting().size() == 1);
  CHECK(turns.waiting().front().kind == Kind::text);
  turns.next_picture();
  CHECK(turns.take().size() == 1);
}

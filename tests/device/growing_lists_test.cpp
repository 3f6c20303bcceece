#include "sim/device/growing_lists.h"

#include <memory>

#include "sim/base/error.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A list of whole numbers, and the memory of it that its owner keeps.
struct Numbers {
  Buffer<int> first, second;
  GrowingList list;
  Numbers(GrowingLists& lists, const char* name, int most = INT32_MAX)
      : list(lists, name, [this, &lists, name, most](int n) {
          first = Buffer<int>(lists.device(), name, n);
          if (n > most) throw Error(std::string("no memory for '") + name + "'");
          second = Buffer<int>(lists.device(), name, n);
        }) {}
  /// As a kernel does that finds so many entries.
  void want(Device& device, int entries) { device.upload(list.wanted().data, &entries, sizeof entries); }
};

}  // namespace

TEST_CASE("of many lists those that were too short grow in one look, and the others keep their memory") {
  for_each_device([](Device& device) {
    GrowingLists lists(device);
    Numbers few(lists, "few"), many(lists, "many");
    few.list.reserve(10), many.list.reserve(10);
    const int* const before = few.first.span().data;
    CHECK(lists.fit());
    few.want(device, 10), many.want(device, 11);
    CHECK_FALSE(lists.fit());
    CHECK(few.list.room() == 10);
    CHECK(few.first.span().data == before);
    CHECK(many.list.room() >= 11);
    CHECK(many.first.size() == many.list.room());
    CHECK(lists.fit());  // what was wanted is forgotten
    many.want(device, 1'000'000);
    CHECK_FALSE(lists.fit());
    CHECK(many.list.room() == 1'250'000);
    lists.take_room();
    CHECK(few.list.room() == 1);
    CHECK(many.first.size() == 1);
  });
}

TEST_CASE("a list that is gone leaves its place to the next, and the others keep theirs") {
  for_each_device([](Device& device) {
    GrowingLists lists(device);
    Numbers stays(lists, "stays");
    stays.list.reserve(5);
    for (int k = 0; k < 200; ++k) {
      Numbers other(lists, "other");
      other.list.reserve(5);
      other.want(device, 5 + k % 2);
      CHECK(lists.fit() == (k % 2 == 0));
    }
    CHECK(stays.list.room() == 5);
    stays.want(device, 6);
    CHECK_FALSE(lists.fit());
  });
}

TEST_CASE("a list in the place of one that is gone does not want what that one wanted") {
  for_each_device([](Device& device) {
    GrowingLists lists(device);
    {
      Numbers gone(lists, "gone");
      gone.list.reserve(500);
      gone.want(device, 400);
      CHECK(lists.fit());
    }
    Numbers next(lists, "next");
    next.list.reserve(5);
    CHECK(lists.fit());
    CHECK(next.list.room() == 5);
  });
}

TEST_CASE(
    "some lists are asked alone and others keep what they wanted until they are asked or it is forgotten") {
  for_each_device([](Device& device) {
    GrowingLists lists(device);
    Numbers asked(lists, "asked"), other(lists, "other");
    asked.list.reserve(5), other.list.reserve(5);
    const int* const before = other.first.span().data;
    asked.want(device, 6), other.want(device, 6);
    CHECK_FALSE(lists.fit({&asked.list}));
    CHECK(lists.fit({&asked.list}));
    CHECK(other.first.span().data == before);
    CHECK_FALSE(lists.fit());
    CHECK(other.list.room() >= 6);
    other.want(device, 1000);
    lists.forget();
    CHECK(lists.fit());
  });
}

TEST_CASE(
    "a list whose entries stand for much memory grows by a quarter, and one that outlives steps forgets "
    "nothing") {
  for_each_device([](Device& device) {
    GrowingLists lists(device);
    int room = 0;
    GrowingList rows(lists, "rows", [&](int n) { room = n; }, {.doubled = 0, .outlives_steps = true});
    rows.reserve(10);
    const int wanted = 100;
    device.upload(rows.wanted().data, &wanted, sizeof wanted);
    lists.forget();
    CHECK_FALSE(lists.fit());
    CHECK(room == 125);
  });
}

TEST_CASE("a list that finds no memory says so, has buffers of one length, and is asked for again") {
  for_each_device([](Device& device) {
    GrowingLists lists(device);
    Numbers numbers(lists, "numbers", 1000);
    numbers.list.reserve(100);
    numbers.want(device, 5000);
    CHECK_THROWS_WITH_AS(lists.fit(), doctest::Contains("no memory for 'numbers'"), Error);
    CHECK(numbers.list.room() == 1);
    CHECK(numbers.first.size() == numbers.second.size());
    numbers.want(device, 200);
    CHECK_FALSE(lists.fit());
    CHECK(numbers.first.size() == numbers.list.room());
    CHECK(numbers.second.size() == numbers.list.room());
  });
}

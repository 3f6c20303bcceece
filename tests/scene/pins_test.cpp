#include "sim/scene/model/pins.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/mesh/shapes/shapes.h"
#include "sim/mesh/topology.h"

using namespace weft;

namespace {

struct Fixture {
  TriMesh first = make_grid({0.5f, 0.5f}, 0.1f), second = make_grid({1.0f, 0.8f}, 0.05f);
  Topology topology = build_topology({{"first", first}, {"second", second}});
  std::vector<vec3> start = topology.rest;

  std::vector<int> resolve(const Pin& pin, int cloth = 1) {
    return resolve_pin(pin, topology, topology.parts[cloth], start);
  }
  std::vector<int> place(const std::string& where) {
    Pin pin;
    pin.where = where;
    return resolve(pin);
  }
  vec3 at(int local) const { return second.positions[local]; }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "corners of a grid are its exact corners") {
  for (auto [where, x, y] : {std::tuple{"top_left", -0.5f, 0.4f},
                             {"top_right", 0.5f, 0.4f},
                             {"bottom_left", -0.5f, -0.4f},
                             {"bottom_right", 0.5f, -0.4f}}) {
    const auto found = place(where);
    REQUIRE(found.size() == 1);
    CHECK(at(found[0]) == vec3(x, y, 0));
  }
}

TEST_CASE_FIXTURE(Fixture, "sides hold every vertex on them and no other") {
  for (auto [where, axis, value] :
       {std::tuple{"top", 1, 0.4f}, {"bottom", 1, -0.4f}, {"left", 0, -0.5f}, {"right", 0, 0.5f}}) {
    const auto found = place(where);
    int expected = 0;
    for (const vec3& p : second.positions) expected += p[axis] == value;
    CHECK(int(found.size()) == expected);
    for (int v : found) CHECK(at(v)[axis] == value);
  }
}

TEST_CASE_FIXTURE(Fixture, "the boundary is all four sides, the centre the nearest vertex") {
  const auto boundary = place("boundary");
  for (int v = 0; v < second.vertex_count(); ++v) {
    const bool on = std::abs(at(v).x) == 0.5f || std::abs(at(v).y) == 0.4f;
    REQUIRE(std::binary_search(boundary.begin(), boundary.end(), v) == on);
  }
  const auto center = place("center");
  REQUIRE(center.size() == 1);
  CHECK(glm::length(at(center[0])) < 0.03f);
}

TEST_CASE_FIXTURE(Fixture, "a box holds what starts inside it in the world") {
  for (vec3& p : start) p += vec3(0, 5, 0);
  Pin pin;
  pin.box = Bounds{{-0.1f, 4.9f, -1}, {0.1f, 5.1f, 1}};
  const auto found = resolve(pin);
  CHECK(found.size() > 5);
  for (int v = 0; v < second.vertex_count(); ++v)
    REQUIRE(std::binary_search(found.begin(), found.end(), v) ==
            (std::abs(at(v).x) <= 0.1f && std::abs(at(v).y + 5 - 5) <= 0.1001f && at(v).y + 5 >= 4.9f &&
             at(v).y + 5 <= 5.1f));
}

TEST_CASE_FIXTURE(Fixture, "indices, place and box add up, each vertex once, ascending") {
  Pin pin;
  pin.vertices = {7, 3, 7};
  pin.where = "bottom_left";
  CHECK(resolve(pin) == std::vector<int>{0, 3, 7});
}

TEST_CASE_FIXTURE(Fixture, "indices count within the pin's own cloth") {
  Pin pin;
  pin.vertices = {first.vertex_count()};
  CHECK(resolve(pin, 1) == pin.vertices);
  CHECK_THROWS_AS(resolve(pin, 0), Error);
  pin.vertices = {-1};
  CHECK_THROWS_AS(resolve(pin, 1), Error);
}

TEST_CASE_FIXTURE(Fixture, "an unknown place names the nearest known one") {
  CHECK_THROWS_WITH_AS(place("topleft"), "pin: unknown place 'topleft' on a cloth — did you mean top_left?",
                       Error);
}

TEST_CASE("places of a cloth that lies flat have their top away from the viewer") {
  TriMesh mesh = make_grid({1, 1}, 0.1f);
  for (vec3& p : mesh.positions) p = {p.x, 0, -p.y};
  const Topology t = build_topology({{"flat", mesh}});
  Pin pin;
  pin.where = "top_left";
  const auto found = resolve_pin(pin, t, t.parts[0], t.rest);
  REQUIRE(found.size() == 1);
  CHECK(t.rest[found[0]] == vec3(-0.5f, 0, -0.5f));
}

TEST_CASE("top and bottom of a tube are its end rings") {
  const TriMesh mesh = make_tube(0.2f, 0.6f, 0.02f);
  const Topology t = build_topology({{"tube", mesh}});
  Pin pin;
  pin.where = "top";
  const auto found = resolve_pin(pin, t, t.parts[0], t.rest);
  CHECK(found.size() ==
        size_t(std::count_if(t.rest.begin(), t.rest.end(), [](const vec3& p) { return p.y == 0.3f; })));
  for (int v : found) CHECK(t.rest[v].y == 0.3f);
}

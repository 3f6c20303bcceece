// A GPU takes the rows of a launch in no order. Here the CPU does so too, one row at a time: where the order
// changes a bit, a row reads what another one writes, or lists are left in the order in which they happened
// to grow.
#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "sim/device/buffer.h"
#include "sim/device/launch.h"
#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"
#include "tests/support/variants.h"

using namespace weft;

namespace {

constexpr int kOrders = 4;

struct AddLeft {
  Span<int> value;
  HD void operator()(int i) const {
    if (i > 0) value[i] += value[i - 1];
  }
};

/// Hash of the state after each step, rows in one order; a hand pulls in the second half.
std::vector<uint64_t> hashes(const Scene& scene, int order, int steps) {
  RowOrder::set(order);
  const auto device = Device::create(DeviceChoice::cpu, 1);
  Simulation sim(scene, *device);
  std::vector<uint64_t> all;
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2)
      sim.apply(GrabBegin{1, sim.model().vertex_count() / 2, vec3(0.3f, 0.3f, 0.4f), 0.02f});
    if (i > steps / 2) sim.apply(GrabMove{1, sim.positions()[0] + vec3(0, 0.02f * float(i), 0)});
    sim.step();
    all.push_back(sim.hash());
  }
  return all;
}

void same_in_any_order(const Scene& scene, int steps) {
  const std::vector<uint64_t> forwards = hashes(scene, 0, steps);
  for (int order = 1; order < kOrders; ++order) {
    const std::vector<uint64_t> other = hashes(scene, order, steps);
    int same = 0;
    while (same < steps && other[size_t(same)] == forwards[size_t(same)]) ++same;
    CAPTURE(order);
    CHECK_MESSAGE(same == steps, "the first step that differs is " << same + 1);
  }
}

std::filesystem::path scenes_folder() { return std::filesystem::path(default_scene_path()).parent_path(); }

bool is_scene(const std::filesystem::path& file) { return file.extension() == ".toml"; }

}  // namespace

TEST_CASE("rows that read what others write are found out") {
  std::vector<std::vector<int>> results;
  for (int order = 0; order < kOrders; ++order) {
    RowOrder::set(order);
    const auto device = Device::create(DeviceChoice::cpu, 1);
    Buffer<int> value(*device, "value", 100);
    value.upload(std::vector<int>(100, 1));
    launch(*device, "add left", 100, AddLeft{value.span()});
    results.push_back(value.download());
  }
  for (int order = 1; order < kOrders; ++order) CHECK(results[size_t(order)] != results[0]);
}

TEST_CASE("every row is taken once, in any order") {
  for (int order = 0; order < 8; ++order)
    for (const int count : {1, 2, 3, 7, 64, 1000}) {
      RowOrder::set(order);
      const RowOrder row(count);
      std::vector<int> seen(size_t(count), 0);
      for (int n = 0; n < count; ++n) ++seen[size_t(row(n))];
      CHECK(seen == std::vector<int>(size_t(count), 1));
    }
}

TEST_CASE("scenes give the same bits with rows in any order") {
  for (const auto& file : std::filesystem::directory_iterator(scenes_folder())) {
    if (!is_scene(file.path())) continue;
    CAPTURE(file.path().string());
    same_in_any_order(read_scene(file.path().string()), 6);
  }
}

TEST_CASE("every choice of every method gives the same bits with rows in any order") {
  for (const testing::Variant& v : testing::every_variant()) {
    INFO(v.name());
    std::vector<uint64_t> results;
    for (int order = 0; order < kOrders; ++order) {
      RowOrder::set(order);
      const auto device = Device::create(DeviceChoice::cpu, 1);
      results.push_back(testing::hash_after(v.scene(150), *device, 4));
    }
    CHECK(results == std::vector<uint64_t>(kOrders, results[0]));
  }
}

TEST_CASE("the papers' small scenes give the same bits with rows in any order") {
  for (const char* folder : {"wu2020", "wang2023", "lan2024", "tang2018"})
    for (const auto& file : std::filesystem::directory_iterator(scenes_folder() / folder)) {
      if (file.path().stem().string().find("_small") == std::string::npos) continue;
      CAPTURE(file.path().string());
      same_in_any_order(read_scene(file.path().string()), 10);
    }
}

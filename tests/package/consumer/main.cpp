// Runs a scene for some steps and prints how far its cloth fell: consumer SCENE.toml.
#include <algorithm>
#include <cstdio>

#include "sim/run/simulation.h"
#include "sim/scene/text/scene_file.h"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const auto device = weft::Device::create(weft::DeviceChoice::cpu, 1);
  weft::Simulation simulation(weft::read_scene(arguments[1]), *device);
  const auto lowest = [&] {
    float y = 1e30f;
    for (const weft::vec3& position : simulation.positions()) y = std::min(y, position.y);
    return y;
  };
  const float before = lowest();
  for (int step = 0; step < 10; ++step) simulation.step();
  std::printf("fell by %.4f m\n", double(before - lowest()));
}

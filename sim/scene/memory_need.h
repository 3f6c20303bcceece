// How much memory a cloth takes, before it is built.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/device/device.h"
#include "sim/scene/scene.h"

namespace weft {

/// Device memory of the running scene, in bytes, with its collision method, for cloth of so many vertices and triangles; bodies aside.
/// Within 30 % for meshes of a thousand vertices and more, by measurement (tests/faults/memory_test.cpp). Lists of near pairs count with the
/// room that they begin with: cloth that crumples makes them longer.
size_t estimated_bytes(const Scene& scene, int64_t vertices, int64_t triangles);

/// Throws Error with need and free where the cloth does not fit on the device, and tells of a cloth that takes more than
/// a GB. On the CPU what building needs on the way counts, too.
void require_memory(const Device& device, const Scene& scene, int64_t vertices, int64_t triangles);

}  // namespace weft

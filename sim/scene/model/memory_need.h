// Estimate of the memory of a cloth, before it is built.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/device/device.h"
#include "sim/scene/scene.h"

namespace weft {

/// Device memory of the running scene in bytes, with its collision method, for cloth of this many vertices
/// and triangles, without bodies. Within 30 % for meshes of at least a thousand vertices, measured
/// (tests/faults/memory_test.cpp). Lists of pairs count with their initial capacity; crumpled cloth makes
/// them longer.
size_t estimated_bytes(const Scene& scene, int64_t vertices, int64_t triangles);

/// Throws Error with the need and the free memory if the cloth does not fit on the device; logs a cloth of
/// more than a GB. On the CPU the memory for building counts too.
void require_memory(const Device& device, const Scene& scene, int64_t vertices, int64_t triangles);

}  // namespace weft

// What was done, as a number: to know a snapshot's own past again.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/scene/command.h"

namespace weft {

/// Hash of the first `count` commands: what they do, and before which step.
uint64_t hash_of(const std::vector<TimedCommand>& commands, size_t count);

}  // namespace weft

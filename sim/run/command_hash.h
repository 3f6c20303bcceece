// Hash of the commands of a run, by which it recognises its own snapshots.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/scene/command.h"

namespace weft {

/// Hash of the first `count` commands and their steps.
uint64_t hash_of(const std::vector<TimedCommand>& commands, size_t count);

}  // namespace weft

// Clips of the mannequin, which are text files.
#pragma once
#include <string>
#include <vector>

#include "sim/mannequin/body_motion.h"

namespace weft {

/// Names of the files in assets/mannequin, without ".toml".
std::vector<std::string> clip_names();
/// Reads a shipped clip. Throws Error with file, line and key.
Clip read_clip(const std::string& name);
Clip parse_clip(const std::string& text, const std::string& path);
/// The motion of a mannequin, its clips read.
BodyMotion make_body_motion(const Mannequin& mannequin, const Skeleton& skeleton);

}  // namespace weft

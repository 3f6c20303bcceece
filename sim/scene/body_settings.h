// Values of bodies by their keys, as --set gives them.
#pragma once
#include <string>

#include "sim/scene/scene.h"

namespace weft {

/// True for "obstacle.NAME.KEY".
bool is_body_key(const std::string& key);

/// Gives a body the value of one key of its [[obstacle]] table: "obstacle.ball.radius" = "0.2",
/// "obstacle.ball.motion.spin_rate" = "90", "obstacle.arm.bone.elbow.keys" = "[{ time = 1, rotation = [0, 0,
/// 90] }]". `text` as in a scene file; text may lack its quotes. Throws Error naming the key: no such body or
/// two of that name, an unknown key, a value that a scene file could not have.
void set_body_value(Scene& scene, const std::string& key, const std::string& text);

}  // namespace weft

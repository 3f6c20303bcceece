// Prints of cloths by their keys, as --set and the window give them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/scene.h"

namespace weft {

/// True for "fabric.print" and "NAME.print" with the name of a cloth.
bool is_print_key(const Scene& scene, const std::string& key);
/// The print of that cloth, of "fabric" the first, as in a scene file: with quotes.
std::string print_text(const Scene& scene, const std::string& key);
/// Gives a cloth, or "fabric" all, another print: the path of a PNG or JPEG, or "" for none. `text` may lack
/// its quotes. The picture is not read. Throws Error for text that is no string.
void set_print(Scene& scene, const std::string& key, const std::string& text);
/// Keys and texts of the cloths whose print in `after` is not that of the same cloth in `before`.
std::vector<std::pair<std::string, std::string>> changed_prints(const Scene& before, const Scene& after);

}  // namespace weft

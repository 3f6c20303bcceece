// Whatever a person names, drops or chooses: a scene, files of one, or a picture that lights it.
#pragma once
#include <string>
#include <vector>

namespace weft {

struct WindowState;

/// As Session::open_line; a Radiance picture (.hdr) becomes the light of the picture.
void open_input(WindowState& state, const std::string& text);
/// As Session::open.
void open_input(WindowState& state, const std::vector<std::string>& paths);

}  // namespace weft

// Whatever a person names, drops or chooses: a scene, files of one, or a picture that lights it or
// is printed on cloth.
#pragma once
#include <string>
#include <vector>

namespace weft {

struct WindowState;

/// As Session::open_line; a Radiance picture (.hdr) becomes the light of the picture, a PNG or JPEG the print
/// of the cloth that the Fabric panel shows.
void open_input(WindowState& state, const std::string& text);
/// As Session::open.
void open_input(WindowState& state, const std::vector<std::string>& paths);

/// Prints a PNG or JPEG on a cloth, as an edit that can be undone; "": none. What cannot be read is reported
/// and changes nothing.
void print_on(WindowState& state, const std::string& cloth, const std::string& path);

}  // namespace weft

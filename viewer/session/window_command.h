// Changes since a scene was opened, and the equivalent command line.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/scene.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// Every parameter whose value differs between two states of the same scene: full key and new text, as in a
/// file.
std::vector<std::pair<std::string, std::string>> changed_parameters(const Scene& original,
                                                                    const Scene& tuned);

/// A word as a POSIX shell reads it back: quoted only where needed.
std::string shell_word(const std::string& word);

/// `weft INPUT --headless --set key=value ...`. `input`: the arguments that opened the scene; empty for the
/// default scene. Settings of the picture that are not at their default follow as view.*.
std::string headless_command(const std::vector<std::string>& input, const Scene& original, const Scene& tuned,
                             const ViewSettings& view = {});

}  // namespace weft

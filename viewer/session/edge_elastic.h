// Elastic bands at edges of a pattern, as one number for each edge.
#pragma once
#include "viewer/session/pattern_editor.h"

namespace weft {

/// Rest length over length in the pattern of the elastic at an edge: 1 without one, kSceneElastic where the
/// scene says it.
double elastic_at(const Pattern& pattern, const PatternPlace& edge);
/// Gives all seams at an edge this ratio (limited to 0.1 ... 1), or an edge without seams an elastic hem.
/// With 1 elastic hems are taken away.
void set_elastic_at(Pattern& pattern, const PatternPlace& edge, double ratio);

}  // namespace weft

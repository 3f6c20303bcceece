// OpenGL 4.5 core. The one place that includes the loader.
#pragma once
#include <glad/gl.h>

#include <string>

namespace weft::gl {

/// Reads the queue of OpenGL errors; throws Error naming `where` if there is one. For set-up and tests: it
/// waits for the driver, so that the loop that draws does not call it.
void check(const char* where);

}  // namespace weft::gl

// A recorded run as a video, without a window.
#pragma once
#include <string>

#include "viewer/commands/headless.h"

namespace weft {

struct FilmRequest {
  std::string cache;
  VideoRequest video;
  bool quiet = false;
};

/// Draws every frame that the video shows; each is shown for as long as it lasted. Returns the exit status.
/// Throws Error.
int film_run_cache(const FilmRequest& request);

}  // namespace weft

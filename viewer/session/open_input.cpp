#include "viewer/session/open_input.h"

#include <filesystem>

#include "sim/base/error.h"
#include "viewer/render/sky_light.h"
#include "viewer/session/typed_path.h"
#include "viewer/session/window_state.h"

namespace weft {
namespace {

/// True if the path is that of a picture with a high range, which is taken or reported.
bool take_light(WindowState& state, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".hdr" && ending != ".HDR") return false;
  try {
    read_sky(path);
    set_view(state.view, "view.light", path);
    state.settings.set("view.light", std::filesystem::absolute(path).string());
    state.toasts.add(LogLevel::notice, "Lit by " + path + " (View panel)");
  } catch (const Error& e) {
    state.toasts.add(LogLevel::error, e.what());
  }
  return true;
}

}  // namespace

void open_input(WindowState& state, const std::string& text) {
  if (!take_light(state, path_of_text(text))) state.session.open_line(text);
}

void open_input(WindowState& state, const std::vector<std::string>& paths) {
  if (paths.size() != 1 || !take_light(state, paths.front())) state.session.open(paths);
}

}  // namespace weft

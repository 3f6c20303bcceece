#include "viewer/session/open_input.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/scene/toml/toml_text.h"
#include "viewer/gl/image.h"
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

/// The same of a picture to print on cloth: on the one that the Fabric panel shows.
bool take_print(WindowState& state, const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  if (ending != ".png" && ending != ".jpg" && ending != ".jpeg") return false;
  const std::vector<Cloth>& cloths = state.session.scene().cloths;
  if (cloths.empty()) return false;
  const std::string& shown = state.memory.fabric.cloth;
  const bool there =
      std::any_of(cloths.begin(), cloths.end(), [&](const Cloth& c) { return c.name == shown; });
  print_on(state, there ? shown : cloths.front().name, path);
  return true;
}

bool take_picture(WindowState& state, const std::string& path) {
  return take_light(state, path) || take_print(state, path);
}

}  // namespace

void print_on(WindowState& state, const std::string& cloth, const std::string& path) {
  try {
    if (!path.empty()) read_png(path);
    const std::string whole = path.empty() ? "" : std::filesystem::absolute(path).string();
    state.session.change(path.empty() ? "No print" : "Print on " + cloth,
                         {{cloth + ".print", toml_text::quoted(whole)}});
  } catch (const Error& e) {
    state.toasts.add(LogLevel::error, e.what());
  }
}

void open_input(WindowState& state, const std::string& text) {
  if (!take_picture(state, path_of_text(text))) state.session.open_line(text);
}

void open_input(WindowState& state, const std::vector<std::string>& paths) {
  if (paths.size() != 1 || !take_picture(state, paths.front())) state.session.open(paths);
}

}  // namespace weft

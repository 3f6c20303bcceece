// Opening, reloading and saving.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/run/step_reasons.h"
#include "sim/scene/light.h"
#include "sim/scene/model/body_file.h"
#include "sim/scene/motion.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/frame_export.h"
#include "viewer/commands/scene_input.h"
#include "viewer/record/free_name.h"
#include "viewer/session/pattern_editor.h"
#include "viewer/session/shipped.h"
#include "viewer/session/typed_path.h"
#include "viewer/session/window_command.h"
#include "viewer/session/window_session.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

/// The simulator would answer of the coming scene, and the name and camera path be those of the present one.
constexpr const char* kStillLoading =
    "Nothing was saved: another scene is being loaded. Save again afterwards";

std::string lower_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return extension;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code ignored;
  const fs::path relative = fs::relative(path, folder, ignored);
  return !relative.empty() && *relative.begin() != "..";
}

/// The bodies that were named beside a scene: "--obstacle", "body.obj", ...
std::vector<std::string> obstacles_of(const std::vector<std::string>& input) {
  std::vector<std::string> files;
  for (size_t i = 0; i + 1 < input.size(); ++i)
    if (input[i] == "--obstacle") files.push_back(input[i + 1]);
  return files;
}

/// "--weld", "0.1mm", "--rest", "--start" and "--plugin" with files; without them the scene is unchanged.
Scene changed(Scene scene, const std::vector<std::string>& input) {
  FileChanges changes;
  for (size_t i = 0; i + 1 < input.size(); ++i) {
    if (input[i] == "--weld") changes.weld = input[i + 1];
    if (input[i] == "--rest") changes.rest = input[i + 1];
    if (input[i] == "--start") changes.start = input[i + 1];
  }
  change_files(scene, changes);
  add_plugins(scene, plugins_of_arguments(input));
  return scene;
}

/// "flag-tuned" and "flag-tuned-002" are names that `save` gave.
bool is_tuned_name(std::string stem) {
  const size_t last = stem.find_last_not_of("0123456789");
  if (last != stem.npos && last + 1 < stem.size() && stem[last] == '-') stem.resize(last);
  return stem.ends_with("-tuned");
}

bool is_shipped(const std::string& path) {
  try {
    return lies_in(path, assets_folder());
  } catch (const Error&) {
    return false;
  }
}

/// "dir/flag-tuned.toml" -> "dir/flag-tuned-hands.toml"
std::string beside(const std::string& scene, const std::string& ending) {
  const fs::path path(scene);
  return (path.parent_path() / (path.stem().string() + ending)).string();
}

/// True if the file named by a recording, with its overrides, is the scene it began with: not for OBJ files,
/// nor with bodies given beside a scene.
bool file_gives(const HandRecording& recording, const Scene& start) {
  if (recording.scene_path.empty()) return false;
  try {
    Scene scene = read_scene(recording.scene_path);
    for (const auto& [key, text] : recording.overrides) scene.set(key, text);
    return write_scene(scene) == write_scene(start);
  } catch (const Error&) {
    return false;  // it is gone or was replaced
  }
}

/// A cloth that got another fabric on the sliders is saved under that fabric's name.
void name_fabric(Cloth& cloth) {
  const std::vector<NamedFabric> fabrics = read_fabrics();
  const bool shipped = std::any_of(fabrics.begin(), fabrics.end(),
                                   [&](const NamedFabric& f) { return f.name == cloth.fabric_name; });
  if (shipped) cloth.fabric_name = fabric_tuned_from(fabrics, cloth.fabric, cloth.fabric_name);
}

}  // namespace

void Session::load(Opened opened) {
  Scene scene = opened.scene;
  for (const auto& [key, text] : opened.overrides) scene.set(key, text);
  drag_.release_all();
  loading_[runner_->load(std::move(scene))] = std::move(opened);
}

void Session::open(const std::vector<std::string>& paths) {
  try {
    std::vector<std::string> objs;
    for (const std::string& path : paths) {
      const std::string extension = lower_extension(path);
      if (extension == ".toml") return load({read_scene(path), {path}, {}});
      if (extension == ".weftcache") return open_playback(path);
      if (extension == ".json" || extension == ".dxf")
        return load({scene_from_pattern(path, {}), {path}, {}});
      if (extension == ".png" || extension == ".jpg" || extension == ".jpeg")
        throw Error("a picture is no scene", path,
                    "write print = \"" + fs::path(path).filename().string() +
                        "\" into the scene's [[cloth]] or [[garment]] to have it on the fabric");
      if (extension != ".obj" && !has_own_times(path))
        throw Error(
            "this is neither a scene (.toml) nor a mesh (.obj, .glb, .gltf, .usda) nor a pattern (.json, "
            ".dxf) nor a recorded "
            "run (.weftcache)",
            path, "open or drop one of these");
      objs.push_back(path);
    }
    if (objs.empty()) return;
    std::vector<std::string> input = {objs[0]};
    for (size_t i = 1; i < objs.size(); ++i) input.push_back("--obstacle"), input.push_back(objs[i]);
    load({scene_from_obj(objs[0], {objs.begin() + 1, objs.end()}), std::move(input), {}});
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Session::open_line(const std::string& typed) {
  const std::string text = path_of_text(typed);
  std::error_code unknown;
  const size_t options = text.find(" --");
  if (options == text.npos || fs::exists(text, unknown)) {
    const std::string extension = lower_extension(text);
    if (extension == ".obj" || extension == ".toml" || extension == ".weftcache" || extension == ".json" ||
        extension == ".dxf" || has_own_times(text))
      return open({text});
  }
  try {
    // "shirt.obj --obstacle body.obj --cloth-scale 0.01": options after the first name come in pairs.
    const bool whole = fs::exists(text, unknown);
    std::vector<std::string> input = {text.substr(0, whole ? text.npos : options)};
    for (size_t at = whole ? text.npos : options; at != text.npos;) {
      const size_t end = text.find(" --", at + 1), space = text.find(' ', at + 1);
      const std::string name = text.substr(at + 1, space == text.npos ? text.npos : space - at - 1);
      if (name != "--obstacle" && name != "--cloth-scale" && name != "--obstacle-scale" && name != "--up" &&
          name != "--weld" && name != "--rest" && name != "--start")
        throw Error("'" + name + "' is not an option here", "open",
                    "write --obstacle body.obj, --cloth-scale 0.01, --obstacle-scale 0.01, --up z, --weld "
                    "0.1mm, --rest rest.obj or --start pose.obj after a file");
      std::string value =
          space == text.npos ? "" : text.substr(space + 1, end == text.npos ? text.npos : end - space - 1);
      while (!value.empty() && value.back() == ' ') value.pop_back();
      if (value.empty())
        throw Error("'" + name + "' has no value", "open", "write a file or a number after it");
      input.insert(input.end(), {name, value});
      at = end;
    }
    if (lower_extension(input[0]) == ".weftcache") return open({input[0]});
    load({changed(open_scene(input[0], obstacles_of(input), units_of_arguments(input)), input), input, {}});
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Session::settle_bodies(Scene& scene) const {
  for (const ObstacleView& o : frame_->obstacles) {
    if (size_t(o.index) >= scene.obstacles.size() || frame_->model_id != view_->model_id) continue;
    Obstacle& body = scene.obstacles[size_t(o.index)];
    body.motion.hand = o.hand;
    settle_by_hand(body);
  }
}

void Session::sew_again(int cloth, const Pattern& pattern, const std::string& start) {
  if (refused()) return;
  end_edit();
  Opened opened{with_pattern(*scene_, cloth, pattern), input_, {}};
  opened.by_hand = true;
  settle_bodies(opened.scene);
  if (!start.empty()) opened.scene.cloths[size_t(cloth)].start = start;
  load(std::move(opened));
}

void Session::set_obstacle(int index, Obstacle changed) {
  if (refused()) return;
  end_edit();
  Opened opened{*scene_, input_, {}};
  opened.again = true, opened.by_hand = by_hand_.pattern;
  opened.scene.obstacles.at(size_t(index)) = std::move(changed);
  settle_bodies(opened.scene);
  load(std::move(opened));
}

void Session::change_edges(double factor) {
  if (refused()) return;
  end_edit();
  Opened opened{*scene_, input_, {}};
  opened.again = true, opened.by_hand = by_hand_.pattern;
  scale_edges(opened.scene, factor, mesh_facts(*view_));
  settle_bodies(opened.scene);
  load(std::move(opened));
}

void Session::save_text(const std::string& wanted, const std::string& text, const std::string& what) {
  try {
    const std::string path =
        write_file(wanted, [&](const std::string& free) { write_text_file(free, text); });
    tell_(LogLevel::notice, "Saved " + what + " to " + fs::absolute(path).string());
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Session::watch_file() {
  std::error_code failed;
  file_time_ =
      original_.path.empty() ? fs::file_time_type::min() : fs::last_write_time(original_.path, failed);
  if (failed) file_time_ = fs::file_time_type::min();
}

void Session::reload_if_saved() {
  if (original_.path.empty() || !loading_.empty()) return;
  std::error_code failed;
  const auto now = fs::last_write_time(original_.path, failed);
  // missing for a moment while an editor saves: the next check finds it
  if (failed || now == file_time_) return;
  file_time_ = now;
  try {
    Scene again =
        changed(open_scene(original_.path, obstacles_of(input_), units_of_arguments(input_)), input_);
    set_vertices(again, vertices_of_arguments(input_));
    load({std::move(again), input_, overrides_, true});
    tell_(LogLevel::info, original_.path + " changed on disk: loaded again" +
                              (undo_.can_undo() ? ", with its own values on the sliders" : ""));
  } catch (const std::exception& e) {
    tell_(LogLevel::error, std::string(e.what()) + " (the old scene continues)");
  }
}

std::string Session::tuned_name() const {
  const bool own = !original_.path.empty() && !is_shipped(original_.path);
  std::string stem = "scene";
  if (!original_.path.empty()) stem = fs::path(original_.path).stem().string();
  else if (!input_.empty()) stem = fs::path(input_[0]).stem().string();
  if (!is_tuned_name(stem)) stem += "-tuned";
  std::error_code gone;  // a deleted current folder is reported when it is written to
  const fs::path folder = own ? fs::path(original_.path).parent_path() : fs::current_path(gone);
  return (folder / (stem + ".toml")).string();
}

bool Session::own_file(const std::string& path) const {
  const auto found = written_.find(path);
  return path == original_.path || (found != written_.end() && found->second == input_);
}

std::string Session::free_name(std::string path) const {
  std::error_code unknown;  // reported when it cannot be written
  while (!own_file(path) && fs::exists(path, unknown)) path = next_name(path);
  return path;
}

std::string Session::save_path() const { return free_name(tuned_name()); }

std::string Session::write_file(const std::string& wanted,
                                const std::function<void(const std::string&)>& write) {
  std::string path = free_name(wanted);
  bool made = false;
  // another window was faster
  while (!own_file(path) && !(made = create_new_file(path, path))) path = free_name(next_name(path));
  try {
    write(path);
  } catch (...) {
    std::error_code ignored;
    if (made) fs::remove(path, ignored);
    throw;
  }
  written_[path] = input_;
  return path;
}

void Session::tuned_scene_later(const CameraPose& camera, std::function<void(const Scene&)> take) {
  runner_->tuned_scene_later([camera, path = scene_->camera_path, gathers = scene_->of<GatherList>(),
                              light = scene_->of<SceneLight>(), viewpoints = scene_->of<ViewpointList>(),
                              take = std::move(take)](Scene tuned) {
    tuned.camera = camera, tuned.camera_path = path;
    tuned.of<GatherList>() = gathers, tuned.of<SceneLight>() = light;
    tuned.of<ViewpointList>() = viewpoints;
    for (Cloth& cloth : tuned.cloths) name_fabric(cloth);
    take(tuned);
  });
}

void Session::save(const CameraPose& camera) {
  if (refused_in_playback()) return;
  if (!loading_.empty()) return tell_(LogLevel::notice, kStillLoading);
  try {
    Scene tuned = runner_->tuned_scene();
    tuned.camera = camera;
    add_own(tuned);
    for (Cloth& cloth : tuned.cloths) name_fabric(cloth);
    const std::string path =
        write_file(tuned_name(), [&](const std::string& free) { save_scene(free, tuned); });
    if (path == original_.path) take_saved(std::move(tuned));  // our own save is no reason to load it again
    tell_(LogLevel::notice, "Saved the tuned scene to " + path);
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

/// The open scene's own file now contains all changes, including the bodies and overrides of the start: they
/// must not be applied again at the next load, nor appear in the command line.
void Session::take_saved(Scene tuned) {
  const std::vector<std::string> input = {original_.path};
  for (auto& [path, from] : written_)
    if (from == input_) from = input;
  by_hand_.pins.clear();
  tuned.path = original_.path;
  remember_original({std::move(tuned), input, {}});
}

void Session::export_shown(const std::string& ending) {
  try {
    tell_(LogLevel::notice, fmt::format("Saved the state at {:.3f} s to {}", frame_->time,
                                        export_frame(*view_, *frame_, ending)));
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

void Session::save_hands() {
  if (refused_in_playback()) return;
  if (!loading_.empty()) return tell_(LogLevel::notice, kStillLoading);
  try {
    HandRecording recording = runner_->hands();
    Scene start = runner_->initial_scene();
    start.step.budget = 0;  // as in the recording
    const bool own_start = !file_gives(recording, start);
    if (own_start) {
      const std::string path = write_file(beside(tuned_name(), "-start.toml"),
                                          [&](const std::string& free) { save_scene(free, start); });
      recording.scene_path = fs::path(path).filename().string();
      recording.overrides.clear();  // part of that scene
    }
    const std::string path = write_file(beside(tuned_name(), "-hands.toml"),
                                        [&](const std::string& free) { write_hands(free, recording); });
    tell_(LogLevel::notice,
          "Saved the recorded input to " + path +
              (own_start ? ", with its starting scene in " + recording.scene_path + " beside it" : "") +
              "; 'weft replay' runs it again");
  } catch (const std::exception& e) {
    tell_(LogLevel::error, e.what());
  }
}

std::string Session::command_line(const ViewSettings& view) const {
  return headless_command(input_, original_, *scene_, view);
}

}  // namespace weft

#include "viewer/commands/run_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/params.h"
#include "sim/run/simulation_run.h"
#include "viewer/commands/frame_export.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

/// A line break in a name must not end the line.
std::string in_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
  return text;
}

/// Values of numbers and truth values as such, all others as text.
nlohmann::ordered_json value_of(const ParamRef& ref) {
  if (ref.info().choices.empty() && !std::holds_alternative<vec3*>(ref.pointer()))
    return nlohmann::ordered_json::parse(ref.text(), nullptr, false);
  std::string text = ref.text();
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

std::string command_text(int argc, const char* const* argv) {
  std::string text;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                            "_-+=./,:@%#") == std::string::npos;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += (i ? " " : "") + (plain ? word : quoted + "'");
  }
  return text;
}

nlohmann::ordered_json origin_facts(Simulation& simulation, const std::string& command) {
  nlohmann::ordered_json facts;
  facts["program"] = program_name();
  if (!command.empty()) facts["command"] = command;
  facts["device"] = simulation.device().name();
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  Scene scene = simulation.scene();
  for (const Cloth& cloth : scene.cloths) settings[cloth.name + ".fabric"] = cloth.fabric_name;
  const ParamTable table = scene.params();
  for (const ParamRef& ref : table.refs())
    if (!ref.is_default() && ref.key().compare(0, 7, "fabric.") != 0) settings[ref.key()] = value_of(ref);
  facts["settings"] = settings;
  return facts;
}

std::string origin_text(Simulation& simulation, const std::string& command) {
  const nlohmann::ordered_json facts = origin_facts(simulation, command);
  std::string text = facts["program"].get<std::string>();
  if (!command.empty()) text += "; command: " + command;
  text += "; device: " + facts["device"].get<std::string>() + "; settings:";
  for (const auto& [key, value] : facts["settings"].items())
    text += " " + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
  return in_one_line(text);
}

RunInfo recorded_info(Simulation& simulation, const std::string& command, const ViewSettings& view) {
  RunInfo info = run_info_of(simulation);
  add_looks(info, simulation.scene());
  info.origin = origin_text(simulation, command);
  if (!view.light.empty())
    info.sky = {std::filesystem::absolute(view.light).string(), view.light_strength, view.light_turn};
  return info;
}

}  // namespace weft

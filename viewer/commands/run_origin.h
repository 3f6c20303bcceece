// What the numbers of a run were made with: program, command, device, settings. Files of results carry it.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "sim/files/run.h"
#include "sim/run/simulation.h"
#include "viewer/render/view_settings.h"

namespace weft {

/// The arguments as a shell takes them, in quotes where they need them.
std::string command_text(int argc, const char* const* argv);

/// program (version and commit), command (left out where it is empty), device, and `settings`: the key and
/// value of each parameter that differs from its default, as --set takes them; fabrics under the names of
/// their cloths.
nlohmann::ordered_json origin_facts(Simulation& simulation, const std::string& command);

/// The same as "weft 0.1.0 (3f2a9c); command: ...; device: ...; settings: step.dt=0.005 ...", in one line.
std::string origin_text(Simulation& simulation, const std::string& command);

/// run_info_of, with its origin and the light of the picture.
RunInfo recorded_info(Simulation& simulation, const std::string& command, const ViewSettings& view = {});

}  // namespace weft

// Versions of the build and the machine, for measurements and reports.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace weft {

/// Program, compiler, libraries, processor and cores.
nlohmann::ordered_json version_facts();
/// The processor's name as the system gives it.
std::string processor_name();

}  // namespace weft

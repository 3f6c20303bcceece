// Versions of the build and the machine, for measurements and reports.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace weft {

/// Program, compiler, libraries, processor and cores.
nlohmann::ordered_json version_facts();
/// The processor's name as the system gives it.
std::string processor_name();

/// "weft 0.1.0 (8a4536f6)", with the commit of the sources, and + where they were changed since; without the
/// brackets where they were no checkout.
std::string program_name();

/// program_name(), and in lines below how it was built and what is in it: compiler, processors, CUDA,
/// libraries, and whether ffmpeg is there.
std::string version_text();

}  // namespace weft

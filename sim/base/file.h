// Text files, read and written whole.
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/error.h"

namespace weft {

/// What to throw where writing has failed: the reason (errno), how much could not be written, and, of a full disk, how much
/// is free on it. `kept`: what became of what had been written, in words; may be empty.
Error write_fault(const std::string& path, int code, uint64_t bytes_missing, const std::string& kept = {});

/// Throws Error naming the path: missing, a folder, unreadable or empty. `noun` is what the file should be ("a scene").
std::string read_text_file(const std::string& path, const std::string& noun);
/// A name in the folder of `path` that nothing else has: short, so that there is room for it beside the longest name.
std::string free_name_beside(const std::string& path);
/// Whether a file is there that is not to be written; by its permissions also for root, whom nothing else would hold back.
bool write_protected(const std::string& path);
/// Where a link leads in the end, also where nothing is there yet; the path itself where it is none. Throws Error for links in a circle.
std::string end_of_links(const std::string& path);
/// Writes beside the file first and then takes its place, with its permissions, so that a full disk leaves the old one. What a
/// link leads to is written, and the link stays. Throws Error.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace weft

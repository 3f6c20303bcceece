// Names of recordings: which are in use, and which comes next.
#pragma once
#include <string>

namespace weft {

/// Where the pictures of a video go if they cannot become one: "a.mp4" -> "a_frames".
std::string frames_folder(const std::string& video);
/// Whether a recording to this name would meet another's files: the file itself, its part (of a video that is being made, or was
/// broken off), the folder that takes a video's place; for a folder ("frames/"): whether anything is in it.
bool name_taken(const std::string& path);
/// "take.mp4" -> "take-002.mp4" -> "take-003.mp4"; "frames/" -> "frames-002/".
std::string next_name(const std::string& path);
/// Makes an empty file. False if there is one already, whoever was faster. Throws Error, which names `where`.
bool create_new_file(const std::string& path, const std::string& where);

}  // namespace weft

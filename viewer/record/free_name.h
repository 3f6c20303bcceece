// Names of recordings: which are in use, and which comes next.
#pragma once
#include <string>

namespace weft {

/// Folder for the pictures if no video can be made: "a.mp4" -> "a_frames".
std::string frames_folder(const std::string& video);
/// True if a recording with this name would collide with existing files: the file itself, its part (of a
/// video in progress or interrupted), the folder that replaces a video; for a folder ("frames/"): if it is
/// not empty.
bool name_taken(const std::string& path);
/// "take.mp4" -> "take-002.mp4" -> "take-003.mp4"; "frames/" -> "frames-002/".
std::string next_name(const std::string& path);
/// Makes an empty file. False if it exists already. Throws Error with `where`.
bool create_new_file(const std::string& path, const std::string& where);

}  // namespace weft

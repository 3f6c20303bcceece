// Interface of all writers of a run: frames are written one at a time and not kept.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/files/run.h"

namespace weft {

class FrameWriter {
 public:
  virtual ~FrameWriter() = default;
  /// Frames in order of time. Throws Error naming the file; the frames kept according to it can still be
  /// finished.
  virtual void frame(const RunFrame& frame) = 0;
  /// Completes the files. To be called once, also after `frame` has thrown. Throws Error.
  virtual void finish() = 0;
  /// Summary of what was written.
  virtual std::string summary() const = 0;
};

/// Number of frames that a file format holds.
enum class FileFrames { one, all };
/// By extension: .usda, .pc2, .weftcache and a folder (no extension, or a slash at the end) hold all frames;
/// .gltf, .glb and .obj one. Throws Error for extensions of formats that cannot be written (.usd, .usdc,
/// .abc, ...).
FileFrames frames_of_file(const std::string& path);

/// The writer for a path, chosen as above; files of one frame hold the last that they are given. Files of
/// other programs have the numbering of the files that meshes came from (input_order.h). `info` is copied.
/// Throws Error where the file cannot be written.
std::unique_ptr<FrameWriter> make_frame_writer(const std::string& path, const RunInfo& info);

/// The files that this writer would replace: those with known names, and the frames in its folder.
std::vector<std::string> files_to_replace(const std::string& path, const RunInfo& info);

/// True for names like "step_000123.obj": at least six digits between `begin` ("step_") and `end` (".obj").
bool is_numbered(const std::string& name, const std::string& begin, const std::string& ending);

/// The files NAME_000123.ENDING of a folder, given the start ("step_") and the end (".obj") of their names.
std::vector<std::string> numbered_files(const std::string& folder, const std::string& begin,
                                        const std::string& ending);

/// True if the writer fills a folder with one file per frame.
bool fills_folder(const std::string& path);

/// Removes numbered files (as above) after `step`, left by an earlier and longer run, which would count as
/// part of this one. A notice gives their number.
void remove_later_files(const std::string& folder, const std::string& begin, const std::string& ending,
                        long long step);

}  // namespace weft

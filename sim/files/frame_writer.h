// What every writer of a run looks like: frames come one at a time and are not kept.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/files/run.h"

namespace weft {

class FrameWriter {
 public:
  virtual ~FrameWriter() = default;
  /// Frames in order of time. Throws Error naming the file; what it says was kept can still be finished.
  virtual void frame(const RunFrame& frame) = 0;
  /// Completes the files. To be called once, also after `frame` has thrown. Throws Error.
  virtual void finish() = 0;
  /// What was written, in words.
  virtual std::string summary() const = 0;
};

/// How many frames a kind of file holds.
enum class FileFrames { one, all };
/// By the file's ending: .usda, .pc2, .weftcache and a folder (no ending, or a slash at the end) hold all frames; .gltf, .glb and
/// .obj one. Throws Error for endings that look like a file that cannot be written (.usd, .usdc, .abc, ...).
FileFrames frames_of_file(const std::string& path);

/// The writer for a path, chosen as above; files of one frame hold the last that they are given. `info` is copied. Throws Error
/// where the file cannot be written.
std::unique_ptr<FrameWriter> make_frame_writer(const std::string& path, const RunInfo& info);

/// The files that this writer would replace: those whose names are known, and the frames that are in its folder.
std::vector<std::string> files_to_replace(const std::string& path, const RunInfo& info);

/// Whether a name is "step_000123.obj", with at least six digits between its begin ("step_") and its ending (".obj").
bool is_numbered(const std::string& name, const std::string& begin, const std::string& ending);

/// The files NAME_000123.ENDING of a folder, by the begin of their names ("step_") and their ending (".obj").
std::vector<std::string> numbered_files(const std::string& folder, const std::string& begin, const std::string& ending);

/// Whether the writer fills a folder with one file per frame.
bool fills_folder(const std::string& path);

/// Removes numbered files (as above) after `step`: what an earlier and longer run left would else count as part of this one. Says
/// how many in a notice.
void remove_later_files(const std::string& folder, const std::string& begin, const std::string& ending, long long step);

}  // namespace weft

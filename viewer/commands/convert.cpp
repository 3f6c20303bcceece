#include "viewer/commands/convert.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_source.h"
#include "sim/files/frame_writer.h"
#include "sim/files/resampled_frames.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/frame_export.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/progress.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

struct Range {
  int first = 0, last = 0;
};

Range frames_to_convert(const ConvertRequest& request, const FrameSource& source) {
  const int end = source.frame_count() - 1;
  const auto check = [&](int frame, const char* option) {
    if (frame > end)
      throw Error(fmt::format("frame {} does not exist: {} has frames 0 to {}", frame, request.from, end),
                  option, "give a smaller number");
  };
  check(request.only, "--frame"), check(request.first, "--from"), check(request.last, "--to");
  Range range{request.only >= 0 ? request.only : std::max(0, request.first), request.only >= 0 ? request.only
                                                                             : request.last >= 0
                                                                                 ? request.last
                                                                                 : end};
  if (range.first > range.last)
    throw Error(fmt::format("--from {} is after --to {}", range.first, range.last), "command line",
                "exchange them");
  if (range.first != range.last && frames_of_file(request.to) == FileFrames::one)
    throw Error("a file of this kind holds one frame", request.to,
                fmt::format("say which with --frame N (0 to {})", end));
  return range;
}

/// Programs that open the folder would take two sequences in it as one.
void check_folders_apart(const ConvertRequest& request) {
  std::error_code ignored;
  if (fs::is_directory(request.to, ignored) && fs::path(request.from).has_parent_path() &&
      file_ending(request.from) == ".obj" &&
      fs::equivalent(fs::path(request.from).parent_path(), request.to, ignored))
    throw Error("the result would overwrite the input", request.to, "choose another place");
}

/// A rate of the input, and one of the output (0: every frame as it comes).
struct Rates {
  double input = 0, output = 0;
};

Rates rates_of(const ConvertRequest& request) {
  const bool says_itself = file_ending(request.from) == ".weftcache";
  if (says_itself && request.input_fps > 0)
    throw Error("a recorded run has its own rate", "--input-fps",
                "leave it out; --fps is the rate of what is written");
  const bool of_output = says_itself || request.input_fps > 0;
  if (of_output && request.fps > 0 && request.only >= 0)
    throw Error("a single frame has no rate", "--fps", "leave it out, or --frame");
  return {of_output ? request.input_fps : request.fps, of_output ? request.fps : 0};
}

/// Reports how states are dropped or repeated between frames.
void tell_resampling(const ResampledFrames& frames, double input_fps) {
  const int least = frames.least_advance(), most = frames.most_advance();
  const std::string advance = least == most
                                  ? fmt::format("by {}", most)
                                  : fmt::format("by {} to {}, which judders a little,", least, most);
  log_notice(
      "{} frames at {:g} per second advance {} of {:g} states per second: each is the newest state at its "
      "time, without interpolation",
      frames.frame_count(), frames.info().fps, advance, input_fps);
}

/// With the colours and prints of the scene that the run was made from, where it has that.
RunInfo with_looks(RunInfo info, const std::string& path) {
  if (info.scene.empty()) return info;
  try {
    add_looks(info, parse_scene(info.scene, path));
  } catch (const Error&) {}  // of an earlier version: the run has no looks then
  return info;
}

/// Frames [range.first, range.last] to the writer.
void write_frames(FrameSource& source, const Range& range, bool whole, const ConvertRequest& request,
                  FrameWriter& writer, Progress& progress) {
  RunFrame frame;
  for (int f = range.first; f <= range.last && !InterruptGuard::interrupted(); ++f) {
    source.read(f, frame);
    if (f == 0 && whole && fills_folder(request.to))
      remove_later_files(request.to, "step_", ".obj", frame.step);
    writer.frame(frame);
    progress.update(f - range.first + 1);
  }
}

}  // namespace

int run_convert(const ConvertRequest& request) {
  InterruptGuard interrupt;
  frames_of_file(request.to);  // an unwritable format is reported before anything is read
  check_folders_apart(request);
  check_apart({request.to}, {request.from});
  check_export(request.to);
  const Rates rates = rates_of(request);
  const auto source = open_frame_source(request.from, rates.input);
  for (const std::string& notice : source->notices()) log_notice("{}", notice);
  Range range = frames_to_convert(request, *source);
  // a part may be one of several in its folder
  const bool whole = range.first == 0 && range.last == source->frame_count() - 1;
  std::unique_ptr<ResampledFrames> resampled;
  if (rates.output > 0) {
    resampled = std::make_unique<ResampledFrames>(*source, range.first, range.last, rates.output);
    tell_resampling(*resampled, source->info().fps);
    range = {0, resampled->frame_count() - 1};
  }
  FrameSource& frames = resampled ? *resampled : *source;
  check_apart(files_to_replace(request.to, frames.info()), files_to_read(request.from));
  RunInfo info = with_looks(frames.info(), request.from);
  info.usd_rate = request.usd_rate >= 0 ? request.usd_rate : request.fps > 0 ? request.fps : info.usd_rate;
  const auto writer = make_frame_writer(request.to, info);
  Progress progress("converting", "frames", range.last - range.first + 1, request.quiet);
  try {
    write_frames(frames, range, whole, request, *writer, progress);
  } catch (const Error&) {
    progress.finish();
    try {
      writer->finish();
      log_notice("{}", writer->summary());
    } catch (const Error&) {
      // The first fault says more.
    }
    throw;
  }
  writer->finish();
  progress.finish();
  std::printf("%s\n", writer->summary().c_str());
  return InterruptGuard::interrupted() ? InterruptGuard::exit_status() : int(ExitStatus::ok);
}

}  // namespace weft

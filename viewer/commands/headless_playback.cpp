#include "viewer/commands/headless_playback.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/scene/camera_path.h"
#include "sim/scene/text/viewpoint_table.h"
#include "viewer/commands/playback.h"
#include "viewer/commands/progress.h"
#include "viewer/gl/context.h"
#include "viewer/interact/turntable.h"
#include "viewer/record/read_picture.h"
#include "viewer/record/recorder.h"
#include "viewer/record/timings_caption.h"
#include "viewer/render/caption_painter.h"
#include "viewer/render/renderer.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// Renders frames of a recorded run.
class Film {
 public:
  Film(Playback& run, const VideoRequest& video)
      : run_(run),
        video_(video),
        captions_(video.caption.empty() && !video.show_timings ? std::string() : theme::find_font()),
        recorder_({.path = video.path,
                   .width = video.width,
                   .height = video.height,
                   .fps = video.fps,
                   .crf = video.crf,
                   .alpha = video.transparent}) {
    check_drawn_size(video);
    if (!recorder_.notice().empty()) log_notice("{}", recorder_.notice());
    if (const std::string reason = run_.why_not(video.view.asked_field()); !reason.empty())
      log_notice("{}", reason);
    run_.set_field(video.view.asked_field());
    renderer_.set_scene(*run_.view());
    renderer_.update(*run_.frame());
    start_time_ = run_.frame()->time;
    place_camera();
  }

  /// Shows the run's frame in `repeats` pictures. If the camera moves, each is drawn from its current pose.
  void add(int repeats) {
    renderer_.update(*run_.frame());
    const bool moves = video_.turntable > 0 || !path_.empty();
    if (!moves) return add_picture(repeats);
    for (int k = 0; k < repeats; ++k) add_picture(1);
  }
  Recorder& recorder() { return recorder_; }

 private:
  ivec2 size() const { return video_.drawn(); }

  void place_camera() {
    Scene scene = run_.view()->scene;
    if (!video_.look.viewpoint.empty()) look_from(scene, video_.look.viewpoint);
    path_ = scene.camera_path;
    if (const auto start = start_camera(scene)) return void(pose_ = *start);
    Camera camera;
    camera.frame(renderer_.bounds(), size());
    pose_ =
        video_.turntable > 0 ? framed_all_around(camera.pose(), renderer_.bounds(), size()) : camera.pose();
  }

  /// As of a run that is simulated: its path is one of simulated time, the turntable one of the video's.
  CameraPose pose_of_next() const {
    const double seconds = double(recorder_.frames_added()) / recorder_.fps();
    const double time =
        video_.every_step || video_.figure() ? run_.frame()->time : start_time_ + seconds * video_.speed;
    return on_turntable(path_.empty() ? pose_ : camera_at(path_, time), seconds, video_.turntable);
  }

  void add_picture(int repeats) {
    Overlay marks;
    marks.transparent = video_.transparent;
    renderer_.draw(Camera(pose_of_next()).view(size()), video_.view, marks);
    Captions captions{video_.caption, {}, renderer_.legend().visible};
    if (video_.show_timings) captions.timings = recorded_text(run_.frame()->time, run_.frame()->vertex_count);
    const GLuint from = captions_.burn(renderer_.picture()->id(), size(), captions);
    recorder_.add(read_picture(from, size(), video_.transparent, video_.look.supersample).view(), repeats);
  }

  Playback& run_;
  VideoRequest video_;
  gl::HeadlessContext context_;
  Renderer renderer_;
  CaptionPainter captions_;
  Recorder recorder_;
  CameraPose pose_;
  std::vector<CameraKey> path_;
  double start_time_ = 0;  // s
};

}  // namespace

int film_run_cache(const FilmRequest& request) {
  InterruptGuard interrupt;
  Playback run(request.cache);
  for (const std::string& notice : run.notices()) log_warning("{}", notice);
  Film film(run, at_even_rate(request.video, 1 / run.info().fps));
  Recorder& recorder = film.recorder();
  FrameClock clock(recorder.fps(), 0, request.video.speed);
  Progress progress("drawing", "frames", run.frame_count(), request.quiet);
  std::string fault;
  try {
    for (int f = request.video.figure() ? run.frame_count() - 1 : 0;
         f < run.frame_count() && recorder.active() && !InterruptGuard::interrupted(); ++f) {
      const int repeats =
          request.video.every_step || request.video.figure() ? 1 : clock.frames_before(run.end(f));
      if (repeats > 0) run.go_to(f), film.add(repeats);
      progress.update(f + 1);
    }
  } catch (const Error& e) {
    fault = e.what();  // results so far are kept
  }
  progress.finish();
  const bool complete = recorder.finish();
  if (!recorder.stop_reason().empty()) log_warning("recording stopped: {}", recorder.stop_reason());
  std::error_code unknown;
  if (recorder.frames_added() > 0 && std::filesystem::exists(recorder.path(), unknown))
    request.video.figure() ? std::printf("picture: %s (%d x %d)\n", recorder.path().c_str(),
                                         request.video.width, request.video.height)
                           : std::printf("video: %s (%.1f s, %lld frames)\n", recorder.path().c_str(),
                                         recorder.seconds(), static_cast<long long>(recorder.frames_added()));
  if (!fault.empty()) throw Error(fault);
  if (InterruptGuard::interrupted()) return InterruptGuard::exit_status();
  return complete ? ExitStatus::ok : ExitStatus::error;
}

}  // namespace weft

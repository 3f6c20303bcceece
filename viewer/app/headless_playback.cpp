#include "viewer/app/headless_playback.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "viewer/app/playback.h"
#include "viewer/app/progress.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/record/recorder.h"
#include "viewer/render/renderer.h"

namespace weft {
namespace {

/// Renders frames of a recorded run.
class Film {
 public:
  Film(Playback& run, const VideoRequest& video)
      : run_(run),
        video_(video),
        recorder_({.path = video.path, .width = video.width, .height = video.height, .fps = video.fps, .crf = video.crf}) {
    if (!recorder_.notice().empty()) log_notice("{}", recorder_.notice());
    if (const std::string reason = run_.why_not(video.view.needed_scalar()); !reason.empty()) log_notice("{}", reason);
    run_.set_scalar(video.view.needed_scalar());
    renderer_.set_scene(*run_.view());
    renderer_.update(*run_.frame());
    if (run_.view()->scene.camera)
      camera_.set_pose(*run_.view()->scene.camera);
    else
      camera_.frame(renderer_.bounds(), {video.width, video.height});
  }

  void add(int repeats) {
    const ivec2 size(video_.width, video_.height);
    renderer_.update(*run_.frame());
    renderer_.draw(camera_.view(size), video_.view);
    const Image image = gl::read_pixels(renderer_.picture()->id(), size);
    recorder_.add({image.width, image.height, 3, image.rgb.data(), false}, repeats);
  }
  Recorder& recorder() { return recorder_; }

 private:
  Playback& run_;
  VideoRequest video_;
  gl::HeadlessContext context_;
  Renderer renderer_;
  Recorder recorder_;
  Camera camera_;
};

}  // namespace

int film_run_cache(const FilmRequest& request) {
  InterruptGuard interrupt;
  Playback run(request.cache);
  for (const std::string& notice : run.notices()) log_warning("{}", notice);
  Film film(run, request.video);
  Recorder& recorder = film.recorder();
  FrameClock clock(recorder.fps(), 0, request.video.speed);
  Progress progress("drawing", "frames", run.frame_count(), request.quiet);
  std::string fault;
  try {
    for (int f = 0; f < run.frame_count() && recorder.active() && !InterruptGuard::interrupted(); ++f) {
      const int repeats = request.video.every_step ? 1 : clock.frames_before(run.end(f));
      if (repeats > 0) run.go_to(f), film.add(repeats);
      progress.update(f + 1);
    }
  } catch (const Error& e) {
    fault = e.what();  // what there is until here is kept
  }
  progress.finish();
  const bool complete = recorder.finish();
  if (!recorder.stop_reason().empty()) log_warning("recording stopped: {}", recorder.stop_reason());
  std::error_code unknown;
  if (recorder.frames_added() > 0 && std::filesystem::exists(recorder.path(), unknown))
    std::printf("video: %s (%.1f s, %lld frames)\n", recorder.path().c_str(), recorder.seconds(),
                static_cast<long long>(recorder.frames_added()));
  if (!fault.empty()) throw Error(fault);
  if (InterruptGuard::interrupted()) return InterruptGuard::exit_status();
  return complete ? ExitStatus::ok : ExitStatus::error;
}

}  // namespace weft

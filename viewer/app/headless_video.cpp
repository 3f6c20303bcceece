// The video of a headless run: rendered without a display, frame-exact.
#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/runner.h"
#include "viewer/app/headless.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/record/recorder.h"
#include "viewer/render/renderer.h"

namespace weft {
namespace {

class VideoOutput final : public StepOutput {
 public:
  VideoOutput(const VideoRequest& request, Simulation& simulation)
      : request_(request), ring_(simulation.device()), clock_(request.fps, simulation.state().time, request.speed),
        recorder_({.path = request.path, .width = request.width, .height = request.height, .fps = request.fps, .crf = request.crf}) {
    if (!recorder_.notice().empty()) log_notice("{}", recorder_.notice());
    view_ = scene_view_of(simulation);
    renderer_.set_scene(view_);
    if (view_.scene.camera) camera_.set_pose(*view_.scene.camera);
    frame_.model_id = view_.model_id;
  }

  void state(Simulation& simulation) override {
    if (!recorder_.active()) return report_end();
    // The next state's time, as far as it is known now; a step that has to be halved only shifts frames to the next state.
    const double next = simulation.state().time + double(simulation.scene().step.dt);
    const int frames = request_.every_step ? 1 : clock_.frames_before(next);
    if (frames > 0) draw(simulation, frames);
  }

  bool finish(Simulation&) override {
    const bool complete = recorder_.finish();
    report_end();
    return complete;
  }

  std::string summary() const override {
    if (recorder_.frames_added() == 0) return {};
    return fmt::format("video: {} ({:.1f} s, {} frames)", recorder_.path(), recorder_.seconds(), recorder_.frames_added());
  }

 private:
  void draw(Simulation& simulation, int repeats) {
    fill_frame(simulation, request_.view.needed_scalar(), ring_, true, frame_);
    ++frame_.id;
    renderer_.update(frame_);
    const ivec2 size(request_.width, request_.height);
    if (frame_.id == 1 && !view_.scene.camera) camera_.frame(renderer_.bounds(), size);
    renderer_.draw(camera_.view(size), request_.view);
    const Image image = gl::read_pixels(renderer_.picture()->id(), size);
    recorder_.add({image.width, image.height, 3, image.rgb.data(), false}, repeats);
  }

  void report_end() {
    if (recorder_.stop_reason().empty() || reported_) return;
    reported_ = true;
    log_warning("recording stopped: {}", recorder_.stop_reason());
  }

  VideoRequest request_;
  FrameRing ring_;
  FrameClock clock_;
  gl::HeadlessContext context_;
  Renderer renderer_;
  Recorder recorder_;
  Camera camera_;
  SceneView view_;
  Frame frame_;
  bool reported_ = false;
};

}  // namespace

std::unique_ptr<StepOutput> make_video_output(const VideoRequest& request, Simulation& simulation) {
  return std::make_unique<VideoOutput>(request, simulation);
}

}  // namespace weft

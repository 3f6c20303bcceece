// The video of a headless run: rendered without a display, frame-exact.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/log.h"
#include "sim/run/runner.h"
#include "sim/scene/camera_path.h"
#include "viewer/commands/headless.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/interact/turntable.h"
#include "viewer/record/even_rate.h"
#include "viewer/record/picture_sink.h"
#include "viewer/record/read_picture.h"
#include "viewer/record/recorder.h"
#include "viewer/record/shutter_clock.h"
#include "viewer/record/timings_caption.h"
#include "viewer/record/trace_file.h"
#include "viewer/render/caption_painter.h"
#include "viewer/render/motion_blur.h"
#include "viewer/render/renderer.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// Motion blur uses states as they are, so it needs several of them while the shutter is open.
void tell_if_few_states(const VideoRequest& request, const ShutterClock& clock, double dt) {
  const double states = clock.open_time() / dt;
  if (request.blur.states <= 1 || states > request.blur.states - 0.5) return;
  log_notice(
      "motion blur: the shutter is open for {:.3g} ms, which is {:.2g} steps of {:.3g} ms: {} samples per "
      "frame cannot show more states than that; "
      "a smaller step.dt{}",
      1e3 * clock.open_time(), states, 1e3 * dt, request.blur.states,
      request.blur.shutter < 360 ? ", fewer frames per second or a longer shutter give more"
                                 : " or fewer frames per second give more");
}

class VideoOutput final : public StepOutput {
 public:
  VideoOutput(const VideoRequest& request, Simulation& simulation)
      : request_(request),
        ring_(std::in_place, simulation.device()),
        clock_(request.fps, simulation.state().time, request.speed, request.blur.states,
               request.blur.shutter),
        captions_(request.caption.empty() && !request.show_timings ? std::string() : theme::find_font()),
        recorder_({.path = request.path,
                   .width = request.width,
                   .height = request.height,
                   .fps = request.fps,
                   .crf = request.crf,
                   .alpha = request.transparent}) {
    check_drawn_size(request);
    if (!recorder_.notice().empty()) log_notice("{}", recorder_.notice());
    tell_if_few_states(request, clock_, double(simulation.scene().step.dt));
    view_ = scene_view_of(simulation);
    renderer_.set_scene(view_);
    frame_.model_id = view_.model_id;
  }

  void state(Simulation& simulation) override {
    if (!recorder_.active()) return report_end();
    if (request_.figure()) return;  // its picture is made at the end
    if (made_a_step_) step_time_.add(simulation.device().profiler().wall_ms());
    made_a_step_ = true;
    fresh_ = true;
    if (request_.every_step) {
      look(simulation, clock_.every_step(simulation.state().time));
    } else {
      // The next state's expected time; a halved step only shifts frames to the next state.
      const double next = simulation.state().time + double(simulation.scene().step.dt);
      while (const auto at = clock_.next_before(next)) {
        look(simulation, *at);
        if (!recorder_.active()) break;
      }
    }
    hand_over();
  }

  void moved(Simulation& simulation) override { ring_.emplace(simulation.device()); }

  bool finish(Simulation& simulation) override {
    if (request_.figure() && recorder_.active()) {
      fresh_ = true;
      look(simulation, clock_.every_step(simulation.state().time));
    }
    hand_over();
    const bool complete = recorder_.finish();
    report_end();
    return complete;
  }

  std::string summary() const override {
    std::error_code unknown;
    if (recorder_.frames_added() == 0 || !std::filesystem::exists(recorder_.path(), unknown)) return {};
    if (request_.figure())
      return fmt::format("picture: {} ({} x {})\ndrawn by {}", recorder_.path(), request_.width,
                         request_.height, gl::renderer_name());
    return fmt::format("video: {} ({:.1f} s, {} frames)\ndrawn by {}; vertices through {}", recorder_.path(),
                       recorder_.seconds(), recorder_.frames_added(), gl::renderer_name(),
                       renderer_.vertex_path());
  }

 private:
  ivec2 size() const { return request_.drawn(); }

  /// Pose of the camera at a sample. Its path follows simulated time, the turntable video time.
  CameraPose camera_at_look(const ShutterLook& at) {
    const auto& path = view_.scene.camera_path;
    return on_turntable(path.empty() ? pose_ : camera_at(path, at.time), at.seconds, request_.turntable);
  }

  void place_camera() {
    if (const auto start = start_camera(view_.scene)) return void(pose_ = *start);
    Camera camera;
    camera.frame(renderer_.bounds(), size());
    pose_ =
        request_.turntable > 0 ? framed_all_around(camera.pose(), renderer_.bounds(), size()) : camera.pose();
  }

  /// One sample of a frame at the present state. The same picture is not drawn twice.
  void look(Simulation& simulation, const ShutterLook& at) {
    if (fresh_) take_state(simulation);
    const CameraPose pose = camera_at_look(at);
    if (!drawn_ || !(pose == drawn_pose_)) {
      blend();
      const TraceScope trace(TraceTrack::pictures, "draw");
      Overlay marks;
      marks.transparent = request_.transparent;
      renderer_.draw(Camera(pose).view(size()), request_.view, marks);
      if (current_trace()) glFinish();  // otherwise a trace would count the drawing as waiting
      drawn_ = true, drawn_pose_ = pose;
      ++pictures_;
    }
    ++looks_;
    if (at.last) complete_frame();
  }

  void take_state(Simulation& simulation) {
    blend();  // the renderer still holds the picture of the state before
    const TraceScope trace(TraceTrack::pictures, "take the state");
    fill_frame(simulation, request_.view.needed_field(), *ring_, true, frame_, request_.view.needed_extras());
    ++frame_.id;
    renderer_.update(frame_);
    if (frame_.id == 1) place_camera();
    fresh_ = drawn_ = false;
  }

  /// Adds the samples of the drawn picture to the frame's average.
  void blend() {
    if (looks_ == 0) return;
    const TraceScope trace(TraceTrack::pictures, "blend");
    if (!blur_) blur_.emplace(request_.transparent);
    blur_->add(*renderer_.picture(), float(looks_) / float(clock_.looks()));
    blended_ = true;
    looks_ = 0;
  }

  void complete_frame() {
    const bool whole = !blended_;  // all samples show the drawn picture
    if (whole && ready_ && ready_picture_ == pictures_) {
      looks_ = 0;
      return void(++repeats_);
    }
    hand_over();
    if (!whole) blend();
    const gl::Framebuffer& picture = whole ? *renderer_.picture() : blur_->average();
    blended_ = false;
    looks_ = 0;
    Captions captions{request_.caption, {}, renderer_.legend().visible};
    if (request_.show_timings)
      captions.timings = timings_text(frame_.time, step_time_.next(), view_.scene, frame_.vertex_count);
    const GLuint from = captions_.burn(picture.id(), size(), captions);
    const TraceScope trace(TraceTrack::pictures, "read back");
    ready_ = read_picture(from, size(), request_.transparent, request_.look.supersample);
    ready_picture_ = whole ? pictures_ : -1;
    repeats_ = 1;
  }

  /// To the encoder.
  void hand_over() {
    if (ready_) recorder_.add(ready_->view(), repeats_);
    ready_.reset();
  }

  void report_end() {
    if (recorder_.stop_reason().empty() || reported_) return;
    reported_ = true;
    log_warning("recording stopped: {}", recorder_.stop_reason());
  }

  VideoRequest request_;
  std::optional<FrameRing> ring_;  // of the simulation's device
  ShutterClock clock_;
  gl::HeadlessContext context_;
  Renderer renderer_;
  CaptionPainter captions_;
  std::optional<MotionBlur> blur_;
  Recorder recorder_;
  ShownStepTime step_time_;
  CameraPose pose_;
  SceneView view_;
  Frame frame_;
  bool made_a_step_ = false;
  bool fresh_ = false;                // the renderer does not have the state yet
  bool drawn_ = false;                // the renderer's picture shows the state ...
  CameraPose drawn_pose_;             // pose of the drawn picture
  long pictures_ = 0;                 // drawn
  int looks_ = 0;                     // samples of the current frame at that picture
  bool blended_ = false;              // others are in `blur_`
  std::optional<ReadPicture> ready_;  // a frame that is not yet with the encoder
  long ready_picture_ = -1;           // picture shown by the frame, unless blended
  int repeats_ = 0;
  bool reported_ = false;
};

}  // namespace

bool VideoRequest::figure() const { return video_kind(path) == VideoKind::picture; }

void check_drawn_size(const VideoRequest& request) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  const ivec2 drawn = request.drawn();
  if (std::max(drawn.x, drawn.y) <= most) return;
  throw Error(fmt::format("pictures of {} x {} pixels cannot be drawn: at most {}", drawn.x, drawn.y, most),
              request.path, "choose a smaller --size, or less --supersample");
}

VideoRequest at_even_rate(VideoRequest request, double dt) {
  if (request.every_step || request.figure()) return request;
  const bool gif = video_kind(request.path) == VideoKind::gif;
  if (!request.fps_given) request.fps = even_rate(request.speed / dt, request.fps, gif);
  if (const std::string words = uneven_words(dt, request.speed, request.fps, gif); !words.empty())
    log_notice("{}", words);
  return request;
}

std::unique_ptr<StepOutput> make_video_output(const VideoRequest& request, Simulation& simulation) {
  return std::make_unique<VideoOutput>(at_even_rate(request, double(simulation.scene().step.dt)), simulation);
}

}  // namespace weft

// The video of a comparison: all lanes in one picture, rendered without a display, frame by frame.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/log.h"
#include "sim/run/runner.h"
#include "sim/scene/camera_path.h"
#include "viewer/commands/compare.h"
#include "viewer/gl/context.h"
#include "viewer/gl/image.h"
#include "viewer/interact/turntable.h"
#include "viewer/record/read_picture.h"
#include "viewer/record/recorder.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

class LanesVideoOutput final : public LanesVideo {
 public:
  LanesVideoOutput(const VideoRequest& request, LaneLayout layout, Lockstep& lanes)
      : request_(request),
        layout_(layout),
        lanes_(lanes),
        clock_(request.fps, lanes.simulated(), request.speed),
        pictures_(theme::find_font()),
        recorder_({.path = request.path,
                   .width = request.width,
                   .height = request.height,
                   .fps = request.fps,
                   .crf = request.crf}) {
    check_drawn_size(request);
    if (!recorder_.notice().empty()) log_notice("{}", recorder_.notice());
    pictures_.resize(lanes.size());
    frames_.resize(lanes.size()), shown_.resize(lanes.size());
    for (size_t i = 0; i < lanes.size(); ++i) {
      rings_.push_back(std::make_unique<FrameRing>(lanes.lane(i).simulation().device()));
      const SceneView view = scene_view_of(lanes.lane(i).simulation());
      pictures_.lane(i).set_scene(view);
      pictures_.lane(i).set_fabrics(in_lane_color(view.scene, lane_color(layout, i)));
      frames_[i].model_id = view.model_id;
    }
  }

  void state() override {
    if (!recorder_.active()) return report_end();
    if (request_.figure()) return;  // its picture is made at the end
    double longest = 0;
    for (size_t i = 0; i < lanes_.size(); ++i)
      longest = std::max(longest, double(lanes_.lane(i).simulation().scene().step.dt));
    const int repeats = clock_.frames_before(lanes_.simulated() + longest);
    if (repeats > 0) draw(repeats);
  }

  bool finish() override {
    if (request_.figure() && recorder_.active()) draw(1);
    const bool complete = recorder_.finish();
    report_end();
    return complete;
  }

  std::string summary() const override {
    std::error_code unknown;
    if (recorder_.frames_added() == 0 || !std::filesystem::exists(recorder_.path(), unknown)) return {};
    if (request_.figure())
      return fmt::format("picture: {} ({} x {})", recorder_.path(), request_.width, request_.height);
    return fmt::format("video: {} ({:.1f} s, {} frames)", recorder_.path(), recorder_.seconds(),
                       recorder_.frames_added());
  }

 private:
  void draw(int repeats) {
    for (size_t i = 0; i < lanes_.size(); ++i) take(i);
    if (!placed_) place_camera();
    const auto& path = lanes_.lane(0).simulation().scene().camera_path;
    const CameraPose pose = on_turntable(path.empty() ? pose_ : camera_at(path, lanes_.time()),
                                         double(clock_.frames()) / request_.fps, request_.turntable);
    const gl::Framebuffer& picture =
        pictures_.draw(pose, request_.view, layout_, request_.drawn(), shown_, {});
    recorder_.add(read_picture(picture.id(), picture.size(), false, request_.look.supersample).view(),
                  repeats);
  }

  void take(size_t i) {
    Simulation& simulation = lanes_.lane(i).simulation();
    Frame& frame = frames_[i];
    fill_frame(simulation, request_.view.needed_field(), *rings_[i], true, frame,
               request_.view.needed_extras());
    ++frame.id;
    Lane& lane = lanes_.lane(i);
    shown_[i].caption = lane.name();
    if (request_.show_timings && lane.steps() > 0)
      shown_[i].caption +=
          fmt::format("\n{:.3g} ms a step", 1e3 * lane.wall_seconds() / double(lane.steps()));
    if (lane.ended() > 0)
      shown_[i].caption += fmt::format("\n{:.2g} % left", 100 * double(frame.stats.solver_residual));
    shown_[i].distances = i == 0 ? std::vector<float>() : lanes_.distances(i);
    if (const RunDifference d = difference_of(shown_[i].distances); i > 0)
      shown_[i].caption +=
          fmt::format("\n{:.3g} mm apart in the mean, {:.3g} mm at most", 1e3 * d.mean, 1e3 * d.largest);
    pictures_.update(i, frame, layout_, shown_[i]);
  }

  /// For the field of one lane, with room for what every lane shows.
  void place_camera() {
    placed_ = true;
    const ivec4 field = lane_fields(layout_, int(lanes_.size()), request_.drawn()).front();
    const ivec2 size(field.z, field.w);
    const auto start = start_camera(lanes_.lane(0).simulation().scene());
    Camera camera(start.value_or(CameraPose{}));
    if (start) camera.widen(pictures_.lane(0).bounds(), size);
    else camera.frame(pictures_.lane(0).bounds(), size);
    pose_ = request_.turntable > 0 ? framed_all_around(camera.pose(), pictures_.lane(0).bounds(), size)
                                   : camera.pose();
  }

  void report_end() {
    if (recorder_.stop_reason().empty() || reported_) return;
    reported_ = true;
    log_warning("recording stopped: {}", recorder_.stop_reason());
  }

  VideoRequest request_;
  LaneLayout layout_;
  Lockstep& lanes_;
  FrameClock clock_;
  gl::HeadlessContext context_;
  LanePictures pictures_;
  Recorder recorder_;
  std::vector<std::unique_ptr<FrameRing>> rings_;
  std::vector<Frame> frames_;
  std::vector<LanePicture> shown_;
  CameraPose pose_;
  bool placed_ = false, reported_ = false;
};

}  // namespace

std::unique_ptr<LanesVideo> make_lanes_video(const VideoRequest& request, LaneLayout layout,
                                             Lockstep& lanes) {
  double longest = 0;
  for (size_t i = 0; i < lanes.size(); ++i)
    longest = std::max(longest, double(lanes.lane(i).simulation().scene().step.dt));
  return std::make_unique<LanesVideoOutput>(at_even_rate(request, longest), layout, lanes);
}

}  // namespace weft

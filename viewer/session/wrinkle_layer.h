// Fine wrinkles on the state that the window shows, made on a thread of their own (Wang 2021).
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "sim/base/log.h"
#include "sim/run/runner.h"
#include "sim/wrinkles/synthesis.h"

namespace weft {

/// What is drawn in place of the coarse state that it was made from.
struct FineState {
  std::shared_ptr<const SceneView> view;
  std::shared_ptr<const Frame> frame;
  uint64_t of_model = 0;  // the coarse state: SceneView::model_id
  int of_step = 0;
  double seconds = 0;                                 // that the synthesis took
  std::chrono::steady_clock::time_point begun = {};   // when its state was taken
  bool carried = false;                               // wrinkles of an earlier state
  std::vector<std::vector<vec3>> displacements = {};  // per cloth (Synthesis::wrinkles); not of carried ones
  wrinkles::WrinkleSettings settings = {};
  std::string certificate;  // what is proved about crossings, in words
};

class WrinkleLayer {
 public:
  using Tell = std::function<void(LogLevel, const std::string&)>;
  explicit WrinkleLayer(Tell tell) : tell_(std::move(tell)) {}
  ~WrinkleLayer();

  /// Starts on the wrinkles of a state; not while `working`. With the same model and settings it starts from
  /// the last wrinkles if they say so. Faults are reported.
  void synthesise(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame,
                  const wrinkles::WrinkleSettings& settings, DeviceChoice device, int threads);
  bool working() const { return working_; }
  /// Puts the wrinkles of the last synthesis on another state of its model, on a thread of its own; not while
  /// `carrying`. Without a synthesis nothing happens.
  void carry(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame, DeviceChoice device);
  bool carrying() const { return carry_.works; }
  /// Share of the work that is done.
  double progress() const { return progress_; }
  /// Ends the work soon, without waiting for it.
  void cancel() { give_up_ = true; }
  /// Collects what is finished; true if there is a new result. Never waits.
  bool refresh();
  /// The last result, solved or carried; nullptr: none.
  const FineState* shown() const { return shown_.get(); }
  /// Forgets the result, and cancels the work.
  void clear();

 private:
  struct Worker;
  void end();
  void run(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame,
           wrinkles::WrinkleSettings settings, DeviceChoice device, int threads);

  void run_carrying(std::shared_ptr<const SceneView> view, std::shared_ptr<const Frame> frame,
                    std::shared_ptr<const FineState> solved, DeviceChoice device);

  Tell tell_;
  std::thread thread_;
  std::atomic<bool> working_{false}, give_up_{false};
  std::atomic<double> progress_{0};
  std::shared_ptr<Worker> worker_;  // the thread's, while it works
  struct {
    std::thread thread;
    std::atomic<bool> works{false};
    std::shared_ptr<Worker> worker;
    std::shared_ptr<const FineState> solved;  // the last synthesis
  } carry_;
  std::mutex mutex_;
  std::shared_ptr<const FineState> finished_, brought_;  // solved, carried; under mutex_
  std::string fault_;                                    // under mutex_
  std::shared_ptr<const FineState> shown_;
  bool cleared_ = false;  // what still comes is not wanted
};

/// Vertices of the finest level over all cloths of a scene, and the memory that their synthesis takes. Throws
/// Error as Synthesis does.
wrinkles::SynthesisNeed wrinkle_need(const SceneView& view, const wrinkles::WrinkleSettings& settings);

/// The material point (m) at a place of a triangle of SceneView::triangles, and its cloth's name.
std::pair<vec2, std::string> material_point(const SceneView& view, int triangle, const vec3& barycentric);

}  // namespace weft

// What panels remember from one picture of a window to the next.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/mannequin/body_motion.h"
#include "sim/wrinkles/wrinkle_settings.h"
#include "viewer/interact/hand.h"
#include "viewer/session/contact_history.h"
#include "viewer/session/crossing_watch.h"
#include "viewer/session/lane_curves.h"
#include "viewer/session/reason_watch.h"
#include "viewer/session/stage_history.h"
#include "viewer/session/stretch_export.h"

namespace weft {

class StretchFilm;

/// A body that deforms, with its clips over time.
struct BodyBar {
  int obstacle = 0;
  std::string name;
  std::vector<BodyMotion::Stretch> stretches;
};

/// A mannequin as its panel has it, which becomes the scene's when the body is built again.
struct MannequinMeasures {
  Mannequin wanted;

  /// Takes over what the shown scene has when that is another one with another mannequin. What was changed
  /// while the garment was sewn anew, or the body built with the measures of `send`, is kept.
  void follow(uint64_t shown, const Mannequin& now) {
    if (shown == model_) return;
    const bool known = model_ != 0 && (now == taken_ || (sent_ && now == *sent_));
    if (!known) wanted = now;
    model_ = shown, taken_ = now, sent_.reset();
  }
  /// A scene is being built with what is wanted now.
  const Mannequin& send() { return sent_.emplace(wanted); }

 private:
  uint64_t model_ = 0;  // of the scene that it follows
  Mannequin taken_;     // that one's
  std::optional<Mannequin> sent_;
};

struct PanelMemory {
  std::string listed_scene, typed_path;  // shown in the list of scenes; in the field below it
  struct {
    std::string cloth;                   // whose fabric is shown
    long revision = -1;                  // of Session::revision, for what follows
    std::string of;                      // the cloth that it was found for
    int matching = -1;                   // of the fabrics that ship
    std::string tuned_from, print_path;  // the latter as it is typed
  } fabric;
  struct {
    long revision = -1;
    int current = 0;  // 0: Weft's own; else the preset, from 1
  } paper;            // of Session::revision
  struct {
    size_t most = 0;  // lines
    int method = -1;
  } remarks;
  struct {
    int edited = -1;  // body whose lead-in is being changed
    float wanted = 0;
    uint64_t model = 0;
    std::vector<BodyBar> bars;
  } motion;
  MannequinMeasures mannequin;
  struct {
    uint64_t model = 0;
    wrinkles::WrinkleSettings of;
    std::string text;
  } wrinkle_need;
  struct {
    StageHistory stages = StageHistory();
    ContactHistory contact = ContactHistory();
    std::shared_ptr<class TraceFile> trace;  // the current one
    int last_step = -1;
    uint64_t last_model = 0;
    std::set<std::string> costly;    // stages that once took time
    std::set<std::string> unfolded;  // whose parts are shown
    Curves curves = Curves();
    LaneCurves of_lanes = LaneCurves();  // of runs that are compared with this one
    ReasonWatch reasons = ReasonWatch();
    std::vector<int> watched;  // vertices, for curves of their places
    int marked = -1;           // the vertex that was marked last, for its curves
  } timings;
  struct {
    int layout = 0;     // a LaneLayout
    float wipe = 0.5f;  // share of the picture that shows the first one
    std::string typed;  // a lane
    float budget_ms = 8;
  } lanes;
  CrossingWatch crossings;
  SelectBrush brush;  // of vertices to pin, free or fasten
  bool messages_open = false;
  struct {
    bool follow_path = false;
    std::string name;  // typed, of a viewpoint
  } camera;
  struct {
    bool played = false;  // before its bar was taken
    // steps of the stretch that is exported; -1: the first and last that are kept
    int from = -1, to = -1;
    std::shared_ptr<StretchExport> writing;
    std::shared_ptr<StretchFilm> film;
  } timeline;
};

}  // namespace weft

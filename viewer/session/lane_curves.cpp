#include "viewer/session/lane_curves.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

/// "vertex.12" of the first lane as the vertex of another mesh.
std::string id_of(const ComparedLanes& lanes, size_t lane, const std::string& id) {
  if (!id.starts_with("vertex.") && !id.starts_with("distance.")) return id;
  std::string own = id.substr(0, id.find('.'));
  for (size_t dot = id.find('.'); dot != id.npos; dot = id.find('.', dot + 1))
    own += fmt::format(".{}", lanes.vertex(lane, std::stoi(id.substr(dot + 1))));
  return own;
}

}  // namespace

Curves::More more_of(const ComparedLanes& lanes, size_t lane) {
  Curves::More more;
  if (!lanes.running() || !lanes.frame(lane)) return more;
  if (const auto error = lanes.error(lane)) more.emplace_back("lane.error", error->mean);
  if (lane > 0) more.emplace_back("lane.apart", lanes.difference(lane).mean);
  return more;
}

/// Curves of the present lanes in their order: one that came after another of its name begins anew.
void LaneCurves::keep(const ComparedLanes& lanes) {
  std::vector<Lane> kept;
  for (size_t i = 1; i < lanes.size(); ++i) {
    const int number = lanes.number(i);
    const auto before =
        std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& l) { return l.number == number; });
    kept.push_back(before == lanes_.end() ? Lane{number, Curves(), {}, {}} : std::move(*before));
  }
  lanes_ = std::move(kept);
}

void LaneCurves::add(ComparedLanes& lanes, const Curves& first) {
  if (!lanes.running()) return void(lanes_.clear());
  keep(lanes);
  for (size_t i = 1; i < lanes.size(); ++i) {
    Lane& lane = lanes_[i - 1];
    if (!lanes.frame(i)) continue;
    if (lane.shown != first.shown()) {
      lane.shown = first.shown();
      lane.own.clear();
      for (const std::string& id : lane.shown) lane.own.push_back(id_of(lanes, i, id));
      lane.curves.show(lane.own);
      lanes.watch(i, lane.curves.vertices());
    }
    const auto timeline = lanes.timeline(i);
    const int solver = lanes.view(i)->scene.step.solver;
    for (const FrameNumbers& n : lanes.take_numbers(i))  // distances are known of states of one time alone
      lane.curves.add(n, *timeline, fmt::format("{} {}", solver, n.collision),
                      n.id == lanes.frame(i)->id ? more_of(lanes, i) : Curves::More());
  }
}

std::vector<Curve> LaneCurves::curves(const ComparedLanes& lanes, const Curves& first, double seconds) const {
  std::vector<Curve> all = first.curves(seconds);
  if (!lanes.running() || lanes_.empty()) return all;
  std::vector<Curve> out;
  for (size_t k = 0; k < all.size(); ++k) {
    const std::string label = all[k].label, id = all[k].id;
    const auto put = [&](Curve curve, int lane) {
      if (lane == 0 && id == "lane.apart") return;  // from itself
      curve.id = id, curve.lane = lane, curve.dashes = int(k);
      curve.label = label + ", " + lanes.name(size_t(lane));
      out.push_back(std::move(curve));
    };
    put(std::move(all[k]), 0);
    for (size_t i = 0; i < lanes_.size(); ++i) {
      if (k >= lanes_[i].shown.size() || lanes_[i].shown[k] != id) continue;
      put(lanes_[i].curves.curves(seconds)[k], int(i) + 1);
    }
  }
  return out;
}

}  // namespace weft

#include "sim/solvers/newton/newton_ends.h"

#include "sim/device/primitives.h"

namespace weft {

NewtonEnds::NewtonEnds(Device& device)
    : device_(device),
      worst_(device, "Newton ends", 1),
      ends_(device, "Newton ends", 1),
      active_(device, "Newton active", 2),
      anchors_(device, "Newton anchors", 1) {}

void NewtonEnds::prepare(const NewtonSystem& system) {
  if (layout_ == system.layouts()) return;
  Pieces pieces = make_pieces(device_, system.pieces());
  const int n = pieces.chunks();
  Buffer<float> mass(device_, "regions", n), motion(device_, "regions", n), end(device_, "regions", n),
      sum(device_, "regions", n), need(device_, "regions", n + pieces.count());
  pieces_ = std::move(pieces);
  mass_ = std::move(mass), motion_ = std::move(motion), end_ = std::move(end), sum_ = std::move(sum),
  need_ = std::move(need);
  layout_ = system.layouts();
}

void NewtonEnds::begin_step(const StepContext& c, float tolerance) {
  launch(device_, "ends", pieces_.chunks(),
         newton::RegionMotion{pieces_.view(), c.state.velocity, c.model.mass, mass_, motion_});
  launch(device_, "ends", pieces_.count(),
         newton::ChooseEnds{.pieces = pieces_.view(),
                            .region_mass = mass_,
                            .region_motion = motion_,
                            .dt = c.dt,
                            .tolerance = tolerance,
                            .region_end = end_});
}

void NewtonEnds::measure(Span<const float> inner) {
  launch(device_, "judge", pieces_.chunks(), newton::RegionNeeds{pieces_.view(), inner, end_, sum_, need_});
  launch(device_, "judge", pieces_.count(),
         newton::PieceNeeds{
             pieces_.view(), end_, sum_, {need_.span().data + pieces_.chunks(), pieces_.count()}});
  reduce_max(device_, need_, worst_);
}

void NewtonEnds::go_on() { launch(device_, "judge", 1, newton::GoOn{active_}); }

void NewtonEnds::judge(StepContext& c, const NewtonSystem& system, const Seen& seen) {
  measure(seen.inner);
  anchors_.clear();
  launch(device_, "judge", pieces_.chunks(), newton::FindAnchors{pieces_.view(), c.anchor_weight, anchors_});
  launch(device_, "judge", 1,
         newton::Judge{.rz = seen.rz,
                       .need = worst_,
                       .stencils = system.stencils().count,
                       .anchors = anchors_,
                       .unit = seen.unit,
                       .first = seen.first,
                       .ends = ends_,
                       .spectrum = seen.spectrum,
                       .residual = c.solver_residual,
                       .active = active_,
                       .last = seen.last,
                       .limit = limit_});
}

}  // namespace weft

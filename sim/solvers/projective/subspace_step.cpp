#include "sim/solvers/projective/subspace_step.h"

#include "sim/solvers/projective/projective_params.h"

namespace weft {

SubspaceStep::SubspaceStep(Device& device, const LevelMesh& mesh, int rows)
    : device_(device),
      space_(device, mesh, rows),
      scale_(device, "scale of the reduced matrix", 1),
      added_slice_(device, "anchored slices", mode_stride(rows) / kLanes),
      reduced_(device, "reduced or not", 2) {}

void SubspaceStep::prepare(const StepContext& c, const Couplings& couplings) {
  space_.prepare(c, couplings);
  const int count = space_.count(), size = 3 * space_.reused(), stride = padded_rows(size);
  if (count != count_ || space_.reused() != reused_) {
    count_ = reused_ = -1;  // until all is there
    partial_ = Buffer<vec3>(device_, "mode sums", count * projective::kSums);
    projected_ = Buffer<vec3>(device_, "projected", count);
    q_ = Buffer<vec3>(device_, "mode amplitudes", count);
    added_partial_ =
        Buffer<float>(device_, "anchor sums", 6 * space_.pairs().size * projective::kContactSums);
    reduced_matrix_ = {};
    reduced_diagonal_ = Buffer<float>(device_, "reduced matrix", stride);
    std::vector<float> other(2 * size_t(stride), 1.0f);
    if (stride > 0) other[stride] = 0;
    other_ = Buffer<float>(device_, "rows but the pivot's", other);
    count_ = count, reused_ = space_.reused();
  }
  const bool inverse = c.scene.of<ProjectiveParams>().reduced == int(ReducedSolve::inverse);
  const int columns = inverse ? 2 * size + 1 : size + 1;
  if (reduced_matrix_.size() != stride * columns)
    reduced_matrix_ = Buffer<float>(device_, "reduced matrix", stride * columns);
}

projective::ReducedView SubspaceStep::reduced_view() {
  const int size = 3 * space_.reused(), stride = padded_rows(size);
  return {size, stride, stride > 0 ? reduced_matrix_.size() / stride : 0, reduced_matrix_, reduced_diagonal_};
}

void SubspaceStep::project(Span<const float> residual, int count) {
  launch(device_, "project", count * projective::kSums,
         projective::Project{space_.modes(), residual, space_.stride(), partial_});
  launch(device_, "project", count, projective::SumProjected{partial_, projected_});
}

void SubspaceStep::solve_free(Span<const float> residual) {
  if (space_.count() <= 0) return;
  project(residual, space_.count());
  launch(device_, "solve", space_.count(), projective::SolveFree{space_.free_inverse(), projected_, q_});
}

void SubspaceStep::correct(const projective::SystemView& system, int rows, Span<vec3> step) {
  StageScope stage(device_.profiler(), "subspace");
  device_.clear(step.data, size_t(step.size) * sizeof(vec3));
  if (space_.count() <= 0) return;
  const Span<const int> any(reduced_.span().data, 1), none(reduced_.span().data + 1, 1);
  launch(device_, "anchored", 1, projective::ClearAdded{reduced_});
  launch(device_, "anchored", added_slice_.size(),
         projective::FindAdded{system.added, added_slice_, reduced_});
  device_.when(none, [&] {
    solve_free(system.residual);
    launch(device_, "expand", rows,
           projective::Expand{space_.modes(), q_, space_.count(), space_.stride(), step});
  });
  if (space_.reused() > 0) device_.when(any, [&] { solve_reduced(system, rows, step); });
  launch(device_, "remainder", rows, projective::Remainder{system, step});
}

void SubspaceStep::solve_reduced(const projective::SystemView& system, int rows, Span<vec3> step) {
  const int reused = space_.reused();
  project(system.residual, reused);
  launch(device_, "anchors", space_.pairs().size * projective::kContactSums,
         projective::ProjectAdded{.modes = space_.modes(),
                                  .product = space_.products(),
                                  .added = system.added,
                                  .slice = added_slice_,
                                  .pair = space_.pairs(),
                                  .stride = space_.stride(),
                                  .partial = added_partial_});
  const projective::ReducedView reduced = reduced_view();
  launch(device_, "anchors", 6 * space_.pairs().size,
         projective::FillReduced{.reduced = reduced,
                                 .pair = space_.pairs(),
                                 .partial = added_partial_,
                                 .free_matrix = space_.free_matrix(),
                                 .projected = projected_,
                                 .modes = space_.count(),
                                 .reused = reused});
  const bool inverse = reduced.columns > reduced.size + 1;
  if (inverse) {
    launch(device_, "scale", 1, projective::MeanEntry{reduced, scale_});
    launch(device_, "scale", reduced.size * reduced.size, projective::FillScaled{reduced, scale_});
  }
  launch_iterated(device_, "eliminate", reduced.size, reduced.size, projective::Eliminate{reduced, other_});
  if (inverse)
    launch(device_, "solve", reduced.size, projective::TakeInverse{reduced, scale_, projected_, reused, q_});
  else launch(device_, "solve", reused, projective::TakeReduced{reduced, reused, q_});
  launch(device_, "expand", rows, projective::Expand{space_.modes(), q_, reused, space_.stride(), step});
}

}  // namespace weft

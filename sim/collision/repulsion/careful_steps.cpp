// Collision steps in which a constraint failed, repeated in guarded form: shortened, with the hard phase. In
// a separate file, because otherwise compilers inline less of the kernels that every step needs.
#include "sim/collision/repulsion/collision_steps.h"
#include "sim/collision/repulsion/hard_kernels.h"
#include "sim/collision/repulsion/sample_kernels.h"
#include "sim/collision/repulsion/settle_kernels.h"

namespace weft {
namespace {

constexpr int kCutRounds = 5;  // in which cutting steps may spread

Span<const int> one(const int& element) { return {&element, 1}; }

}  // namespace

/// Sets the number of rows: all, or none if a flag is not set.
void CollisionSteps::set_size(Span<const int> flag) {
  launch(device_, "failing vertices", 1, repulsion::SetSize{flag, vertices_, folds_.pairs().count, samples_.count(), size_.span()});
}

/// If there are no rows, `failed` must already be 0.
void CollisionSteps::mark_failing(int candidate, Buffer<int>& failed) {
  failed.clear();
  const repulsion::WorkSize* size = size_.span().data;
  const Span<const vec3> before = u_[size_t(now_)].span(), after = u_[size_t(candidate)].span();
  launch_counted(device_, "failing vertices", one(size->rows), vertices_, repulsion::MarkFailing{rows(), before, after, stays_[0].span(), failed.span()});
  launch_counted(device_, "fold tests", one(size->folds), folds_.capacity(), repulsion::TestFolds{folds_.pairs(), base_.span(), after, stays_[0].span(), failed.span()});
  launch_counted(device_, "sample tests", one(size->samples), samples_.capacity(), repulsion::TestSamples{rows(), before, after, stays_[0].span(), failed.span(), {}, 0});
}

/// Shortens only the steps that fail, and in further rounds those that fail as a result. cut_ marks shortened
/// steps, cut_failed_ those that still fail.
void CollisionSteps::cut_failing(int candidate) {
  const Span<const vec3> before = u_[size_t(now_)].span();
  const Span<vec3> u = u_[size_t(candidate)].span();
  touched_.clear();
  launch(device_, "safe part", vertices_, repulsion::Difference{before, u, step_.span()});
  const Span<const int> rows_left = one(size_.span().data->rows);
  for (int round = 1; round <= kCutRounds; ++round) {
    launch_counted(device_, "failing vertices", rows_left, vertices_, repulsion::Choose{rows(), stays_[0].span(), cut_.span(), touched_.span(), round});
    launch_counted(device_, "safe part", rows_left, vertices_,
                   repulsion::Truncate{rows(), before, step_.span(), cut_.span(), touched_.span(), round, allowed_.span(), constants_.step_limit, planes(), u});
    mark_failing(candidate, cut_failed_);
    if (round < kCutRounds) set_size(cut_failed_.span());
  }
}

/// Vertices that still fail do not move, nor do those that would run into them: jams are local, and others
/// continue.
void CollisionSteps::spread_stay(int candidate) {
  const Span<const vec3> before = u_[size_t(now_)].span(), after = u_[size_t(candidate)].span();
  const auto pairs = folds_.pairs();
  const repulsion::WorkSize* size = size_.span().data;
  static_assert(repulsion::kSweeps % 2 == 0);
  set_size({});
  launch(device_, "staying vertices", 1, repulsion::BeginSpread{spread_.span()});
  device_.repeat(one(spread_.span().data->spreading), [&] {
    changed_.clear();
    for (int s = 0; s < repulsion::kSweeps; ++s) {
      const Span<const int> stays = stays_[size_t(s % 2)].span();
      const Span<int> next = stays_[size_t(1 - s % 2)].span(), changed(changed_.span().data + s, 1);
      launch_counted(device_, "staying vertices", one(size->rows), vertices_, repulsion::SpreadStay{rows(), before, after, stays, next, changed});
      launch_counted(device_, "fold tests", one(size->folds), folds_.capacity(), repulsion::SpreadFolds{pairs, base_.span(), before, after, stays, next, changed});
      launch_counted(device_, "sample tests", one(size->samples), samples_.capacity(), repulsion::SpreadSamples{rows(), before, after, stays, next, changed});
      set_size(changed);  // once nothing changes, both lists are equal and stay so
    }
    launch(device_, "staying vertices", 1, repulsion::EndSpread{changed_.span(), spread_.span()});
  });
  launch(device_, "staying vertices", vertices_, repulsion::Settle{before, spread_.span(), u_[size_t(candidate)].span(), stays_[0].span(), cut_.span()});
}

/// A loop on the device, so that a GPU records these launches once and not for each step: there are some
/// hundred, and they run rarely.
void CollisionSteps::run_with_care(int count, const FindPlanes& find_planes) {
  const int start = now_;
  const float limit = constants_.step_limit;
  next_slot();
  in_loop_ = true;
  launch(device_, "rollback", 1, repulsion::BeginCare{count, care_.span()});
  const repulsion::CareProgress* progress = care_.span().data;
  device_.repeat(one(progress->left), [&] {
    now_ = start;
    device_.when(one(progress->search), [&] { look_around(find_planes); });
    const int candidate = soft_phase(u_[size_t(now_)].span());
    take_with_care(candidate);
    now_ = candidate;
    aim(candidate, true, limit, 3 * limit);
    corner(now_);
    copy_state(start, now_);
    launch(device_, "rollback", 1, repulsion::EndCare{count, constants_.steps_per_search, care_.span()});
  });
  in_loop_ = false;
  now_ = start;
}

void CollisionSteps::take_with_care(int candidate) {
  set_size({});
  mark_failing(candidate, step_failed_);
  cut_.clear();
  launch(device_, "failing vertices", 1, repulsion::Tally{step_failed_.span(), Span<int>(counts_.span().data + kStepsFailed, 1)});
  if (!params_.hard_phase) return;
  device_.when(step_failed_.span(), [&] {
    cut_failing(candidate);
    device_.when(cut_failed_.span(), [&] { spread_stay(candidate); });
  });
  launch(device_, "safe part", vertices_,
         repulsion::CountWay{u_[size_t(now_)].span(), u_[size_t(candidate)].span(), cut_.span(), path_.span(), allowed_.span(), phase_.span()});
  corner(candidate);
  device_.when(step_failed_.span(), [&] { hard_phase(candidate); });
}

void CollisionSteps::hard_phase(int candidate) {
  const Span<vec3> u(u_[size_t(candidate)].span().data, vertices_);
  const repulsion::HardObjective f{rows(), init_.span(), moving_.span(), planes(), constants_.barrier, repulsion::kBodyPenalty};
  const repulsion::Trial trial{progress_.span(), step_.span(), changed_at_.span(), touched_.span(), broken_.span(), blocks_.span()};
  const int chunks = hard_chunks();
  const float share = 1.0f / float(params_.hard_iterations);
  const auto pairs = folds_.pairs();
  const repulsion::HardProgress* progress = progress_.span().data;
  for (auto* b : {&blocked_, &touched_, &changed_at_, &broken_}) b->clear();
  launch(device_, "line search", 1, repulsion::BeginHardPhase{vertices_, pairs.count, samples_.count(), params_.hard_iterations, progress_.span()});
  device_.repeat(one(progress->iterations), [&] {
    launch(device_, "hard gradient", vertices_,
           repulsion::HardGradient{f, cut_.span(), blocked_.span(), mobile_.span(), u, gradient_.span(), shorter_.span()});
    device_.repeat(one(progress->searching), [&] {
      launch(device_, "line search", vertices_,
             repulsion::FindTrial{f, u, gradient_.span(), shorter_.span(), allowed_.span(), params_.hard_step, share, trial, failures_.span()});
      launch(device_, "line search", vertices_, repulsion::TrySteps{f, u, gradient_.span(), trial, gains_.span(), slopes_.span()});
      launch_counted(device_, "line search", one(progress->size.folds), folds_.capacity(), repulsion::TryFolds{f, pairs, u, trial});
      launch_counted(device_, "line search", one(progress->size.samples), samples_.capacity(), repulsion::TrySamples{f, u, trial});
      launch(device_, "line search", chunks, repulsion::SumTrial{gains_.span(), slopes_.span(), vertices_, sums_.span()});
      launch(device_, "line search", 1, repulsion::JudgeTrial{sums_.span(), broken_.span(), progress_.span()});
    });
    launch(device_, "hard step", vertices_, repulsion::HardMove{progress_.span(), step_.span(), blocks_.span(), blocked_.span(), u, path_.span()});
    launch(device_, "line search", 1, repulsion::EndIteration{progress_.span()});
    corner(candidate);
  });
}

}  // namespace weft

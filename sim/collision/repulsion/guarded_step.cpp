#include "sim/collision/repulsion/guarded_step.h"

#include "sim/collision/repulsion/samples/sample_kernels.h"

namespace weft {
namespace {

constexpr int kCutRounds = 5;  // in which cutting steps may spread

Span<const int> one(const int& element) { return {&element, 1}; }

}  // namespace

GuardedStep::GuardedStep(Device& device, FoldGuard& folds, Samples& samples, int vertices)
    : device_(device), folds_(folds), samples_(samples), vertices_(vertices) {
  const int n = padded_rows(vertices);
  for (auto* b : {&step_, &hard_.gradient}) *b = Buffer<vec3>(device, "guarded step", n);
  for (auto* b : {&cut_.cut, &cut_.stays[0], &cut_.stays[1]}) *b = Buffer<int>(device, "staying vertices", n);
  for (auto* b : {&cut_.step_failed, &cut_.still_failed, &hard_.broken})
    *b = Buffer<int>(device, "collision flags", 1);
  cut_.touched = Buffer<int>(device, "collision flags", n / kLanes);
  cut_.changed = Buffer<int>(device, "collision flags", repulsion::kSweeps);
  cut_.spread = Buffer<repulsion::SpreadProgress>(device, "collision flags", 1);
  cut_.size = Buffer<repulsion::WorkSize>(device, "collision flags", 1);
  for (auto* b : {&hard_.moving, &hard_.blocks, &hard_.blocked, &hard_.failures, &hard_.changed_at})
    *b = Buffer<int>(device, "hard phase", n);
  for (auto* b : {&hard_.shorter, &hard_.gains, &hard_.slopes}) *b = Buffer<float>(device, "hard phase", n);
  hard_.sums =
      Buffer<vec2>(device, "line search", (vertices + repulsion::kHardChunk - 1) / repulsion::kHardChunk);
  hard_.squares = Buffer<float>(device, "line search", hard_.sums.size());
  hard_.progress = Buffer<repulsion::HardProgress>(device, "hard phase", 1);
}

/// Sets the number of rows: all, or none if a flag is not set.
void GuardedStep::set_size(Span<const int> flag) {
  launch(device_, "failing vertices", 1,
         repulsion::SetSize{flag, vertices_, folds_.pairs().count, samples_.count(), cut_.size});
}

/// If there are no rows, `failed` must already be 0.
void GuardedStep::mark_failing(const StepInHand& step, Buffer<int>& failed) {
  failed.clear();
  const repulsion::WorkSize* size = cut_.size.span().data;
  const Span<const vec3> before = step.before, after = step.candidate;
  launch_counted(device_, "failing vertices", one(size->rows), vertices_,
                 repulsion::MarkFailing{step.rows, before, after, cut_.stays[0], failed});
  launch_counted(device_, "fold tests", one(size->folds), folds_.capacity(),
                 repulsion::TestFolds{folds_.pairs(), step.rows.base, after, cut_.stays[0], failed});
  launch_counted(device_, "sample tests", one(size->samples), samples_.capacity(),
                 repulsion::TestSamples{step.rows, before, after, cut_.stays[0], failed, {}, 0});
}

/// Shortens only the steps that fail, and in further rounds those that fail as a result. Cut::cut marks
/// shortened
/// steps, Cut::still_failed tells whether some still fail.
void GuardedStep::cut_failing(const StepInHand& step) {
  const Span<const vec3> before = step.before;
  const Span<vec3> u = step.candidate;
  cut_.touched.clear();
  launch(device_, "safe part", vertices_, repulsion::Difference{before, u, step_});
  const Span<const int> rows_left = one(cut_.size.span().data->rows);
  for (int round = 1; round <= kCutRounds; ++round) {
    launch_counted(device_, "failing vertices", rows_left, vertices_,
                   repulsion::Choose{step.rows, cut_.stays[0], cut_.cut, cut_.touched, round});
    launch_counted(device_, "safe part", rows_left, vertices_,
                   repulsion::Truncate{step.rows, before, step_, cut_.cut, cut_.touched, round, step.allowed,
                                       step.rows.c.step_limit, step.planes, u});
    mark_failing(step, cut_.still_failed);
    if (round < kCutRounds) set_size(cut_.still_failed);
  }
}

/// Vertices that still fail do not move, nor do those that would run into them: jams are local, and others
/// continue.
void GuardedStep::spread_stay(const StepInHand& step) {
  const Span<const vec3> before = step.before, after = step.candidate;
  const auto pairs = folds_.pairs();
  const repulsion::WorkSize* size = cut_.size.span().data;
  static_assert(repulsion::kSweeps % 2 == 0);
  set_size({});
  launch(device_, "staying vertices", 1, repulsion::BeginSpread{cut_.spread});
  device_.repeat(one(cut_.spread.span().data->spreading), [&] {
    cut_.changed.clear();
    for (int s = 0; s < repulsion::kSweeps; ++s) {
      const Span<const int> stays = cut_.stays[s % 2];
      const Span<int> next = cut_.stays[1 - s % 2], changed(cut_.changed.span().data + s, 1);
      launch_counted(device_, "staying vertices", one(size->rows), vertices_,
                     repulsion::SpreadStay{step.rows, before, after, stays, next, changed});
      launch_counted(device_, "fold tests", one(size->folds), folds_.capacity(),
                     repulsion::SpreadFolds{pairs, step.rows.base, before, after, stays, next, changed});
      launch_counted(device_, "sample tests", one(size->samples), samples_.capacity(),
                     repulsion::SpreadSamples{step.rows, before, after, stays, next, changed});
      set_size(changed);  // once nothing changes, both lists are equal and stay so
    }
    launch(device_, "staying vertices", 1, repulsion::EndSpread{cut_.changed, cut_.spread});
  });
  launch(device_, "staying vertices", vertices_,
         repulsion::Settle{before, cut_.spread, step.candidate, cut_.stays[0], cut_.cut});
}

void GuardedStep::take(const StepInHand& step, const RepulsionParams& params,
                       const std::function<void()>& corner) {
  set_size({});
  mark_failing(step, cut_.step_failed);
  cut_.cut.clear();
  launch(device_, "failing vertices", 1, repulsion::Tally{cut_.step_failed, step.failed});
  if (!params.hard_phase) return;
  device_.when(cut_.step_failed, [&] {
    cut_failing(step);
    device_.when(cut_.still_failed, [&] { spread_stay(step); });
  });
  launch(device_, "safe part", vertices_,
         repulsion::CountPath{step.before, step.candidate, cut_.cut, step.path, step.allowed, step.phase});
  corner();
  device_.when(cut_.step_failed, [&] { hard_phase(step, params, corner); });
}

void GuardedStep::hard_phase(const StepInHand& step, const RepulsionParams& params,
                             const std::function<void()>& corner) {
  const Span<vec3> u(step.candidate.data, vertices_);
  const repulsion::HardObjective f{step.rows,   step.init,           hard_.moving,
                                   step.planes, step.rows.c.barrier, repulsion::kBodyPenalty};
  const repulsion::Trial trial{hard_.progress, step_,        hard_.changed_at,
                               cut_.touched,   hard_.broken, hard_.blocks};
  const int chunks = hard_.sums.size();
  const bool goes_on = params.hard_rounds > 1;
  const float share = 1.0f / float(params.hard_iterations);
  const auto pairs = folds_.pairs();
  const repulsion::HardProgress* progress = hard_.progress.span().data;
  for (auto* b : {&hard_.blocked, &cut_.touched, &hard_.changed_at, &hard_.broken}) b->clear();
  launch(device_, "line search", 1,
         repulsion::BeginHardPhase{.rows = vertices_,
                                   .folds = pairs.count,
                                   .samples = samples_.count(),
                                   .iterations = params.hard_iterations,
                                   .rounds = params.hard_rounds,
                                   .progress = hard_.progress});
  device_.repeat(one(progress->iterations), [&] {
    launch(
        device_, "hard gradient", vertices_,
        repulsion::HardGradient{f, cut_.cut, hard_.blocked, step.mobile, u, hard_.gradient, hard_.shorter});
    device_.repeat(one(progress->searching), [&] {
      launch(device_, "line search", vertices_,
             repulsion::FindTrial{f, u, hard_.gradient, hard_.shorter, step.allowed, params.hard_step, share,
                                  trial, hard_.failures});
      launch(device_, "line search", vertices_,
             repulsion::TrySteps{f, u, hard_.gradient, trial, hard_.gains, hard_.slopes});
      launch_counted(device_, "line search", one(progress->size.folds), folds_.capacity(),
                     repulsion::TryFolds{f, pairs, u, trial});
      launch_counted(device_, "line search", one(progress->size.samples), samples_.capacity(),
                     repulsion::TrySamples{f, u, trial});
      launch(device_, "line search", chunks,
             repulsion::SumTrial{hard_.gains, hard_.slopes, vertices_, hard_.sums});
      launch(device_, "line search", 1, repulsion::JudgeTrial{hard_.sums, hard_.broken, hard_.progress});
    });
    launch(device_, "hard step", vertices_,
           repulsion::HardMove{.progress = hard_.progress,
                               .move = step_,
                               .blocks = hard_.blocks,
                               .blocked = hard_.blocked,
                               .u = u,
                               .path = step.path,
                               .allowed = goes_on ? step.allowed : Span<float>()});
    if (goes_on)
      launch(device_, "line search", chunks, repulsion::SumSquares{hard_.gradient, vertices_, hard_.squares});
    launch(device_, "line search", 1,
           repulsion::EndIteration{goes_on ? Span<const float>(hard_.squares) : Span<const float>(),
                                   params.hard_end * step.rows.c.scale, params.hard_iterations,
                                   hard_.progress, step.unsolved});
    corner();
  });
}

}  // namespace weft

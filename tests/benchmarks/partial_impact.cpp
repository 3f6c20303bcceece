// Times and answers of the tests for impacts of single pairs, on one core. Not a test: nothing is checked.
//   weft-impact-benchmark
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/geometry/partial_impact.h"
#include "tests/geometry/impact_pairs.h"
#include "tests/support/cubic_roots.h"

using namespace weft;
using testing::MovingPair;
using testing::PairIn;

namespace {

/// Time that this thread was running, which other work on the machine does not stretch.
double now_ns() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * double(t.tv_sec) + double(t.tv_nsec);
}

constexpr int kPairs = 2000;

/// A way to ask: name and, of a pair, whether it may meet.
template <class R>
struct Form {
  const char* name;
  bool (*may_meet)(const PairIn<R>& x, const ClosestPair<R>& closest, bool edges);
};

template <class R, int count, bool projected>
bool by_samples(const PairIn<R>& x, const ClosestPair<R>& closest, bool edges) {
  const ClosestPair<R>* at = projected ? &closest : nullptr;
  return !((edges ? edge_edge_sampled_product(x.start, x.end, count, at)
                  : vertex_triangle_sampled_product(x.start, x.end, count, at)) > 0);
}
template <class R>
bool by_bound(const PairIn<R>& x, const ClosestPair<R>&, bool edges) {
  return !((edges ? edge_edge_product_bound(x.start, x.end) : vertex_triangle_product_bound(x.start, x.end)) >
           0);
}
/// One plane for all of the step, across the line between the closest points at the start: proven too.
template <class R>
bool by_plane(const PairIn<R>& x, const ClosestPair<R>& closest, bool edges) {
  const auto d = edges ? partial_impact::edge_edge_differences(x.start, x.end)
                       : partial_impact::vertex_triangle_differences(x.start, x.end);
  return !time_of_impact::separates(closest.offset, d, R(0), R(1), R(0));
}
template <class R>
bool by_roots(const PairIn<R>& x, const ClosestPair<R>&, bool edges) {
  return (edges ? edge_edge_root_impact(x.start, x.end) : vertex_triangle_root_impact(x.start, x.end)) <= 1;
}
template <class R>
bool by_time(const PairIn<R>& x, const ClosestPair<R>&, bool edges) {
  return (edges ? edge_edge_impact(x.start, x.end) : vertex_triangle_impact(x.start, x.end)) <= 1;
}

/// Least time of 15 runs, per pair, and the share of pairs that may meet.
template <class R>
void measure(const Form<R>& form, const std::string& set, const std::vector<MovingPair>& pairs) {
  std::vector<PairIn<R>> in(pairs.begin(), pairs.end());
  std::vector<ClosestPair<R>> closest;
  for (size_t k = 0; k < in.size(); ++k) {
    const Vec<R>* x = in[k].start;
    closest.push_back(pairs[k].edges ? closest_edge_edge(x[0], x[1], x[2], x[3])
                                     : closest_vertex_triangle(x[0], x[1], x[2], x[3]));
  }
  double least = 1e30;
  int may = 0;
  for (int run = 0; run < 15; ++run) {
    may = 0;
    const double from = now_ns();
    for (size_t k = 0; k < in.size(); ++k) may += form.may_meet(in[k], closest[k], pairs[k].edges);
    least = std::min(least, now_ns() - from);
  }
  const double count = double(pairs.size());
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} |\n", set, sizeof(R) == 4 ? "float" : "double", form.name,
             least / count, 100 * may / count);
}

template <class R>
void measure_all(const std::string& set, const std::vector<MovingPair>& pairs) {
  const Form<R> forms[] = {{"1 sample", by_samples<R, 1, false>},
                           {"1 and closest points", by_samples<R, 1, true>},
                           {"3 samples", by_samples<R, 3, false>},
                           {"3 and closest points", by_samples<R, 3, true>},
                           {"6 samples", by_samples<R, 6, false>},
                           {"6 and closest points", by_samples<R, 6, true>},
                           {"bound", by_bound<R>},
                           {"plane", by_plane<R>},
                           {"roots", by_roots<R>},
                           {"time of impact", by_time<R>}};
  for (const Form<R>& form : forms) measure(form, set, pairs);
}

/// Pairs that meet, moved apart at the start and the end so that they pass `gap` from each other, or further.
std::vector<MovingPair> passing(bool edges, double speed, double gap) {
  testing::ImpactPairMaker make(17);
  std::vector<MovingPair> pairs;
  while (pairs.size() < kPairs) {
    MovingPair q = make.meeting(edges, speed);
    const ClosestPair<double> at =
        edges ? closest_edge_edge(q.start[0], q.start[1], q.start[2], q.start[3])
              : closest_vertex_triangle(q.start[0], q.start[1], q.start[2], q.start[3]);
    if (!(at.squared > 0)) continue;
    const dvec3 aside = (gap + speed) / std::sqrt(at.squared) * at.offset;
    for (int k = 0; k < (edges ? 2 : 1); ++k) q.start[k] += aside, q.end[k] += aside;
    ImpactOptions<double> options;
    options.gap = gap;
    const double time =
        edges ? edge_edge_impact(q.start, q.end, options) : vertex_triangle_impact(q.start, q.end, options);
    if (time > 1) pairs.push_back(q);
  }
  return pairs;
}

std::vector<MovingPair> meeting(bool edges, double speed) {
  testing::ImpactPairMaker make(19);
  std::vector<MovingPair> pairs;
  for (int n = 0; n < kPairs; ++n) pairs.push_back(make.meeting(edges, speed));
  return pairs;
}

}  // namespace

int main() {
  fmt::print("| pairs | type | test | ns per pair | may meet, % |\n|---|---|---|---|---|\n");
  for (const bool edges : {false, true}) {
    const std::string kind = edges ? "EE" : "VT";
    const auto both = [&](const std::string& set, const std::vector<MovingPair>& pairs) {
      measure_all<float>(kind + set, pairs);
      measure_all<double>(kind + set, pairs);
    };
    both(" that meet, motion 0.1", meeting(edges, 0.1));
    both(" that meet, motion 0.4", meeting(edges, 0.4));
    both(" that meet, motion 1", meeting(edges, 1));
    both(" apart by 0.02, motion 0.01", passing(edges, 0.01, 0.02));
    both(" apart by 0.1, motion 0.1", passing(edges, 0.1, 0.1));
    both(" apart by 0.1, motion 1", passing(edges, 1, 0.1));
  }
}

// End of a collision step in one launch, and most of the start of a period.
#pragma once
#include "sim/collision/proximity/point_search_kernels.h"
#include "sim/collision/repulsion/phases/soft_kernels.h"
#include "sim/collision/repulsion/samples/sample_kernels.h"

namespace weft::repulsion {

/// Rows in whole slices, then pairs of neighbouring triangles. Samples, few if any, are shared out among the
/// rows.
struct EndStep {
  AcceptAndAim rows;
  TestFolds folds;
  int count = 0;  // number of rows
  HD void operator()(int i) const {
    const int pairs_from = padded_rows(count);
    if (i < count) rows(i), test_samples(i);
    else if (i >= pairs_from) folds(i - pairs_from);
  }
  void sixteen(int first) const {
    if (first >= count) return folds.sixteen(first - padded_rows(count));
    rows.sixteen(first);
    for (int i = first; i < first + kLanes && i < count; ++i) test_samples(i);
  }

 private:
  /// Unknown where no step ends.
  HD void test_samples(int i) const {
    const SampleRows& samples = rows.rows.samples;
    if (!rows.taken || !samples.active()) return;
    const TestSamples test{rows.rows, rows.before, rows.candidate, {}, rows.failed, rows.busy, rows.margin};
    for (int s = i; s < samples.count[0]; s += count) test(s);
  }
};

/// Finds the neighbours of a row and uses them.
struct SearchAndAim {
  point_search::FilterCache search;
  AcceptAndAim rows;
  int count = 0;
  HD void operator()(int i) const { search(i), rows(i); }
  void sixteen(int first) const {
    for (int i = first; i < first + kLanes && i < count; ++i) search(i);
    rows.sixteen(first);
  }
};

}  // namespace weft::repulsion

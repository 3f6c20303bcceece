// A sparse symmetric operator in rows of coupled vertices, laid out so that 16 rows run side by side.
#pragma once
#include <functional>
#include <vector>

#include "sim/base/math.h"
#include "sim/base/span.h"
#include "sim/device/buffer.h"
#include "sim/device/lanes.h"

namespace weft {

/// Row i couples to neighbours j through (n nᵀ + s I)(u_i - u_j): springs give n and s, bending gives s.
/// Entry k of row i is number slice_start[i / 16] + 16 k + i % 16; entries with a spring come first (up to
/// spring_end). Padding entries point to the row itself and have zero coefficients.
struct RowsView {
  int rows = 0;
  Span<const int> slice_start;      // slices + 1
  Span<const int> spring_end;       // slices
  Span<const int> neighbor;         // per entry
  Span<const float> rest_length;    // per entry, m; 1 where there is no spring
  Span<const float> stiffness;      // per entry, N/m; 0 where there is no spring
  Span<const float> bending;        // per entry, the constant share of s, N/m
  Span<const float> bending_bound;  // per row: row sum of |Q|, N/m
  // per row: stretch (length over rest length) at which springs start to lock
  Span<const float> lock;
  Span<float> coefficient;  // per entry with a spring four interleaved: n sqrt(k) (3), s
};

/// One coupling as the host writes it down.
struct RowEntry {
  int neighbor = 0;
  float rest_length = 1;
  float stiffness = 0;  // for Y = 1 N/m
  float bending = 0;    // for B = 1 N m
  bool block = false;   // lies among the springs, where elements couple by blocks, whatever its stiffness
};

/// Owner of the memory behind RowsView.
class Rows {
 public:
  Rows() = default;
  /// `all_springs`: entries of bending alone lie among the springs, with stiffness 0.
  Rows(Device& device, const std::vector<std::vector<RowEntry>>& rows, bool all_springs = false);
  /// Scales the couplings: Y (N/m) of the spring from a row to a neighbour (symmetric); per row B (N m) and
  /// the stretch at which springs start to lock.
  void set_fabric(const std::function<float(int row, int neighbor)>& stretch,
                  const std::vector<float>& bending, const std::vector<float>& lock);
  int rows() const { return rows_; }
  int padded() const { return padded_rows(rows_); }
  int entries() const { return neighbor_.size(); }
  /// Couplings of a row, without padding.
  struct HostEntry {
    int number = 0, neighbor = 0;
    bool spring = false;  // among the springs
  };
  std::vector<HostEntry> entries_of(int row) const;
  /// Number of the entry (row, neighbor); -1 if there is none.
  int entry(int row, int neighbor) const;
  RowsView view();
  /// Number of the connected piece of each row.
  std::vector<int> pieces() const;

 private:
  int rows_ = 0;
  std::vector<float> unit_stiffness_, unit_bending_;  // per entry
  std::vector<int> host_start_, host_spring_end_, host_neighbor_;
  Buffer<int> slice_start_, spring_end_, neighbor_;
  Buffer<float> rest_length_, stiffness_, bending_, bending_bound_, lock_, coefficient_;
};

}  // namespace weft

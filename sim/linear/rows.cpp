#include "sim/linear/rows.h"

#include <algorithm>
#include <cmath>

namespace weft {

Rows::Rows(Device& device, const std::vector<std::vector<RowEntry>>& rows, bool all_springs)
    : rows_(int(rows.size())) {
  const int slices = padded() / kLanes;
  std::vector<int> start(slices + 1), spring_end(slices), neighbor;
  std::vector<float> rest;
  for (int b = 0; b < slices; ++b) {
    size_t springs = 0, others = 0;
    auto is_spring = [&](const RowEntry& e) { return all_springs || e.block || e.stiffness > 0; };
    for (int r = b * kLanes; r < std::min(rows_, (b + 1) * kLanes); ++r) {
      const size_t n = std::count_if(rows[r].begin(), rows[r].end(), is_spring);
      springs = std::max(springs, n);
      others = std::max(others, rows[r].size() - n);
    }
    start[b] = int(neighbor.size());
    spring_end[b] = start[b] + int(springs) * kLanes;
    start[b + 1] = start[b] + int(springs + others) * kLanes;
    const size_t end = size_t(start[b + 1]);
    neighbor.resize(end);
    rest.resize(end, 1.0f);
    unit_stiffness_.resize(end, 0.0f);
    unit_bending_.resize(end, 0.0f);
    for (int lane = 0; lane < kLanes; ++lane) {
      const int row = b * kLanes + lane;
      int spring_slot = start[b] + lane, other_slot = spring_end[b] + lane;
      if (row < rows_)
        for (const RowEntry& e : rows[row]) {
          int& slot = is_spring(e) ? spring_slot : other_slot;
          neighbor[slot] = e.neighbor, rest[slot] = e.rest_length;
          unit_stiffness_[slot] = e.stiffness, unit_bending_[slot] = e.bending;
          slot += kLanes;
        }
      for (; spring_slot < spring_end[b]; spring_slot += kLanes) neighbor[spring_slot] = row;
      for (; other_slot < start[b + 1]; other_slot += kLanes) neighbor[other_slot] = row;
    }
  }
  host_start_ = start;
  host_spring_end_ = spring_end;
  host_neighbor_ = neighbor;
  slice_start_ = Buffer<int>(device, "row slices", start);
  spring_end_ = Buffer<int>(device, "row springs", spring_end);
  neighbor_ = Buffer<int>(device, "row neighbours", neighbor);
  rest_length_ = Buffer<float>(device, "row rest lengths", rest);
  stiffness_ = Buffer<float>(device, "row stiffness", int(neighbor.size()));
  bending_ = Buffer<float>(device, "row bending", int(neighbor.size()));
  bending_bound_ = Buffer<float>(device, "row bending bounds", padded());
  lock_ = Buffer<float>(device, "row locks", padded());
  coefficient_ = Buffer<float>(device, "row coefficients", 4 * int(neighbor.size()));
}

void Rows::set_fabric(const std::function<float(int, int)>& stretch, const std::vector<float>& bending,
                      const std::vector<float>& lock) {
  std::vector<float> k(unit_stiffness_.size()), s(unit_bending_.size()), bound(padded(), 0.0f);
  for (int row = 0; row < rows_; ++row) {
    const int b = row / kLanes;
    double off_diagonal = 0, diagonal = 0;
    for (int o = host_start_[b] + row % kLanes; o < host_start_[b + 1]; o += kLanes) {
      k[o] = unit_stiffness_[o] > 0 ? unit_stiffness_[o] * stretch(row, host_neighbor_[o]) : 0.0f;
      s[o] = unit_bending_[o] * bending[row];
      off_diagonal += std::abs(s[o]);
      diagonal += s[o];
    }
    bound[row] = float(off_diagonal + std::abs(diagonal));
  }
  stiffness_.upload(k);
  bending_.upload(s);
  bending_bound_.upload(bound);
  std::vector<float> padded_lock = lock;
  padded_lock.resize(size_t(padded()), 1e6f);
  lock_.upload(padded_lock);
}

std::vector<Rows::HostEntry> Rows::entries_of(int row) const {
  std::vector<HostEntry> out;
  const int slice = row / kLanes;
  for (int o = host_start_[slice] + row % kLanes; o < host_start_[slice + 1]; o += kLanes)
    if (host_neighbor_[o] != row) out.push_back({o, host_neighbor_[o], o < host_spring_end_[slice]});
  return out;
}

int Rows::entry(int row, int neighbor) const {
  const int slice = row / kLanes;
  for (int o = host_start_[slice] + row % kLanes; o < host_start_[slice + 1]; o += kLanes)
    if (host_neighbor_[o] == neighbor) return o;
  return -1;
}

std::vector<int> Rows::pieces() const {
  std::vector<int> piece(size_t(rows_), -1), open;
  int count = 0;
  for (int seed = 0; seed < rows_; ++seed) {
    if (piece[seed] >= 0) continue;
    piece[seed] = count;
    for (open = {seed}; !open.empty();) {
      const int row = open.back(), slice = row / kLanes;
      open.pop_back();
      for (int o = host_start_[slice] + row % kLanes; o < host_start_[slice + 1]; o += kLanes)
        if (piece[host_neighbor_[o]] < 0) piece[host_neighbor_[o]] = count, open.push_back(host_neighbor_[o]);
    }
    ++count;
  }
  return piece;
}

RowsView Rows::view() {
  return {rows_,      slice_start_, spring_end_,    neighbor_, rest_length_,
          stiffness_, bending_,     bending_bound_, lock_,     coefficient_};
}

}  // namespace weft

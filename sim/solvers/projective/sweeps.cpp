#include "sim/solvers/projective/sweeps.h"

#include <algorithm>

#include "sim/solvers/projective/mode_space.h"

namespace weft {
namespace {

/// Entry (i, m) of R²: products K_ij K_jm with their j, and K_im.
struct SquareEntry {
  int neighbor = 0;
  float direct = 0;
  std::vector<std::pair<int, float>> products;
};

/// Of row i, those with most products first. `slot`: -1 for each row, before and after.
std::vector<SquareEntry> square_entries(const Couplings& k, int i, std::vector<int>& slot) {
  std::vector<SquareEntry> list;
  const auto entry = [&](int m) -> SquareEntry& {
    int& at = slot[m];
    if (at < 0) at = int(list.size()), list.push_back({m, 0, {}});
    return list[at];
  };
  entry(i);
  for (int o = k.start[i]; o < k.start[i + 1]; ++o) {
    const int j = k.neighbor[o];
    entry(j).direct += k.value[o];
    for (int p = k.start[j]; p < k.start[j + 1]; ++p)
      entry(k.neighbor[p]).products.push_back({j, k.value[o] * k.value[p]});
  }
  for (const SquareEntry& e : list) slot[e.neighbor] = -1;
  std::stable_sort(list.begin(), list.end(), [](const SquareEntry& a, const SquareEntry& b) {
    return a.products.size() > b.products.size();
  });
  return list;
}

}  // namespace

Sweeps::Sweeps(Device& device, int rows)
    : device_(device), rows_(rows), changed_(device, "diagonals changed", 1) {
  const int n = mode_stride(rows);
  for (Buffer<vec3>* b : {&g_, &sweep_[0], &sweep_[1]}) *b = Buffer<vec3>(device_, "projective vectors", n);
  for (Buffer<float>* b : {&last_inverse_, &last_own_}) *b = Buffer<float>(device_, "projective rows", n);
  changed_row_ = Buffer<int>(device_, "rows whose diagonal changed", n);
}

void Sweeps::prepare(bool squares, const Couplings& couplings) {
  squares_ = squares;
  if (!squares) square_ = {}, square_is_old_ = true;
  else if (square_is_old_) make_square(couplings);
}

/// Entries of a row in order of their number of products, so that those of a column have about as many.
void Sweeps::make_square(const Couplings& couplings) {
  const int n = rows_, slices = (n + kLanes - 1) / kLanes;
  std::vector<int> slice_start{0}, neighbor, column_slice, product_start{0}, middle, slot(size_t(n), -1);
  std::vector<float> own, direct, product;
  for (int s = 0; s < slices; ++s) {
    std::vector<SquareEntry> of_row[kLanes];
    size_t width = 0;
    for (int l = 0; l < kLanes && s * kLanes + l < n; ++l) {
      of_row[l] = square_entries(couplings, s * kLanes + l, slot);
      width = std::max(width, of_row[l].size());
    }
    for (size_t k = 0; k < width; ++k) {
      column_slice.push_back(s);
      size_t products = 0;
      for (int l = 0; l < kLanes; ++l) {
        const int i = std::min(s * kLanes + l, n - 1);
        const SquareEntry e = k < of_row[l].size() ? of_row[l][k] : SquareEntry{i, 0, {}};
        neighbor.push_back(e.neighbor);
        own.push_back(k < of_row[l].size() && e.neighbor == i ? 1.0f : 0.0f);
        direct.push_back(e.direct);
        products = std::max(products, e.products.size());
      }
      for (size_t p = 0; p < products; ++p)
        for (int l = 0; l < kLanes; ++l) {
          const bool there = k < of_row[l].size() && p < of_row[l][k].products.size();
          middle.push_back(there ? of_row[l][k].products[p].first : std::min(s * kLanes + l, n - 1));
          product.push_back(there ? of_row[l][k].products[p].second : 0.0f);
        }
      product_start.push_back(buffer_size(int64_t(middle.size()), "products of couplings"));
    }
    slice_start.push_back(buffer_size(int64_t(neighbor.size()), "products of couplings"));
  }
  square_ = {Buffer<int>(device_, "square slices", slice_start),
             Buffer<int>(device_, "square neighbours", neighbor),
             Buffer<int>(device_, "square columns", column_slice),
             Buffer<int>(device_, "product starts", product_start),
             Buffer<int>(device_, "product middles", middle),
             Buffer<int>(device_, "stale slices", slices),
             Buffer<float>(device_, "own entries", own),
             Buffer<float>(device_, "square couplings", direct),
             Buffer<float>(device_, "products", product),
             Buffer<float>(device_, "square coefficients", int(neighbor.size()))};
  square_is_old_ = false;
  last_inverse_.clear(), last_own_.clear();  // no row has this D
}

void Sweeps::run(const projective::SystemView& system, int sweeps) {
  StageScope stage(device_.profiler(), "sweeps");
  now_ = 0;
  if (sweeps == 0) return sweep_[0].clear();
  launch(device_, "start sweeps", rows_, projective::StartSweeps{system, sweep_[0]});
  if (squares_) return in_squares(system, sweeps);
  launch_iterated(device_, "sweep", rows_, sweeps - 1, projective::Sweep{system, {sweep_[0], sweep_[1]}});
  now_ = (sweeps - 1) % 2;
}

void Sweeps::in_squares(const projective::SystemView& system, int sweeps) {
  const projective::SquareView square{square_.slice_start, square_.neighbor, square_.column_slice,
                                      square_.own,         square_.direct,   square_.product_start,
                                      square_.middle,      square_.product,  square_.coefficient};
  launch(device_, "coefficients", square_.stale.size(), projective::ClearChanged{square_.stale, changed_});
  launch(device_, "coefficients", rows_,
         projective::FindChanged{.inverse = system.inverse,
                                 .own = system.own,
                                 .last_inverse = last_inverse_,
                                 .last_own = last_own_,
                                 .row = changed_row_,
                                 .any = changed_});
  device_.when(changed_, [&] {
    launch(device_, "coefficients", rows_,
           projective::FindStaleSlices{system.a, changed_row_, square_.stale});
    launch(device_, "coefficients", square_.neighbor.size(),
           projective::Coefficients{system, square, square_.stale});
    launch(device_, "coefficients", rows_,
           projective::KeepDiagonals{system.inverse, system.own, last_inverse_, last_own_});
  });
  const auto from = [&](int first) { return projective::Sweep{system, {sweep_[first], sweep_[1 - first]}}; };
  launch_iterated(device_, "sweep", rows_, 1, from(0));
  device_.copy(g_.span().data, sweep_[1].span().data, size_t(rows_) * sizeof(vec3));
  const int pairs = sweeps / 2 - 1;
  launch_iterated(device_, "square sweep", rows_, pairs,
                  projective::SquareSweep{square, g_, {sweep_[1], sweep_[0]}});
  now_ = 1 - pairs % 2;
  if (sweeps % 2 == 0) return;
  launch_iterated(device_, "sweep", rows_, 1, from(now_));
  now_ = 1 - now_;
}

}  // namespace weft

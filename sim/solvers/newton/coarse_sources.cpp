#include "sim/solvers/newton/coarse_sources.h"

#include <algorithm>

namespace weft {
namespace {

/// Interpolation weights of the finer rows, as lists of (coarse row, weight).
struct Interpolation {
  const Coarsening& c;
  float at(int row, int column) const {
    for (int o = c.start[row]; o < c.start[row + 1]; ++o)
      if (c.column[o] == column) return c.weight[o];
    return 0;
  }
};

/// Shares of the finer operator in the coarse row `own`.
class RowShares {
 public:
  RowShares(const Interpolation& p, int own) : p_(p), own_(own) {}

  /// Of the diagonal term of finer row i, of weight w in the coarse row.
  void add_diagonal(int i, float w, std::vector<CoarseStructure::Share>& to) const {
    const Coarsening& c = p_.c;
    for (int o = c.start[i]; o < c.start[i + 1]; ++o)
      if (c.column[o] != own_) to.push_back({c.column[o], {i, -w * c.weight[o]}});
  }
  /// Of its coupling with another row.
  void add_coupling(int i, float w, int neighbor, int from, std::vector<CoarseStructure::Share>& to) const {
    const Coarsening& c = p_.c;
    const int begin = c.start[i], end = c.start[i + 1];
    const auto add = [&](int column, float difference) {
      if (column != own_ && difference != 0) to.push_back({column, {from, w * difference}});
    };
    for (int o = begin; o < end; ++o) add(c.column[o], p_.at(neighbor, c.column[o]) - c.weight[o]);
    for (int o = c.start[neighbor]; o < c.start[neighbor + 1]; ++o) {
      const int column = c.column[o];
      if (std::find(&c.column[begin], &c.column[begin] + (end - begin), column) ==
          &c.column[begin] + (end - begin))
        add(column, c.weight[o]);
    }
  }

 private:
  const Interpolation& p_;
  int own_;
};

}  // namespace

CoarseStructure coarse_structure(const Rows& finer, const Coarsening& c, const std::vector<RowJoins>& joins) {
  std::vector<int> start, row;
  std::vector<float> weight;
  transpose(c, start, row, weight);
  const Interpolation p{c};
  const size_t n = start.size() - 1;
  using Shares = CoarseStructure::Shares;
  CoarseStructure s{std::vector<std::vector<RowEntry>>(n), Shares(n), Shares(n),
                    std::vector<Shares>(joins.size(), Shares(n))};
  for (size_t own = 0; own < n; ++own) {
    const RowShares shares_of(p, int(own));
    for (int o = start[own]; o < start[own + 1]; ++o) {
      const int i = row[o];
      shares_of.add_diagonal(i, weight[o], s.diagonals[own]);
      for (const Rows::HostEntry& e : finer.entries_of(i))
        shares_of.add_coupling(i, weight[o], e.neighbor, e.spring ? e.number : entry_of_bending(e.number),
                               s.couplings[own]);
      for (size_t k = 0; k < joins.size(); ++k)
        for (const RowJoin& join : joins[k][size_t(i)])
          shares_of.add_coupling(i, weight[o], join.neighbor, join.from, s.joined[k][own]);
    }
    std::vector<int> columns;
    std::vector<std::vector<CoarseStructure::Share>*> all = {&s.couplings[own], &s.diagonals[own]};
    for (Shares& joined : s.joined) all.push_back(&joined[own]);
    for (auto* shares : all) {
      std::stable_sort(shares->begin(), shares->end(),
                       [](const auto& a, const auto& b) { return a.column < b.column; });
      for (const auto& share : *shares) columns.push_back(share.column);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const int column : columns) s.rows[own].push_back({column, 1, 0, 0});
  }
  return s;
}

CoarseSourceLists source_lists(const std::vector<std::vector<CoarseStructure::Share>>& shares,
                               const Rows& coarse) {
  CoarseSourceLists out;
  out.start.assign(size_t(coarse.entries()) + 1, 0);
  const auto each = [&](const auto& visit) {
    for (size_t row = 0; row < shares.size(); ++row) {
      size_t next = 0;
      std::vector<Rows::HostEntry> entries = coarse.entries_of(int(row));
      std::sort(entries.begin(), entries.end(),
                [](const auto& a, const auto& b) { return a.neighbor < b.neighbor; });
      for (const Rows::HostEntry& e : entries)
        for (; next < shares[row].size() && shares[row][next].column == e.neighbor; ++next)
          visit(e.number, shares[row][next].source);
    }
  };
  each([&](int entry, const CoarseSource&) { ++out.start[entry + 1]; });
  for (size_t o = 1; o < out.start.size(); ++o) out.start[o] += out.start[o - 1];
  out.from.resize(size_t(out.start.back()));
  out.weight.resize(out.from.size());
  std::vector<int> next = out.start;
  each([&](int entry, const CoarseSource& s) {
    const size_t at = size_t(next[entry]++);
    out.from[at] = s.from;
    out.weight[at] = s.weight;
  });
  return out;
}

}  // namespace weft

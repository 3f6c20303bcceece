// Lines of one family in panel A are where
//
//   f_A(r) - p_A  is whole,   f(r) = d x r / spacing,   d the direction, p the panel's shift
//
// A line of A goes on as one of B at the points r_A(t), r_B(t) of a seam where both f_A - p_A and f_B - p_B
// are whole. With
//
//   z = sum over points of the seam  w exp(2 pi i (f_A(r_A) - s f_B(r_B)))
//
//   w: length of the seam, m;  s = 1 or -1
//
// lines meet all along the seam if |z| = sum w and exp(-2 pi i (p_A - s p_B)) z > 0. So the shifts are those
// with the most
//
//   sum over seams  max over which family meets which  Re(exp(-2 pi i (p_A - s p_B)) z)
//
// with the s of the larger |z| for each seam.
//
// A seam whose two outlines do not correspond, such as an armhole's, has a small |z| whatever the shifts, and
// little say.
#include "sim/wrinkles/meeting_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>

#include "sim/grid/rasterize.h"
#include "sim/mesh/sides.h"

namespace weft::wrinkles {
namespace {

using std::complex;

// Of equally good options to meet, lines go on rather than are mirrored: those count 1 + kOnward times.
constexpr double kOnward = 1e-3;
constexpr int kCoarse = 48, kFine = 16;  // steps of the search over shifts: of a spacing, and of such a step
constexpr int kSweeps = 8;  // over all panels after the first; garments of 30 panels stand still after 3 to 5
constexpr double kGain =
    1e-4;  // share of the sum that moving a panel must gain: rounding to the search's steps is less
constexpr double kPerSpacing = 8;  // points of a seam over the distance of two lines

/// A part of a seam: the same stretch of the outlines of two panels, or of one.
struct SeamEdge {
  int panel[2];
  dvec2 from[2], to[2];
  dvec2 inwards[2];  // towards the panel's inside
  ivec2 vertex;      // of the coarse mesh
};

double cross(const dvec2& a, const dvec2& b) { return a.x * b.y - a.y * b.x; }

/// Seams of a mesh: edges with different material points on both sides, in chains between the same panels.
std::vector<std::vector<SeamEdge>> seams_of(const grid::MaterialMesh& mesh,
                                            const std::vector<int>& panel_of) {
  struct Use {
    int triangle, first, second;  // places in the triangle of the edge's lower and higher vertex
  };
  std::map<Edge, std::vector<Use>> uses;
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, a = mesh.triangles[t][k], b = mesh.triangles[t][l];
      uses[edge_of(a, b)].push_back({int(t), a < b ? k : l, a < b ? l : k});
    }
  std::map<std::array<int, 2>, std::vector<SeamEdge>> between;
  for (const auto& [edge, both] : uses) {
    if (both.size() != 2) continue;
    SeamEdge e{};
    e.vertex = {edge.first, edge.second};
    bool same = true;
    for (int side = 0; side < 2; ++side) {
      const Use& u = both[side];
      const ivec3 c = mesh.corners[u.triangle];
      const dvec2 from = mesh.point[c[u.first]], to = mesh.point[c[u.second]],
                  third = mesh.point[c[3 - u.first - u.second]];
      const dvec2 edge = to - from;
      const dvec2 left(-edge.y, edge.x);
      e.panel[side] = panel_of[u.triangle], e.from[side] = from, e.to[side] = to;
      e.inwards[side] = cross(edge, third - from) > 0 ? left : -left;
      same = same && c[u.first] == mesh.corners[both[0].triangle][both[0].first] &&
             c[u.second] == mesh.corners[both[0].triangle][both[0].second];
    }
    if (same) continue;
    if (e.panel[0] > e.panel[1])
      std::swap(e.panel[0], e.panel[1]), std::swap(e.from[0], e.from[1]), std::swap(e.to[0], e.to[1]),
          std::swap(e.inwards[0], e.inwards[1]);
    between[{e.panel[0], e.panel[1]}].push_back(e);
  }
  std::vector<std::vector<SeamEdge>> out;
  for (const auto& [panels, edges] : between) {
    std::map<int, int> root;
    const auto find = [&](int v) {
      while (root.try_emplace(v, v).first->second != v) v = root[v];
      return v;
    };
    for (const SeamEdge& e : edges) root[find(e.vertex.y)] = find(e.vertex.x);
    std::map<int, std::vector<SeamEdge>> chains;
    for (const SeamEdge& e : edges) chains[find(e.vertex.x)].push_back(e);
    for (auto& [first, chain] : chains) out.push_back(std::move(chain));
  }
  return out;
}

/// One option in which lines of a family of A are those of a family of B.
struct Meeting {
  int family[2];
  int sign;
  complex<double> z;
};
struct SeamLines {
  int panel[2];
  std::vector<std::vector<Meeting>> options;  // of each one is taken: a meeting for each family
};

/// Whether a family has lines there.
bool drawn(const GatherRow& row, const dvec2& r) {
  return r.x >= double(row.least.x) && r.y >= double(row.least.y) && r.x <= double(row.most.x) &&
         r.y <= double(row.most.y);
}

Meeting meeting(const std::vector<SeamEdge>& seam, const std::vector<dvec2>& along, const GatherRow& row,
                int a, int b) {
  const double spacing = double(row.spacing);
  Meeting best{{a, b}, 1, 0};
  double most = -1;
  for (const int sign : {1, -1}) {
    complex<double> z = 0;
    double onward = 0;
    for (const SeamEdge& e : seam) {
      const double length = 0.5 * (glm::length(e.to[0] - e.from[0]) + glm::length(e.to[1] - e.from[1]));
      const int points = std::max(1, int(std::ceil(kPerSpacing * length / spacing)));
      for (int k = 0; k < points; ++k) {
        const double t = (k + 0.5) / points;
        const dvec2 ra = glm::mix(e.from[0], e.to[0], t), rb = glm::mix(e.from[1], e.to[1], t);
        if (!drawn(row, ra) || !drawn(row, rb)) continue;  // a line that ends there meets none
        const double fa = cross(along[a], ra) / spacing, fb = cross(along[b], rb) / spacing;
        z += std::polar(length / points, 2 * double(kPi) * (fa - sign * fb));
      }
      // Lines go on if f rises on the path into B as it does on the path out of A; else B mirrors A.
      onward -= sign * cross(along[a], e.inwards[0]) * cross(along[b], e.inwards[1]);
    }
    if (onward > 0) z *= 1 + kOnward;
    if (std::abs(z) > most) most = std::abs(z), best.sign = sign, best.z = z;
  }
  return best;
}

class Search {
 public:
  Search(const GatherRow& row, const std::vector<std::vector<SeamEdge>>& seams, int panels)
      : families_(row.kind == GatherRow::diamonds ? 2 : 1),
        shift_(size_t(panels), dvec2(0)),
        of_panel_(size_t(panels)) {
    std::vector<dvec2> along{dvec2(row.direction)};
    if (families_ == 2) along.push_back(dvec2(row.second));
    for (const std::vector<SeamEdge>& seam : seams) {
      SeamLines lines{{seam[0].panel[0], seam[0].panel[1]}, {}};
      const auto meet = [&](int a, int b) { return meeting(seam, along, row, a, b); };
      if (families_ == 1) lines.options = {{meet(0, 0)}};
      else lines.options = {{meet(0, 0), meet(1, 1)}, {meet(0, 1), meet(1, 0)}};
      of_panel_[lines.panel[0]].push_back(int(lines_.size()));
      if (lines.panel[1] != lines.panel[0]) of_panel_[lines.panel[1]].push_back(int(lines_.size()));
      lines_.push_back(std::move(lines));
    }
  }

  std::vector<dvec2> run() {
    std::vector<char> placed(shift_.size(), 0);
    for (size_t count = 0; count < shift_.size(); ++count) {
      const int next = strongest(placed);
      placed[next] = 1;
      place(next, placed);
    }
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      for (size_t p = 0; p < shift_.size(); ++p) place(int(p), placed);
    return shift_;
  }

 private:
  double strength(const SeamLines& lines) const {
    double most = 0;
    for (const std::vector<Meeting>& option : lines.options) {
      double sum = 0;
      for (const Meeting& m : option) sum += std::abs(m.z);
      most = std::max(most, sum);
    }
    return most;
  }
  /// The panel with the most in common with those that have their place; the first at the start.
  int strongest(const std::vector<char>& placed) const {
    int best = -1;
    double most = -1;
    for (size_t p = 0; p < placed.size(); ++p) {
      if (placed[p]) continue;
      double sum = 0;
      for (const int l : of_panel_[p]) {
        const int other = lines_[l].panel[0] + lines_[l].panel[1] - int(p);
        if (placed[other]) sum += strength(lines_[l]);
      }
      if (sum > most) most = sum, best = int(p);
    }
    return best;
  }
  /// How well lines meet at the seams of a panel with others that have their place, m.
  double met(int panel, const dvec2& shift, const std::vector<char>& placed) {
    shift_[panel] = shift;
    double sum = 0;
    for (const int l : of_panel_[panel]) {
      const SeamLines& lines = lines_[l];
      if (!placed[lines.panel[0]] || !placed[lines.panel[1]]) continue;
      double most = -1e300;
      for (const std::vector<Meeting>& option : lines.options) {
        double of_option = 0;
        for (const Meeting& m : option) {
          const double turn =
              shift_[lines.panel[0]][m.family[0]] - m.sign * shift_[lines.panel[1]][m.family[1]];
          of_option += std::real(std::polar(1.0, -2 * double(kPi) * turn) * m.z);
        }
        most = std::max(most, of_option);
      }
      sum += most;
    }
    return sum;
  }
  void place(int panel, const std::vector<char>& placed) {
    const dvec2 before = shift_[panel];
    dvec2 best = before;
    double most = met(panel, before, placed);
    const double at_first = most;
    const auto search = [&](const dvec2& middle, double step, int reach) {
      for (int j = families_ == 2 ? -reach : 0; j <= (families_ == 2 ? reach : 0); ++j)
        for (int i = -reach; i <= reach; ++i) {
          const dvec2 at = middle + step * dvec2(i, j);
          if (const double m = met(panel, at, placed); m > most) most = m, best = at;
        }
    };
    search(before, 1.0 / kCoarse, kCoarse / 2);
    search(best, 1.0 / (kCoarse * kFine), kFine);
    // A panel stays where nothing is gained but rounding to the steps of the search.
    shift_[panel] = most - at_first > kGain * std::abs(most) ? best : before;
  }

  int families_;
  std::vector<dvec2> shift_;  // per panel
  std::vector<std::vector<int>> of_panel_;
  std::vector<SeamLines> lines_;
};

}  // namespace

std::vector<vec2> meeting_lines(const std::vector<GatherRow>& rows, const grid::MaterialMesh& mesh) {
  if (std::none_of(rows.begin(), rows.end(), [](const GatherRow& r) { return r.meet != 0; })) return {};
  int panels = 0;
  const std::vector<int> panel_of = grid::panels_of(mesh, panels);
  const std::vector<std::vector<SeamEdge>> seams = seams_of(mesh, panel_of);
  std::vector<vec2> out(size_t(panels) * rows.size(), vec2(0));
  for (size_t g = 0; g < rows.size(); ++g) {
    if (!rows[g].meet || seams.empty()) continue;
    const std::vector<dvec2> shift = Search(rows[g], seams, panels).run();
    for (size_t p = 0; p < shift.size(); ++p)
      out[p * rows.size() + g] = vec2(shift[p] - glm::floor(shift[p]));
  }
  return out;
}

}  // namespace weft::wrinkles

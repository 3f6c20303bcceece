// Elements of one energy (sim/energies/element.h) in device memory, in slices of 16 for lanes.h.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "sim/base/span.h"
#include "sim/device/buffer.h"
#include "sim/device/lanes.h"

namespace weft {

/// Elements as the host writes them down. `points`: vertices. One entry of each list per element.
template <class E>
struct ElementList {
  std::vector<std::array<int, E::kPoints>> points;
  std::vector<typename E::template Rest<float>> rest;
  std::vector<typename E::template Material<float>> material;
};

/// Number c of element e lies at interleaved(e, c, numbers per element); lists are padded to whole slices.
template <class E>
struct ElementView {
  int count = 0;
  Span<const int> point;
  Span<const float> rest, material;
};

/// Where what each vertex gets of its elements lies: entries [start[v], start[v + 1]) of `slot` are
/// interleaved(element, point, kPoints), in the order of elements.
struct IncidenceView {
  Span<const int> start, slot;
};

/// Owner of the memory behind ElementView and IncidenceView.
template <class E>
class ElementSet {
 public:
  using Rest = typename E::template Rest<float>;
  using Material = typename E::template Material<float>;

  ElementSet() = default;
  /// `vertices`: of the whole model.
  ElementSet(Device& device, const ElementList<E>& list, int vertices)
      : count_(int(list.points.size())),
        points_(list.points),
        point_(device, "element points", lanes_of<int>(list.points)),
        rest_(device, "element rest shapes", lanes_of<float>(list.rest)),
        material_(device, "element materials", lanes_of<float>(list.material)) {
    std::vector<int> start(size_t(vertices) + 1, 0), slot(list.points.size() * E::kPoints);
    for (const auto& points : list.points)
      for (const int v : points) ++start[v + 1];
    for (size_t v = 0; v < size_t(vertices); ++v) start[v + 1] += start[v];
    std::vector<int> next = start;
    for (int e = 0; e < count_; ++e)
      for (int p = 0; p < E::kPoints; ++p) slot[next[points_[e][p]]++] = interleaved(e, p, E::kPoints);
    start_ = Buffer<int>(device, "element incidence", start);
    slot_ = Buffer<int>(device, "element incidence", slot);
  }

  int count() const { return count_; }
  bool empty() const { return count_ == 0; }
  /// Vertices of each element.
  const std::vector<std::array<int, E::kPoints>>& points() const { return points_; }
  void set_material(const std::vector<Material>& material) { material_.upload(lanes_of<float>(material)); }
  ElementView<E> view() const { return {count_, point_.span(), rest_.span(), material_.span()}; }
  /// To be changed by kernels, as ElementView has it.
  Span<float> rest() { return rest_.span(); }
  Span<float> material() { return material_.span(); }
  IncidenceView incidence() const { return {start_.span(), slot_.span()}; }

 private:
  /// The numbers of structs of nothing but numbers, interleaved; the last slice is filled up with the last
  /// element.
  template <class Number, class Data>
  static std::vector<Number> lanes_of(const std::vector<Data>& list) {
    constexpr int n = int(sizeof(Data) / sizeof(Number));
    static_assert(sizeof(Data) == n * sizeof(Number));
    std::vector<Number> out(size_t(n) * size_t(padded_rows(int(list.size()))));
    for (size_t e = 0; e < out.size() / size_t(n); ++e) {
      Number number[n];
      std::memcpy(number, &list[std::min(e, list.size() - 1)], sizeof number);
      for (int c = 0; c < n; ++c) out[interleaved(int(e), c, n)] = number[c];
    }
    return out;
  }

  int count_ = 0;
  std::vector<std::array<int, E::kPoints>> points_;
  Buffer<int> point_;
  Buffer<float> rest_, material_;
  Buffer<int> start_, slot_;
};

}  // namespace weft

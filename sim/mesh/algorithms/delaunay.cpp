#include "sim/mesh/algorithms/delaunay.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "sim/base/error.h"

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

namespace weft {
namespace {

/// Qhull's working memory, freed in all cases.
class QhullRun {
 public:
  explicit QhullRun(std::vector<dvec2> points) : points_(std::move(points)), discarded_(std::tmpfile()) {
    qh_zero(&qh_, discarded_ ? discarded_ : stderr);
    char command[] = "qhull d Qbb Qt Q12";  // Delaunay, scaled lift, triangulated
    code_ = qh_new_qhull(&qh_, 2, int(points_.size()), &points_[0].x, 0, command, nullptr,
                         discarded_ ? discarded_ : stderr);
  }
  ~QhullRun() {
    qh_freeqhull(&qh_, !qh_ALL);
    int current = 0, total = 0;
    qh_memfreeshort(&qh_, &current, &total);
    if (discarded_) std::fclose(discarded_);
  }
  QhullRun(const QhullRun&) = delete;

  bool failed() const { return code_ != 0; }

  std::vector<ivec3> lower_facets() {
    std::vector<ivec3> triangles;
    for (facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
      if (facet->upperdelaunay) continue;
      ivec3 triangle;  // Qt leaves no facet with more than three vertices
      for (int k = 0; k < 3; ++k)
        triangle[k] = qh_pointid(&qh_, static_cast<vertexT*>(facet->vertices->e[k].p)->point);
      triangles.push_back(triangle);
    }
    return triangles;
  }

 private:
  std::vector<dvec2> points_;
  std::FILE* discarded_;  // Qhull's long error messages are discarded for a short one
  qhT qh_;
  int code_;
};

/// Smallest index first, counter-clockwise.
ivec3 canonical(ivec3 t, double signed_area) {
  if (signed_area < 0) std::swap(t.y, t.z);
  while (t.x > t.y || t.x > t.z) t = {t.y, t.z, t.x};
  return t;
}

}  // namespace

std::vector<ivec3> delaunay(const std::vector<dvec2>& points) {
  const char* failure = "the points span no area";
  if (points.size() < 3) throw Error(failure, "triangulation");
  QhullRun run(points);
  if (run.failed()) throw Error(failure, "triangulation");
  std::vector<ivec3> triangles;
  for (const ivec3& t : run.lower_facets()) {
    const dvec2 a = points[t.y] - points[t.x], b = points[t.z] - points[t.x];
    const double area = a.x * b.y - a.y * b.x;
    if (std::abs(area) > 1e-9 * std::max(glm::dot(a, a), glm::dot(b, b)))
      triangles.push_back(canonical(t, area));
  }
  std::sort(triangles.begin(), triangles.end(),
            [](const ivec3& s, const ivec3& t) { return std::tie(s.x, s.y, s.z) < std::tie(t.x, t.y, t.z); });
  return triangles;
}

}  // namespace weft

#include "sim/mannequin/body_mesh.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "sim/mesh/sides.h"
#include "sim/mesh/uniform/make_uniform.h"

namespace weft {
namespace {

/// Values of the field on a grid: exact near the surface, a bound of the right sign elsewhere.
class Lattice {
 public:
  Lattice(const BodyField& field, double cell) : cell_(cell) {
    const Skeleton& s = field.skeleton();
    dvec3 low(-0.25, -0.03, -0.2), high(0.25, s.head[kHead].y, 0.24);
    low *= s.scale, high *= s.scale;
    for (const vec3& p : s.tail)
      low = glm::min(low, dvec3(p) - 0.1 * double(s.scale)),
      high = glm::max(high, dvec3(p) + 0.1 * double(s.scale));
    // the middle lies between two nodes, so that no node is on the plane of symmetry
    low.x = -(std::ceil(-low.x / cell) + 0.5) * cell;
    origin_ = low;
    for (int k = 0; k < 3; ++k)
      size_[k] = (int(std::ceil((high[k] - low[k]) / cell)) + kBlock) / kBlock * kBlock + 1;
    values_.assign(size_t(size_.x) * size_.y * size_.z, 1);
    const ivec3 blocks = (size_ + kBlock - 1) / kBlock;
    tbb::parallel_for(0, blocks.x * blocks.y * blocks.z, [&](int b) {
      fill(field, ivec3(b % blocks.x, b / blocks.x % blocks.y, b / (blocks.x * blocks.y)) * kBlock);
    });
  }
  const ivec3& size() const { return size_; }
  size_t index(const ivec3& at) const {
    return size_t(at.x) + size_t(size_.x) * (size_t(at.y) + size_t(size_.y) * size_t(at.z));
  }
  double value(size_t index) const { return values_[index]; }
  dvec3 point(size_t i) const {
    return origin_ + cell_ * dvec3(double(i % size_t(size_.x)), double(i / size_t(size_.x) % size_t(size_.y)),
                                   double(i / size_t(size_.x) / size_t(size_.y)));
  }

 private:
  static constexpr int kBlock = 4;
  void fill(const BodyField& field, const ivec3& first) {
    const ivec3 last = glm::min(first + kBlock, size_);
    const double radius = 0.5 * std::sqrt(3.0) * kBlock * cell_;
    const double middle = field.distance(origin_ + cell_ * (dvec3(first) + 0.5 * kBlock));
    const bool far = std::abs(middle) > 2.5 * radius + 0.02;  // flattened primitives understate distances
    for (int z = first.z; z < last.z; ++z)
      for (int y = first.y; y < last.y; ++y)
        for (int x = first.x; x < last.x; ++x) {
          const size_t i = index({x, y, z});
          const double d = far ? middle : field.distance(point(i));
          values_[i] =
              std::abs(d) < 1e-3 * cell_ ? (d < 0 ? -1e-3 : 1e-3) * cell_ : d;  // no needles beside nodes
        }
  }
  double cell_;
  dvec3 origin_{0};
  ivec3 size_{0};
  std::vector<double> values_;
};

/// The six tetrahedra around the diagonal of a cube (Kuhn), by corner numbers x + 2 y + 4 z; all positive.
constexpr int kTetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                   {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

class Marcher {
 public:
  Marcher(const Lattice& lattice, TriMesh& mesh) : lattice_(lattice), mesh_(mesh) {}
  void tetrahedron(const size_t* node) {
    int inside[4], outside[4], in = 0, out = 0;
    for (int k = 0; k < 4; ++k) (lattice_.value(node[k]) < 0 ? inside[in++] : outside[out++]) = k;
    const auto at = [&](int a, int b) { return crossing(node[a], node[b]); };
    if (in == 1)
      add({at(inside[0], outside[0]), at(inside[0], outside[1]), at(inside[0], outside[2])}, node[inside[0]]);
    if (in == 3)
      add({at(inside[0], outside[0]), at(inside[1], outside[0]), at(inside[2], outside[0])}, node[inside[0]]);
    if (in != 2) return;
    const int a = at(inside[0], outside[0]), b = at(inside[0], outside[1]), c = at(inside[1], outside[1]),
              d = at(inside[1], outside[0]);
    add({a, b, c}, node[inside[0]]);
    add({a, c, d}, node[inside[0]]);
  }

 private:
  int crossing(size_t a, size_t b) {
    const auto [entry, fresh] = vertices_.try_emplace(std::minmax(a, b), mesh_.vertex_count());
    if (fresh) {
      const double va = lattice_.value(a), vb = lattice_.value(b);
      mesh_.positions.push_back(vec3(glm::mix(lattice_.point(a), lattice_.point(b), va / (va - vb))));
    }
    return entry->second;
  }
  /// `inside`: a node behind the triangle.
  void add(ivec3 t, size_t inside) {
    const dvec3 a(mesh_.positions[t.x]), b(mesh_.positions[t.y]), c(mesh_.positions[t.z]);
    if (glm::dot(glm::cross(b - a, c - a), lattice_.point(inside) - a) > 0) std::swap(t.y, t.z);
    mesh_.triangles.push_back(t);
  }
  const Lattice& lattice_;
  TriMesh& mesh_;
  std::map<std::pair<size_t, size_t>, int> vertices_;
};

/// Moves vertices along the gradient onto the zero set.
void project(const BodyField& field, std::vector<vec3>& positions) {
  tbb::parallel_for(size_t(0), positions.size(), [&](size_t v) {
    dvec3 p(positions[v]);
    for (int k = 0; k < 6; ++k) {
      const dvec3 g = field.gradient(p);
      p -= g * (field.distance(p) / std::max(glm::dot(g, g), 0.05));
    }
    positions[v] = vec3(p);
  });
}

/// How much a place takes over from its neighbours in a pass: torso, hips and shoulders bend over a longer
/// way than hands and feet.
float softness(const BoneShares& shares) {
  float soft = 0;
  for (const int b :
       {kPelvis, kSpine, kChest, kClavicleL, kClavicleR, kUpperArmL, kUpperArmR, kThighL, kThighR})
    soft += shares[b];
  return 0.2f + 0.3f * soft;
}

/// Values spread along the surface: diffusion over `width` (m, standard deviation; less at slim parts), in
/// passes that take the mean with the neighbours.
void spread(const TriMesh& mesh, std::vector<BoneShares>& shares, float width, float edge) {
  std::vector<std::vector<int>> neighbours(size_t(mesh.vertex_count()));
  for (const ivec3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) neighbours[t[k]].push_back(t[(k + 1) % 3]);  // closed: each neighbour once
  // a pass with half of the weight on neighbours adds edge^2 / 4 of variance per direction
  const int passes = std::max(1, int(std::lround(4 * width * width / (edge * edge))));
  std::vector<BoneShares> next(shares.size());
  std::vector<float> soft;
  for (const BoneShares& s : shares) soft.push_back(softness(s));
  for (int pass = 0; pass < passes; ++pass) {
    tbb::parallel_for(size_t(0), shares.size(), [&](size_t v) {
      BoneShares sum{};
      for (const int n : neighbours[v])
        for (size_t b = 0; b < sum.size(); ++b) sum[b] += shares[n][b];
      for (size_t b = 0; b < sum.size(); ++b)
        next[v][b] = glm::mix(shares[v][b], sum[b] / float(neighbours[v].size()), soft[v]);
    });
    shares.swap(next);
  }
}

SkinWeights four_largest(const BoneShares& shares) {
  std::array<int, kBodyBones> order;
  for (int b = 0; b < kBodyBones; ++b) order[b] = b;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return shares[a] > shares[b]; });
  SkinWeights out;
  float sum = 0;
  for (size_t k = 0; k < 4; ++k) {
    const float share = shares[order[k]];
    out.bone[k] = order[k], out.share[k] = share < 1e-3f ? 0 : share;
    sum += out.share[k];
  }
  for (float& s : out.share) s /= sum;
  return out;
}

std::shared_ptr<const BodyMesh> build(const MannequinParams& params) {
  const BodyField field(params);
  auto body = std::make_shared<BodyMesh>();
  body->skeleton = field.skeleton();
  body->heights = field.heights();
  UniformOptions options;
  options.edge = double(params.edge);
  options.enough = kUniformEnough;
  options.where = "mannequin";
  body->mesh = made_uniform(
      marching_tetrahedra(field, std::min(0.7 * double(params.edge), 0.012 * double(body->skeleton.scale))),
      options);
  project(field, body->mesh.positions);
  std::vector<BoneShares> shares(body->mesh.positions.size());
  tbb::parallel_for(size_t(0), shares.size(),
                    [&](size_t v) { shares[v] = field.shares(dvec3(body->mesh.positions[v])); });
  spread(body->mesh, shares, 0.042f * body->skeleton.scale, params.edge);
  for (const BoneShares& s : shares) body->weights.push_back(four_largest(s));
  return body;
}

}  // namespace

TriMesh marching_tetrahedra(const BodyField& field, double cell) {
  const Lattice lattice(field, cell);
  TriMesh mesh;
  Marcher marcher(lattice, mesh);
  const ivec3 size = lattice.size();
  for (int z = 0; z + 1 < size.z; ++z)
    for (int y = 0; y + 1 < size.y; ++y)
      for (int x = 0; x + 1 < size.x; ++x) {
        size_t corner[8];
        int inside = 0;
        for (int k = 0; k < 8; ++k) {
          corner[k] = lattice.index({x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)});
          inside += lattice.value(corner[k]) < 0;
        }
        if (inside == 0 || inside == 8) continue;
        for (const auto& t : kTetrahedra) {
          const size_t node[4] = {corner[t[0]], corner[t[1]], corner[t[2]], corner[t[3]]};
          marcher.tetrahedron(node);
        }
      }
  return mesh;
}

std::shared_ptr<const BodyMesh> make_body_mesh(const MannequinParams& given) {
  MannequinParams params = given;  // the motion makes no difference
  const MannequinParams standard;
  params.lead_in = standard.lead_in, params.blend = standard.blend, params.speed = standard.speed;
  static std::mutex mutex;
  static MannequinParams last;
  static std::shared_ptr<const BodyMesh> body;
  const std::lock_guard lock(mutex);
  if (!body || !(last == params)) body = build(params), last = params;
  return body;
}

double mesh_girth(const TriMesh& mesh, double height) {
  // segments of the cut, joined where they share an edge of the mesh
  std::map<Edge, std::vector<Edge>> next;
  std::map<Edge, dvec2> at;
  for (const ivec3& t : mesh.triangles) {
    std::vector<Edge> cut;
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      const dvec3 p(mesh.positions[a]), q(mesh.positions[b]);
      if ((p.y < height) == (q.y < height)) continue;
      const Edge edge = edge_of(a, b);
      const dvec3 x = glm::mix(p, q, (height - p.y) / (q.y - p.y));
      at[edge] = {x.x, x.z};
      cut.push_back(edge);
    }
    if (cut.size() == 2) next[cut[0]].push_back(cut[1]), next[cut[1]].push_back(cut[0]);
  }
  double best = 0;
  while (!next.empty()) {
    std::vector<Edge> open{next.begin()->first};
    std::vector<dvec2> loop;
    dvec2 low(1e9), high(-1e9);
    while (!open.empty()) {
      const auto edge = open.back();
      open.pop_back();
      const auto found = next.find(edge);
      if (found == next.end()) continue;
      loop.push_back(at[edge]);
      low = glm::min(low, loop.back()), high = glm::max(high, loop.back());
      open.insert(open.end(), found->second.begin(), found->second.end());
      next.erase(found);
    }
    if (low.x < 0 && high.x > 0) best = std::max(best, hull_length(loop));
  }
  return best;
}

}  // namespace weft

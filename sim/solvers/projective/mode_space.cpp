#include "sim/solvers/projective/mode_space.h"

#include <algorithm>

#include "sim/solvers/projective/projective_params.h"

namespace weft {
namespace {

constexpr int64_t kModeBytes = int64_t(256) << 20;  // of memory for modes

/// Modes are none of rigid bodies, which have six motions of their own.
void hold_bodies(const Topology& model, std::vector<int>& pinned) {
  for (const ModelPart& part : model.parts)
    if (part.rigid_volume > 0) std::fill_n(pinned.begin() + part.first_vertex, part.vertex_count, 1);
}

}  // namespace

int mode_stride(int rows) { return (rows + projective::kSums - 1) / projective::kSums * projective::kSums; }

ModeSpace::ModeSpace(Device& device, const LevelMesh& mesh, int rows)
    : device_(device), mesh_modes_(mesh), rows_(rows) {}

void ModeSpace::prepare(const StepContext& c, const Couplings& couplings) {
  const ProjectiveParams& params = c.scene.of<ProjectiveParams>();
  const int64_t affordable = kModeBytes / int64_t(sizeof(float)) / stride();
  const int count = int(std::min<int64_t>({params.modes, rows_ / 4, affordable})),
            reused = std::min(params.reused_modes, count);
  const bool other_size = count != count_ || reused != reused_;
  if (other_size) allocate(count, reused);
  allocate_products(c);
  if (count == 0) return;
  std::vector<int> pinned = c.kinematic.download();
  hold_bodies(c.model.host, pinned);
  if (other_size || pinned != pinned_) {
    on_host_ = mesh_modes_.find(pinned, count);
    std::vector<float> u(size_t(count) * size_t(stride()), 0.0f);
    for (size_t a = 0; a < on_host_.size(); ++a)
      std::copy(on_host_[a].begin(), on_host_[a].end(), u.begin() + int64_t(a) * stride());
    u_.upload(u);
    store_products();
    pinned_ = std::move(pinned);
    matrices_are_old_ = true;
  }
  if (matrices_are_old_) matrices_ = reduce(on_host_, couplings, c.model.host_mass);
  if (!matrices_are_old_ && free_matrix_h_ == c.dt) return;
  const FreeMatrix free = weft::free_matrix(matrices_, count, 1.0 / (double(c.dt) * double(c.dt)));
  free_matrix_.upload(free.matrix);
  free_inverse_.upload(free.inverse);
  matrices_are_old_ = false;
  free_matrix_h_ = c.dt;
}

void ModeSpace::allocate(int count, int reused) {
  count_ = reused_ = -1;  // until all is there
  u_ = Buffer<float>(device_, "modes", buffer_size(int64_t(count) * stride(), "modes"));
  for (Buffer<float>* b : {&free_matrix_, &free_inverse_})
    *b = Buffer<float>(device_, "reduced matrix", count * count);
  std::vector<projective::Pair> pairs;
  for (int a = 0; a < reused; ++a)
    for (int b = a; b < reused; ++b) pairs.push_back({a, b});
  pairs_ = Buffer<projective::Pair>(device_, "mode pairs", pairs);
  product_ = {};
  count_ = count, reused_ = reused;
}

void ModeSpace::allocate_products(const StepContext& c) {
  const int64_t products = int64_t(pairs_.size()) * stride();
  const bool stored = c.scene.of<ProjectiveParams>().products == int(ModeProducts::stored) && products > 0;
  if (stored == (product_.size() > 0)) return;
  product_ = stored ? Buffer<float>(device_, "mode products", buffer_size(products, "products of modes"))
                    : Buffer<float>{};
  if (!pinned_.empty() || !on_host_.empty()) store_products();
}

void ModeSpace::store_products() {
  if (product_.size() > 0)
    launch(device_, "mode products", product_.size(),
           projective::StoreProducts{u_, pairs_, stride(), product_});
}

}  // namespace weft

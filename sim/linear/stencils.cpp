#include "sim/linear/stencils.h"

#include "sim/device/primitives.h"
#include "sim/linear/stencil_kernels.h"

namespace weft {

void Stencils::reserve(int capacity) {
  if (capacity == list_.size()) return;
  if (capacity == 0) return release();
  list_ = Buffer<ContactStencil>(device_, "contact stencils", capacity);
  count_ = Buffer<int>(device_, "contact stencil count", 1);
  start_ = Buffer<int>(device_, "contact stencil rows", vertices_ + 1);
  entry_ = Buffer<int>(device_, "contact stencil entries", 4 * capacity);
  key_ = Buffer<uint32_t>(device_, "contact stencil keys", 4 * capacity);
}

void Stencils::release() noexcept {
  list_ = {};
  count_ = {};
  start_ = {};
  entry_ = {};
  key_ = {};
  merit_ = nullptr;
}

void Stencils::clear() {
  if (list_.empty()) return;
  count_.clear();
  start_.clear();
}

void Stencils::link() {
  if (list_.empty()) return;
  launch(device_, "stencil rows", key_.size(),
         stencils::Keys{list_, count_, uint32_t(vertices_), key_, entry_});
  sort_pairs(device_, key_, entry_);
  launch(device_, "stencil rows", vertices_ + 1, stencils::Starts{key_, start_});
}

}  // namespace weft

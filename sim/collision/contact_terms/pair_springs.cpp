#include "sim/collision/contact_terms/pair_springs.h"

#include "sim/methods/dynamics_solver.h"

namespace weft {
namespace {

constexpr int kFewStencils = 1024;  // initial capacity, pairs in contact

}  // namespace

PairSprings::PairSprings(StepContext& c, TriangleSearch& search, const char* name)
    : device_(c.device),
      stencils_(c.stencils),
      search_(search),
      name_(name),
      list_(c.lists, "contact stencils", [this](int n) {
        if (coupled_) stencils_.reserve(n);
        ++moves_;
      }) {
  list_.reserve(kFewStencils);
}

PairSprings::~PairSprings() {
  stencils_.set_merit(nullptr);
  stencils_.release();
}

void PairSprings::prepare(StepContext& c, bool any, ContactMerit* merit) {
  coupled_ = any && c.solver.stencils;
  const std::array<PairList, 2> lists = pairs();
  const int all = lists[0].capacity() + lists[1].capacity();
  if (any && (coupled_ || merit) && flags_.size() != all) {
    for (auto* b : {&flags_, &index_}) *b = Buffer<int>(device_, name_, all);
    if (count_.empty()) count_ = Buffer<int>(device_, name_, 1);
    ++moves_;
  }
  const int room = coupled_ ? list_.room() : 0;
  if (room != stencils_.capacity()) stencils_.reserve(room), ++moves_;
  stencils_.set_merit(coupled_ ? merit : nullptr);
}

}  // namespace weft

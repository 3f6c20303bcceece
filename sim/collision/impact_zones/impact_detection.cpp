#include "sim/collision/impact_zones/impact_detection.h"

#include "sim/device/primitives.h"

namespace weft {
using namespace impact_zones;

ImpactDetection::ImpactDetection(GrowingLists& lists, const ContactSurface& surface,
                                 std::function<void(int)> make_room)
    : device_(lists.device()),
      surface_(surface),
      make_room_(std::move(make_room)),
      found_(device_, "impact count", 1),
      list_(lists, "impacts", [this](int impacts) {
        impact_ = {};  // its size is the list's length
        make_room_(impacts);
        impact_ = Buffer<Impact>(device_, "impacts", impacts);
        ++moves_;
      }) {}

void ImpactDetection::prepare(const SweptSearch& search) {
  const int rows = buffer_size(int64_t(search.vertex_triangle().capacity()) + search.edge_edge().capacity() +
                                   int64_t(surface_.planes().size) * surface_.cloth_points(),
                               "pairs that may impact");
  if (rows == flags_.size()) return;
  for (auto* b : {&flags_, &index_}) *b = Buffer<int>(device_, "impact flags", rows);
  ++moves_;
}

void ImpactDetection::append(const SweptSearch& search, const Paths& p, Span<Progress> progress) {
  const PairList vt = search.vertex_triangle(), ee = search.edge_edge();
  const int cloth = surface_.cloth_points(), planes = surface_.planes().size * cloth;
  int* const flags = flags_.span().data;
  flags_.clear();
  for (const bool edges : {false, true}) {
    const PairList& pairs = edges ? ee : vt;
    launch_counted(device_, "time of impact", pairs.count, pairs.capacity(),
                   TestPairs{.pairs = pairs,
                             .edges = edges,
                             .x0 = p.x0,
                             .x1 = p.x1,
                             .gap = p.gap,
                             .flags = {flags + (edges ? vt.capacity() : 0), pairs.capacity()}});
  }
  launch(device_, "planes", planes,
         TestPlanes{.planes = surface_.planes(),
                    .x0 = p.x0,
                    .x1 = p.x1,
                    .inverse_mass = p.inverse_mass,
                    .cloth_points = cloth,
                    .gap = p.gap,
                    .flags = {flags + vt.capacity() + ee.capacity(), planes}});
  select(device_, flags_, index_, found_);
  launch(device_, "impacts", 1, BeginList{found_, room(), progress, list_.wanted()});
  launch_counted(device_, "impacts", found_, flags_.size(),
                 ListImpacts{.vertex_triangle = vt,
                             .edge_edge = ee,
                             .planes = surface_.planes(),
                             .index = index_,
                             .x0 = p.x0,
                             .x1 = p.x1,
                             .inverse_mass = p.inverse_mass,
                             .cloth_points = cloth,
                             .gap = p.gap,
                             .thickness = p.thickness,
                             .list = impact_,
                             .progress = progress});
}

}  // namespace weft

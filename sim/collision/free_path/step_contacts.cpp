#include "sim/collision/free_path/step_contacts.h"

#include <algorithm>

#include "sim/collision/free_path/find_contacts.h"
#include "sim/collision/surface/contact_pairs.h"
#include "sim/collision/surface/point_kernels.h"
#include "sim/device/primitives.h"

namespace weft {
using namespace two_way;

// in wide_contacts.cpp, so that these here are compiled as they would be without
extern template void StepContacts::find(const TriangleSearch&, const State&, const Rule&,
                                        const FreePathOptions&, const PartRadii&);

namespace {
constexpr int kFewContacts = 1024;  // initial capacity
}

StepContacts::StepContacts(GrowingLists& lists, const ContactSurface& surface)
    : device_(lists.device()),
      surface_(surface),
      directions_(device_, surface),
      claim_(device_, "contact points", surface.points()),
      found_(device_, "contact count", 1),
      count_(device_, "contact count", 1),
      list_(lists, "contacts", [this](int n) { give_room(n); }) {
  list_.reserve(std::max(kFewContacts, surface.cloth_points() / 4));
}

void StepContacts::give_room(int contacts) {
  contact_ = {};
  done_ = Buffer<int>(device_, "contacts", contacts);
  contact_ = Buffer<Contact>(device_, "contacts", contacts);
  ++moves_;
}

void StepContacts::prepare(int pairs, bool jacobi) {
  if (jacobi && sums_.empty())
    sums_ = Buffer<int64_t>(device_, "contact moves", 4 * surface_.points()), ++moves_;
  if (pairs == flags_.size()) return;
  for (auto* b : {&flags_, &index_}) *b = Buffer<int>(device_, "contact flags", pairs);
  ++moves_;
}

void StepContacts::find(const TriangleSearch& search, const State& s, const Rule& rule,
                        const FreePathOptions& options) {
  if (rule.parts.any()) find(search, s, rule, options, rule.parts);
  else find(search, s, rule, options, NoPartRadii{});
}

void StepContacts::visit_all(const State& s) {
  sums_.clear();
  launch(device_, "contacts, Jacobi", 1, BeginColors{count_, s.progress});
  launch_counted(device_, "contacts, Jacobi", count_, contact_.size(),
                 VisitAll{.contact = contact_,
                          .inverse_mass = s.inverse_mass,
                          .x = s.x,
                          .start = s.start,
                          .y = s.y,
                          .sums = sums_});
  launch(device_, "contacts, Jacobi", surface_.points(), AddMeans{sums_, s.y});
}

void StepContacts::visit_in_colors(const State& s) {
  launch(device_, "colours", 1, BeginColors{count_, s.progress});
  done_.clear();
  device_.repeat(Span<const int>(&s.progress.data->left, 1), [&] {
    launch_counted(device_, "colours", count_, contact_.size(),
                   Claim{contact_, done_, s.inverse_mass, s.progress, claim_});
    launch_counted(device_, "contacts, Gauss-Seidel", count_, contact_.size(),
                   Visit{.contact = contact_,
                         .done = done_,
                         .progress = s.progress,
                         .inverse_mass = s.inverse_mass,
                         .claim = claim_,
                         .x = s.x,
                         .start = s.start,
                         .y = s.y});
  });
}

std::vector<ContactPair> StepContacts::pairs(int most, const Buffer<vec3>& x) const {
  const int total = std::min(count_.download()[0], contact_.size());
  std::vector<ContactPair> found;
  if (total == 0 || most <= 0) return found;
  std::vector<Contact> all(static_cast<size_t>(total));
  device_.download(all.data(), contact_.span().data, all.size() * sizeof(Contact));
  const std::vector<vec3> at = x.download();
  for (const Contact& contact : all)
    found.push_back(contact_pair(contact.points, contact.weight, at, surface_.cloth_points()));
  return thinned(std::move(found), most);
}

}  // namespace weft

#include "sim/device/growing_lists.h"

#include <algorithm>
#include <stdexcept>

namespace weft {
namespace {

constexpr int64_t kFew = 4096;  // entries up to which a list that grows gets twice what it wanted

/// Room for some more entries than were wanted, so that lists that become longer step by step grow rarely.
int with_spare(int wanted, const char* name) {
  return buffer_size(int64_t(wanted) + std::max(int64_t(wanted) / 4, std::min(int64_t(wanted), kFew)), name);
}

}  // namespace

GrowingLists::GrowingLists(Device& device) : device_(device), wanted_(device, "wanted entries", kMost) {}

bool GrowingLists::fit() {
  if (lists_.empty()) return true;
  const std::vector<int> wanted = wanted_.download();
  std::vector<GrowingList*> too_short;
  for (GrowingList* list : lists_)
    if (wanted[size_t(list->place_)] > list->room_) too_short.push_back(list);
  if (too_short.empty()) return true;
  wanted_.clear();  // first: without memory for it, nobody wants it any more
  for (GrowingList* list : too_short) list->reserve(with_spare(wanted[size_t(list->place_)], list->name_));
  return false;
}

void GrowingLists::take_room() {
  for (GrowingList* list : lists_) list->take_room();
}

GrowingList::GrowingList(GrowingLists& lists, const char* name, std::function<void(int)> make_room)
    : lists_(lists), name_(name), make_room_(std::move(make_room)) {
  const auto taken = [&](int place) {
    return std::any_of(lists_.lists_.begin(), lists_.lists_.end(),
                       [&](const GrowingList* other) { return other->place_ == place; });
  };
  while (taken(place_)) ++place_;
  if (place_ >= GrowingLists::kMost) throw std::logic_error("more growing lists than GrowingLists::kMost");
  lists_.lists_.push_back(this);
}

GrowingList::~GrowingList() { std::erase(lists_.lists_, this); }

void GrowingList::reserve(int entries) {
  if (entries <= room_) return;
  try {
    make_room_(entries);
  } catch (...) {  // some of the owner's buffers may have grown, others not
    take_room();
    throw;
  }
  room_ = entries;
}

void GrowingList::take_room() {
  room_ = 0;
  make_room_(1);
  room_ = 1;
}

}  // namespace weft

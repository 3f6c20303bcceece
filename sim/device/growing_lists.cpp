#include "sim/device/growing_lists.h"

#include <algorithm>
#include <stdexcept>

namespace weft {
namespace {

/// Room for some more entries than were wanted, so that lists that become longer step by step grow rarely.
int with_spare(int wanted, const GrowingListOptions& options, const char* name) {
  const int64_t entries = wanted;
  return buffer_size(entries + std::max(entries / 4, std::min(entries, int64_t(options.doubled))), name);
}

}  // namespace

GrowingLists::GrowingLists(Device& device) : device_(device), wanted_(device, "wanted entries", kMost) {}

template <class Lists>
bool GrowingLists::fit_all(const Lists& lists) {
  if (lists.size() == 0) return true;
  const std::vector<int> wanted = wanted_.download();
  bool all = true;
  for (GrowingList* list : lists) {
    if (wanted[list->place_] <= list->room_) continue;
    all = false;
    device_.clear(list->wanted().data,
                  sizeof(int));  // first: without memory for it, nobody wants it any more
  }
  for (GrowingList* list : lists)
    if (const int n = wanted[list->place_]; n > list->room_)
      list->reserve(with_spare(n, list->options_, list->name_));
  return all;
}

bool GrowingLists::fit() { return fit_all(lists_); }
bool GrowingLists::fit(std::initializer_list<GrowingList*> these) { return fit_all(these); }

void GrowingLists::forget() {
  for (GrowingList* list : lists_)
    if (!list->options_.outlives_steps) device_.clear(list->wanted().data, sizeof(int));
}

void GrowingLists::take_room() {
  for (GrowingList* list : lists_)
    if (list->room_ > 0 || list->options_.outlives_steps) list->shrink();
}

GrowingList::GrowingList(GrowingLists& lists, const char* name, std::function<void(int)> make_room,
                         GrowingListOptions options)
    : lists_(lists), name_(name), make_room_(std::move(make_room)), options_(options) {
  const auto taken = [&](int place) {
    return std::any_of(lists_.lists_.begin(), lists_.lists_.end(),
                       [&](const GrowingList* other) { return other->place_ == place; });
  };
  while (taken(place_)) ++place_;
  if (place_ >= GrowingLists::kMost) throw std::logic_error("more growing lists than GrowingLists::kMost");
  lists_.device_.clear(wanted().data, sizeof(int));  // what a list wanted that had the place before
  lists_.lists_.push_back(this);
}

GrowingList::~GrowingList() { std::erase(lists_.lists_, this); }

void GrowingList::reserve(int entries) {
  if (entries <= room_) return;
  try {
    make_room_(entries);
  } catch (...) {  // some of the owner's buffers may have grown, others not
    shrink();
    throw;
  }
  room_ = entries;
}

void GrowingList::shrink() {
  room_ = 0;
  make_room_(1);
  room_ = 1;
}

}  // namespace weft

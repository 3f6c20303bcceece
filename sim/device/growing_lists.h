// Lists on the device whose lengths depend on what a step finds. A list that was too short has lost entries:
// it grows, and the step is made again.
#pragma once
#include <functional>
#include <initializer_list>
#include <vector>

#include "sim/base/span.h"
#include "sim/device/buffer.h"

namespace weft {

class GrowingList;

/// All growing lists of one simulation. The numbers of entries that they wanted lie side by side on the
/// device,
/// so that one transfer says whether all had room.
class GrowingLists {
 public:
  explicit GrowingLists(Device& device);
  GrowingLists(const GrowingLists&) = delete;
  Device& device() const { return device_; }
  /// Waits for the device. False if a list was too short since the last call: it is longer now, what was
  /// computed with it is invalid, and the step must be made again. Throws Error without memory.
  bool fit();
  /// The same of these lists alone, for work outside of a step or before it: other lists keep what they
  /// wanted.
  bool fit(std::initializer_list<GrowingList*> these);
  /// After a step that was given up: forgets what its lists wanted, which may be nonsense. Lists whose data
  /// outlive it keep what they wanted (GrowingListOptions).
  void forget();
  /// For tests, between steps: shrinks every list that has room to one entry.
  void take_room();

 private:
  friend class GrowingList;
  static constexpr int kMost = 64;
  template <class Lists>
  bool fit_all(const Lists& lists);
  Device& device_;
  Buffer<int> wanted_;               // by place
  std::vector<GrowingList*> lists_;  // in the order in which they were made
};

struct GrowingListOptions {
  /// A list of up to so many entries gets twice what it wanted, a longer one a quarter more. 0 where an entry
  /// stands for much memory.
  int doubled = 4096;
  bool outlives_steps = false;  // what was computed with it is used again by other steps
};

/// One such list. Its memory belongs to its owner.
class GrowingList {
 public:
  /// `make_room` gives the owner's buffers room for so many entries; their contents are lost. Where memory
  /// ends on
  /// the way, the buffer whose size kernels take for the list's length must not be the longest: it is emptied
  /// first and made last.
  GrowingList(GrowingLists& lists, const char* name, std::function<void(int)> make_room,
              GrowingListOptions options = {});
  ~GrowingList();
  GrowingList(const GrowingList&) = delete;
  /// One element: kernels raise it to the number of entries that there should be room for.
  Span<int> wanted() const { return {lists_.wanted_.span().data + place_, 1}; }
  int room() const { return room_; }
  /// Makes room for at least so many entries. Not from within a recorded sequence. Throws Error without
  /// memory; the list then has room for one entry, or for none.
  void reserve(int entries);

 private:
  friend class GrowingLists;
  void shrink();
  GrowingLists& lists_;
  const char* name_;
  std::function<void(int)> make_room_;
  GrowingListOptions options_;
  int place_ = 0, room_ = 0;
};

}  // namespace weft

// Undo and redo of what a user changes.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/scene/command.h"
#include "sim/scene/scene.h"

namespace weft {

/// One user edit, as the commands that do it and undo it.
struct Edit {
  std::string label;  // "Wind", "Pin vertex 12", "Fabric: silk"
  std::vector<Command> redo, undo;
  /// For an edit of the camera path, which the simulator does not know: its keys after and before.
  std::optional<std::vector<CameraKey>> path_redo, path_undo;
  int grab = 0;  // a drag by this handle, which is undone by going back in the run; 0: none
};

/// A change of a value that is kept whole before and after it.
template <class T>
struct Replacement {
  std::string label;
  T before, after;
};

/// 1, 2, 3 ... for changes as they are made, whichever history keeps them.
inline uint64_t next_in_order() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

/// Done and undone changes, which have labels. A new one discards the undone ones; the oldest are dropped
/// beyond `limit`.
template <class Change>
class History {
 public:
  explicit History(size_t limit = 500) : limit_(limit) {}

  /// Adds a change that was already carried out.
  void push(Change change) {
    changes_.erase(changes_.begin() + long(done_), changes_.end());
    order_.resize(done_);
    changes_.push_back(std::move(change));
    order_.push_back(next_in_order());
    if (changes_.size() > limit_) changes_.erase(changes_.begin()), order_.erase(order_.begin());
    done_ = changes_.size();
  }
  /// What is to be undone (redone) now; nullptr if there is nothing. Valid until the next change.
  const Change* undo() { return can_undo() ? &changes_[--done_] : nullptr; }
  const Change* redo() { return can_redo() ? &changes_[done_++] : nullptr; }
  /// The newest change, to go on with; nullptr if there is none or it was undone.
  Change* newest() { return can_undo() && !can_redo() ? &changes_.back() : nullptr; }
  void clear() { changes_.clear(), order_.clear(), done_ = 0; }

  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < changes_.size(); }
  /// Label of the change to undo (redo); empty if there is none.
  std::string undo_label() const { return can_undo() ? changes_[done_ - 1].label : ""; }
  std::string redo_label() const { return can_redo() ? changes_[done_].label : ""; }
  /// Where the change to undo (redo) stands among the changes of all histories of the program: the later, the
  /// larger; 0 if there is none.
  uint64_t undo_order() const { return can_undo() ? order_[done_ - 1] : 0; }
  uint64_t redo_order() const { return can_redo() ? order_[done_] : 0; }

 private:
  std::vector<Change> changes_;
  std::vector<uint64_t> order_;  // of each change
  size_t done_ = 0;              // changes [0, done_) are in effect
  size_t limit_;
};
using UndoStack = History<Edit>;

/// An edit of one parameter. Values as text, as in a scene file.
inline Edit parameter_edit(const std::string& label, const std::string& key, const std::string& before,
                           const std::string& after) {
  return {label, {SetParam{key, after}}, {SetParam{key, before}}, {}, {}};
}

}  // namespace weft

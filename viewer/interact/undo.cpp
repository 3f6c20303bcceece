#include "viewer/interact/undo.h"

namespace weft {

void UndoStack::push(Edit edit) {
  edits_.resize(done_);
  edits_.push_back(std::move(edit));
  if (edits_.size() > limit_) edits_.erase(edits_.begin());
  done_ = edits_.size();
}

std::optional<Edit> UndoStack::undo() {
  if (!can_undo()) return std::nullopt;
  return edits_[--done_];
}

std::optional<Edit> UndoStack::redo() {
  if (!can_redo()) return std::nullopt;
  return edits_[done_++];
}

void UndoStack::clear() {
  edits_.clear();
  done_ = 0;
}

Edit parameter_edit(const std::string& label, const std::string& key, const std::string& before,
                    const std::string& after) {
  return {label, {SetParam{key, after}}, {SetParam{key, before}}};
}

}  // namespace weft

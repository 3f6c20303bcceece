// Undo and redo of user edits: parameters and pins.
#pragma once
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
};

/// Done and undone edits. A new edit discards the undone ones; the oldest are dropped beyond `limit`.
class UndoStack {
 public:
  explicit UndoStack(size_t limit = 500) : limit_(limit) {}

  /// Adds an edit that was already carried out.
  void push(Edit edit);
  /// The edit whose `undo` commands are to be executed now; empty if there is none.
  std::optional<Edit> undo();
  /// The edit whose `redo` commands are to be executed now; empty if there is none.
  std::optional<Edit> redo();
  void clear();

  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < edits_.size(); }
  /// Label of the edit to undo (redo); empty if there is none.
  std::string undo_label() const { return can_undo() ? edits_[done_ - 1].label : ""; }
  std::string redo_label() const { return can_redo() ? edits_[done_].label : ""; }

 private:
  std::vector<Edit> edits_;
  size_t done_ = 0;  // edits [0, done_) are in effect
  size_t limit_;
};

/// An edit of one parameter. Values as text, as in a scene file.
Edit parameter_edit(const std::string& label, const std::string& key, const std::string& before,
                    const std::string& after);

}  // namespace weft

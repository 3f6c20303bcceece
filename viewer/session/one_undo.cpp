#include "viewer/session/one_undo.h"

namespace weft {
namespace {

/// The latest edit that is done is undone first; the earliest that was undone is done again first.
bool pattern_is_undone(const WindowState& s) {
  return s.pattern.editor.undo_order() > s.session.history().undo_order();
}
bool pattern_is_redone(const WindowState& s) {
  const uint64_t pattern = s.pattern.editor.redo_order(), scene = s.session.history().redo_order();
  return pattern > 0 && (scene == 0 || pattern < scene);
}

}  // namespace

void undo(WindowState& state) {
  if (state.pattern.editor.dragging()) return;
  if (pattern_is_undone(state)) state.pattern.editor.undo();
  else state.session.undo();
}

void redo(WindowState& state) {
  if (state.pattern.editor.dragging()) return;
  if (pattern_is_redone(state)) state.pattern.editor.redo();
  else state.session.redo();
}

std::string undo_label(const WindowState& state) {
  return pattern_is_undone(state) ? state.pattern.editor.undo_label() : state.session.history().undo_label();
}

std::string redo_label(const WindowState& state) {
  return pattern_is_redone(state) ? state.pattern.editor.redo_label() : state.session.history().redo_label();
}

}  // namespace weft

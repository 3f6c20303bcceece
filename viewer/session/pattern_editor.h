// The sewing pattern of a garment as the window shows and changes it. Needs no window.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/garment/pattern_layout.h"
#include "sim/garment/reshape.h"
#include "sim/scene/scene.h"
#include "viewer/interact/undo.h"

namespace weft {

/// A place of the drawing: a panel, and an edge of it if one is near. -1: none.
struct PatternPlace {
  int panel = -1, edge = -1;
  bool operator==(const PatternPlace&) const = default;
};

/// What a drag of the mouse takes hold of in the drawing: a panel, the beginning of an edge, a whole edge, or
/// a control point of a curve.
struct PatternGrip {
  enum class Kind { none, panel, point, edge, control };
  Kind kind = Kind::none;
  int panel = -1, edge = -1, control = 0;
  bool operator==(const PatternGrip&) const = default;
};

/// Pattern, its drawing, selection, and edits with undo. An edit changes the pattern at once; the simulated
/// garment follows when the scene is sewn again from `pattern()`.
class PatternEditor {
 public:
  /// Takes the pattern of the scene's first garment; without one the editor is empty. If the scene was sewn
  /// from the edited pattern, drawing, selection and undo stay. Throws Error if the garment's file cannot be
  /// read any more.
  void open(const Scene& scene);
  bool empty() const { return !pattern_; }
  /// Index of the garment in Scene::cloths.
  int cloth() const { return cloth_; }
  const Pattern& pattern() const { return *pattern_; }
  /// The same without darts, which are edges and seams of it: what is drawn.
  const Pattern& drawn() const { return drawn_; }
  const PatternLayout& layout() const { return layout_; }
  /// True if the scene was sewn from another state of the pattern.
  bool differs() const { return pattern_ && *pattern_ != sewn_; }
  /// Tells the editor that the scene is being sewn from `pattern()`.
  void sewing() { sewn_ = *pattern_; }

  /// What is at a point of the drawing (m): the panel around it, and the edge within `reach` of it.
  PatternPlace find(const dvec2& at, double reach) const;
  /// What a drag that begins at a point of the drawing moves. Control points are those of the selected edge.
  PatternGrip grip(const dvec2& at, double reach) const;
  PatternPlace selected() const { return selected_; }
  void select(const PatternPlace& place) { selected_ = place; }
  /// The seams at an edge of `pattern()`, as indices in it.
  std::vector<int> seams_at(const PatternPlace& place) const;

  /// Moves a panel on the drawing only.
  void shift(int panel, const dvec2& by) { layout_.panels[size_t(panel)].offset += by; }
  /// Changes the pattern; what cannot be sewn is refused with an Error, and nothing is changed. Edits with
  /// the same label in a row are one step of undo if `joined`.
  void edit(const std::string& label, const std::function<void(Pattern&)>& change, bool joined = false);
  /// A drag of a point, edge or control point: `drag` is called with the whole way so far (m on the drawing),
  /// rounded to millimetres, and changes the pattern at once. Where that could not be sewn the pattern stays
  /// as it was for the last way that could. `end_drag` makes the drag one step of undo.
  void begin_drag(const PatternGrip& grip);
  void drag(const dvec2& way, bool symmetric);
  void end_drag();
  bool dragging() const { return drag_.has_value(); }
  /// What the drag has changed, in words for beside the cursor: lengths in cm.
  std::string drag_in_words() const;
  /// Moves an edge away from the cloth by a length (m), as one step of undo.
  void move_edge(const PatternPlace& place, double by, bool symmetric);
  /// Seams whose sides fit less well or better than in the pattern as it was opened.
  std::vector<SeamMisfit> misfits() const { return weft::misfits(*pattern_, opened_); }

  /// Joins two whole edges, in the direction in which their ends are nearer to each other in space.
  void sew(const PatternPlace& a, const PatternPlace& b);
  void unsew(int seam);
  /// Sews the last side of a seam the other way round.
  void turn_seam(int seam);

  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  void undo();
  void redo();
  /// What undo takes back, in words; empty if nothing.
  std::string undo_label() const { return history_.undo_label(); }
  std::string redo_label() const { return history_.redo_label(); }
  /// Where the edit to undo (redo) stands among all edits of the window (History::undo_order).
  uint64_t undo_order() const { return history_.undo_order(); }
  uint64_t redo_order() const { return history_.redo_order(); }

 private:
  void take(Pattern pattern);
  std::optional<Pattern> pattern_;
  Pattern sewn_, drawn_, opened_;
  PatternLayout layout_;
  int cloth_ = -1;
  PatternPlace selected_;
  struct Drag {
    PatternGrip grip;
    Pattern before;
    dvec2 way{0};       // in the panel, m; along an edge's normal: x
    bool both = false;  // the panel's other half moved too
  };
  std::optional<Drag> drag_;
  History<Replacement<Pattern>> history_{200};
};

/// The scene with this pattern as its garment `cloth`, which then needs no pattern file.
Scene with_pattern(Scene scene, int cloth, const Pattern& pattern);

}  // namespace weft

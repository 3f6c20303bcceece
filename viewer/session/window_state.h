// State shared by the parts of the window.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/interact/picking.h"
#include "viewer/render/renderer.h"
#include "viewer/render/thumbnails.h"
#include "viewer/session/file_dialog.h"
#include "viewer/session/finder.h"
#include "viewer/session/panel_memory.h"
#include "viewer/session/pattern_editor.h"
#include "viewer/session/shipped.h"
#include "viewer/session/toasts.h"
#include "viewer/session/window_recording.h"
#include "viewer/session/window_session.h"
#include "viewer/session/window_settings.h"
#include "viewer/session/wrinkle_layer.h"

namespace weft {

/// A rectangle of the window in its own coordinates (as the cursor's), y down.
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(float px, float py) const { return px >= x && py >= y && px < x + width && py < y + height; }
};

/// Requests of keys and buttons, carried out by the window after the picture.
struct Requests {
  bool screenshot = false;
  bool toggle_recording = false;
  bool frame_view = false;
  bool focus_open = false;         // put the cursor into the path field
  bool full_screen = false;        // wanted, as long as it is set
  std::optional<Rect> picture_of;  // a part of the window, as a PNG
};

/// What a click on the pattern does: selects; sews, the second of two; adds a point or a notch to an edge, or
/// takes one away.
enum class PatternTool { select, sew, point, notch, remove };

/// The sewing pattern beside the picture.
struct PatternView {
  PatternEditor editor;
  bool visible = false;
  bool frame = true;         // show the whole drawing in the next picture
  double zoom = 500;         // pixels per metre, at scale 1
  dvec2 origin{0};           // m, of the drawing, at the view's upper left corner
  PatternPlace sewing_from;  // the edge that the next clicked edge is sewn to; panel -1: none
  PatternTool tool = PatternTool::select;
  PatternGrip held;       // what the mouse moves
  dvec2 held_at{0};       // m, where on the drawing it was pressed
  bool symmetric = true;  // edits of one half of a symmetric panel change the other half too
  double by_cm = 0;       // how far the selected edge is moved by typing
  dvec2 grade_cm{0};      // by how much all panels are to be wider and longer
};

/// Layers of garments, which can be left out of the picture. They are simulated all the same.
struct LayerView {
  std::vector<int> of_triangle;  // of SceneView::triangles (sim/run/layer_order.h)
  std::set<int> all, hidden;
  /// Takes the layers of a scene; the hidden ones of a scene with the same layers stay hidden.
  void open(const SceneView& scene);
  /// The scene without the triangles and edges of hidden layers, which keep their places in the lists.
  SceneView shown(const SceneView& scene) const;
};

/// Fine wrinkles on the shown state.
struct WrinkleView {
  enum class Mode { off, paused, live };
  using Gathers = std::vector<wrinkles::Gather>;

  explicit WrinkleView(WrinkleLayer::Tell tell) : layer(std::move(tell)) {
    settings.params.cell = 4e-3f, settings.params.iterations = 128, settings.params.hold_boundary = true;
  }
  WrinkleLayer layer;
  wrinkles::WrinkleSettings settings;
  wrinkles::WrinkleSettings worked;  // those of the last synthesis that was begun
  uint64_t worked_model = 0;         // and its state
  int worked_step = -1;
  Mode mode = Mode::off;
  bool once = false;                            // one synthesis was asked for
  bool sketching = false;                       // a left drag on the cloth makes a stroke of gathers
  std::optional<std::pair<vec2, vec3>> stroke;  // where the stroke began: material point (m), place in space
  std::string stroke_cloth;
  History<Replacement<Gathers>> history{200};

  /// Takes the gathers of another scene; there is nothing to undo then.
  void open(const Scene& scene);
  /// Changes the list of gathers, as one step of undo.
  void change(Gathers gathers);
  void undo();
  void redo();
  /// Begins and collects work as the mode says. True if another state is to be drawn.
  bool turn(const Session& session, int threads);
  /// What is drawn in place of the session's state; nullptr: that itself.
  const FineState* shown(const Session& session) const;
};

/// Rates of the window itself.
struct WindowRates {
  double pictures_per_second = 0;
  double picture_ms = 0;  // time to draw one
};

/// What can be opened and chosen, and the ways to it.
struct Offers {
  Shipped shipped;
  FinderView finder = {};
  FileDialog dialog = {};
  Thumbnails thumbnails = {};
};

struct WindowState {
  Session& session;
  Renderer& renderer;
  Camera& camera;
  ViewSettings& view;
  WindowSettings& settings;
  Toasts& toasts;
  Recording& recording;

  PatternView pattern;
  LayerView layers;
  WrinkleView wrinkles{[this](LogLevel level, const std::string& text) {
    toasts.add(level, text, level >= LogLevel::warning);
  }};
  Offers offers{Shipped([this](const std::string& text) { toasts.add(LogLevel::error, text); })};
  PanelMemory memory;
  Requests requests;
  WindowRates rates;
  Rect viewport;                   // area of the picture
  std::optional<PickHit> pointed;  // the simulated cloth under the cursor
  float scale = 1;                 // of text and widgets
  bool panels_visible = true;
  bool help_open = false;
  struct {
    bool visible = false;
    float height = 0;  // at the bottom of the picture; 0: not shown
  } hint;
  /// Rectangles of widgets in this picture, by parameter key or label; for the test report only.
  std::map<std::string, Rect> item_rects;
};

}  // namespace weft

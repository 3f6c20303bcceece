// The widgets that panels are made of. A parameter draws itself from its description.
#pragma once
#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/params.h"
#include "viewer/session/window_state.h"

namespace weft {

/// Target of parameter edits: the simulator with undo, or a setting of the window.
class ParamTarget {
 public:
  virtual ~ParamTarget() = default;
  virtual void begin(const std::string& key) = 0;
  virtual void set(const std::string& key, const std::string& text) = 0;
  virtual void end() = 0;
  /// Text of the value that a double-click restores.
  virtual std::string reset_text(const ParamRef& ref) const { return ref.default_text(); }
};

/// Parameters of the scene.
class SceneTarget : public ParamTarget {
 public:
  explicit SceneTarget(Session& session) : session_(session) {}
  void begin(const std::string& key) override { session_.begin_edit(key); }
  void set(const std::string& key, const std::string& text) override { session_.edit(key, text); }
  void end() override { session_.end_edit(); }
  std::string reset_text(const ParamRef& ref) const override;

 private:
  Session& session_;
};

/// Settings of the picture. They are the window's own and are kept from run to run; they are not part of the
/// scene's undo.
class ViewTarget : public ParamTarget {
 public:
  /// `table` refers to WindowState::view.
  ViewTarget(WindowState& state, const ParamTable& table) : state_(state), table_(table) {}
  void begin(const std::string&) override {}
  void set(const std::string& key, const std::string& text) override;
  void end() override {}

 private:
  WindowState& state_;
  const ParamTable& table_;
};

/// Draws one parameter over the full width: a field with label and value for numbers (drag to change, Shift
/// for fine steps, double-click resets, Ctrl-click types), a tick for bool, a list for choices, colour or
/// three fields for vec3.
/// Returns true while it is being changed.
bool param_slider(WindowState& state, ParamTarget& target, const ParamRef& ref);

/// A list of choices, some of which may be unavailable: `why_not(i)` is empty or gives the reason. Returns
/// the choice just made, else -1. `help`: what the list says of choice i under the cursor.
int choice_list(WindowState& state, const std::string& label, const std::string& key,
                const std::vector<std::string>& names, int current,
                const std::function<std::string(int)>& why_not, const std::string& tooltip,
                const std::function<std::string(int)>& help = {});

/// The sign of something that folds, around `center`.
void fold_arrow(ImVec2 center, float radius, bool open);
/// A folding section of a side column; remembers whether it is open. If true, draw the content and then
/// `end_section`.
bool begin_section(WindowState& state, const char* title, bool open_at_first = true);
void end_section();
/// A line that folds the items below it, inside a section; stored as `key`. True if open.
bool fold(WindowState& state, const std::string& key, const char* label, bool open_at_first = false);

/// Number of buttons of equal width per row so that no label is cut off, with content `width` pixels wide: at
/// least 1.
int buttons_per_row(const std::vector<std::string>& labels, float width, float gap);
/// Buttons of equal width, side by side where all labels fit, else one below the other.
class ButtonRow {
 public:
  explicit ButtonRow(const std::vector<std::string>& labels);
  /// Width of each button, in pixels.
  float width() const { return width_; }
  /// To be called between two buttons.
  void next() const;

 private:
  float width_;
  bool side_by_side_;
};
/// Places the next item, `width` pixels wide, beside the last one if it fits, else below.
void same_line_if_room(float width, float gap);

/// Buttons of which one is chosen, in as many rows as their labels need; returns the one just clicked, else
/// -1.
int segmented(WindowState& state, const char* id,
              const std::vector<std::pair<std::string, std::string>>& labels_and_tooltips, int current);

/// A full-width or sized button that is noted for the test report.
bool text_button(WindowState& state, const std::string& label, const std::string& tooltip, float width = 0,
                 bool enabled = true);
/// A small coloured square; its text follows on the same line.
void swatch(WindowState& state, const ImVec4& color);
/// Remembers where the last item was drawn.
void note_item(WindowState& state, const std::string& name);

/// Within a list that scrolls by itself, in a panel: the wheel's notches that the list has no more room for.
/// The panel takes them after the end of the list.
float wheel_left_over();
void scroll_panel(float notches);

/// The text, shortened with an ellipsis to fit into `width` pixels.
std::string elided(const std::string& text, float width);

/// "m/s^2" as m/s², "uN m" as µN m.
std::string pretty_unit(const std::string& unit);
/// A display name: "finite_elements" becomes "finite elements".
std::string pretty_name(std::string name);
/// 12345 as "12,345".
std::string with_commas(long n);
/// A typed number, possibly with spaces, a plus and the displayed unit; empty for anything else, such as
/// "0,5" or "two".
std::optional<double> typed_number(const std::string& text, const std::string& unit);
/// Value in the unit that is shown, with about three digits: "4000", "0.0125", "1.2e-05".
std::string shown_number(double value);

/// Text on a dark plate, so that it can be read before any background.
void text_plate(ImDrawList* list, ImVec2 at, const std::string& text, ImU32 color, float scale);

/// A strip about `x`, from the window's top down, that is dragged sideways: how far the mouse moved it in
/// this picture, in pixels.
float grip_moved(WindowState& state, const char* id, const std::string& item, float x, float height);
/// A strip over the full width of the window that looks like a bar of tools.
void begin_strip(const char* name, const Rect& area, float scale);
void end_strip();

}  // namespace weft

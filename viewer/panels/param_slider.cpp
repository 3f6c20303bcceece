// param_slider: every parameter draws itself from its description.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/error.h"
#include "viewer/panels/slider_scale.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// The field that is being dragged or typed into; there is one mouse and one keyboard.
struct Hand {
  ImGuiID dragging = 0, typing = 0;
  double place = 0;
  bool focus = false, was_active = false;
  char text[64] = {};
};
Hand hand;

constexpr float kDragThreshold = 3;  // pixels: less is a click
constexpr double kFineFactor = 0.1;

std::string unit_of(const ParamInfo& info) {
  return pretty_unit(info.display_unit.empty() ? info.unit : info.display_unit);
}

std::string in_display_unit(const ParamInfo& info, double value) {
  return shown_number(value * info.display_scale);
}

std::string with_unit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}

std::string value_text(const ParamInfo& info, double value, const std::string& unit) {
  return value == 0 && !info.zero.empty() ? info.zero : with_unit(in_display_unit(info, value), unit);
}

/// A default as the field would show it. `text`: as in a scene file.
std::string default_in_words(const ParamRef& ref, const std::string& text) {
  const ParamInfo& info = ref.info();
  const bool number =
      std::holds_alternative<float*>(ref.pointer()) || std::holds_alternative<int*>(ref.pointer());
  if (!info.choices.empty() || std::holds_alternative<bool*>(ref.pointer())) return text;
  return number ? value_text(info, std::strtod(text.c_str(), nullptr), unit_of(info))
                : with_unit(text, pretty_unit(info.unit));
}

std::string describe(const ParamRef& ref, const std::string& reset) {
  const ParamInfo& info = ref.info();
  std::string words = info.help + "\n\nKey: " + ref.key();
  if (info.choices.empty() && !std::holds_alternative<bool*>(ref.pointer()))
    words += fmt::format("\nRange: {} to {}", in_display_unit(info, info.min),
                         with_unit(in_display_unit(info, info.max), unit_of(info)));
  words += "\nDefault: " + default_in_words(ref, ref.default_text());
  if (reset != ref.default_text()) words += "\nIn this scene: " + default_in_words(ref, reset);
  if (info.rebuilds) words += "\nTakes effect by rebuilding the scene.";
  if (std::holds_alternative<float*>(ref.pointer()) || std::holds_alternative<int*>(ref.pointer()) ||
      std::holds_alternative<vec3*>(ref.pointer()))
    if (info.choices.empty())
      words += "\n\nDrag to change, Shift for fine steps, double-click to reset, Ctrl-click to type.";
  return words;
}

/// One number of a parameter and how to write it back.
struct Number {
  const ParamRef& ref;
  int component;
  bool whole;
  std::string text_with(double value) const {
    // any value: the parameter checks its range
    if (whole) return fmt::format("{:.0f}", std::round(value) + 0.0);
    if (!std::holds_alternative<vec3*>(ref.pointer())) return fmt::format("{}", float(value));
    double v[3];
    for (int c = 0; c < 3; ++c) v[c] = c == component ? value : ref.number(c);
    return fmt::format("[{}, {}, {}]", float(v[0]), float(v[1]), float(v[2]));
  }
};

void start_typing(ImGuiID id, const Number& number) {
  hand.typing = id, hand.dragging = 0, hand.focus = true, hand.was_active = false;
  const auto end = fmt::format_to_n(hand.text, sizeof hand.text - 1, "{:.6g}",
                                    number.ref.number(number.component) * number.ref.info().display_scale);
  *end.out = 0;
}

/// The field as a text input. True if a value was entered.
bool type_value(WindowState& state, ParamTarget& target, const Number& number, float width) {
  ImGui::SetNextItemWidth(width);
  if (hand.focus) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputText("##type", hand.text, sizeof hand.text,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  // The keyboard focus arrives one or two pictures after the request.
  const bool active = ImGui::IsItemActive(), left = hand.was_active && !active;
  hand.was_active |= active;
  hand.focus = hand.focus && !active;
  note_item(state, number.ref.key());
  if (!entered && !left) return false;
  hand.typing = 0;
  if (!entered) return false;
  const ParamInfo& info = number.ref.info();
  const std::optional<double> shown =
      typed_number(hand.text, info.display_unit.empty() ? info.unit : info.display_unit);
  if (!shown) {
    state.toasts.add(LogLevel::error, fmt::format("{}: '{}' is not a number", number.ref.key(), hand.text));
    return false;
  }
  const double typed = *shown / info.display_scale, value = number.whole ? std::round(typed) : typed;
  if (float(value) < float(info.min) || float(value) > float(info.max)) {
    const auto shows = [&](double v) { return with_unit(in_display_unit(info, v), unit_of(info)); };
    state.toasts.add(LogLevel::error,
                     fmt::format("{}: {} is outside its range — use {} to {} ({})", info.label, shows(value),
                                 in_display_unit(info, info.min), shows(info.max), number.ref.key()));
    return false;
  }
  target.begin(number.ref.key());
  target.set(number.ref.key(), number.text_with(value));
  target.end();
  return true;
}

/// `from` and `to`: the coloured part, as shares of the width.
void draw_field(const ImVec2& a, const ImVec2& b, double from, double to, const std::string& label,
                const std::string& value, bool hot, bool changed, float scale) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float rounding = 4 * scale, pad = 8 * scale;
  list->AddRectFilled(a, b, ImGui::GetColorU32(hot ? theme::field_hot : theme::field), rounding);
  const float left = a.x + float(std::min(from, to)) * (b.x - a.x),
              right = a.x + float(std::max(from, to)) * (b.x - a.x);
  if (right - left > 1) {
    ImVec4 color = theme::accent_dark;
    color.w = hot ? 0.85f : 0.6f;
    list->PushClipRect(ImVec2(left, a.y), ImVec2(right, b.y), true);
    list->AddRectFilled(a, b, ImGui::GetColorU32(color), rounding);
    list->PopClipRect();
  }
  if (changed)
    list->AddRectFilled(ImVec2(a.x, a.y + 4 * scale), ImVec2(a.x + 3 * scale, b.y - 4 * scale),
                        ImGui::GetColorU32(theme::accent), 1.5f * scale);
  const float text_y = a.y + (b.y - a.y - ImGui::GetFontSize()) / 2;
  const float value_width = ImGui::CalcTextSize(value.c_str()).x;
  const ImVec4 label_clip(a.x, a.y, b.x - pad - value_width - 4 * scale, b.y);
  list->AddText(nullptr, 0, ImVec2(a.x + pad, text_y), ImGui::GetColorU32(theme::text), label.c_str(),
                nullptr, 0, &label_clip);
  list->AddText(ImVec2(b.x - pad - value_width, text_y), ImGui::GetColorU32(theme::text), value.c_str());
}

/// Follows the mouse. Returns true while the value changes.
bool drag_value(ParamTarget& target, const Number& number, const SliderScale& scale, ImGuiID id,
                float width) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActivated())
    hand.dragging = id, hand.place = scale.place(number.ref.number(number.component)),
    target.begin(number.ref.key());
  if (hand.dragging != id) return false;
  if (ImGui::IsItemDeactivated()) {
    hand.dragging = 0;
    target.end();
    return false;
  }
  if (!ImGui::IsItemActive()) {  // the slider scrolled out of view while held
    hand.dragging = 0;
    target.end();
    return false;
  }
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left, kDragThreshold) || io.MouseDelta.x == 0) return false;
  hand.place += io.MouseDelta.x / width * (io.KeyShift ? kFineFactor : 1);
  // The mouse may move past an end, but returns without delay.
  hand.place = std::fmin(std::fmax(hand.place, 0.0), 1.0);
  const double value = scale.rounded(scale.value(hand.place), io.KeyShift ? 4 : 3);
  target.set(number.ref.key(), number.text_with(value));
  return true;
}

bool number_field(WindowState& state, ParamTarget& target, const Number& number, const std::string& label,
                  float width, bool show_unit) {
  const ParamInfo& info = number.ref.info();
  ImGui::PushID(number.component);
  const ImGuiID id = ImGui::GetID("##field");
  bool changed = false;
  if (hand.typing == id) {
    changed = type_value(state, target, number, width);
    ImGui::PopID();
    return changed;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(width, ImGui::GetFrameHeight());
  ImGui::InvisibleButton("##field", size);
  note_item(state, number.component == 0 ? number.ref.key()
                                         : fmt::format("{}.{}", number.ref.key(), number.component));
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const SliderScale scale(info, number.whole);
  const std::string reset = target.reset_text(number.ref);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    hand.dragging = 0;
    target.begin(number.ref.key());
    target.set(number.ref.key(), reset);
    target.end();
    changed = true;
  } else if (ImGui::IsItemActivated() && ImGui::GetIO().KeyCtrl) {
    start_typing(id, number);
  } else {
    changed = drag_value(target, number, scale, id, width);
  }
  const double value = number.ref.number(number.component);
  const std::string shown = value_text(info, value, show_unit ? unit_of(info) : "");
  const double zero = info.min < 0 ? scale.place(0) : 0;  // signed values grow from the middle
  draw_field(at, ImVec2(at.x + size.x, at.y + size.y), zero, scale.place(value), label, shown, hot,
             number.ref.text() != reset, state.scale);
  if (!ImGui::IsItemActive()) theme::tooltip(describe(number.ref, reset));
  ImGui::PopID();
  return changed;
}

bool is_color(const ParamRef& ref) {
  const std::string& key = ref.info().key;
  return key.find("color") != std::string::npos || key == "background";
}

bool color_field(WindowState& state, ParamTarget& target, const ParamRef& ref) {
  float c[3] = {float(ref.number(0)), float(ref.number(1)), float(ref.number(2))};
  const std::string reset = target.reset_text(ref);
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(ref.info().label.c_str());
  theme::tooltip(describe(ref, reset));
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width * 0.42f);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const bool changed =
      ImGui::ColorEdit3("##color", c, ImGuiColorEditFlags_DisplayHex | ImGuiColorEditFlags_NoOptions);
  note_item(state, ref.key());
  if (ImGui::IsItemActivated()) target.begin(ref.key());
  if (changed) target.set(ref.key(), fmt::format("[{}, {}, {}]", c[0], c[1], c[2]));
  if (ImGui::IsItemDeactivated()) target.end();
  return changed;
}

bool vector_field(WindowState& state, ParamTarget& target, const ParamRef& ref) {
  const ParamInfo& info = ref.info();
  const std::string unit = unit_of(info);
  ImGui::TextUnformatted(info.label.c_str());
  theme::tooltip(describe(ref, target.reset_text(ref)));
  if (!unit.empty()) {
    const float width = ImGui::CalcTextSize(unit.c_str()).x;
    ImGui::SameLine(ImGui::GetCursorStartPos().x + ImGui::GetContentRegionAvail().x - width);
    ImGui::TextDisabled("%s", unit.c_str());
  }
  const float gap = 3 * state.scale, width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  static const char* const axes[] = {"x", "y", "z"};
  bool changed = false;
  for (int c = 0; c < 3; ++c) {
    if (c) ImGui::SameLine(0, gap);
    changed |= number_field(state, target, Number{ref, c, false}, axes[c], width, false);
  }
  return changed;
}

bool tick_field(WindowState& state, ParamTarget& target, const ParamRef& ref) {
  bool on = ref.number() != 0;
  const bool changed = ImGui::Checkbox(ref.info().label.c_str(), &on);
  note_item(state, ref.key());
  theme::tooltip(describe(ref, target.reset_text(ref)));
  if (!changed) return false;
  target.begin(ref.key());
  target.set(ref.key(), on ? "true" : "false");
  target.end();
  return true;
}

}  // namespace

bool param_slider(WindowState& state, ParamTarget& target, const ParamRef& ref) {
  ImGui::PushID(ref.key().c_str());
  bool changed = false;
  const ParamInfo& info = ref.info();
  if (!info.choices.empty()) {
    const int chosen = choice_list(state, info.label, ref.key(), info.choices, int(ref.number()), {},
                                   describe(ref, target.reset_text(ref)));
    if (chosen >= 0) {
      target.begin(ref.key());
      target.set(ref.key(), info.choices[chosen]);
      target.end();
      changed = true;
    }
  } else if (std::holds_alternative<bool*>(ref.pointer())) {
    changed = tick_field(state, target, ref);
  } else if (std::holds_alternative<vec3*>(ref.pointer())) {
    changed = is_color(ref) ? color_field(state, target, ref) : vector_field(state, target, ref);
  } else {
    const bool whole = std::holds_alternative<int*>(ref.pointer());
    changed = number_field(state, target, Number{ref, 0, whole}, info.label, ImGui::GetContentRegionAvail().x,
                           true);
  }
  ImGui::PopID();
  return changed;
}

}  // namespace weft

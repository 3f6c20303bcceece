#include "viewer/panels/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/base/error.h"
#include "viewer/theme/theme.h"

namespace weft {

std::string SceneTarget::reset_text(const ParamRef& ref) const {
  const std::string& original = session_.original_text(ref.key());
  return original.empty() ? ref.default_text() : original;
}

void ViewTarget::set(const std::string& key, const std::string& text) {
  try {
    table_.set(key, text);
    // only accepted values: a refused one would be refused at every start, too
    state_.settings.set(key, text);
  } catch (const Error& e) {
    state_.toasts.add(LogLevel::error, e.what());
  }
}

std::string pretty_unit(const std::string& unit) {
  std::string out;
  for (size_t i = 0; i < unit.size(); ++i) {
    if (unit[i] == '^' && i + 1 < unit.size() && (unit[i + 1] == '2' || unit[i + 1] == '3')) {
      out += unit[i + 1] == '2' ? "\u00b2" : "\u00b3";
      ++i;
    } else if (unit[i] == 'u' && (i == 0 || unit[i - 1] == ' ') && i + 1 < unit.size() &&
               (unit[i + 1] == 'N' || unit[i + 1] == 'm' || unit[i + 1] == 's')) {
      out += "\u00b5";
    } else {
      out += unit[i];
    }
  }
  return out;
}

std::string pretty_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string shown_number(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-4 || size >= 1e7)) return fmt::format("{:.3g}", value);
  std::string s = fmt::format("{:.4g}", value);
  if (s.find('e') != std::string::npos) s = fmt::format("{:.0f}", value);
  return s;
}

std::optional<double> typed_number(const std::string& text, const std::string& unit) {
  const auto trimmed = [](std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
  };
  std::string_view typed = trimmed(text);
  if (!typed.empty() && typed.front() == '+' && !typed.starts_with("+-")) typed.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(typed.data(), typed.data() + typed.size(), value);
  if (code != std::errc() || !std::isfinite(value)) return std::nullopt;
  const std::string_view rest = trimmed(typed.substr(size_t(end - typed.data())));
  if (!rest.empty() && rest != unit && rest != pretty_unit(unit)) return std::nullopt;
  return value;
}

std::string with_commas(long n) {
  std::string s = std::to_string(n);
  for (int i = int(s.size()) - 3; i > 0; i -= 3) s.insert(size_t(i), ",");
  return s;
}

void swatch(WindowState& state, const ImVec4& color) {
  const float side = 9 * state.scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + ImGui::GetTextLineHeight() / 2;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, middle - side / 2),
                                            ImVec2(at.x + side, middle + side / 2), ImGui::GetColorU32(color),
                                            2 * state.scale);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + 5 * state.scale);
}

void note_item(WindowState& state, const std::string& name) {
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  state.item_rects[name] = {a.x, a.y, b.x - a.x, b.y - a.y};
}

namespace {

/// Records a button, and under "cut off: ..." one whose label does not fit: tests check that.
void note_button(WindowState& state, const std::string& label) {
  note_item(state, label);
  const float room = ImGui::GetItemRectSize().x - 2 * ImGui::GetStyle().FramePadding.x;
  if (ImGui::CalcTextSize(label.c_str()).x > room + 1) note_item(state, "cut off: " + label);
}

}  // namespace

void fold_arrow(ImVec2 c, float r, bool open) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(theme::dim_text);
  if (open)
    list->AddTriangleFilled(ImVec2(c.x - r, c.y - 0.6f * r), ImVec2(c.x + r, c.y - 0.6f * r),
                            ImVec2(c.x, c.y + 0.8f * r), color);
  else
    list->AddTriangleFilled(ImVec2(c.x - 0.6f * r, c.y - r), ImVec2(c.x + 0.8f * r, c.y),
                            ImVec2(c.x - 0.6f * r, c.y + r), color);
}

bool begin_section(WindowState& state, const char* title, bool open_at_first) {
  const std::string key = std::string("section.") + title;
  const bool was_open = state.settings.flag(key, open_at_first);
  const float height = ImGui::GetFrameHeight() + 2 * state.scale;
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(title, ImVec2(width, height));
  note_item(state, key);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + width, at.y + height),
                      ImGui::GetColorU32(ImGui::IsItemHovered() ? theme::field : theme::header),
                      4 * state.scale);
  const bool open = clicked ? !was_open : was_open;
  fold_arrow(ImVec2(at.x + 12 * state.scale, at.y + height / 2), 4 * state.scale, open);
  list->AddText(ImVec2(at.x + 24 * state.scale, at.y + (height - ImGui::GetFontSize()) / 2),
                ImGui::GetColorU32(theme::text), title);
  if (clicked) state.settings.set(key, open);
  if (!open) return false;
  ImGui::PushID(title);
  return true;
}

void end_section() {
  ImGui::Spacing();
  ImGui::PopID();
}

bool fold(WindowState& state, const std::string& key, const char* label, bool open_at_first) {
  const bool was_open = state.settings.flag(key, open_at_first);
  const float height = ImGui::GetFrameHeight(), pad = 8 * state.scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(key.c_str(), ImVec2(ImGui::GetContentRegionAvail().x, height));
  note_item(state, key);
  const bool open = clicked ? !was_open : was_open;
  fold_arrow(ImVec2(at.x + pad + 3 * state.scale, at.y + height / 2), 3.5f * state.scale, open);
  ImGui::GetWindowDrawList()->AddText(
      ImVec2(at.x + 2.5f * pad, at.y + (height - ImGui::GetFontSize()) / 2),
      ImGui::GetColorU32(ImGui::IsItemHovered() ? theme::text : theme::dim_text), label);
  if (clicked) state.settings.set(key, open);
  return open;
}

int buttons_per_row(const std::vector<std::string>& labels, float width, float gap) {
  float widest = 0;
  for (const std::string& label : labels) widest = std::max(widest, ImGui::CalcTextSize(label.c_str()).x);
  widest += 2 * ImGui::GetStyle().FramePadding.x;
  for (int columns = int(labels.size()); columns > 1; --columns)
    if (widest <= (width - gap * float(columns - 1)) / float(columns)) return columns;
  return 1;
}

ButtonRow::ButtonRow(const std::vector<std::string>& labels) {
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  side_by_side_ = buttons_per_row(labels, room, gap) == int(labels.size());
  width_ = side_by_side_ ? (room - gap * float(labels.size() - 1)) / float(labels.size()) : room;
}

void ButtonRow::next() const {
  if (side_by_side_) ImGui::SameLine();
}

void same_line_if_room(float width, float gap) {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + gap + width <= right) ImGui::SameLine(0, gap);
}

int segmented(WindowState& state, const char* id,
              const std::vector<std::pair<std::string, std::string>>& labels, int current) {
  int chosen = -1;
  const float gap = 2 * state.scale;
  std::vector<std::string> names;
  for (const auto& [name, tip] : labels) names.push_back(name);
  const int columns = buttons_per_row(names, ImGui::GetContentRegionAvail().x, gap);
  const float width = (ImGui::GetContentRegionAvail().x - gap * float(columns - 1)) / float(columns);
  ImGui::PushID(id);
  for (int i = 0; i < int(labels.size()); ++i) {
    if (i % columns) ImGui::SameLine(0, gap);
    const bool on = i == current;
    if (on)
      ImGui::PushStyleColor(ImGuiCol_Button, theme::accent_dark),
          ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme::accent_dark);
    if (ImGui::Button(labels[i].first.c_str(), ImVec2(width, 0))) chosen = i;
    if (on) ImGui::PopStyleColor(2);
    note_button(state, labels[i].first);
    theme::tooltip(labels[i].second);
  }
  ImGui::PopID();
  return chosen;
}

bool text_button(WindowState& state, const std::string& label, const std::string& tip, float width,
                 bool enabled) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button(label.c_str(), ImVec2(width, 0));
  note_button(state, label);
  ImGui::EndDisabled();
  if (!tip.empty()) theme::tooltip(tip);
  return pressed;
}

float wheel_left_over() {
  const float notches = ImGui::GetIO().MouseWheel;
  float& before = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("##wheel"));
  const bool moved = std::exchange(before, ImGui::GetScrollY()) != ImGui::GetScrollY();
  const bool mine = ImGui::GetCurrentContext()->WheelingWindow == ImGui::GetCurrentWindow();
  return mine && !moved && ImGui::GetScrollMaxY() > 0 ? notches : 0;
}

void scroll_panel(float notches) {
  constexpr float kLines = 5;  // a notch, as everywhere
  if (notches != 0) ImGui::SetScrollY(ImGui::GetScrollY() - kLines * notches * ImGui::GetFontSize());
}

std::string elided(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  std::string s = text;
  while (!s.empty() && ImGui::CalcTextSize((s + "\u2026").c_str()).x > width) {
    while ((s.back() & 0xC0) == 0x80) s.pop_back();  // whole UTF-8 characters
    s.pop_back();
  }
  return s + "\u2026";
}

int choice_list(WindowState& state, const std::string& label, const std::string& key,
                const std::vector<std::string>& names, int current,
                const std::function<std::string(int)>& why_not, const std::string& tip,
                const std::function<std::string(int)>& help) {
  int chosen = -1;
  ImGui::PushID(key.c_str());
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight(),
              pad = 8 * state.scale;
  const std::string value = current >= 0 && current < int(names.size()) ? pretty_name(names[current]) : "?";
  const float arrow = 12 * state.scale, room = width - 3 * pad - arrow;
  // If both do not fit, the value has priority: the label shrinks down to a third of the width.
  const std::string shown_label =
      elided(label, std::max(room / 3, room - ImGui::CalcTextSize(value.c_str()).x));
  const std::string shown = elided(value, room - ImGui::CalcTextSize(shown_label.c_str()).x);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetNextItemWidth(width);
  const bool open =
      ImGui::BeginCombo("##choice", "", ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge);
  note_item(state, key);
  const float y = at.y + (height - ImGui::GetFontSize()) / 2;
  list->AddText(ImVec2(at.x + pad, y), ImGui::GetColorU32(theme::dim_text), shown_label.c_str());
  list->AddText(ImVec2(at.x + width - pad - arrow - ImGui::CalcTextSize(shown.c_str()).x, y),
                ImGui::GetColorU32(theme::text), shown.c_str());
  const ImVec2 c(at.x + width - pad - 2 * state.scale, at.y + height / 2);
  const float r = 3.5f * state.scale;
  list->AddTriangleFilled(ImVec2(c.x - r, c.y - 0.5f * r), ImVec2(c.x + r, c.y - 0.5f * r),
                          ImVec2(c.x, c.y + 0.7f * r), ImGui::GetColorU32(theme::dim_text));
  if (!open)
    theme::tooltip(shown == value && shown_label == label ? tip : label + ": " + value + "\n\n" + tip);
  if (open) {
    for (int i = 0; i < int(names.size()); ++i) {
      const std::string missing = why_not ? why_not(i) : "";
      if (ImGui::Selectable(pretty_name(names[i]).c_str(), i == current,
                            missing.empty() ? 0 : ImGuiSelectableFlags_Disabled))
        chosen = i;
      note_item(state, key + "=" + names[i]);
      if (!missing.empty()) theme::tooltip(missing);
      else if (help) theme::tooltip(help(i));
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
  return chosen;
}

void text_plate(ImDrawList* list, ImVec2 at, const std::string& text, ImU32 color, float scale) {
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float pad = 5 * scale;
  list->AddRectFilled(ImVec2(at.x - pad, at.y - 2 * scale),
                      ImVec2(at.x + size.x + pad, at.y + size.y + 2 * scale),
                      ImGui::GetColorU32(theme::plate), 4 * scale);
  list->AddText(at, color, text.c_str());
}

float grip_moved(WindowState& state, const char* id, const std::string& item, float x, float height) {
  const float grip = 6 * state.scale;
  ImGui::SetNextWindowPos(ImVec2(x - grip / 2, 0));
  ImGui::SetNextWindowSize(ImVec2(grip, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBackground);
  ImGui::InvisibleButton("##grip", ImVec2(grip, height));
  note_item(state, item);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x - state.scale, 0), ImVec2(x + state.scale, height),
                                              ImGui::GetColorU32(theme::accent));
  }
  const float moved = ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta.x : 0;
  ImGui::End();
  ImGui::PopStyleVar(2);
  return moved;
}

void begin_strip(const char* name, const Rect& area, float scale) {
  ImGui::SetNextWindowPos(ImVec2(area.x, area.y));
  ImGui::SetNextWindowSize(ImVec2(area.width, area.height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * scale, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::header);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void end_strip() {
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

}  // namespace weft

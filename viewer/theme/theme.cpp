#include "viewer/theme/theme.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "sim/base/program_folder.h"

namespace weft::theme {
namespace {

constexpr float kFontSize = 15;  // pixels at scale 1

bool is_outline_font(const std::string& path) {
  const std::string end = path.size() > 4 ? path.substr(path.size() - 4) : "";
  std::error_code ignored;
  return (end == ".ttf" || end == ".otf") && std::filesystem::is_regular_file(path, ignored);
}

/// fontconfig's own program answers in milliseconds and spares a build-time dependency.
std::string ask_fontconfig() {
  const char* command =
      "fc-match -f '%{file}' 'Inter,Noto Sans,Open Sans,DejaVu Sans:style=Regular:fontformat=TrueType' "
      "2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> answer(popen(command, "r"), pclose);
  if (!answer) return {};
  char buffer[1024];
  std::string path;
  while (const size_t n = fread(buffer, 1, sizeof buffer, answer.get())) path.append(buffer, n);
  return path;
}

void colors(ImGuiStyle& style) {
  ImVec4* c = style.Colors;
  const ImVec4 clear(0, 0, 0, 0);
  c[ImGuiCol_Text] = text, c[ImGuiCol_TextDisabled] = dim_text;
  c[ImGuiCol_WindowBg] = background, c[ImGuiCol_ChildBg] = clear, c[ImGuiCol_PopupBg] = popup;
  c[ImGuiCol_Border] = line, c[ImGuiCol_BorderShadow] = clear;
  c[ImGuiCol_FrameBg] = field, c[ImGuiCol_FrameBgHovered] = field_hot, c[ImGuiCol_FrameBgActive] = field_hot;
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = header;
  c[ImGuiCol_ScrollbarBg] = clear, c[ImGuiCol_ScrollbarGrab] = line;
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = dim_text;
  c[ImGuiCol_CheckMark] = accent;
  c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = accent;
  c[ImGuiCol_Button] = field, c[ImGuiCol_ButtonHovered] = field_hot, c[ImGuiCol_ButtonActive] = accent_dark;
  c[ImGuiCol_Header] = header, c[ImGuiCol_HeaderHovered] = field, c[ImGuiCol_HeaderActive] = field_hot;
  c[ImGuiCol_Separator] = line, c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = accent;
  c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = accent;
  c[ImGuiCol_TableHeaderBg] = header, c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = line;
  c[ImGuiCol_TableRowBg] = clear, c[ImGuiCol_TableRowBgAlt] = ImVec4(1, 1, 1, 0.018f);
  c[ImGuiCol_TextSelectedBg] = accent_dark, c[ImGuiCol_NavHighlight] = accent;
  c[ImGuiCol_DragDropTarget] = accent;
}

void draw_triangle(ImDrawList* list, ImVec2 c, float r, ImU32 color) {
  list->AddTriangleFilled(ImVec2(c.x - 0.7f * r, c.y - r), ImVec2(c.x + r, c.y),
                          ImVec2(c.x - 0.7f * r, c.y + r), color);
}

void draw_arc_arrow(ImDrawList* list, ImVec2 c, float r, ImU32 color, bool clockwise, float from, float to) {
  list->PathArcTo(c, r * 0.8f, from, to, 20);
  list->PathStroke(color, 0, r * 0.28f);
  const float end = clockwise ? to : from, turn = clockwise ? 1.0f : -1.0f;
  const ImVec2 tip(c.x + 0.8f * r * std::cos(end), c.y + 0.8f * r * std::sin(end));
  const ImVec2 along(-std::sin(end) * turn, std::cos(end) * turn), out(std::cos(end), std::sin(end));
  const float s = 0.55f * r;
  list->AddTriangleFilled(ImVec2(tip.x + along.x * s, tip.y + along.y * s),
                          ImVec2(tip.x + out.x * s, tip.y + out.y * s),
                          ImVec2(tip.x - out.x * s, tip.y - out.y * s), color);
}

void draw_icon(ImDrawList* list, Icon icon, ImVec2 c, float r, ImU32 color) {
  switch (icon) {
    case Icon::play: return draw_triangle(list, c, r, color);
    case Icon::pause:
      list->AddRectFilled(ImVec2(c.x - 0.75f * r, c.y - r), ImVec2(c.x - 0.2f * r, c.y + r), color, 1);
      return list->AddRectFilled(ImVec2(c.x + 0.2f * r, c.y - r), ImVec2(c.x + 0.75f * r, c.y + r), color, 1);
    case Icon::step:
      list->AddRectFilled(ImVec2(c.x + 0.55f * r, c.y - r), ImVec2(c.x + 0.95f * r, c.y + r), color, 1);
      return draw_triangle(list, ImVec2(c.x - 0.35f * r, c.y), 0.9f * r, color);
    case Icon::reset: return draw_arc_arrow(list, c, r, color, false, -2.2f, 2.6f);
    case Icon::record: return list->AddCircleFilled(c, 0.85f * r, color, 24);
    case Icon::stop:
      return list->AddRectFilled(ImVec2(c.x - 0.8f * r, c.y - 0.8f * r),
                                 ImVec2(c.x + 0.8f * r, c.y + 0.8f * r), color, 2);
    case Icon::camera:
      list->AddRectFilled(ImVec2(c.x - 0.45f * r, c.y - 0.9f * r), ImVec2(c.x + 0.45f * r, c.y - 0.4f * r),
                          color, 2);
      list->AddRect(ImVec2(c.x - 1.1f * r, c.y - 0.6f * r), ImVec2(c.x + 1.1f * r, c.y + 0.85f * r), color, 3,
                    0, 0.25f * r);
      return list->AddCircle(ImVec2(c.x, c.y + 0.1f * r), 0.38f * r, color, 20, 0.25f * r);
    case Icon::undo: return draw_arc_arrow(list, ImVec2(c.x, c.y + 0.2f * r), r, color, false, -2.6f, 0.4f);
    case Icon::redo: return draw_arc_arrow(list, ImVec2(c.x, c.y + 0.2f * r), r, color, true, -3.5f, -0.5f);
    case Icon::fold:
    case Icon::unfold: {
      const float s = icon == Icon::fold ? 1.0f : -1.0f;
      list->AddLine(ImVec2(c.x + 0.3f * r * s, c.y - 0.7f * r), ImVec2(c.x - 0.4f * r * s, c.y), color,
                    0.25f * r);
      return list->AddLine(ImVec2(c.x - 0.4f * r * s, c.y), ImVec2(c.x + 0.3f * r * s, c.y + 0.7f * r), color,
                           0.25f * r);
    }
  }
}

}  // namespace

void use(bool light) {
  struct Shade {
    ImVec4* color;
    ImVec4 dark, light;
  };
  static const Shade shades[] = {{&background, background, {0.945f, 0.949f, 0.957f, 1}},
                                 {&header, header, {0.890f, 0.898f, 0.914f, 1}},
                                 {&popup, popup, {0.980f, 0.982f, 0.988f, 1}},
                                 {&field, field, {0.835f, 0.847f, 0.871f, 1}},
                                 {&field_hot, field_hot, {0.776f, 0.796f, 0.831f, 1}},
                                 {&line, line, {0.722f, 0.741f, 0.776f, 1}},
                                 {&text, text, {0.110f, 0.125f, 0.153f, 1}},
                                 {&dim_text, dim_text, {0.357f, 0.388f, 0.439f, 1}},
                                 {&accent, accent, {0.118f, 0.431f, 0.796f, 1}},
                                 {&accent_dark, accent_dark, {0.561f, 0.737f, 0.933f, 1}},
                                 {&warning, warning, {0.655f, 0.388f, 0.008f, 1}},
                                 {&error, error, {0.757f, 0.153f, 0.145f, 1}},
                                 {&good, good, {0.098f, 0.486f, 0.235f, 1}}};
  for (const Shade& shade : shades) *shade.color = light ? shade.light : shade.dark;
  colors(ImGui::GetStyle());
}

ImU32 series_color(int i) {
  static constexpr ImU32 kColors[] = {IM_COL32(93, 167, 246, 255),  IM_COL32(242, 156, 92, 255),
                                      IM_COL32(111, 202, 137, 255), IM_COL32(225, 106, 134, 255),
                                      IM_COL32(167, 139, 232, 255), IM_COL32(230, 205, 98, 255),
                                      IM_COL32(88, 196, 203, 255),  IM_COL32(201, 150, 116, 255),
                                      IM_COL32(160, 172, 190, 255), IM_COL32(214, 133, 208, 255)};
  return kColors[(i % 10 + 10) % 10];
}

std::string find_font() {
  if (const std::string path = ask_fontconfig(); is_outline_font(path)) return path;
  for (const char* path :
       {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf"})
    if (is_outline_font(path)) return path;
  const std::string own = installed_path("fonts/DejaVuSans.ttf").string();
  return is_outline_font(own) ? own : std::string();
}

void apply(float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = ImVec2(10, 8), style.FramePadding = ImVec2(7, 3.5f);
  style.ItemSpacing = ImVec2(7, 5), style.ItemInnerSpacing = ImVec2(6, 4),
  style.CellPadding = ImVec2(5, 2.5f);
  style.IndentSpacing = 14, style.ScrollbarSize = 11, style.GrabMinSize = 8;
  style.WindowRounding = 6, style.ChildRounding = 4, style.FrameRounding = 4, style.PopupRounding = 5;
  style.ScrollbarRounding = 6, style.GrabRounding = 3;
  style.WindowBorderSize = 0, style.FrameBorderSize = 0, style.PopupBorderSize = 1;
  style.WindowTitleAlign = ImVec2(0.0f, 0.5f);
  style.DisabledAlpha = 0.45f;
  colors(style);
  style.ScaleAllSizes(scale);

  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  const float pixels = std::round(kFontSize * scale);
  static ImVector<ImWchar> ranges;
  if (ranges.empty()) {
    ImFontGlyphRangesBuilder builder;
    builder.AddRanges(io.Fonts->GetGlyphRangesDefault());
    builder.AddRanges(io.Fonts->GetGlyphRangesCyrillic());
    builder.AddText(
        "\u2026\u2013\u2014\u2019\u00d7\u00b2\u00b3\u00b0\u00b5\u0394\u2265\u2264\u2192\u2190\u2022\u03b3"
        "\u03b4\u03b5\u03c3\u03c1\u03bc\u2713\u0101\u0107\u010d\u0142\u0151\u0159\u0161\u017e");
    builder.BuildRanges(&ranges);
  }
  ImFontConfig config;
  config.OversampleH = 2, config.OversampleV = 1;
  config.PixelSnapH = false;
  const std::string path = find_font();
  if (path.empty() || !io.Fonts->AddFontFromFileTTF(path.c_str(), pixels, &config, ranges.Data)) {
    ImFontConfig built_in;
    built_in.SizePixels = std::round(13 * scale);
    io.Fonts->AddFontDefault(&built_in);
  }
}

bool icon_button(const char* id, Icon icon, float size, const std::string& tip, bool active, bool enabled,
                 ImVec4 color) {
  ImGui::PushID(id);
  ImGui::BeginDisabled(!enabled);
  if (active) ImGui::PushStyleColor(ImGuiCol_Button, accent_dark);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::Button("##icon", ImVec2(size, size));
  if (active) ImGui::PopStyleColor();
  draw_icon(ImGui::GetWindowDrawList(), icon, ImVec2(at.x + size / 2, at.y + size / 2), size * 0.23f,
            ImGui::GetColorU32(color));
  ImGui::EndDisabled();
  ImGui::PopID();
  if (!tip.empty()) tooltip(tip);
  return pressed;
}

bool cross_button(const char* id, float size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, ImVec2(size, size));
  const ImU32 color = ImGui::GetColorU32(ImGui::IsItemHovered() ? text : dim_text);
  const float a = size * 0.32f, b = size * 0.68f;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(ImVec2(at.x + a, at.y + a), ImVec2(at.x + b, at.y + b), color, size * 0.07f);
  list->AddLine(ImVec2(at.x + a, at.y + b), ImVec2(at.x + b, at.y + a), color, size * 0.07f);
  return pressed;
}

void tooltip(const std::string& words) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) || ImGui::GetCurrentContext() == nullptr)
    return;
  const float scale = ImGui::GetFontSize() / kFontSize;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * scale, 8 * scale));
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1.0f);
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(2);
}

}  // namespace weft::theme

// Colours, spacing, fonts and small icons of the window.
#pragma once
#include <imgui.h>

#include <string>

namespace weft::theme {

// Of the theme in use; `use` changes them.
inline ImVec4 background{0.098f, 0.106f, 0.122f, 1};
inline ImVec4 header{0.129f, 0.141f, 0.161f, 1};
inline ImVec4 popup{0.118f, 0.129f, 0.149f, 1};
inline ImVec4 field{0.165f, 0.180f, 0.208f, 1};
inline ImVec4 field_hot{0.208f, 0.227f, 0.263f, 1};
inline ImVec4 line{0.224f, 0.243f, 0.278f, 1};
inline ImVec4 text{0.878f, 0.894f, 0.922f, 1};
inline ImVec4 dim_text{0.560f, 0.592f, 0.647f, 1};
inline ImVec4 accent{0.365f, 0.655f, 0.965f, 1};
inline ImVec4 accent_dark{0.176f, 0.365f, 0.588f, 1};
inline ImVec4 warning{0.949f, 0.722f, 0.314f, 1};
inline ImVec4 error{0.949f, 0.408f, 0.392f, 1};
inline ImVec4 good{0.435f, 0.792f, 0.537f, 1};

// On the picture, whatever the theme: text on a dark plate.
inline const ImVec4 plate_text{0.878f, 0.894f, 0.922f, 1}, plate{0.086f, 0.094f, 0.110f, 0.75f};

/// Dark or light, for everything that is drawn from now on.
void use(bool light);

/// Colour `i` of a series of stages in a plot; repeats after ten.
ImU32 series_color(int i);

/// Path of a readable font: fontconfig's match for a list of well-made sans-serif families, else DejaVu Sans
/// in its usual places; empty if there is none.
std::string find_font();

/// Fonts and style for a display scale, into the current ImGui context. Call before the first frame or
/// between two; the fonts' texture must then be made again.
void apply(float scale);

enum class Icon { play, pause, step, reset, record, stop, camera, undo, redo, fold, unfold };
/// A square button with an icon. `tooltip` on hover.
bool icon_button(const char* id, Icon icon, float size, const std::string& tooltip, bool active = false,
                 bool enabled = true, ImVec4 color = text);
/// A small cross.
bool cross_button(const char* id, float size);
/// Tooltip of the last item, wrapped, after a short rest of the cursor, on disabled items too.
void tooltip(const std::string& text);

}  // namespace weft::theme

#include "viewer/window/window_glfw.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/error.h"
#include "viewer/gl/context.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// Space on the primary monitor outside taskbars, minus the window's decoration, in screen coordinates;
/// unlimited if the desktop does not tell.
ivec2 room_for(GLFWwindow* window) {
  ivec2 corner(0), room(0);
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &corner.x, &corner.y, &room.x, &room.y);
  int left = 0, top = 0, right = 0, bottom = 0;
  glfwGetWindowFrameSize(window, &left, &top, &right, &bottom);
  room -= ivec2(left + right, top + bottom);
  return room.x > 0 && room.y > 0 ? room : ivec2(std::numeric_limits<int>::max());
}

std::string glfw_reason() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? words : "no reason given";
}

}  // namespace

/// GLFW's callbacks, which only record events.
struct WindowEvents {
  /// Only before the first movement has been reported.
  static void ask_for_cursor(DesktopWindow& self, GLFWwindow* window) {
    glfwGetCursorPos(window, &self.cursor_x_, &self.cursor_y_);
    self.cursor_known_ = true;
  }
  static DesktopWindow& self_of(GLFWwindow* window) {
    return *static_cast<DesktopWindow*>(glfwGetWindowUserPointer(window));
  }
  static WindowEvent event(GLFWwindow* window, WindowEvent::Kind kind) {
    DesktopWindow& self = self_of(window);
    // glfwGetCursorPos returns the present position, which after a slow picture is beyond the place of the
    // press.
    if (!self.cursor_known_) ask_for_cursor(self, window);
    WindowEvent e;
    e.kind = kind;
    e.x = self.cursor_x_, e.y = self.cursor_y_;
    return e;
  }
  static void add(GLFWwindow* window, WindowEvent e) { self_of(window).turns_.add(std::move(e)); }
  static void set_mods(WindowEvent& e, int mods) {
    e.shift = mods & GLFW_MOD_SHIFT, e.ctrl = mods & GLFW_MOD_CONTROL, e.alt = mods & GLFW_MOD_ALT;
  }
  /// Letters follow the keyboard layout in use, so that Ctrl-Z is at its usual place.
  static int by_layout(int key, int scancode) {
    const char* name = glfwGetKeyName(key, scancode);
    return name && name[0] >= 'a' && name[0] <= 'z' && !name[1] ? GLFW_KEY_A + (name[0] - 'a') : key;
  }
  static bool comes_as_character(int key) {
    return key == GLFW_KEY_SLASH || key == GLFW_KEY_LEFT_BRACKET || key == GLFW_KEY_RIGHT_BRACKET;
  }
  static void key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    WindowEvent e = event(window, WindowEvent::Kind::key);
    if (action == GLFW_PRESS && key > 0) e.struck = key;
    e.key = by_layout(key, scancode), e.repeated = action == GLFW_REPEAT;
    if (action == GLFW_RELEASE) e.kind = WindowEvent::Kind::damage;
    else if (comes_as_character(e.key)) e.kind = WindowEvent::Kind::text;  // whose character follows
    set_mods(e, mods);
    add(window, e);
  }
  /// Signs that other layouts have elsewhere.
  static void character(GLFWwindow* window, unsigned sign) {
    const int key = sign == '?'   ? GLFW_KEY_SLASH
                    : sign == '[' ? GLFW_KEY_LEFT_BRACKET
                    : sign == ']' ? GLFW_KEY_RIGHT_BRACKET
                                  : 0;
    WindowEvent e = event(window, key ? WindowEvent::Kind::key : WindowEvent::Kind::text);
    e.key = key, e.character = sign;
    add(window, e);
  }
  static void button(GLFWwindow* window, int button, int action, int mods) {
    WindowEvent e =
        event(window, action == GLFW_PRESS ? WindowEvent::Kind::press : WindowEvent::Kind::release);
    e.key = button;
    set_mods(e, mods);
    if (action == GLFW_PRESS && button == GLFW_MOUSE_BUTTON_LEFT) e.twice = ends_double_click(window, e);
    add(window, e);
  }
  static bool ends_double_click(GLFWwindow* window, const WindowEvent& e) {
    constexpr double kTwice = 0.3;                  // s
    constexpr double kAtOnce = 2e-3, kLate = 0.05;  // s
    constexpr float kNear = 6;                      // pixels
    const double now = glfwGetTime();
    auto& left = self_of(window).left_;
    // One that comes at once, or after the wait was to end, lay there while a picture was made, or while the
    // machine did other things, and may be as old as the wait before: that parts no clicks.
    const bool waited_for = now > left.asked + kAtOnce && now < left.until + kLate;
    const double earliest = waited_for ? now : left.answered;
    const bool again =
        left.time >= 0 && earliest - left.time < kTwice && glm::distance(left.at, vec2(e.x, e.y)) < kNear;
    left.time = again ? -1 : now, left.at = vec2(e.x, e.y);
    return again;
  }
  static void scroll(GLFWwindow* window, double x, double y) {
    WindowEvent e = event(window, WindowEvent::Kind::wheel);
    e.wheel = float(y), e.sideways = float(x);
    add(window, e);
  }
  static void move(GLFWwindow* window, double x, double y) {
    DesktopWindow& self = self_of(window);
    self.cursor_x_ = x, self.cursor_y_ = y, self.cursor_known_ = true;
    add(window, event(window, WindowEvent::Kind::move));
  }
  static void drop(GLFWwindow* window, int count, const char** paths) {
    WindowEvent e = event(window, WindowEvent::Kind::drop);
    e.paths.assign(paths, paths + count);
    add(window, e);
  }
  static void damage(GLFWwindow* window) { add(window, event(window, WindowEvent::Kind::damage)); }
  static void refresh(GLFWwindow* window) { damage(window); }
  static void size(GLFWwindow* window, int, int) { damage(window); }
  static void flag(GLFWwindow* window, int) { damage(window); }
};

DesktopWindow::DesktopWindow(const Options& options) : fixed_scale_(options.scale) {
  glfwSetErrorCallback(nullptr);
  if (!glfwInit())
    throw Error("the window cannot be opened: " + glfw_reason(), "",
                "run where there is a display, or with --headless");
  try {
    make_window(options);
    gl::load(reinterpret_cast<void* (*)(const char*)>(glfwGetProcAddress));
  } catch (...) {
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
    throw;
  }
  listen();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window_, true);  // keeps and calls the callbacks set above
  ImGui_ImplOpenGL3_Init("#version 450");
  theme::apply(scale_);
}

void DesktopWindow::make_window(const Options& options) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SAMPLES, 0);     // the renderer has its own samples
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // and its own depth
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);  // in full screen, for a click on another monitor
  glfwWindowHint(GLFW_MAXIMIZED, options.maximized);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "weft");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "weft");
  window_ =
      glfwCreateWindow(std::max(1, options.width), std::max(1, options.height), "Weft", nullptr, nullptr);
  if (!window_)
    throw Error("there is no OpenGL 4.5 window: " + glfw_reason(), "",
                "update the graphics driver, or run with --headless");
  glfwMakeContextCurrent(window_);
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  scale_ = fixed_scale_ > 0 ? fixed_scale_ : std::clamp(x, 0.5f, 4.0f);
  if (options.within_screen) {
    const ivec2 wanted(options.width, options.height), fitting = glm::min(wanted, room_for(window_));
    if (fitting != wanted) glfwSetWindowSize(window_, fitting.x, fitting.y);
  }
  glfwShowWindow(window_);
  glfwSwapInterval(1);
}

void DesktopWindow::listen() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, WindowEvents::key);
  glfwSetCharCallback(window_, WindowEvents::character);
  glfwSetMouseButtonCallback(window_, WindowEvents::button);
  glfwSetScrollCallback(window_, WindowEvents::scroll);
  glfwSetCursorPosCallback(window_, WindowEvents::move);
  glfwSetDropCallback(window_, WindowEvents::drop);
  glfwSetWindowRefreshCallback(window_, WindowEvents::refresh);
  glfwSetFramebufferSizeCallback(window_, WindowEvents::size);
  glfwSetWindowIconifyCallback(window_, WindowEvents::flag);
  glfwSetCursorEnterCallback(window_, WindowEvents::flag);
  glfwSetWindowFocusCallback(window_, WindowEvents::flag);
}

DesktopWindow::~DesktopWindow() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool DesktopWindow::rescale() {
  if (fixed_scale_ > 0) return false;
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  const float wanted = std::clamp(x, 0.5f, 4.0f);
  if (std::abs(wanted - scale_) < 0.01f) return false;
  scale_ = wanted;
  theme::apply(scale_);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  return true;
}

ivec2 DesktopWindow::size() const {
  ivec2 s(0);
  glfwGetWindowSize(window_, &s.x, &s.y);
  return s;
}

ivec2 DesktopWindow::framebuffer_size() const {
  ivec2 s(0);
  glfwGetFramebufferSize(window_, &s.x, &s.y);
  return s;
}

bool DesktopWindow::minimised() const {
  const ivec2 s = framebuffer_size();
  return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) || s.x < 1 || s.y < 1;
}

bool DesktopWindow::maximised() const { return glfwGetWindowAttrib(window_, GLFW_MAXIMIZED); }

vec2 DesktopWindow::cursor() const {
  if (more_events()) return turns_.cursor();
  double x = 0, y = 0;
  glfwGetCursorPos(window_, &x, &y);
  return {float(x), float(y)};
}

/// The one that most of the window is on; nullptr where the desktop has none.
GLFWmonitor* DesktopWindow::monitor() const {
  ivec2 at(0);
  glfwGetWindowPos(window_, &at.x, &at.y);
  int count = 0;
  GLFWmonitor** const all = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  int most = 0;
  for (int i = 0; i < count; ++i) {
    const GLFWvidmode* mode = glfwGetVideoMode(all[i]);
    if (!mode) continue;
    ivec2 corner(0);
    glfwGetMonitorPos(all[i], &corner.x, &corner.y);
    const ivec2 common =
        glm::min(at + size(), corner + ivec2(mode->width, mode->height)) - glm::max(at, corner);
    if (common.x <= 0 || common.y <= 0 || common.x * common.y <= most) continue;
    most = common.x * common.y, best = all[i];
  }
  return best;
}

void DesktopWindow::set_full_screen(bool on) {
  if (on == full_screen()) return;
  if (!on) {
    const Windowed before = *std::exchange(windowed_, std::nullopt);
    return glfwSetWindowMonitor(window_, nullptr, before.at.x, before.at.y, before.size.x, before.size.y, 0);
  }
  GLFWmonitor* const where = monitor();
  const GLFWvidmode* mode = where ? glfwGetVideoMode(where) : nullptr;
  if (!mode) return;
  Windowed before{ivec2(0), size()};
  glfwGetWindowPos(window_, &before.at.x, &before.at.y);
  windowed_ = before;
  // the monitor's own mode: others take a second to switch, and move windows about
  glfwSetWindowMonitor(window_, where, 0, 0, mode->width, mode->height, mode->refreshRate);
}

double DesktopWindow::refresh_rate() const {
  GLFWmonitor* const where = monitor();
  const GLFWvidmode* mode = where ? glfwGetVideoMode(where) : nullptr;
  return mode && mode->refreshRate >= 20 ? mode->refreshRate : 60;
}

std::vector<WindowEvent> DesktopWindow::events(double seconds) {
  left_.asked = glfwGetTime(), left_.until = left_.asked + seconds;
  if (seconds > 0) glfwWaitEventsTimeout(seconds);
  else glfwPollEvents();
  left_.answered = glfwGetTime();
  std::vector<WindowEvent> taken = turns_.take();
  for (WindowEvent& e : taken) {
    show(e);
    if (e.kind == WindowEvent::Kind::move || e.kind == WindowEvent::Kind::text)
      e.kind = WindowEvent::Kind::damage;
  }
  return taken;
}

void DesktopWindow::next_picture() {
  turns_.next_picture();
  shown_ = {};
}

bool DesktopWindow::should_close() const { return glfwWindowShouldClose(window_); }

void DesktopWindow::show(const WindowEvent& e) {
  if (e.kind == WindowEvent::Kind::press)
    shown_.press = {vec2(e.x, e.y), e.shift, e.ctrl, e.alt}, shown_.twice |= e.twice;
  if (e.kind == WindowEvent::Kind::wheel) shown_.wheel += vec2(e.sideways, e.wheel);
  if (e.struck) shown_.struck.push_back(e.struck);
  if (e.character) shown_.text.push_back(char32_t(e.character));
}

/// ImGui before 1.87 uses the present mouse and keys, and all that was typed so far. A press counts at its
/// place and with the keys held at that time, and a key counts even if it was released meanwhile; what waits
/// for the next picture is not shown.
void DesktopWindow::show_events() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  for (int b = 0; b < EventTurns::kButtons; ++b) io.MouseDown[b] = turns_.down(b);
  io.MouseWheelH = shown_.wheel.x, io.MouseWheel = shown_.wheel.y;
  io.InputQueueCharacters.resize(0);
  for (const char32_t c : shown_.text) io.AddInputCharacter(unsigned(c));
  for (const WindowEvent& e : turns_.waiting()) io.KeysDown[e.struck] = false;
  for (const int key : shown_.struck) io.KeysDown[key] = true;
  if (more_events()) io.MousePos = ImVec2(turns_.cursor().x, turns_.cursor().y);
  if (!shown_.press) return;
  const Held& press = *shown_.press;
  actual_ = {vec2(io.MousePos.x, io.MousePos.y), io.KeyShift, io.KeyCtrl, io.KeyAlt};
  io.MousePos = ImVec2(press.cursor.x, press.cursor.y);
  io.KeyShift = press.shift, io.KeyCtrl = press.ctrl, io.KeyAlt = press.alt;
#endif
}

void DesktopWindow::end_events() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  const auto at_present = [&](int key) {
    if (key > 0) io.KeysDown[key] = glfwGetKey(window_, key) == GLFW_PRESS;
  };
  for (const int key : shown_.struck) at_present(key);
  for (const WindowEvent& e : turns_.waiting()) at_present(e.struck);
  // The backend sets these only when one changes.
  if (actual_) io.KeyShift = actual_->shift, io.KeyCtrl = actual_->ctrl, io.KeyAlt = actual_->alt;
  actual_.reset();
#endif
  shown_ = {};
}

void DesktopWindow::begin_gui() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  show_events();
  ImGui::NewFrame();
#if IMGUI_VERSION_NUM < 18700
  // Between its pictures more time may pass than between the presses.
  if (shown_.twice) {
    ImGuiIO& io = ImGui::GetIO();
    io.MouseDoubleClicked[ImGuiMouseButton_Left] = true;
    io.MouseClickedCount[ImGuiMouseButton_Left] = 2;     // what it asks
    io.MouseClickedTime[ImGuiMouseButton_Left] = -1e30;  // the next press is a first one
  }
#endif
}

void DesktopWindow::end_gui() {
  ImGui::Render();
  end_events();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void DesktopWindow::swap() { glfwSwapBuffers(window_); }
void DesktopWindow::set_vsync(bool on) { glfwSwapInterval(on ? 1 : 0); }
void DesktopWindow::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

}  // namespace weft

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
  static WindowEvent& add(GLFWwindow* window, WindowEvent::Kind kind) {
    DesktopWindow& self = *static_cast<DesktopWindow*>(glfwGetWindowUserPointer(window));
    // glfwGetCursorPos returns the present position, which after a slow picture is beyond the place of the
    // press.
    if (!self.cursor_known_) ask_for_cursor(self, window);
    WindowEvent& e = self.pending_.emplace_back();
    e.kind = kind;
    e.x = self.cursor_x_, e.y = self.cursor_y_;
    return e;
  }
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
    if (action == GLFW_PRESS && key >= 0)
      static_cast<DesktopWindow*>(glfwGetWindowUserPointer(window))->struck_.push_back(key);
    key = by_layout(key, scancode);
    if (action == GLFW_RELEASE || comes_as_character(key))
      return void(add(window, WindowEvent::Kind::damage));
    WindowEvent& e = add(window, WindowEvent::Kind::key);
    e.key = key, e.repeated = action == GLFW_REPEAT;
    set_mods(e, mods);
  }
  /// Signs that other layouts have elsewhere.
  static void character(GLFWwindow* window, unsigned sign) {
    const int key = sign == '?'   ? GLFW_KEY_SLASH
                    : sign == '[' ? GLFW_KEY_LEFT_BRACKET
                    : sign == ']' ? GLFW_KEY_RIGHT_BRACKET
                                  : 0;
    if (key) add(window, WindowEvent::Kind::key).key = key;
  }
  static void button(GLFWwindow* window, int button, int action, int mods) {
    WindowEvent& e =
        add(window, action == GLFW_PRESS ? WindowEvent::Kind::press : WindowEvent::Kind::release);
    e.key = button;
    set_mods(e, mods);
    DesktopWindow& self = *static_cast<DesktopWindow*>(glfwGetWindowUserPointer(window));
    if (action != GLFW_PRESS) return;
    self.pressed_ = {vec2(e.x, e.y), e.shift, e.ctrl, e.alt};
    if (button != GLFW_MOUSE_BUTTON_LEFT) return;
    constexpr double kTwice = 0.3;                  // s
    constexpr double kAtOnce = 2e-3, kLate = 0.05;  // s
    constexpr float kNear = 6;                      // pixels
    const double now = glfwGetTime();
    auto& left = self.left_;
    // One that comes at once, or after the wait was to end, lay there while a picture was made, or while the
    // machine did other things, and may be as old as the wait before: that parts no clicks.
    const bool waited_for = now > left.asked + kAtOnce && now < left.until + kLate;
    const double earliest = waited_for ? now : left.answered;
    const bool again =
        left.time >= 0 && earliest - left.time < kTwice && glm::distance(left.at, vec2(e.x, e.y)) < kNear;
    left = {again ? -1 : now, vec2(e.x, e.y), left.twice || again};
  }
  static void scroll(GLFWwindow* window, double, double y) {
    add(window, WindowEvent::Kind::wheel).wheel = float(y);
  }
  static void move(GLFWwindow* window, double x, double y) {
    DesktopWindow& self = *static_cast<DesktopWindow*>(glfwGetWindowUserPointer(window));
    self.cursor_x_ = x, self.cursor_y_ = y, self.cursor_known_ = true;
    add(window, WindowEvent::Kind::damage);
  }
  static void drop(GLFWwindow* window, int count, const char** paths) {
    add(window, WindowEvent::Kind::drop).paths.assign(paths, paths + count);
  }
  static void refresh(GLFWwindow* window) { add(window, WindowEvent::Kind::damage); }
  static void size(GLFWwindow* window, int, int) { add(window, WindowEvent::Kind::damage); }
  static void flag(GLFWwindow* window, int) { add(window, WindowEvent::Kind::damage); }
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
  double x = 0, y = 0;
  glfwGetCursorPos(window_, &x, &y);
  return {float(x), float(y)};
}

double DesktopWindow::refresh_rate() const {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  return mode && mode->refreshRate >= 20 ? mode->refreshRate : 60;
}

std::vector<WindowEvent> DesktopWindow::events(double seconds) {
  left_.asked = glfwGetTime(), left_.until = left_.asked + seconds;
  if (seconds > 0) glfwWaitEventsTimeout(seconds);
  else glfwPollEvents();
  left_.answered = glfwGetTime();
  return std::exchange(pending_, {});
}

bool DesktopWindow::should_close() const { return glfwWindowShouldClose(window_); }

/// ImGui before 1.87 uses the present cursor and keys. A press counts at its place and with the keys held at
/// that time, and a key counts even if it was released meanwhile, also after a slow picture.
void DesktopWindow::show_presses() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  for (const int key : struck_) io.KeysDown[key] = true;
  if (!pressed_) return;
  actual_ = {vec2(io.MousePos.x, io.MousePos.y), io.KeyShift, io.KeyCtrl, io.KeyAlt};
  io.MousePos = ImVec2(pressed_->cursor.x, pressed_->cursor.y);
  io.KeyShift = pressed_->shift, io.KeyCtrl = pressed_->ctrl, io.KeyAlt = pressed_->alt;
#endif
}

void DesktopWindow::end_presses() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  for (const int key : struck_) io.KeysDown[key] = glfwGetKey(window_, key) == GLFW_PRESS;
  // The backend sets these only when one changes.
  if (actual_) io.KeyShift = actual_->shift, io.KeyCtrl = actual_->ctrl, io.KeyAlt = actual_->alt;
  actual_.reset();
#endif
  struck_.clear();
  pressed_.reset();
}

void DesktopWindow::begin_gui() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  show_presses();
  ImGui::NewFrame();
#if IMGUI_VERSION_NUM < 18700
  // It sees one press where two come within a picture, or the release between them does.
  if (left_.twice) {
    ImGuiIO& io = ImGui::GetIO();
    io.MouseClicked[ImGuiMouseButton_Left] = io.MouseDoubleClicked[ImGuiMouseButton_Left] = true;
    io.MouseClickedCount[ImGuiMouseButton_Left] = 2;     // what it asks
    io.MouseClickedTime[ImGuiMouseButton_Left] = -1e30;  // the next press is a first one
  }
#endif
  left_.twice = false;
}

void DesktopWindow::end_gui() {
  ImGui::Render();
  end_presses();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void DesktopWindow::swap() { glfwSwapBuffers(window_); }
void DesktopWindow::set_vsync(bool on) { glfwSwapInterval(on ? 1 : 0); }
void DesktopWindow::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

}  // namespace weft

#include "viewer/session/toasts.h"

#include <fmt/chrono.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "sim/base/shorten.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

constexpr size_t kHistory = 500;
constexpr int kMostAtOnce = 5;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ImVec4 color_of(LogLevel level) {
  switch (level) {
    case LogLevel::error: return theme::error;
    case LogLevel::warning: return theme::warning;
    case LogLevel::notice: return theme::accent;
    default: return theme::dim_text;
  }
}

const char* word_of(LogLevel level) {
  switch (level) {
    case LogLevel::error: return "Error";
    case LogLevel::warning: return "Warning";
    case LogLevel::notice: return "Notice";
    default: return "Info";
  }
}

}  // namespace

double Toasts::Message::lifetime() const {
  if (level == LogLevel::error || stays) return 1e30;
  return level == LogLevel::warning ? 12 : 6;
}

void Toasts::add(LogLevel level, const std::string& whole, bool stays) {
  const std::string text = shortened(whole);
  std::lock_guard lock(mutex_);
  ++revision_;
  if (level >= LogLevel::warning) ++unread_;
  const double now = seconds_now();
  if (!messages_.empty() && messages_.back().text == text) {
    Message& last = messages_.back();
    ++last.times;
    last.born = now;
    last.stays |= stays;
    last.closed = false;
    return;
  }
  const std::time_t wall = std::time(nullptr);
  std::tm local{};
  localtime_r(&wall, &local);
  messages_.push_back({level, text, fmt::format("{:%H:%M:%S}", local), now, stays});
  if (messages_.size() > kHistory) messages_.pop_front();
}

bool Toasts::any_younger_than(double extra) const {
  std::lock_guard lock(mutex_);
  const double now = seconds_now();
  return std::any_of(messages_.begin(), messages_.end(), [&](const Message& m) {
    return !m.closed && m.lifetime() < 1e29 && now - m.born < m.lifetime() + extra;
  });
}

long Toasts::revision() const {
  std::lock_guard lock(mutex_);
  return revision_;
}

int Toasts::unread() const {
  std::lock_guard lock(mutex_);
  return unread_;
}

std::vector<std::string> Toasts::texts() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const Message& message : messages_) all.push_back(message.text);
  return all;
}

std::string Toasts::newest() const {
  std::lock_guard lock(mutex_);
  return messages_.empty() ? "" : messages_.back().text;
}

int Toasts::staying() const {
  std::lock_guard lock(mutex_);
  return int(std::count_if(messages_.begin(), messages_.end(),
                           [](const Message& m) { return !m.closed && m.lifetime() > 1e29; }));
}

bool Toasts::draw_one(Message& message, float right, float& bottom, float width, float scale, int index) {
  const double age = seconds_now() - message.born;
  const float left_seconds = float(message.lifetime() - age);
  const float alpha = std::clamp(left_seconds / 0.5f, 0.0f, 1.0f);
  ImGui::SetNextWindowPos(ImVec2(right, bottom), ImGuiCond_Always, ImVec2(1, 1));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14 * scale, 10 * scale));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6 * scale);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::popup);
  const std::string name = "##toast" + std::to_string(index);
  bool open = true;
  if (ImGui::Begin(name.c_str(), nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoSavedSettings)) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    list->AddRectFilled(at, ImVec2(at.x + 4 * scale, at.y + size.y),
                        ImGui::GetColorU32(color_of(message.level)), 6 * scale, ImDrawFlags_RoundCornersLeft);
    ImGui::PushTextWrapPos(width - 40 * scale);
    if (message.level >= LogLevel::warning)
      ImGui::TextColored(color_of(message.level), "%s", word_of(message.level));
    const std::string text =
        message.times > 1 ? fmt::format("{}  (\u00d7{})", message.text, message.times) : message.text;
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::SetCursorPos(ImVec2(width - 32 * scale, 6 * scale));
    if (theme::cross_button("close", 22 * scale)) open = false;
    bottom = at.y - 8 * scale;
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  return open;
}

void Toasts::draw(float x, float y, float width, float height, float scale) {
  std::lock_guard lock(mutex_);
  const double now = seconds_now();
  const float margin = 12 * scale;
  const float toast_width = std::min(420 * scale, width - 2 * margin);
  if (toast_width < 120 * scale) return;
  float bottom = y + height - margin;
  int shown = 0;
  for (auto m = messages_.rbegin(); m != messages_.rend() && shown < kMostAtOnce && bottom > y + 80 * scale;
       ++m) {
    if (m->closed || now - m->born > m->lifetime()) continue;
    if (!draw_one(*m, x + width - margin, bottom, toast_width, scale, shown++)) m->closed = true;
  }
}

void Toasts::draw_history(bool* open, float scale) {
  if (!*open) return;
  std::lock_guard lock(mutex_);
  unread_ = 0;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(display.x / 2, display.y / 2), ImGuiCond_Appearing, ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSize(
      ImVec2(std::min(760 * scale, display.x * 0.9f), std::min(420 * scale, display.y * 0.8f)),
      ImGuiCond_Appearing);
  if (ImGui::Begin("Messages", open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    if (messages_.empty()) ImGui::TextDisabled("No messages yet.");
    for (const Message& m : messages_) {
      ImGui::TextDisabled("%s", m.clock.c_str());
      ImGui::SameLine(78 * scale);
      ImGui::TextColored(color_of(m.level), "%s", word_of(m.level));
      ImGui::SameLine(150 * scale);
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted((m.times > 1 ? fmt::format("{}  (\u00d7{})", m.text, m.times) : m.text).c_str());
      ImGui::PopTextWrapPos();
    }
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1) ImGui::SetScrollHereY(1);
  }
  ImGui::End();
}

}  // namespace weft

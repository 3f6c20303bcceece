// A session of the window on a scene of its own, without a display, and a gate that holds its simulator.
#pragma once
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/scene/text/scene_file.h"
#include "tests/support/program.h"
#include "tests/support/wait.h"
#include "viewer/session/window_session.h"

namespace weft::testing {

/// Holds the simulator's thread wherever it publishes a state, until it is let go on.
class Gate final : public RunListener {
 public:
  void published(const StepStats&) override {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_ || allowed_ > 0; });
    --waiting_;
    if (!open_) --allowed_;
  }
  void step_ended(long, Time, Time) override {}
  void stages(long, Time, const std::vector<StageSpan>&, bool) override {}

  void await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }
  void let_one_through() {
    std::unique_lock lock(mutex_);
    ++allowed_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return allowed_ == 0; });
  }
  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0, allowed_ = 0;
  bool open_ = false;
};

inline std::string scene_called(const std::string& title) {
  std::string text = small_scene();
  return text.replace(text.find("Small"), 5, title);
}

inline WindowOptions of_scene(const std::string& path) {
  WindowOptions options;
  options.scene = read_scene(path);
  options.input = {path};
  options.device = DeviceChoice::cpu;
  return options;
}

/// A session of the scene "Small" in a folder that is this process's own, and what it said.
struct Opened {
  Folder folder;
  std::vector<std::string> said;
  Session session;
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();

  explicit Opened(const std::function<void(WindowOptions&)>& choose = {})
      : session(options(choose), 1, [this](LogLevel, const std::string& text) { said.push_back(text); }) {}
  ~Opened() { gate->open(); }

  WindowOptions options(const std::function<void(WindowOptions&)>& choose) {
    WindowOptions o = of_scene(folder.write("small.toml", small_scene()));
    if (choose) choose(o);
    return o;
  }
  std::string write_scene(const std::string& title) {
    return folder.write(title + ".toml", scene_called(title));
  }
  bool shows(const std::string& title) {
    return wait_for([&] {
      session.refresh();
      return session.scene().title == title && session.view().scene.title == title;
    });
  }
  bool heard(const std::string& words) const {
    return std::any_of(said.begin(), said.end(),
                       [&](const std::string& s) { return s.find(words) != std::string::npos; });
  }
  bool hears(const std::string& words) {
    return wait_for([&] {
      session.refresh();
      return heard(words);
    });
  }
};

}  // namespace weft::testing

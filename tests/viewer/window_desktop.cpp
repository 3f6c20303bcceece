#include "tests/viewer/window_desktop.h"
#include "test_paths.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace weft::testing {
namespace {

void pause_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

bool on_path(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

pid_t spawn(const std::vector<std::string>& command, const std::string& display, const std::string& folder,
            int keep_fd = -1) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const std::string log = folder + "/" + std::filesystem::path(command[0]).filename().string() + ".log";
  const pid_t child = fork();
  if (child != 0) return child;
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (out >= 0) dup2(out, 1), dup2(out, 2);
  if (keep_fd >= 0) fcntl(keep_fd, F_SETFD, 0);
  if (!display.empty()) setenv("DISPLAY", display.c_str(), 1);
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  if (chdir(folder.c_str()) == 0) execvp(argv[0], argv.data());
  _exit(127);
}

void stop(pid_t process) {
  if (process <= 0) return;
  kill(process, SIGTERM);
  kill(process, SIGCONT);  // a test may have ended while it was halted
  for (int i = 0; i < 50; ++i) {
    if (waitpid(process, nullptr, WNOHANG) != 0) return;
    pause_for(0.05);
  }
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

/// What Xvfb writes when it is ready: the number of the display it took.
std::string read_line(int fd, double seconds) {
  std::string line;
  pollfd waiting{fd, POLLIN, 0};
  char c = 0;
  while (poll(&waiting, 1, int(seconds * 1000)) > 0 && read(fd, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

}  // namespace

Desktop::Desktop(int width, int height, bool managed) {
  for (const char* program : {"Xvfb", "openbox", "xdotool", "ffmpeg"})
    if (!on_path(program)) {
      missing_ = program;
      return;
    }
  std::string pattern = (std::filesystem::temp_directory_path() / "weft-window-XXXXXX").string();
  folder_ = mkdtemp(pattern.data()) ? pattern : "";
  REQUIRE_FALSE(folder_.empty());
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  // A server that starts anew when its last client has gone may drop the one that is coming.
  server_ = spawn({"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0",
                   fmt::format("{}x{}x24", width, height), "-nolisten", "tcp", "-noreset"},
                  "", folder_, ends[1]);
  close(ends[1]);
  const std::string number = read_line(ends[0], 30);
  close(ends[0]);
  if (number.empty()) {
    missing_ = "a display from Xvfb";
    return;
  }
  display_ = ":" + number;
  if (!managed) return;
  manager_ = start({"openbox"});
  // Windows of a display without its manager yet get no focus.
  bool answers = false;
  for (int i = 0; i < 300 && !answers; ++i) {
    // it prints a number without a manager too
    answers = !shell("xdotool get_desktop > manager 2>&1 && echo yes").empty();
    if (!answers) pause_for(0.1);
  }
  REQUIRE_MESSAGE(answers, "no window manager answers on display ", display_);
}

Desktop::~Desktop() {
  stop(manager_);
  stop(server_);
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

std::string Desktop::shell(const std::string& command) const {
  FILE* pipe =
      popen(("cd " + folder_ + " || exit; export DISPLAY=" + display_ + "; " + command).c_str(), "r");
  REQUIRE(pipe);
  std::string output;
  char buffer[512];
  while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  pclose(pipe);
  return output;
}

pid_t Desktop::start(const std::vector<std::string>& command) const {
  return spawn(command, display_, folder_);
}

RunningWeft::RunningWeft(const Desktop& desktop, std::vector<std::string> arguments)
    : desktop_(desktop), report_path_(desktop.file("report.json")) {
  std::filesystem::remove(report_path_);
  std::vector<std::string> command = {WEFT_PROGRAM, "--fresh", "--test-report", report_path_};
  if (std::find(arguments.begin(), arguments.end(), "--scale") == arguments.end())
    command.insert(command.end(), {"--scale", "1"});
  command.insert(command.end(), arguments.begin(), arguments.end());
  process_ = desktop.start(command);
  wait_until(
      "the window opens", [](const Report&) { return true; }, 60);
  find_window();
}

RunningWeft::~RunningWeft() { stop(process_); }

bool RunningWeft::running() { return process_ > 0 && waitpid(process_, nullptr, WNOHANG) == 0; }

void RunningWeft::stall() {
  REQUIRE(kill(process_, SIGSTOP) == 0);
  REQUIRE(waitpid(process_, nullptr, WUNTRACED) == process_);
}

void RunningWeft::go_on() { REQUIRE(kill(process_, SIGCONT) == 0); }

void RunningWeft::find_window() {
  for (int i = 0; i < 100 && window_.empty(); ++i) {
    window_ = desktop_.shell("xdotool search --onlyvisible --class weft | head -1");
    while (!window_.empty() && window_.back() == '\n') window_.pop_back();
    if (window_.empty()) pause_for(0.1);
  }
  REQUIRE_FALSE(window_.empty());
  xdotool("windowactivate --sync " + window_);
}

std::string RunningWeft::log() const {
  std::ifstream file(desktop_.file("weft.log"));
  return {std::istreambuf_iterator<char>(file), {}};
}

RunningWeft::Report RunningWeft::wait_until(const std::string& what,
                                            const std::function<bool(const Report&)>& condition,
                                            double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  Report report;
  while (std::chrono::steady_clock::now() < end) {
    if (!running()) FAIL("the program ended while waiting until ", what, ": ", log());
    std::ifstream file(report_path_);
    if (file) report = Report::parse(file, nullptr, false);
    if (report.is_object() && condition(report)) return report;
    pause_for(0.02);
  }
  FAIL("waited in vain until ", what, "; the program says: ", log(),
       "\nand the last report: ", report.dump());
  return report;
}

RunningWeft::Report RunningWeft::fresh() {
  // The first report from here on may tell of a picture that was begun earlier; a later one has seen all that
  // was done before this call, and ImGui takes a picture per event.
  const auto next = [&](long after) {
    std::error_code ignored;
    std::filesystem::remove(report_path_, ignored);
    // An idle window draws nothing: a touch of the mouse makes it.
    xdotool("mousemove_relative -- 1 0");
    xdotool("mousemove_relative -- -1 0");
    return wait_until("the window draws again", [&](const Report& r) { return r["pictures"] > after; });
  };
  return next(next(-1)["pictures"].get<long>() + 1);
}

void RunningWeft::xdotool(const std::string& arguments) { desktop_.shell("xdotool " + arguments); }
void RunningWeft::move_to(double x, double y) {
  xdotool(fmt::format("mousemove --window {} {:.0f} {:.0f}", window_, x, y));
}
void RunningWeft::press(int button) { xdotool(fmt::format("mousedown {}", button)); }
void RunningWeft::release(int button) { xdotool(fmt::format("mouseup {}", button)); }
void RunningWeft::key(const std::string& name) { xdotool("key " + name); }
void RunningWeft::key_down(const std::string& name) { xdotool("keydown " + name); }
void RunningWeft::key_up(const std::string& name) { xdotool("keyup " + name); }

void RunningWeft::click(double x, double y, int button) {
  move_to(x, y);
  fresh();  // the window has to see the cursor there before the button goes down
  press(button);
  fresh();
  release(button);
  fresh();
}

std::pair<double, double> RunningWeft::item(const std::string& name, double across) {
  const Report report =
      wait_until("there is a widget " + name, [&](const Report& r) { return r["items"].contains(name); });
  const auto& r = report["items"][name];
  return {r[0].get<double>() + across * r[2].get<double>(), r[1].get<double>() + 0.5 * r[3].get<double>()};
}

Image RunningWeft::screenshot() {
  const std::string path = desktop_.file("screenshot.png");
  // By the window's id: xdotool tells the place of a window with a frame off by that frame.
  const std::string geometry = desktop_.shell("xdotool getwindowgeometry --shell " + window_);
  const auto value = [&](const std::string& name) {
    return std::stoi(geometry.substr(geometry.find(name + "=") + name.size() + 1));
  };
  desktop_.shell(
      fmt::format("ffmpeg -y -loglevel error -f x11grab -draw_mouse 0 -window_id {} -video_size {}x{} -i {} "
                  "-frames:v 1 {}",
                  window_, value("WIDTH"), value("HEIGHT"), desktop_.display(), path));
  return read_png(path);
}

std::string write_small_scene(const Desktop& desktop, int vertices, const std::string& title) {
  const std::string path = desktop.file("small.toml");
  std::ofstream(path + ".new") << "title = \"" << title << "\"\n"
                               << "[camera]\ntarget = [0.0, 0.8, 0.0]\ndistance = 3.2\nyaw = 0\npitch = 0\n"
                               << "[[cloth]]\nname = \"cloth\"\nsize = [1.0, 1.0]\nvertices = " << vertices
                               << "\nposition = [0.0, 0.9, 0.0]\nfabric = \"cotton\"\n"
                               << "[[pin]]\nwhere = \"top_left\"\n[[pin]]\nwhere = \"top_right\"\n";
  std::filesystem::rename(path + ".new", path);
  return path;
}

}  // namespace weft::testing

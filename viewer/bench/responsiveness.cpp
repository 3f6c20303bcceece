#include "viewer/bench/responsiveness.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/versions.h"
#include "viewer/session/window_session.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

enum Load { paused, sleeping, busy };
constexpr std::array<const char*, 3> kNames = {"paused", "step sleeps", "step computes"};
constexpr std::array<double, 3> kTargets = {1, 0.9, 0.5};

void enter(Window& window, Load load, double step_seconds) {
  Session& session = window.session();
  session.runner().set_test_delay(step_seconds, load == busy);
  if (load == paused) session.pause();
  else session.play();
}

/// Pictures per second over `seconds` of turns.
double rate(Window& window, double seconds) {
  const auto start = Clock::now();
  const long before = window.pictures();
  double passed = 0;
  while ((passed = std::chrono::duration<double>(Clock::now() - start).count()) < seconds)
    if (!window.turn()) throw Error("the window was closed", "bench");
  return double(window.pictures() - before) / passed;
}

std::string markdown(const std::array<double, 3>& rates, const ResponsivenessRequest& request,
                     Window& window) {
  const SceneView& scene = window.session().view();
  const auto facts = version_facts();
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::string text = fmt::format(
      "{:%Y-%m-%d}, {} ({} cores), Weft {}. Scene \"{}\", {} vertices, window {} x {}, drawn as fast as it "
      "can by\n{}; the simulator on {}.\n"
      "Each step is delayed to {:.0f} ms; {} rounds of {:g} s per state, in turn.\n\n",
      local, facts["processor"].get<std::string>(), facts["cores"].get<int>(),
      facts["weft"].get<std::string>(), scene.scene.title, window.session().frame().vertex_count,
      request.window.width, request.window.height, window.renderer_name(), scene.device_name,
      1000 * request.step_seconds, request.rounds, request.seconds);
  text += "| simulator | pictures per second | share of paused | target |\n|---|---|---|---|\n";
  for (int s = 0; s < 3; ++s)
    text += fmt::format("| {} | {:.1f} | {:.2f} | {} |\n", kNames[size_t(s)], rates[size_t(s)],
                        rates[size_t(s)] / rates[paused],
                        s == paused ? "" : fmt::format("{:g}", kTargets[size_t(s)]));
  return text;
}

}  // namespace

int run_responsiveness(const ResponsivenessRequest& request) {
  if (!request.markdown_file.empty()) check_file(request.markdown_file);
  WindowOptions options = request.window;
  options.fresh = options.paused = true;
  Window window(options);
  window.set_unthrottled(true);
  rate(window, 2);  // everything is compiled and laid out
  std::array<double, 3> rates{};
  for (int round = 0; round < request.rounds; ++round)
    for (const Load load : {paused, sleeping, busy}) {
      enter(window, load, request.step_seconds);
      rate(window, request.step_seconds + 0.2);  // the last step of the state before ends
      rates[size_t(load)] += rate(window, request.seconds) / request.rounds;
    }
  const std::string table = markdown(rates, request, window);
  std::fputs(table.c_str(), stdout);
  if (!request.markdown_file.empty()) write_text_file(request.markdown_file, table);
  return ExitStatus::ok;
}

}  // namespace weft

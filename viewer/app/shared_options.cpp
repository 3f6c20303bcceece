#include "viewer/app/shared_options.h"

#include <cmath>

#include "sim/base/length.h"

namespace weft {

PositiveNumber::PositiveNumber() {
  name_ = "POSITIVE";
  func_ = [](const std::string& text) {
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value) || !(value > 0))
      return "'" + text + "' is not a number above 0";
    return std::string();
  };
}

CLI::Option* add_length(CLI::App& app, const std::string& name, double& metres, const std::string& help,
                        bool may_be_negative) {
  return app.add_option(name, help)
      ->type_name("LENGTH")
      ->each([&metres, may_be_negative](const std::string& text) {
        if (const std::string fault = read_length(text, metres, may_be_negative); !fault.empty())
          throw CLI::ValidationError(fault);
      });
}

void add_compute(CLI::App& app, DeviceChoice& device, int& threads, bool& quiet, const std::string& what,
                 const std::string& threads_help) {
  app.add_option_function<std::string>(
         "--device", [&device](const std::string& name) { device = parse_device_choice(name); },
         "Where to " + what + ": auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->default_str("auto");
  app.add_option("--threads", threads, threads_help)->check(CLI::Range(0, 1024));
  add_quiet(app, quiet);
}

CLI::Option* add_usd_rate(CLI::App& app, double& rate) {
  return app
      .add_option(
          "--usd-rate", rate,
          "Time codes per second of simulated time in .usda files, so that programs play them at true "
          "speed; states between two frames stay where they are; 0: one code for each state; default: "
          "24")
      ->check(CLI::Range(0.0, 1e5));
}

void add_quiet(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet", quiet, "Print only results and errors, no progress");
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace weft

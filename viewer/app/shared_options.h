// Options that several commands of the program have.
#pragma once
#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/device/device.h"

namespace weft {

/// What the arguments ask for.
struct Choice {
  std::function<int()> run;  // returns the exit status; throws Error
  std::string about;         // file that it reads, for messages; may be empty
  std::string command;       // as typed
  bool quiet = false;
};

/// Adds a command whose options fill a request, which is run if the command was given.
template <class Request>
CLI::App& add_command(CLI::App& app, Choice& choice, const char* name, const char* help,
                      void (*options)(CLI::App&, Request&), int (*run)(const Request&)) {
  CLI::App* command = app.add_subcommand(name, help);
  const auto request = std::make_shared<Request>();
  options(*command, *request);
  command->callback([&choice, request, run] {
    choice.run = [request, run] { return run(*request); };
    if constexpr (requires { request->quiet; }) choice.quiet = request->quiet;
    else if constexpr (requires { request->compute.quiet; }) choice.quiet = request->compute.quiet;
  });
  return *command;
}

/// A number above 0.
struct PositiveNumber : CLI::Validator {
  PositiveNumber();
};

/// May be given several times, each time with one value.
template <class T>
CLI::Option* repeated(CLI::App& app, const std::string& name, std::vector<T>& to, const std::string& help) {
  return app.add_option(name, to, help)->expected(1)->take_all()->allow_extra_args(false);
}

/// A length with its unit, into `metres`.
CLI::Option* add_length(CLI::App& app, const std::string& name, double& metres, const std::string& help,
                        bool may_be_negative = false);

/// --device, --threads and --quiet. `what`: "simulate"; `threads_help` of the second.
void add_compute(CLI::App& app, DeviceChoice& device, int& threads, bool& quiet, const std::string& what,
                 const std::string& threads_help);
/// The same of commands that process files.
template <class Request>
void add_compute(CLI::App& app, Request& request) {
  add_compute(app, request.device, request.threads, request.quiet, "compute", "CPU threads; 0: all");
}
void add_quiet(CLI::App& app, bool& quiet);
/// --usd-rate: RunInfo::usd_rate.
CLI::Option* add_usd_rate(CLI::App& app, double& rate);

/// "a, b, c".
std::string joined(const std::vector<std::string>& names);

}  // namespace weft

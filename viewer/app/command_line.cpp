#include "viewer/app/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "sim/base/error.h"
#include "sim/base/inject.h"
#include "sim/base/log.h"
#include "sim/base/nearest.h"
#include "sim/base/shorten.h"
#include "viewer/app/commands.h"
#include "viewer/app/listings.h"
#include "viewer/app/run_command.h"
#include "viewer/app/run_options.h"
#include "viewer/commands/catalogue.h"
#include "viewer/commands/run_origin.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

constexpr const char* kFooter = R"(
Without a display, `weft` records weft-demo.mp4 (10 s, 1280x720).
Exit status: 0 all is well; 1 an error, told in words; 2 arguments that make no sense;
3 end conditions not met (with --check), or a state that crosses (with --verdict);
130 stopped by Ctrl-C, files closed properly.
Examples:
  weft drape_table                                      a scene that ships with the program
  weft shirt.obj --obstacle body.obj                    any mesh as cloth
  weft shirt.obj --cloth-scale 0.01 --up z              the same in centimetres, with z up
  weft scene.toml --headless --frames 300 --states out/ --set fabric.bending_rigidity=5e-5
  weft replay hands.toml --record again.mp4             what a person did, again
  weft drape_table --headless --cache run.weftcache     then: weft run.weftcache
  weft convert run.weftcache run.usda --from 100        for Houdini, Blender, usdview
  weft remesh shirt.obj --edge 5mm -o even.obj          edges of nearly equal length
  weft pattern shirt.json -o shirt.obj --svg shirt.svg  a sewing pattern as mesh and drawing
  weft dress shirt.json -o shirt.obj     sewn and put on the mannequin
  weft wrinkle run.weftcache -o fine.weftcache --cell 1mm
                                                        fine wrinkles on a coarse run
  weft repair start.obj frames/*.obj -o out/            takes crossings out of an animation)";

/// Adds --json, and for parameters --markdown.
std::shared_ptr<ListForm> add_form(CLI::App& command, bool tables) {
  const auto form = std::make_shared<ListForm>(ListForm::plain);
  command.add_flag_callback(
      "--json", [form] { *form = ListForm::json; }, "As JSON, for scripts");
  if (tables)
    command.add_flag_callback(
        "--markdown", [form] { *form = ListForm::markdown; }, "As a Markdown table");
  return form;
}

/// params, with those of plug-ins.
void add_params(CLI::App& app, Choice& choice) {
  CLI::App* command =
      app.add_subcommand("params", "Every parameter with its unit, range, default and meaning");
  const auto form = add_form(*command, true);
  const auto plugins = std::make_shared<std::vector<std::string>>();
  add_plugins_option(*command, *plugins);
  command->callback([&choice, form, plugins] {
    choice.run = [form, plugins] { return list_parameters(*form, *plugins); };
  });
}

/// list, params, devices.
void add_listings(CLI::App& app, Choice& choice) {
  const auto add = [&](const char* name, const char* words, int (*run)(ListForm), bool tables) {
    CLI::App* command = app.add_subcommand(name, words);
    const auto form = add_form(*command, tables);
    command->callback([&choice, form, run] { choice.run = [form, run] { return run(*form); }; });
  };
  add("list", "Scenes and garments that ship with the program", list_scenes, false);
  add_params(app, choice);
  add("devices", "Devices that the simulator can run on", print_devices, false);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// `weft help`, `weft help bench`.
void add_help(CLI::App& app, Choice& choice) {
  CLI::App* command = app.add_subcommand("help", "The options of a command: weft help bench");
  const auto name = std::make_shared<std::string>();
  command->add_option("command", *name, "Name of a command; without it those of 'weft' itself");
  command->callback([&app, &choice, name] {
    // printed here: `app` does not outlive the parsing
    const std::vector<std::string> names = command_names(app);
    if (!name->empty() && std::find(names.begin(), names.end(), *name) == names.end())
      throw CLI::ValidationError("help",
                                 "there is no command '" + *name + "'; " + did_you_mean(*name, names));
    const std::string text = name->empty() ? app.help() : app.get_subcommand(*name)->help("weft");
    choice.run = [text] { return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0; };
  });
}

/// Names of the options of a command, "--headless", ...
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// What is wrong with the arguments; for an unknown option with the one that was probably meant.
std::string fault_words(const CLI::App* app, const CLI::Error& fault) {
  std::string words = CLI::FailureMessage::simple(app, fault);
  if (!dynamic_cast<const CLI::ExtrasError*>(&fault)) return words;
  const std::vector<CLI::App*> commands = app->get_subcommands();
  std::istringstream told(fault.what());
  for (std::string word; told >> word;) {
    if (!word.starts_with("--")) continue;
    const std::string option = word.substr(0, word.find_first_of("=,"));
    if (const std::string near = near_name(option, option_names(commands.empty() ? *app : *commands.front()));
        !near.empty())
      words += "Did you mean " + near + "?\n";
  }
  return words;
}

/// The command whose misspelt name stands where a scene is expected; empty: none is near, or it may be a
/// scene.
std::string meant_command(const CLI::App& app, const std::string& input) {
  std::error_code unknown;
  if (input.find_first_of("./") != input.npos || std::filesystem::exists(input, unknown)) return {};
  const std::vector<std::string> scenes = shipped_names(), commands = command_names(app);
  std::vector<std::string> all = commands;
  all.insert(all.end(), scenes.begin(), scenes.end());
  const std::string near = near_name(input, all);
  return std::find(commands.begin(), commands.end(), near) == commands.end() ||
                 std::find(scenes.begin(), scenes.end(), input) != scenes.end()
             ? std::string()
             : near;
}

/// The replay has the options that stand before its name too.
void add_replay(CLI::App& app, RunOptions& options, Choice& choice) {
  CLI::App* command = app.add_subcommand(
      "replay", "Replay recorded user input without a window, and print the final state's hash");
  command->add_option("hands", options.hands, "Recording (TOML)")->required();
  add_run_options(*command, options);
  command->callback([&] { choice.run = [&options] { return replay(options); }; });
}

/// Options before the name of a command that has its own would be lost.
void refuse_lost_options(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  if (commands.empty() || commands.front()->get_name() == "replay") return;
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0)
      throw CLI::ValidationError(option->get_name(), "what stands before the command '" +
                                                         commands.front()->get_name() +
                                                         "' would be lost; write it after its name");
}

/// Fills `choice`. Returns the exit status if the program is done: 0 after --help and --version, 2 for
/// invalid arguments, with the reason on standard error.
std::optional<int> parse_arguments(int argc, char** argv, RunOptions& options, Choice& choice) {
  CLI::App app("Weft: cloth simulation that you can grab.", "weft");
  app.footer(kFooter);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  app.add_option("input", options.input,
                 "Scene (.toml), cloth (.obj), sewing pattern (.json, .dxf), recorded run (.weftcache), or "
                 "the name of a scene from 'weft list'");
  app.add_flag("--headless", options.headless, "Run without a window");
  app.add_option("--vertices", options.vertices,
                 "Vertices of the default scene's cloth. Without it a window shows as many as the computer "
                 "simulates in real time, at most 10000, and a run without a window 10000")
      ->check(CLI::Range(4, 20000000));
  add_run_options(app, options);
  add_window_options(app, options);
  app.failure_message(fault_words);
  add_listings(app, choice);
  add_help(app, choice);
  add_replay(app, options, choice);
  add_file_commands(app, choice);
  add_geometry_commands(app, choice);
  add_garment_commands(app, choice);
  add_compare_command(app, choice);
  add_batch_command(app, choice);
  add_bench_command(app, choice);
  add_manual_commands(app, choice);
  try {
    app.parse(argc, argv);
    refuse_lost_options(app);
    check_run_options(options);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? ExitStatus::ok : ExitStatus::usage;
  }
  const std::string command = meant_command(app, options.input);
  if (!choice.run && command.empty()) choice.run = [&options] { return run_scene(options); };
  else if (!choice.run)
    choice.run = [name = options.input, command]() -> int {
      throw Error("there is no such command, file or scene", name,
                  "did you mean weft " + command + "? 'weft --help' lists the commands");
    };
  choice.about = options.input;
  choice.quiet |= options.compute.quiet;
  return std::nullopt;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  // The reader of the output may exit (weft ... | head); the run continues. EncoderProcess restores the
  // default for ffmpeg.
  std::signal(SIGPIPE, SIG_IGN);
  RunOptions options;
  Choice choice;
  try {
    if (const auto status = parse_arguments(argc, argv, options, choice)) return *status;
    options.command = choice.command = command_text(argc, argv);
    read_injected_faults();
    set_console_level(choice.quiet ? LogLevel::warning : LogLevel::notice);
    return choice.run();
  } catch (const std::bad_alloc&) {
    std::fflush(stdout);
    std::fprintf(stderr, "weft: error: not enough memory for %s\n",
                 choice.about.empty() ? "this" : shortened(choice.about, 200).c_str());
    return ExitStatus::error;
  } catch (const std::exception& e) {
    std::fflush(stdout);
    std::fprintf(stderr, "weft: error: %s\n", shortened(e.what(), 2000).c_str());
    return ExitStatus::error;
  }
}

}  // namespace weft

#include "tests/safety/tool/options.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "viewer/app/program_table.h"

namespace weft::check {
namespace {

constexpr const char* kAbout = R"(weft-check: does the cloth pass through itself, or through a body?

Tests every state exactly: no crossing is overlooked, however small, and none is made up by rounding. Triangles that
touch count as crossing. Cloth is tested against cloth and against bodies; bodies are not tested against themselves.)";

constexpr const char* kVersion = "weft-check " WEFT_VERSION;

constexpr const char* kFooter = R"(
An input is a run (.weftcache), a folder that 'weft --states' wrote, an OBJ sequence (a folder, or a pattern
such as arm_####.obj), a point cache (.pc2 with its .obj beside it), or single .obj files.
Vertices in the same place are not joined: pieces that are sewn by doubled vertices touch, and that is reported.
Triangles are numbered from 0 within their group.

With --continuous OBJ files that are named one after another are states of one mesh, in this order, whatever their names.

Exit status: 0 all that was asked for was checked, and nothing was found; 1 something was found (crossings,
triangles without area, contacts with --continuous, a depth above --max-depth); 2 an input or an argument
cannot be used, or something that was asked for could not be checked (one state with --continuous, an open
body with --max-depth, a file that ends too early): told in words; 3 nothing was found but crossings with
bodies, all of them at vertices of which the run told that bodies leave them no room (let_through.csv beside
the states).
Examples:
  weft shirt.toml --headless --cache run.weftcache && weft-check run.weftcache
  weft-check run.weftcache --continuous          the way from each state to the next as well
  weft-check before.obj after.obj --continuous   what touches on the straight way from the one to the other
  weft-check out/ --body body.obj --max-depth 0.001
  weft-check states/*.obj --json > report.json)";

/// --man and --completion end the program whatever else is missing.
void add_texts(CLI::App& app) {
  const auto print = [](const std::string& text) {
    std::fputs(text.c_str(), stdout);
    throw CLI::Success();
  };
  app.add_flag_callback(
      "--man", [&app, print] { print(manual_page(program_table(app), kVersion, "weft(1)")); },
      "Print the manual page");
  app.add_option_function<std::string>(
         "--completion",
         [&app, print](const std::string& shell) { print(completion_script(program_table(app), shell)); },
         "Print completion of arguments for a shell")
      ->check(CLI::IsMember(completion_shells()));
}

}  // namespace

bool read_options(int argc, char** argv, Options& o, int& status) {
  CLI::App app(kAbout, "weft-check");
  app.set_version_flag("--version", kVersion);
  app.footer(kFooter);
  app.add_option("inputs", o.inputs, "What to check")->required()->type_name("PATH");
  app.add_option("--body", o.bodies, "Mesh of a static body, in metres; may be given several times")
      ->type_name("MESH.obj")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--ignore-bodies", o.ignore_bodies, "Ignore bodies in the inputs");
  app.add_flag("--continuous", o.continuous,
               "Also check the straight path from each state to the next for contacts");
  app.add_option("--max-depth", o.max_depth,
                 "Largest allowed depth of a cloth vertex in a closed body, in metres")
      ->type_name("METRES")
      ->check(CLI::Range(0.0, 1e6));
  app.add_flag("--gaps", o.gaps,
               "Report the smallest distance of two vertices that are more than two edges apart");
  app.add_option("--pairs", o.pairs, "Crossings listed per state")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  app.add_option("--jobs,-j", o.jobs, "States checked in parallel; 0: one per core")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_flag("--json", o.json, "Write the report as JSON");
  app.add_flag("--quiet", o.quiet, "Omit states without findings, and progress");
  add_texts(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    status = code == 0 ? 0 : 2;
    return false;
  }
  return true;
}

}  // namespace weft::check

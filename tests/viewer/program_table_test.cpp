// The manual page and the completions of the shells name what --help names.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "sim/base/error.h"
#include "tests/support/program.h"
#include "tests/support/skip.h"
#include "viewer/app/program_table.h"

namespace weft::testing {
namespace {

const std::string& check_program() {
  static const std::string path = std::string(WEFT_PROGRAM) + "-check";
  return path;
}

/// Long options at the beginnings of lines of a help text, where it lists them.
std::set<std::string> listed_options(const std::string& help) {
  std::set<std::string> names;
  static const std::regex line("^  (?:-[a-z],)?(--[a-z0-9-]+)");
  std::istringstream lines(help);
  for (std::string text; std::getline(lines, text);)
    if (std::smatch found; std::regex_search(text, found, line)) names.insert(found[1]);
  return names;
}

/// Commands of "Subcommands:" at the end of the help.
std::vector<std::string> listed_commands(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help.substr(std::min(help.size(), help.find("Subcommands:"))));
  for (std::string text; std::getline(lines, text);)
    if (text.size() > 3 && text.starts_with("  ") && text[2] != ' ')
      names.push_back(text.substr(2, text.find(' ', 2) - 2));
    else if (text.empty()) break;
  return names;
}

/// The part of a text from `from` to the next of `ends` after it.
std::string part(const std::string& text, const std::string& from, const std::string& end) {
  const size_t begin = text.find(from);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find(end, begin + from.size()) - begin);
}

std::string plain(std::string roff) {
  for (size_t at; (at = roff.find("\\-")) != roff.npos;) roff.replace(at, 2, "-");
  return roff;
}

/// Options of one command in a completion script.
std::string command_part(const std::string& script, const std::string& shell, const std::string& command) {
  if (shell == "bash") return part(script, "      '" + command + "') words", ";;");
  if (shell == "zsh")
    return part(script, "    " + (command.empty() ? "''" : command) + ")\n      arguments=", ") ;;");
  std::string text;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);)
    if (line.find("_is \"" + command + "\"'") != line.npos) text += line + "\n";
  return text;
}

bool names_option(const std::string& text, const std::string& shell, const std::string& option) {
  if (shell == "fish") return text.find(" -l " + option.substr(2) + " ") != text.npos;
  if (shell == "zsh") return std::regex_search(text, std::regex("[)*]" + option + "(=|\\[)"));
  return std::regex_search(text, std::regex("['\" ]" + option + "['\" ]"));
}

/// Completions that bash offers for these words; the last is being typed.
std::vector<std::string> offered(const Folder& folder, const std::vector<std::string>& words) {
  std::string script = "PATH=\"$(dirname '" WEFT_PROGRAM "'):$PATH\"; . ./weft.bash; COMP_WORDS=(";
  for (const std::string& word : words) script += " '" + word + "'";
  script += "); COMP_CWORD=" + std::to_string(words.size() - 1) +
            "; compopt() { :; }; _weft; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Outcome o = Program(folder, "/bin/bash", {"-c", script}).wait();
  CHECK(o.err.empty());
  std::vector<std::string> all;
  std::istringstream lines(o.out);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) all.push_back(line);
  return all;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("the manual page and every completion name all commands and options that help lists") {
  Folder folder;
  const std::string help = testing::weft(folder, {"--help"}).out;
  const std::string page = plain(testing::weft(folder, {"man"}).out);
  std::vector<std::string> commands = listed_commands(help);
  CHECK(commands.size() >= 15);
  CHECK(has(commands, "wrinkle"));
  commands.insert(commands.begin(), "");
  for (const std::string& command : commands) {
    CAPTURE(command);
    const auto options =
        listed_options(command.empty() ? help : testing::weft(folder, {"help", command}).out);
    CHECK(options.count("--help"));
    const std::string section = part(page, command.empty() ? ".SH OPTIONS" : ".SH \"weft " + command + "\"",
                                     command.empty() ? ".SH NOTES" : ".SH ");
    for (const std::string& option : options)
      CHECK_MESSAGE(section.find("\\fB" + option + "\\fR") != section.npos, "man lacks ", option);
    if (!command.empty()) CHECK(page.find("\n\\fB" + command + "\\fR\n") != page.npos);
    for (const std::string& shell : completion_shells()) {
      const std::string script = testing::weft(folder, {"completion", shell}).out;
      const std::string own = command_part(script, shell, command);
      CHECK_MESSAGE(std::regex_search(script, std::regex("[ ('|]" + command + "[ ):|]")), shell, " lacks ",
                    command);
      for (const std::string& option : options)
        CHECK_MESSAGE(names_option(own, shell, option), shell, " lacks ", option);
    }
  }
}

TEST_CASE("weft-check has a manual page and completions of its options too") {
  Folder folder;
  const auto run = [&](const std::vector<std::string>& arguments) {
    const Outcome o = Program(folder, check_program(), arguments).wait();
    CHECK(o.status == 0);
    return o.out;
  };
  const auto options = listed_options(run({"--help"}));
  CHECK(options.count("--continuous"));
  const std::string page = plain(run({"--man"}));
  for (const std::string& option : options) CHECK(page.find("\\fB" + option + "\\fR") != page.npos);
  for (const std::string& shell : completion_shells()) {
    const std::string own = command_part(run({"--completion", shell}), shell, "");
    for (const std::string& option : options)
      CHECK_MESSAGE(names_option(own, shell, option), shell, " lacks ", option);
  }
}

TEST_CASE("shells and man read what the program writes for them") {
  Folder folder;
  for (const std::string& program : {std::string(WEFT_PROGRAM), check_program()}) {
    const bool own = program == WEFT_PROGRAM;
    for (const std::string& shell : completion_shells()) {
      if (!on_path(shell)) {
        skip(shell + " is not installed");
        continue;
      }
      const std::string file =
          folder.write("script." + shell,
                       Program(folder, program, {own ? "completion" : "--completion", shell}).wait().out);
      CHECK(std::system((shell + " -n " + file).c_str()) == 0);
    }
    const std::string page =
        folder.write("page.1", Program(folder, program, {own ? "man" : "--man"}).wait().out);
    if (!on_path("man")) {
      skip("man is not installed");
      continue;
    }
    const Outcome read = Program(folder, "/bin/sh", {"-c", "LC_ALL=C.UTF-8 man --warnings -l page.1"}).wait();
    CHECK(read.err.empty());
    CHECK(read.status == 0);
    CHECK(read.prints("SYNOPSIS"));
  }
}

TEST_CASE("bash completes commands and options and values and scenes and parameters") {
  Folder folder;
  folder.write("weft.bash", testing::weft(folder, {"completion", "bash"}).out);
  folder.write("a shirt.obj", "");
  CHECK(has(offered(folder, {"weft", "con"}), "convert"));
  CHECK(has(offered(folder, {"weft", "drape_t"}), "drape_table"));
  CHECK(has(offered(folder, {"weft", "a"}), "a shirt.obj"));
  CHECK(offered(folder, {"weft", "--headl"}) == std::vector<std::string>{"--headless"});
  CHECK(offered(folder, {"weft", "--device", "cu"}) == std::vector<std::string>{"cuda"});
  CHECK(offered(folder, {"weft", "--device", "=", "cu"}) == std::vector<std::string>{"cuda"});
  CHECK(has(offered(folder, {"weft", "--set", "step.d"}), "step.dt="));
  CHECK(has(offered(folder, {"weft", "--preset", ""}), "wang2023"));
  CHECK(has(offered(folder, {"weft", "convert", "--fra"}), "--frame"));
  CHECK_FALSE(has(offered(folder, {"weft", "convert", "--"}), "--headless"));
  CHECK(offered(folder, {"weft", "--frames", ""}).empty());  // a number
  CHECK(has(offered(folder, {"weft", "help", "wri"}), "wrinkle"));
  CHECK(offered(folder, {"weft", "completion", "fi"}) == std::vector<std::string>{"fish"});
}

TEST_CASE("fish completes commands and options and values and scenes") {
  if (!on_path("fish")) return skip("fish is not installed");
  Folder folder;
  folder.write("weft.fish", testing::weft(folder, {"completion", "fish"}).out);
  const auto offers = [&](const std::string& typed, const std::string& word) {
    const std::string script = "set -x PATH (dirname '" WEFT_PROGRAM "') $PATH; set -x HOME " +
                               folder.path() + "; source weft.fish; complete -C'" + typed + "'";
    const Outcome o =
        Program(folder, "/bin/sh", {"-c", "exec fish --no-config -c \"$1\"", "sh", script}).wait();
    return o.prints(word + "\t");
  };
  CHECK(offers("weft con", "convert"));
  CHECK(offers("weft drape_t", "drape_table"));
  CHECK(offers("weft --headl", "--headless"));
  CHECK(offers("weft --device c", "cuda"));
  CHECK(offers("weft convert --fra", "--frame"));
  CHECK_FALSE(offers("weft convert --headl", "--headless"));
}

TEST_CASE("letters that mean something to roff and shells stay letters") {
  CLI::App app("prog: tests 'quotes' and \\ signs", "prog");
  app.add_option("--odd", "It's 5% [of] a:b \\n `x` $HOME \"all\"");
  app.footer(".begins like a request\n'so does this");
  const ProgramTable table = program_table(app);
  const std::string page = manual_page(table, "prog 1", "");
  CHECK(page.find("\n.begins") == page.npos);
  CHECK(page.find("\n\\&.begins like a request\n") != page.npos);
  CHECK(page.find("\n\\&\\(aqso does this\n") != page.npos);
  CHECK(page.find("a:b \\en") != page.npos);
  Folder folder;
  for (const std::string& shell : completion_shells()) {
    if (!on_path(shell)) {
      skip(shell + " is not installed");
      continue;
    }
    const std::string file = folder.write("odd." + shell, completion_script(table, shell));
    CHECK_MESSAGE(std::system((shell + " -n " + file).c_str()) == 0, shell);
  }
  CHECK_THROWS_AS(completion_script(table, "tcsh"), Error);
}

}  // namespace weft::testing

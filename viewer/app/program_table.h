// What a program takes on its command line, as plain data: its manual page and shell completions are made
// from the same options as its --help.
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace weft {

struct OptionEntry {
  std::vector<std::string> names;    // "--out", "-o"; of a positional one the word in the help: "in"
  std::string value;                 // what it takes: "LENGTH"; empty: a flag
  std::vector<std::string> choices;  // all values that it takes; empty: any
  std::string help, group, fallback;
  bool positional = false, repeated = false;

  /// Whether the value may name a file: neither a number nor one of a list.
  bool takes_file() const;
};

struct CommandEntry {
  std::string name, help, footer;  // the program itself has no name
  std::vector<OptionEntry> options;
};

struct ProgramTable {
  std::string name;
  std::vector<CommandEntry> commands;  // the program itself first
};

/// Everything that --help shows of the program and its commands, in its order.
ProgramTable program_table(const CLI::App& app);

/// Manual page in section 1, as man reads it. `see_also`: "weft-check(1)"; may be empty.
std::string manual_page(const ProgramTable& program, const std::string& version, const std::string& see_also);

/// "bash", "zsh", "fish".
const std::vector<std::string>& completion_shells();
/// Completion script for one of them. Throws Error for another.
std::string completion_script(const ProgramTable& program, const std::string& shell);

}  // namespace weft

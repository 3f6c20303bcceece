// Completion scripts. Names that depend on the files of the program, such as its scenes, are asked of the
// program itself: weft completion scenes.
#include <fmt/format.h>

#include <utility>

#include "sim/base/error.h"
#include "sim/base/nearest.h"
#include "viewer/app/program_table.h"

namespace weft {
namespace {

std::string words(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& word : all) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// List of the program that has an option's values ("scenes"); empty: none.
std::string list_of(const ProgramTable& program, const CommandEntry& command, const OptionEntry& option) {
  if (program.name != "weft") return {};
  const std::string& name = option.names.front();
  if (name == "--set") return "parameters";
  if (name == "--preset") return "presets";
  if (name == "--fabric") return "fabrics";
  if (option.positional && command.name.empty()) return "scenes";
  if (option.positional && command.name == "help") return "commands";
  return {};
}

std::vector<std::string> flag_names(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options)
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> command_words(const ProgramTable& program) {
  std::vector<std::string> names;
  for (const CommandEntry& command : program.commands)
    if (!command.name.empty()) names.push_back(command.name);
  return names;
}

/// A name for functions of the shell.
std::string function_name(const std::string& program) {
  std::string name = "_";
  for (const char c : program) name += c == '-' ? '_' : c;
  return name;
}

/// The first sentence of a help text, without line breaks.
std::string summary(const std::string& help) {
  std::string text = help.substr(0, std::min(help.find(". "), help.find('\n')));
  if (text.size() > 100) text = text.substr(0, text.find_last_of(' ', 97)) + " ...";
  return text;
}

std::string escaped(const std::string& text, const std::string& specials) {
  std::string out;
  for (const char c : text) {
    if (specials.find(c) != specials.npos) out += '\\';
    out += c;
  }
  return out;
}

/// In single quotes for bash and zsh.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// bash

/// What completes a value: a statement for bash.
std::string bash_values(const ProgramTable& program, const CommandEntry& command, const OptionEntry& option) {
  const std::string list = list_of(program, command, option);
  if (list == "commands") return fmt::format("words '{}'", words(command_words(program)));
  if (list == "scenes")
    return fmt::format("words \"{} $(weft completion scenes 2>/dev/null)\"; files",
                       words(command_words(program)));
  if (list == "parameters") return "words \"$(weft completion parameters 2>/dev/null)\"; compopt -o nospace";
  if (!list.empty()) return fmt::format("words \"$(weft completion {} 2>/dev/null)\"", list);
  if (!option.choices.empty()) return fmt::format("words '{}'", words(option.choices));
  return option.takes_file() ? "files" : ":";
}

/// The lines of the script that depend on the options.
struct BashCases {
  std::string values, names, rest;  // after an option with a value; options; positional arguments
};

BashCases bash_cases(const ProgramTable& program) {
  BashCases cases;
  for (const CommandEntry& command : program.commands) {
    for (const OptionEntry& option : command.options) {
      const std::string what = bash_values(program, command, option);
      if (option.positional) {
        cases.rest += fmt::format("    '{}') {} ;;\n", command.name, what);
        continue;
      }
      if (option.value.empty()) continue;
      std::string patterns;
      for (const std::string& name : option.names)
        patterns += (patterns.empty() ? "'" : " | '") + command.name + " " + name + "'";
      cases.values += fmt::format("    {}) {}; return ;;\n", patterns, what);
    }
    cases.names += fmt::format("      '{}') words '{}' ;;\n", command.name, words(flag_names(command)));
  }
  return cases;
}

/// Finds the command among the words before the one being typed. `before`: these words, for the shell.
std::string find_command(const ProgramTable& program, const std::string& before) {
  std::string patterns;
  for (const std::string& name : command_words(program)) patterns += (patterns.empty() ? "" : " | ") + name;
  if (patterns.empty()) return {};
  return "  for word in " + before + "; do\n    case $word in\n      " + patterns +
         ") command=$word; break ;;\n    esac\n  done\n";
}

constexpr const char* kBash = R"(# bash completion of {name}, made by the program itself
{f}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= word
  COMPREPLY=()
  words() {{ mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -W "$1" -- "$current"); }}
  files() {{
    compopt -o filenames
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$current")
  }}
  {f}_reply
  unset -f words files
}}
{f}_reply() {{
{choose}  if [ "$current" = = ]; then
    current=
  elif [ "$previous" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
    previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case "$command $previous" in
{values}  esac
  if [[ $current == -* ]]; then
    case "$command" in
{names}    esac
    return
  fi
  case "$command" in
{rest}  esac
}}
complete -F {f} {name}
)";

std::string bash(const ProgramTable& program) {
  const BashCases cases = bash_cases(program);
  const std::string choose = find_command(program, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"");
  return fmt::format(fmt::runtime(kBash), fmt::arg("name", program.name),
                     fmt::arg("f", function_name(program.name)), fmt::arg("choose", choose),
                     fmt::arg("values", cases.values), fmt::arg("names", cases.names),
                     fmt::arg("rest", cases.rest));
}

// zsh

std::string zsh_action(const ProgramTable& program, const CommandEntry& command, const OptionEntry& option) {
  const std::string list = list_of(program, command, option);
  if (list == "commands") return "(" + words(command_words(program)) + ")";
  if (list == "scenes") return "{" + function_name(program.name) + "_input}";
  if (list == "parameters") return "{compadd -S \"\" -- $(weft completion parameters 2>/dev/null)}";
  if (!list.empty()) return "{compadd -- $(weft completion " + list + " 2>/dev/null)}";
  if (!option.choices.empty()) return "(" + words(option.choices) + ")";
  return option.takes_file() ? "_files" : " ";
}

/// Arguments of _arguments for one option: one for each of its names.
std::string zsh_option(const ProgramTable& program, const CommandEntry& command, const OptionEntry& option) {
  const std::string help = escaped(summary(option.help), "[]:\\");
  const std::string action = zsh_action(program, command, option);
  if (option.positional)
    return fmt::format("      {}\n", in_quotes(fmt::format("*:{}:{}", option.names.front(), action)));
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    std::string one = option.repeated ? "*" : "(" + words(option.names) + ")";
    one += name + (option.value.empty() ? "" : is_long ? "=" : "+") + "[" + help + "]";
    if (!option.value.empty()) one += ":" + escaped(option.value, "[]:\\") + ":" + action;
    text += fmt::format("      {}\n", in_quotes(one));
  }
  return text;
}

constexpr const char* kZshInput = R"zsh({f}_input() {{
  local -a commands scenes
  commands=(
{described}  )
  scenes=(${{(f)"$(weft completion scenes 2>/dev/null)"}})
  _describe command commands
  _describe scene scenes
  _files
}}
)zsh";

constexpr const char* kZsh = R"zsh(#compdef {name}
# zsh completion of {name}, made by the program itself
{input}{f}() {{
  local command= word
  local -a arguments
{choose}  case "$command" in
{cases}  esac
  _arguments -S "$arguments[@]"
}}
if [ "$funcstack[1]" = {f} ]; then {f} "$@"; else compdef {f} {name}; fi
)zsh";

std::string zsh(const ProgramTable& program) {
  const std::string f = function_name(program.name);
  std::string described, cases, input;
  for (const CommandEntry& command : program.commands) {
    if (!command.name.empty())
      described +=
          fmt::format("    {}\n", in_quotes(command.name + ":" + escaped(summary(command.help), ":")));
    cases += fmt::format("    {})\n      arguments=(\n", command.name.empty() ? "''" : command.name);
    bool more = false;  // one of the positional arguments completes all of them
    for (const OptionEntry& option : command.options)
      if (!option.positional || !std::exchange(more, true)) cases += zsh_option(program, command, option);
    cases += "      ) ;;\n";
  }
  if (!described.empty())
    input = fmt::format(fmt::runtime(kZshInput), fmt::arg("f", f), fmt::arg("described", described));
  return fmt::format(fmt::runtime(kZsh), fmt::arg("name", program.name), fmt::arg("f", f),
                     fmt::arg("input", input), fmt::arg("cases", cases),
                     fmt::arg("choose", find_command(program, "\"${(@)words[2,CURRENT-1]}\"")));
}

// fish

std::string fish_quotes(const std::string& text) { return "'" + escaped(text, "'\\") + "'"; }

std::string fish_option(const ProgramTable& program, const CommandEntry& command, const OptionEntry& option) {
  const std::string f = function_name(program.name);
  std::string line = fmt::format("complete -c {} -n '_{}_is \"{}\"'", program.name, f, command.name);
  for (const std::string& name : option.names)
    if (name.starts_with("--")) line += " -l " + name.substr(2);
    else if (name.starts_with("-")) line += " -s " + name.substr(1);
  const std::string list = list_of(program, command, option);
  std::string values = words(option.choices);
  if (list == "commands") values = words(command_words(program));
  else if (!list.empty()) values = "(weft completion " + list + " 2>/dev/null)";
  const bool files = option.takes_file() && (list.empty() || list == "scenes");
  if (!option.value.empty()) line += files ? " -r -F" : option.positional ? " -f" : " -x";
  if (!values.empty()) line += " -a " + fish_quotes(values);
  return line + " -d " + fish_quotes(summary(option.help)) + "\n";
}

std::string fish(const ProgramTable& program) {
  const std::string f = function_name(program.name);
  std::string text = fmt::format(
      "# fish completion of {name}, made by the program itself\nfunction _{f}_is\n  set -l found\n  for word "
      "in "
      "(commandline -opc)[2..-1]\n    if contains -- $word {commands}\n      set found $word\n      break\n  "
      "  "
      "end\n  end\n  test \"$found\" = \"$argv[1]\"\nend\n",
      fmt::arg("name", program.name), fmt::arg("f", f), fmt::arg("commands", words(command_words(program))));
  for (const CommandEntry& command : program.commands)
    if (!command.name.empty())
      text += fmt::format("complete -c {} -n '_{}_is \"\"' -a {} -d {}\n", program.name, f, command.name,
                          fish_quotes(summary(command.help)));
  for (const CommandEntry& command : program.commands)
    for (const OptionEntry& option : command.options) text += fish_option(program, command, option);
  return text;
}

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  return shells;
}

std::string completion_script(const ProgramTable& program, const std::string& shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  throw Error("there is no completion for '" + shell + "'", "completion",
              did_you_mean(shell, completion_shells()));
}

}  // namespace weft

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "viewer/app/program_table.h"

namespace weft {
namespace {

/// Text as roff prints it: a backslash, a hyphen that may be copied, no line that begins a request.
std::string roff(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\'') out += "\\(aq";
    else if (c == '^') out += "\\(ha";
    else if (c == '~') out += "\\(ti";
    else if (c == '`') out += "\\(ga";
    else out += c;
  }
  return out;
}

std::string roff_argument(const std::string& text) {
  std::string out;
  for (const char c : roff(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return '"' + out + '"';
}

/// Lines as they are; those indented by the text are drawings and examples.
std::string as_written(const std::string& text) {
  const size_t from = text.find_first_not_of('\n');
  if (from == text.npos) return {};
  const size_t to = text.find_last_not_of('\n');
  return ".nf\n" + roff(text.substr(from, to - from + 1)) + "\n.fi\n";
}

std::string option_text(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.value.empty() && !option.positional) names += " \\fI" + roff(option.value) + "\\fR";
  std::string text = ".TP\n" + names + "\n" + (option.help.empty() ? "\\&" : roff(option.help)) + "\n";
  if (!option.fallback.empty()) text += fmt::format("(default: {})\n", roff(option.fallback));
  return text;
}

/// The options, those of a group together, under `heading` (".SH" or ".SS") with the group's name.
std::string option_groups(const CommandEntry& command, const char* heading) {
  std::vector<std::string> groups;
  for (const OptionEntry& option : command.options)
    if (option.positional && groups.empty()) groups.emplace_back("Arguments");
  for (const OptionEntry& option : command.options) {
    const std::string group = option.positional ? "Arguments" : option.group;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  std::string text;
  for (const std::string& group : groups) {
    text += fmt::format("{} {}\n", heading, roff_argument(group));
    for (const OptionEntry& option : command.options)
      if ((option.positional ? "Arguments" : option.group) == group) text += option_text(option);
  }
  return text;
}

/// "[--quiet]" for the first line is left out: there are too many. Positional arguments stay.
std::string synopsis(const ProgramTable& program, const CommandEntry& command) {
  std::string line = ".B " + roff(program.name + (command.name.empty() ? "" : " " + command.name)) + "\n";
  line += "[\\fIoptions\\fR]";
  for (const OptionEntry& option : command.options)
    if (option.positional)
      line += fmt::format(" [\\fI{}\\fR{}]", roff(option.names.front()), option.repeated ? " ..." : "");
  return line + "\n";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// What follows the program's name in "weft-check: does the cloth ...".
std::string short_about(const ProgramTable& program) {
  const std::string line = first_line(program.commands.front().help);
  const size_t colon = line.find(": ");
  std::string about = colon == line.npos ? line : line.substr(colon + 2);
  if (about.ends_with('.')) about.pop_back();
  return about;
}

}  // namespace

std::string manual_page(const ProgramTable& program, const std::string& version,
                        const std::string& see_also) {
  const CommandEntry& own = program.commands.front();
  std::string upper = program.name;
  for (char& c : upper) c = char(std::toupper(c));
  std::string page = fmt::format(".TH {} 1 \"\" {} {}\n", roff_argument(upper), roff_argument(version),
                                 roff_argument("Commands"));
  page += fmt::format(".SH NAME\n{} \\- {}\n", roff(program.name), roff(short_about(program)));
  page += ".SH SYNOPSIS\n" + synopsis(program, own);
  for (size_t i = 1; i < program.commands.size(); ++i)
    page += ".br\n" + synopsis(program, program.commands[i]);
  page += ".SH DESCRIPTION\n" + as_written(own.help);
  if (program.commands.size() > 1) page += ".SH COMMANDS\n";
  for (size_t i = 1; i < program.commands.size(); ++i)
    page +=
        fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(program.commands[i].name), roff(program.commands[i].help));
  page += ".SH OPTIONS\n" + option_groups(own, ".SS");
  page += ".SH NOTES\n" + as_written(own.footer);
  for (size_t i = 1; i < program.commands.size(); ++i) {
    const CommandEntry& command = program.commands[i];
    page += fmt::format(".SH {}\n{}\n", roff_argument(program.name + " " + command.name), roff(command.help));
    page += option_groups(command, ".SS");
    if (!command.footer.empty()) page += ".PP\n" + as_written(command.footer);
  }
  if (!see_also.empty()) page += ".SH \"SEE ALSO\"\n" + roff(see_also) + "\n";
  return page;
}

}  // namespace weft

#include "viewer/app/program_table.h"

#include <sstream>

namespace weft {
namespace {

/// "INT in [0 - 5]" of "INT:INT in [0 - 5]": what restricts a value says its type too.
std::string value_words(const std::string& type) {
  const size_t colon = type.find(':');
  return colon == type.npos || colon + 1 == type.size() ? type : type.substr(colon + 1);
}

/// a, b of "{a,b}"; none of other texts.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  if (value.size() < 3 || value.front() != '{' || value.back() != '}') return choices;
  std::istringstream words(value.substr(1, value.size() - 2));
  for (std::string word; std::getline(words, word, ',');) choices.push_back(word);
  return choices;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry e;
  e.positional = option.get_positional();
  if (e.positional) e.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_lnames()) e.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) e.names.push_back("-" + name);
  if (option.get_items_expected_max() > 0) e.value = value_words(option.get_type_name());
  e.choices = choices_of(e.value);
  e.help = option.get_description();
  e.group = option.get_group();
  e.fallback = option.get_default_str();
  e.repeated = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll ||
               option.get_items_expected_max() > 1;
  return e;
}

CommandEntry command_entry(const CLI::App& app) {
  CommandEntry command;
  command.help = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.options.push_back(entry_of(*option));  // without one: hidden
  return command;
}

}  // namespace

bool OptionEntry::takes_file() const {
  if (value.empty() || !choices.empty()) return false;
  for (const char* number : {"INT", "UINT", "FLOAT", "POSITIVE", "LENGTH", "FACTOR", "METRES", "N"})
    if (value == number || value.starts_with(std::string(number) + " ")) return false;
  return value.find(" in [") == value.npos;
}

ProgramTable program_table(const CLI::App& app) {
  ProgramTable program;
  program.name = app.get_name();
  program.commands.push_back(command_entry(app));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    program.commands.push_back(command_entry(*command));
    program.commands.back().name = command->get_name();
  }
  return program;
}

}  // namespace weft

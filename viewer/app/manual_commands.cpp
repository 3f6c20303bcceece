#include <fmt/format.h>

#include <cstdio>

#include "sim/scene/assets.h"
#include "sim/scene/scene.h"
#include "viewer/app/commands.h"
#include "viewer/app/program_table.h"
#include "viewer/commands/catalogue.h"
#include "viewer/commands/versions.h"
#include "viewer/render/view_settings.h"

namespace weft {
namespace {

int print_text(const std::string& text) { return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0; }

/// "step.dt=", ...
std::vector<std::string> setting_names() {
  Scene scene;
  ViewSettings view;
  ParamTable own, all = scene.params();
  own.add("view", view);
  std::vector<std::string> names;
  for (const ParamTable* table : {&all, &own})
    for (const ParamRef& r : table->refs()) names.push_back(r.key() + "=");
  return names;
}

/// Names that completion asks for while a person types: one a line.
int print_names(const std::string& list) {
  std::vector<std::string> names;
  if (list == "scenes") names = shipped_names();
  else if (list == "fabrics") names = fabric_names();
  else if (list == "parameters") names = setting_names();
  else
    for (const PaperPreset& preset : paper_presets()) names.push_back(preset.name);
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return print_text(text);
}

void add_man(CLI::App& app, Choice& choice) {
  CLI::App* command = app.add_subcommand("man", "The manual page, for 'man -l -' or a file weft.1");
  command->callback([&app, &choice] {
    const std::string text = manual_page(program_table(app), program_name(), "weft-check(1), ffmpeg(1)");
    choice.run = [text] { return print_text(text); };
  });
}

void add_completion(CLI::App& app, Choice& choice) {
  CLI::App* command = app.add_subcommand("completion", "Completion of arguments for a shell");
  const auto what = std::make_shared<std::string>();
  std::vector<std::string> known = completion_shells();
  for (const char* list : {"scenes", "fabrics", "parameters", "presets"}) known.emplace_back(list);
  command
      ->add_option("what", *what,
                   "A shell, to print its script; or a list of names, which the scripts ask for, one a line")
      ->required()
      ->check(CLI::IsMember(known));
  command->footer(
      "To try it in a shell:  . <(weft completion bash)   . <(weft completion zsh)   weft completion fish | "
      "source");
  command->callback([&app, &choice, what] {
    const std::vector<std::string>& shells = completion_shells();
    if (std::find(shells.begin(), shells.end(), *what) == shells.end())
      choice.run = [what] { return print_names(*what); };
    else choice.run = [text = completion_script(program_table(app), *what)] { return print_text(text); };
  });
}

}  // namespace

void add_manual_commands(CLI::App& app, Choice& choice) {
  add_man(app, choice);
  add_completion(app, choice);
}

}  // namespace weft

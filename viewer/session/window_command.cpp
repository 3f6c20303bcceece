#include "viewer/session/window_command.h"

#include <algorithm>

#include "sim/scene/fabric_prints.h"

namespace weft {
namespace {

/// 'step.solver="descent"' is easier to type and read without the inner quotes, and parses the same.
std::string without_quotes(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2)
                                                                       : text;
}

/// [0, -9.81, 0] as 0,-9.81,0
std::string without_brackets(std::string text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return text;
  text = text.substr(1, text.size() - 2);
  std::erase(text, ' ');
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> changed_parameters(const Scene& original,
                                                                    const Scene& tuned) {
  Scene before = original, after = tuned;
  const ParamTable old_table = before.params(), new_table = after.params();
  std::vector<std::pair<std::string, std::string>> changed;
  for (const ParamRef& ref : new_table.refs()) {
    // "fabric.*" refers to all cloths at once; the cloths' own keys follow it with exact values.
    if (ref.key().rfind("fabric.", 0) == 0) continue;
    const ParamRef* old = old_table.find(ref.key());
    if (old && old->text() != ref.text()) changed.emplace_back(ref.key(), ref.text());
  }
  for (const auto& print : changed_prints(original, tuned)) changed.push_back(print);
  return changed;
}

std::string shell_word(const std::string& word) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string headless_command(const std::vector<std::string>& input, const Scene& original, const Scene& tuned,
                             const ViewSettings& view) {
  std::string command = "weft";
  for (const std::string& word : input) command += " " + shell_word(word);
  command += " --headless";
  const auto add = [&](const std::string& key, const std::string& text) {
    command += " --set " + shell_word(key + "=" + without_brackets(without_quotes(text)));
  };
  for (const auto& [key, text] : changed_parameters(original, tuned)) add(key, text);
  if (!view.light.empty()) command += " --set " + shell_word("view.light=" + view.light);
  ViewSettings copy = view;
  ParamTable table;
  table.add("view", copy);
  for (const ParamRef& ref : table.refs())
    if (!ref.is_default()) add(ref.key(), ref.text());
  return command;
}

}  // namespace weft

#include "sim/scene/toml/toml_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/nearest.h"

namespace weft {
namespace {

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "text";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    default: return "a date or time";
  }
}

/// The value as `--set` would have it.
std::string value_text(const toml::node& node) {
  if (const auto* s = node.as_string()) return s->get();
  if (const auto* i = node.as_integer()) return fmt::format("{}", i->get());
  if (const auto* f = node.as_floating_point()) return fmt::format("{}", f->get());
  if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
  std::string text;
  if (const auto* array = node.as_array())
    for (const toml::node& element : *array) text += (text.empty() ? "" : ", ") + value_text(element);
  return "[" + text + "]";
}

/// Looks through TOML for keys of too many parts: the parser makes tables within tables of them, and tables
/// take each other down by recursion.
class KeyParts {
 public:
  explicit KeyParts(const std::string& text) : text_(text) {}

  /// The line of the first key of more than `most` parts, counted from 1; 0: none.
  int first_of_more_than(int most) {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') skip_string(c);
      else if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      else if (c == '.' && ++dots_ >= most) return line_;
      else if (c == '\n') ++line_, dots_ = 0;
      else if (c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots_ = 0;
    }
    return 0;
  }

 private:
  /// To the last character of a string, in one or three quotes; one that does not end is a fault that the
  /// parser tells.
  void skip_string(char quote) {
    const bool long_one = text_.compare(at_, 3, std::string(3, quote)) == 0;
    for (at_ += long_one ? 3 : 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') ++at_;
      else if (text_[at_] == '\n' && ++line_ && !long_one) return void(dots_ = 0);
      else if (long_one ? text_.compare(at_, 3, std::string(3, quote)) == 0 : text_[at_] == quote)
        return void(at_ += long_one ? 2 : 0);
    }
  }

  const std::string& text_;
  size_t at_ = 0;
  int line_ = 1, dots_ = 0;
};

constexpr int kMostKeyParts = 16;  // no file of this program has more than four

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& path) {
  if (const int line = KeyParts(text).first_of_more_than(kMostKeyParts))
    throw Error(fmt::format("a key has more than {} parts", kMostKeyParts), fmt::format("{}:{}", path, line),
                "write shorter keys: tables within tables end there");
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& e) {
    std::string what(e.description());
    if (what.compare(0, 6, "Error ") == 0) what = "error " + what.substr(6);
    throw Error(what, fmt::format("{}:{}", path, e.source().begin.line));
  }
}

TomlTable::TomlTable(const toml::table& table, const std::string& path, std::string name)
    : table_(&table), path_(path), name_(std::move(name)) {}

int TomlTable::line(const std::string& key) const {
  const toml::node* node = key.empty() ? nullptr : table_->get(key);
  return std::max(1, int((node ? node : table_)->source().begin.line));
}

void TomlTable::fail(const std::string& key, const std::string& what, const std::string& what_to_do) const {
  const std::string name = key.empty() ? name_ : name_.empty() ? key : name_ + "." + key;
  throw Error(name.empty() ? what : name + ": " + what, fmt::format("{}:{}", path_, line(key)), what_to_do);
}

const toml::node* TomlTable::find(const std::string& key) {
  known_.insert(key);
  return table_->get(key);
}

double TomlTable::number(const std::string& key, const toml::node& node, double min, double max) const {
  if (!node.is_number()) fail(key, "needs a number, not " + type_name(node));
  const double value = *node.value<double>();
  if (!(value >= min && value <= max))
    fail(key, fmt::format("{:g} is outside its range", value), fmt::format("use {:g} to {:g}", min, max));
  return value;
}

void TomlTable::numbers(const std::string& key, const toml::node& node, float* values, size_t count,
                        double min, double max) const {
  const toml::array* array = node.as_array();
  if (!array || array->size() != count)
    fail(key, fmt::format("needs a list of {} numbers, not {}", count,
                          array ? fmt::format("of {}", array->size()) : type_name(node)));
  for (size_t i = 0; i < count; ++i) values[i] = float(number(key, *array->get(i), min, max));
}

bool TomlTable::read(const std::string& key, std::string& value) {
  const toml::node* node = find(key);
  if (!node) return false;
  if (!node->is_string()) fail(key, "needs text in quotes, not " + type_name(*node));
  value = node->as_string()->get();
  return true;
}

bool TomlTable::read(const std::string& key, bool& value) {
  const toml::node* node = find(key);
  if (!node) return false;
  if (!node->is_boolean()) fail(key, "needs true or false, not " + type_name(*node));
  value = node->as_boolean()->get();
  return true;
}

bool TomlTable::read(const std::string& key, double& value, double min, double max) {
  const toml::node* node = find(key);
  if (node) value = number(key, *node, min, max);
  return node != nullptr;
}

bool TomlTable::read(const std::string& key, float& value, double min, double max) {
  const toml::node* node = find(key);
  if (node) value = float(number(key, *node, min, max));
  return node != nullptr;
}

bool TomlTable::read(const std::string& key, int& value, double min, double max) {
  const toml::node* node = find(key);
  if (!node) return false;
  if (!node->is_integer())
    fail(key, "needs a whole number, not " + (node->is_number() ? value_text(*node) : type_name(*node)));
  value = int(number(key, *node, min, max));
  return true;
}

bool TomlTable::read(const std::string& key, vec2& value, double min, double max) {
  const toml::node* node = find(key);
  if (node) numbers(key, *node, &value.x, 2, min, max);
  return node != nullptr;
}

bool TomlTable::read(const std::string& key, vec3& value, double min, double max) {
  const toml::node* node = find(key);
  if (node) numbers(key, *node, &value.x, 3, min, max);
  return node != nullptr;
}

bool TomlTable::read(const std::string& key, std::vector<int>& value, double min, double max) {
  const toml::node* node = find(key);
  if (!node) return false;
  if (!node->is_array()) fail(key, "needs a list of whole numbers, not " + type_name(*node));
  value.clear();
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_integer()) fail(key, "needs whole numbers, not " + type_name(element));
    value.push_back(int(number(key, element, min, max)));
  }
  return true;
}

bool TomlTable::read(const std::string& key, std::vector<std::string>& value) {
  const toml::node* node = find(key);
  if (!node) return false;
  if (!node->is_array()) fail(key, "needs a list of texts, not " + type_name(*node));
  value.clear();
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string()) fail(key, "needs texts in quotes, not " + type_name(element));
    value.push_back(element.as_string()->get());
  }
  return true;
}

std::vector<std::vector<float>> TomlTable::lists(const std::string& key, size_t count, double min,
                                                 double max) {
  std::vector<std::vector<float>> all;
  const toml::node* node = find(key);
  if (!node) return all;
  if (!node->is_array()) fail(key, "needs a list of lists of numbers, not " + type_name(*node));
  for (const toml::node& element : *node->as_array())
    numbers(key, element, all.emplace_back(count).data(), count, min, max);
  return all;
}

bool TomlTable::read_choice(const std::string& key, std::string& value,
                            const std::vector<std::string>& choices) {
  std::string chosen;
  if (!read(key, chosen)) return false;
  if (std::find(choices.begin(), choices.end(), chosen) == choices.end()) {
    std::string all;
    for (const std::string& c : choices) all += (all.empty() ? "" : ", ") + c;
    const std::string near = near_name(chosen, choices);
    fail(key, "'" + chosen + "' is not a choice" + (near.empty() ? "" : ", did you mean " + near + "?"),
         "use one of " + all);
  }
  value = chosen;
  return true;
}

void TomlTable::read_table(const ParamTable& params) {
  for (const ParamRef& ref : params.refs()) {
    const std::string& key = ref.info().key;
    const toml::node* node = find(key);
    if (!node) continue;
    const bool is_text = node->is_string(), wants_text = !ref.info().choices.empty();
    if (is_text != wants_text)
      fail(key, wants_text ? "needs text in quotes, not " + type_name(*node) : "needs a value, not text",
           "use " + ref.range_text());
    try {
      ref.set_text(value_text(*node));
    } catch (const Error& e) {
      fail(key, e.what_happened, e.what_to_do);
    }
  }
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) return {};
  if (!node->is_table()) fail(key, "needs a table, not " + type_name(*node), "write it as [" + key + "]");
  return TomlTable(*node->as_table(), path_, name_.empty() ? key : name_ + "." + key);
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) return {};
  const std::string name = name_.empty() ? key : name_ + "." + key;
  if (node->is_table()) return {TomlTable(*node->as_table(), path_, name)};
  const toml::array* array = node->as_array();
  if (!array) fail(key, "needs a list of tables, not " + type_name(*node), "write each as [[" + key + "]]");
  std::vector<TomlTable> found;
  for (const toml::node& element : *array) {
    if (!element.is_table())
      fail(key, "needs a list of tables, not of " + type_name(element), "write each as [[" + key + "]]");
    found.emplace_back(*element.as_table(), path_, name);
  }
  return found;
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : *table_) found.emplace_back(key.source().begin, std::string(key.str()));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> keys;
  for (auto& f : found) keys.push_back(std::move(f.second));
  return keys;
}

void TomlTable::finish() const {
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const std::string& key : keys())
    if (!known_.count(key)) {
      std::string place = name_.empty() ? "a scene" : "[" + name_ + "]";
      throw Error(fmt::format("unknown key '{}' in {}", key, place), fmt::format("{}:{}", path_, line(key)),
                  did_you_mean(key, known));
    }
}

}  // namespace weft

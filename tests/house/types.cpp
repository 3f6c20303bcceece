#include "tests/house/types.h"

#include <algorithm>

namespace weft::house {
namespace {

using Tokens = std::vector<Token>;

bool is_name(std::string_view t) { return is_word(t[0]) && !(t[0] >= '0' && t[0] <= '9'); }
bool is_open(std::string_view t) { return t == "(" || t == "[" || t == "{"; }

/// Head of a definition: class, struct or union, name, bases, {.
struct Head {
  bool defines = false;
  std::string name;
  size_t open = 0;  // the brace
};

Head head_at(const Tokens& tokens, size_t at) {
  Head head;
  bool bases = false;
  for (size_t i = at + 1; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (t == "{") return head.defines = true, head.open = i, head;
    if (t == "alignas" || t == "[" || t == "__attribute__") i = closing(tokens, t == "[" ? i : i + 1);
    else if (t == "<") {
      i = closing_angle(tokens, i);
      if (i == 0) return head;
    } else if (t == ":") bases = true;
    else if (t == "::") head.name += bases ? "" : "::";
    else if (is_name(t)) {
      if (bases || t == "final") continue;
      if (!head.name.empty() && !ends_with(head.name, "::")) head.name.clear();  // a macro before the name
      head.name += t;
    } else if (!(bases && (t == "," || t == "..."))) return head;
  }
  return head;
}

bool begins_type(const Tokens& tokens, size_t at) {
  const std::string_view t = tokens[at].text;
  return (t == "class" || t == "struct" || t == "union") && (at == 0 || tokens[at - 1].text != "enum");
}

/// Reads the members of one type, from its { to its }.
class Members {
 public:
  Members(const Tokens& tokens, size_t open) : tokens_(tokens), at_(open + 1), end_(closing(tokens, open)) {}

  Type read() {
    while (at_ < end_) statement();
    return type_;
  }

 private:
  std::string_view text(size_t i) const { return i < end_ ? tokens_[i].text : std::string_view("}"); }

  void statement() {
    const std::string_view t = text(at_);
    if (t == ";") ++at_;
    else if ((t == "public" || t == "private" || t == "protected") && text(at_ + 1) == ":") at_ += 2;
    else if (t == "template" && text(at_ + 1) == "<") {
      at_ = std::max(closing_angle(tokens_, at_ + 1), at_ + 1) + 1;
      counts_ = false;  // no data member is a template
      statement();
      counts_ = true;
    } else if (t == "enum") enumeration();
    else if (t == "using" || t == "typedef" || t == "static_assert" || t == "friend") skip_friend_or_name();
    else if (begins_type(tokens_, at_) && head_at(tokens_, at_).defines) nested();
    else declaration();
  }

  /// To the end of a statement without members; a friend may have a body.
  void skip_friend_or_name() {
    const bool is_friend = text(at_) == "friend";
    for (; at_ < end_ && text(at_) != ";"; ++at_)
      if (is_open(text(at_))) {
        const bool body = text(at_) == "{" && is_friend;
        at_ = closing(tokens_, at_);
        if (body) break;
      }
    ++at_;
  }

  /// Only its variables are members.
  void enumeration() {
    while (at_ < end_ && text(at_) != "{" && text(at_) != ";") ++at_;
    if (text(at_) == "{") at_ = closing(tokens_, at_) + 1;
    if (text(at_) != ";") declarators();
    else ++at_;
  }

  /// A type within: its variables are members; without a name and a variable its members are.
  void nested() {
    const Head head = head_at(tokens_, at_);
    at_ = closing(tokens_, head.open) + 1;
    const bool variables = text(at_) != ";";
    if (variables) declarators();
    else ++at_;
    if (!variables && head.name.empty() && counts_)
      type_.members += Members(tokens_, head.open).read().members;
  }

  /// Whether nothing but a name stands between class, struct or union and the semicolon.
  bool only_names_type() const {
    if (!begins_type(tokens_, at_)) return false;
    size_t i = at_ + 1;
    while (is_name(text(i)) || text(i) == "::") ++i;
    return text(i) == ";" && i == at_ + 2;
  }

  /// A function or data.
  void declaration() {
    bool data = counts_ && !only_names_type();
    for (size_t i = at_; i < end_; ++i) {
      const std::string_view t = text(i);
      if (t == "static" || t == "extern") data = false;
      else if (t == "operator") return function_operator(i);
      else if (t == "<") i = std::max(closing_angle(tokens_, i), i);
      else if (t == "[") i = closing(tokens_, i);
      else if ((t == "alignas" || t == "decltype" || t == "explicit" || t == "__attribute__") &&
               text(i + 1) == "(")
        i = closing(tokens_, i + 1);
      else if (t == "(" && text(i + 1) != "*") return function(i);
      else if (t == "(" || t == "=" || t == "{" || t == ";" || t == "," || t == ":") break;
    }
    const int before = type_.members;
    declarators();
    if (!data) type_.members = before;
  }

  void function_operator(size_t at) {
    size_t open = at + 1;
    if (text(open) == "(") {
      open += 2;
      type_.kernel |= text(open) == "(" && text(open + 1) == "int" && counts_;
    }
    while (open < end_ && text(open) != "(") ++open;
    function(open);
  }

  /// From the ( of its parameters to the end of its body, or of its declaration.
  void function(size_t open) {
    const std::string_view name = text(open - 1);
    type_.parameters |= name == "visit" || name == "describe";
    bool starts_members = false;  // : a_(a), b_{b}
    for (at_ = closing(tokens_, open) + 1; at_ < end_; ++at_) {
      const std::string_view t = text(at_);
      if (t == ";") break;
      if (t == ":") starts_members = true;
      if (t == "{" && !(starts_members && (is_name(text(at_ - 1)) || text(at_ - 1) == ">"))) {
        at_ = closing(tokens_, at_);
        break;
      }
      if (is_open(t)) at_ = closing(tokens_, at_);
    }
    ++at_;
  }

  /// Counts what is declared up to the semicolon.
  void declarators() {
    int names = 1;
    for (; at_ < end_ && text(at_) != ";"; ++at_) {
      const std::string_view t = text(at_);
      if (is_open(t)) at_ = closing(tokens_, at_);
      else if (t == "<") at_ = std::max(closing_angle(tokens_, at_), at_);
      else if (t == ",") ++names;
    }
    ++at_;
    if (counts_) type_.members += names;
  }

  const Tokens& tokens_;
  size_t at_, end_;
  bool counts_ = true;
  Type type_;
};

/// Values between the braces at `open`; -1 for what is no list of values.
int positional_values(const Tokens& tokens, size_t open) {
  const size_t end = closing(tokens, open);
  if (end >= tokens.size()) return -1;
  int count = 0;
  bool begins = true;
  for (size_t i = open + 1; i < end; ++i) {
    const std::string_view t = tokens[i].text;
    if (t == ";") return -1;
    if (begins && t != ".") ++count;
    begins = t == ",";
    if (is_open(t)) i = closing(tokens, i);
    else if (t == "<") i = std::max(closing_angle(tokens, i), i);
  }
  return count;
}

}  // namespace

std::vector<Type> types_of(const std::vector<Token>& tokens) {
  std::vector<Type> types;
  std::vector<std::pair<size_t, std::string>> around;  // its end and name
  for (size_t i = 0; i < tokens.size(); ++i) {
    while (!around.empty() && i > around.back().first) around.pop_back();
    if (!begins_type(tokens, i)) continue;
    const Head head = head_at(tokens, i);
    if (!head.defines) continue;
    Type type = Members(tokens, head.open).read();
    const std::string name = head.name.empty() ? "(unnamed)" : head.name;
    type.name = around.empty() ? name : around.back().second + "::" + name;
    type.line = tokens[i].line;
    around.emplace_back(closing(tokens, head.open), type.name);
    types.push_back(type);
  }
  return types;
}

std::vector<Braces> braces_of(const std::vector<Token>& tokens, const std::set<std::string>& types) {
  std::vector<Braces> found;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_name(tokens[i].text) || !types.count(std::string(tokens[i].text))) continue;
    if (i > 0 && (tokens[i - 1].text == "struct" || tokens[i - 1].text == "class")) continue;
    size_t at = i + 1;
    if (tokens[at].text == "<") {
      at = closing_angle(tokens, at) + 1;
      if (at == 1) continue;
    }
    if (at < tokens.size() && is_name(tokens[at].text)) {
      ++at;
      if (at < tokens.size() && tokens[at].text == "=") ++at;
    }
    if (at >= tokens.size() || tokens[at].text != "{") continue;
    const int count = positional_values(tokens, at);
    if (count > 0) found.push_back({std::string(tokens[i].text), tokens[i].line, count});
  }
  return found;
}

}  // namespace weft::house

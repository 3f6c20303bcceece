#include "tests/house/sources.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "test_paths.h"

namespace fs = std::filesystem;

namespace weft::house {

// ---- files

const std::vector<std::string>& tree() {
  static const std::vector<std::string> paths = [] {
    const fs::path root = WEFT_SOURCE_FOLDER;
    std::vector<std::string> found;
    const auto add = [&](const fs::directory_entry& entry) {
      if (entry.is_regular_file() && entry.path().string().find("__pycache__") == std::string::npos)
        found.push_back(fs::relative(entry.path(), root).generic_string());
    };
    for (const auto& entry : fs::directory_iterator(root)) add(entry);
    for (const char* top :
         {".ci", "assets", "cuda", "docs", "shaders", "sim", "tests", "third_party", "viewer"})
      for (const auto& entry : fs::recursive_directory_iterator(root / top)) add(entry);
    std::sort(found.begin(), found.end());
    return found;
  }();
  return paths;
}

std::string text_of(const std::string& path) {
  std::ifstream file(fs::path(WEFT_SOURCE_FOLDER) / path, std::ios::binary);
  REQUIRE_MESSAGE(file, path, " cannot be read");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}
bool has_kind(std::string_view path, const std::vector<std::string_view>& kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view k) { return ends_with(path, k); });
}
bool is_code(std::string_view path) { return has_kind(path, {".h", ".cpp", ".cu", ".cuh"}); }
bool is_page(std::string_view path) {
  return ends_with(path, ".md") && !begins_with(path, "tests/benchmarks/results/");
}
std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string stem_of(const std::string& path) {
  const std::string name = name_of(path);
  return name.substr(0, name.find('.'));
}
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// ---- tokens

namespace {

class Divider {
 public:
  explicit Divider(std::string_view text) : text_(text) {}

  Code divide() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') first_ = true, ++line_, ++at_;
      else if (std::isspace(static_cast<unsigned char>(c))) ++at_;
      else if (starts("//")) comment(end_of_line());
      else if (starts("/*")) comment(after("*/", at_ + 2));
      else if (c == '#' && first_) directive();
      else token();
    }
    return std::move(code_);
  }

 private:
  bool starts(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
  size_t end_of_line() const { return std::min(text_.find('\n', at_), text_.size()); }
  size_t after(std::string_view what, size_t from) const {
    const size_t found = text_.find(what, from);
    return found == text_.npos ? text_.size() : found + what.size();
  }
  void move_to(size_t end) {
    line_ += int(std::count(text_.begin() + long(at_), text_.begin() + long(end), '\n'));
    at_ = end;
  }
  void comment(size_t end) {
    code_.comments.push_back({text_.substr(at_, end - at_), line_});
    move_to(end);
  }
  /// Up to the end of the line, or of those that it is continued on, but not a comment at its end.
  void directive() {
    size_t end = end_of_line();
    while (end < text_.size() && text_[end - 1] == '\\')
      end = std::min(text_.find('\n', end + 1), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    if (const size_t remark = line.find("//"); remark != line.npos) end = at_ + remark;
    line = line.substr(0, end - at_);
    const size_t open = line.find('"'), close = line.rfind('"');
    if (line.find("include") != line.npos && open < close)
      code_.includes.emplace_back(line.substr(open + 1, close - open - 1));
    move_to(end);
  }
  /// End of a text in quotes that begins at `at`.
  size_t end_of_quoted(size_t at) const {
    const char quote = text_[at];
    for (++at; at < text_.size() && text_[at] != quote && text_[at] != '\n'; ++at)
      if (text_[at] == '\\') ++at;
    return std::min(at + 1, text_.size());
  }
  size_t end_of_raw(size_t quote) const {
    const size_t open = text_.find('(', quote);
    if (open == text_.npos) return text_.size();
    return after(")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"", open);
  }
  size_t end_of_token() const {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return end_of_quoted(at_);
    size_t end = at_;
    if (std::isdigit(static_cast<unsigned char>(c))) {  // 1'000, 1e-3f, 0x1p-53
      for (++end; end < text_.size(); ++end) {
        const bool exponent = std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos;
        const bool sign = (text_[end] == '+' || text_[end] == '-') && exponent;
        if (!is_word(text_[end]) && text_[end] != '.' && text_[end] != '\'' && !sign) break;
      }
      return end;
    }
    while (end < text_.size() && is_word(text_[end])) ++end;
    if (end > at_) {
      const bool raw = end < text_.size() && text_[end] == '"' && text_[end - 1] == 'R' && end - at_ <= 3;
      return raw ? end_of_raw(end) : end;
    }
    for (std::string_view sign : {"<=>", "<<=", "...", "::", "->", "<<", "<=", "==", "!=", "&&", "||",
                                  "+=", "-=", "*=", "/=", "++", "--", "|=", "&="})
      if (starts(sign)) return at_ + sign.size();
    return at_ + 1;
  }
  void token() {
    const size_t end = end_of_token();
    code_.tokens.push_back({text_.substr(at_, end - at_), line_});
    first_ = false;
    move_to(end);
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool first_ = true;  // nothing but space before it on its line
  Code code_;
};

}  // namespace

Code code_of(std::string_view text) { return Divider(text).divide(); }

size_t closing(const std::vector<Token>& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (t == "(" || t == "[" || t == "{") ++depth;
    else if ((t == ")" || t == "]" || t == "}") && --depth == 0) return i;
  }
  return tokens.size();
}

size_t closing_angle(const std::vector<Token>& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (t == "<") ++depth;
    else if (t == ">" && --depth == 0) return i;
    else if (t == "(" || t == "[" || t == "{") i = closing(tokens, i);
    else if (t == ")" || t == "]" || t == "}" || t == ";" || t == "&&" || t == "||") return 0;
  }
  return 0;
}

// ---- lists

std::map<std::string, int> entries_of(const std::string& text) {
  std::map<std::string, int> entries;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t digits = line.find_first_not_of("0123456789");
    if (digits != line.npos && digits > 0 && line[digits] == ' ')
      entries[line.substr(digits + 1)] = std::stoi(line.substr(0, digits));
    else entries[line] = 1;
  }
  return entries;
}

std::string differences(const List& list, const std::map<std::string, int>& listed, const Findings& found) {
  std::string words;
  const std::string file = "tests/house/" + list.file;
  const auto count = [&](int n) { return list.counted ? std::to_string(n) + " " + list.what : list.what; };
  for (const auto& [entry, f] : found) {
    const auto old = listed.find(entry);
    const std::string where = f.where.empty() ? "" : " (" + f.where + ")";
    if (old == listed.end()) words += entry + ": " + count(f.count) + where + "; " + list.advice + "\n";
    else if (f.count > old->second)
      words += entry + ": " + count(f.count) + where + " where " + file + " allows " +
               std::to_string(old->second) + "; " + list.advice + "\n";
    else if (f.count < old->second)
      words += entry + ": " + count(f.count) + "; lower the entry in " + file + " from " +
               std::to_string(old->second) + " to " + std::to_string(f.count) + "\n";
  }
  for (const auto& [entry, n] : listed)
    if (!found.count(entry)) words += entry + ": no longer found; remove the entry from " + file + "\n";
  return words;
}

std::string printed(const List& list, const std::string& text, const Findings& found) {
  std::string words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !line.empty() && line[0] == '#';) words += line + "\n";
  for (const auto& [entry, f] : found)
    words += (list.counted ? std::to_string(f.count) + " " : "") + entry + "\n";
  return words;
}

void check_list(const List& list, const Findings& found) {
  const std::string text = text_of("tests/house/" + list.file);
  if (std::getenv("WEFT_HOUSE_PRINT"))
    std::cout << "==> tests/house/" << list.file << "\n" << printed(list, text, found) << "<==\n";
  const std::string words = differences(list, entries_of(text), found);
  CHECK_MESSAGE(words.empty(), words);
}

}  // namespace weft::house

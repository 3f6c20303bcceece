#include "tests/house/names.h"

#include <algorithm>
#include <regex>

namespace weft::house {
namespace {

const std::vector<std::string_view> kKinds = {".h",    ".cpp",  ".cu", ".cuh", ".glsl", ".vert", ".frag",
                                              ".tesc", ".tese", ".md", ".py",  ".sh",   ".cmake"};
const std::vector<std::string_view> kTops = {"sim/",     "viewer/", "cuda/",   "tests/",
                                             "shaders/", "docs/",   "assets/", "third_party/"};

/// A word of three capitals and more stands for what a reader puts in.
bool has_placeholder(const std::string& text) {
  static const std::regex capitals("(^|[^A-Za-z0-9])[A-Z]{3,}([^A-Za-z0-9]|$)");
  return text.find_first_of("<>{}$ ,=\"'|;") != text.npos || text.find("...") != text.npos ||
         (std::regex_search(text, capitals) && text.find("README") == text.npos &&
          text.find("ARCHITECTURE") == text.npos && text.find("CONTRIBUTING") == text.npos &&
          text.find("CHANGELOG") == text.npos);
}

bool matches(const std::string& pattern, const std::string& text, size_t p = 0, size_t t = 0) {
  for (; p < pattern.size() && pattern[p] != '*'; ++p, ++t)
    if (t >= text.size() || pattern[p] != text[t]) return false;
  if (p == pattern.size()) return t == text.size();
  for (size_t rest = t; rest <= text.size(); ++rest)
    if (matches(pattern, text, p + 1, rest)) return true;
  return false;
}

/// `name` or `name()` without arguments of templates; empty if it is no name with :: in between.
std::vector<std::string> parts_of(std::string text) {
  if (ends_with(text, "()")) text.resize(text.size() - 2);
  if (const size_t open = text.find('<'); open != text.npos && text.back() == '>') text.resize(open);
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_word(text[i])) parts.back() += text[i];
    else if (text.compare(i, 2, "::") == 0) ++i, parts.emplace_back();
    else if (text[i] == '.' && parts.size() < 4) parts.emplace_back();
    else return {};
  }
  return parts;
}

bool is_camel(const std::string& word) {
  static const std::regex camel("[A-Z][a-z0-9]+([A-Z][a-z0-9]*)+|k[A-Z][A-Za-z0-9]{2,}");
  return std::regex_match(word, camel);
}

bool exists_from(std::string folder, const std::string& path, const Known& known) {
  std::string rest = path;
  while (begins_with(rest, "../")) folder = folder_of(folder), rest = rest.substr(3);
  if (begins_with(rest, "./")) rest = rest.substr(2);
  const std::string full = folder.empty() ? rest : folder + "/" + rest;
  for (const char* kind : {"", ".h", ".cpp", ".cu", ".cuh", ".in"})
    if (known.whole.count(full + kind)) return true;
  return false;
}

}  // namespace

void add_words(std::string_view text, std::unordered_set<std::string>& words) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) words.emplace(text.substr(i, end - i));
    i = end + 1;
  }
}

void add_source(const std::vector<std::string_view>& texts, Known& known) {
  std::unordered_set<std::string>& words = known.files.emplace_back();
  for (std::string_view text : texts) add_words(text, words);
  known.words.insert(words.begin(), words.end());
}

void add_path(const std::string& path, Known& known) {
  for (std::string whole = path; !whole.empty(); whole = folder_of(whole)) {
    if (!known.whole.insert(whole).second) return;
    known.paths.insert(whole);
    for (size_t slash = whole.find('/'); slash != whole.npos; slash = whole.find('/', slash + 1))
      known.paths.insert(whole.substr(slash + 1));
  }
}

std::vector<Mention> backticked(std::string_view text, int first_line) {
  std::vector<Mention> found;
  bool example = false;
  int line = first_line;
  for (size_t i = 0; i < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', i), text.size());
    const std::string_view words = text.substr(i, end - i);
    i = end + 1;
    if (const size_t first = words.find_first_not_of(" \t/");
        first != words.npos && words.compare(first, 3, "```") == 0)
      example = !example;
    else if (!example)
      for (size_t open = words.find('`'); open != words.npos;) {
        const size_t close = words.find('`', open + 1);
        if (close == words.npos) break;
        if (close > open + 1) found.push_back({std::string(words.substr(open + 1, close - open - 1)), line});
        open = words.find('`', close + 1);
      }
  }
  return found;
}

namespace {

/// Words of letters, digits and these signs that do not begin behind a quote or bracket.
std::vector<Mention> plain_words(std::string_view text, int line, std::string_view signs) {
  std::vector<Mention> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && (is_word(text[end]) || signs.find(text[end]) != signs.npos)) ++end;
    const bool embedded = i > 0 && std::string_view("<\"'`").find(text[i - 1]) != std::string_view::npos;
    if (end > i && !embedded) words.push_back({std::string(text.substr(i, end - i)), line});
    if (end < text.size() && text[end] == '\n') ++line;
    i = end + 1;
  }
  return words;
}

}  // namespace

std::vector<Mention> file_names(std::string_view text, int first_line) {
  std::vector<Mention> found;
  for (Mention& m : plain_words(text, first_line, "./-*:")) {
    std::string& word = m.text;
    while (!word.empty() && std::string_view("./:").find(word.back()) != std::string_view::npos)
      word.pop_back();
    while (begins_with(word, "/") || begins_with(word, "*")) word.erase(0, 1);
    if (word.find(':') == word.npos && has_kind(word, kKinds) && stem_of(word).size() > 1 &&
        !has_placeholder(word))
      found.push_back(m);
  }
  return found;
}

std::vector<Mention> type_names(std::string_view text, int first_line) {
  std::vector<Mention> found;
  for (Mention& m : plain_words(text, first_line, ":")) {
    while (!m.text.empty() && m.text.back() == ':') m.text.pop_back();
    const std::vector<std::string> parts = parts_of(m.text);
    if (parts.empty() || parts.back().empty() || parts.front().empty()) continue;
    if (parts.size() > 1 || is_camel(parts[0])) found.push_back(m);
  }
  return found;
}

bool looks_like_path(const std::string& text) {
  if (has_placeholder(text) || text.find("://") != text.npos) return false;
  const bool top =
      std::any_of(kTops.begin(), kTops.end(), [&](std::string_view t) { return begins_with(text, t); });
  return top || (has_kind(text, kKinds) && !stem_of(text).empty());
}

bool looks_like_code(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.empty() ||
      std::any_of(parts.begin(), parts.end(), [](const std::string& p) { return p.empty(); }))
    return false;
  if (ends_with(text, "()") || text.find("::") != text.npos) return true;
  if (std::any_of(parts.begin(), parts.end(), is_camel)) return true;
  // words joined by _, of two letters and more, which symbols of papers do not have
  static const std::regex snake("[a-z][a-z0-9]+(_[a-z0-9]{2,})+_?");
  return parts.size() == 1 && std::regex_match(parts[0], snake);
}

bool path_exists(const std::string& path, const std::string& page, const Known& known) {
  std::string name = path;
  while (!name.empty() && name.back() == '/') name.pop_back();
  if (name.find('*') != name.npos)
    return std::any_of(known.paths.begin(), known.paths.end(),
                       [&](const std::string& p) { return matches(name, p); });
  for (const char* kind : {"", ".h", ".cpp", ".cu", ".cuh", ".in", ".toml"})
    if (known.paths.count(name + kind)) return true;
  for (std::string folder = folder_of(page);; folder = folder_of(folder)) {
    if (exists_from(folder, name, known)) return true;
    if (folder.empty()) return false;
  }
}

bool code_exists(const std::string& text, const Known& known) {
  const std::vector<std::string> parts = parts_of(text);
  const auto has_all = [&](const std::unordered_set<std::string>& words) {
    return std::all_of(parts.begin(), parts.end(), [&](const std::string& p) { return words.count(p) > 0; });
  };
  if (parts.size() == 1) return has_all(known.words);
  return std::any_of(known.files.begin(), known.files.end(), has_all);
}

std::set<std::string> unnamed_files(const std::string& page_text, const std::set<std::string>& stems) {
  static const std::regex table("(^|\n)\\| *(file|file or folder|files)[^\n|]*\\|");
  if (!std::regex_search(page_text, table)) return {};
  std::set<std::string> words;
  for (size_t i = 0; i < page_text.size();) {
    size_t end = i;
    while (end < page_text.size() && (is_word(page_text[end]) || page_text[end] == '*')) ++end;
    if (end > i) words.insert(page_text.substr(i, end - i));
    i = end + 1;
  }
  std::set<std::string> missing;
  for (const std::string& stem : stems)
    if (std::none_of(words.begin(), words.end(),
                     [&](const std::string& w) { return w[0] != '*' && matches(w, stem); }))
      missing.insert(stem);
  return missing;
}

}  // namespace weft::house

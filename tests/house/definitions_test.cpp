// Types whose names are known in the whole program: two of one name are undefined, and no linker reports it.
#include <doctest/doctest.h>

#include "tests/house/sources.h"

namespace weft::house {
namespace {

/// Reads the definitions of types at the scope of a file and of named namespaces, as "weft::Frame".
class Definitions {
 public:
  explicit Definitions(const std::string& text) : code_(code_of(text)) { read(0, code_.tokens.size(), ""); }
  std::vector<std::string> names() const { return names_; }

 private:
  std::string_view at(size_t i) const { return i < code_.tokens.size() ? code_.tokens[i].text : ""; }

  void read(size_t i, size_t end, const std::string& scope) {
    while (i < end) {
      if (at(i) == "namespace") i = read_namespace(i + 1, scope);
      else if (at(i) == "template") i = closing_angle(code_.tokens, i + 1) + 1;
      else if (at(i) == "struct" || at(i) == "class" || at(i) == "union" || at(i) == "enum")
        i = read_type(i, end, scope);
      else if (at(i) == "{" || at(i) == "(") i = closing(code_.tokens, i) + 1;
      else ++i;
    }
  }

  /// Behind the word "namespace"; what has no name is known in its file alone.
  size_t read_namespace(size_t i, const std::string& scope) {
    std::string name = scope;
    bool named = false;
    for (; i < code_.tokens.size() && at(i) != "{" && at(i) != ";"; ++i)
      if (at(i) != ":" && at(i) != "::") name += std::string(at(i)) + "::", named = true;
    if (at(i) != "{") return i + 1;
    const size_t end = closing(code_.tokens, i);
    if (named) read(i + 1, end, name);
    return end + 1;
  }

  size_t read_type(size_t i, size_t end, const std::string& scope) {
    std::string name;
    for (++i; i < end && at(i) != "{" && at(i) != ":"; ++i) {
      if (at(i) == ";" || at(i) == "=" || at(i) == "<" || at(i) == "*" || at(i) == "&")
        return i;  // no definition
      if (at(i) == "(") i = closing(code_.tokens, i);
      else if (at(i) == "::") name += "::";
      else if (at(i) != "class" && at(i) != "final" && is_word(at(i)[0]))
        name = (ends_with(name, "::") ? name : "") + std::string(at(i));
    }
    while (i < end && at(i) != "{" && at(i) != ";" && at(i) != "(") ++i;  // bases
    if (at(i) != "{") return i;
    if (!name.empty()) names_.push_back(scope + name);
    return closing(code_.tokens, i) + 1;
  }

  Code code_;
  std::vector<std::string> names_;
};

}  // namespace

TEST_CASE("no two types of the program have one name") {
  std::map<std::string, std::string> first;
  for (const std::string& path : tree()) {
    if (!is_code(path) ||
        !(begins_with(path, "sim/") || begins_with(path, "viewer/") || begins_with(path, "cuda/")))
      continue;
    const std::string text = text_of(path);
    for (const std::string& name : Definitions(text).names()) {
      const auto [it, is_new] = first.emplace(name, path);
      CHECK_MESSAGE((is_new || it->second == path), path << ": " << name << " is also the name of a type in "
                                                         << it->second << "; rename one");
    }
  }
  CHECK(first.size() > 800);
  CHECK(first.count("weft::Scene") == 1);
}

TEST_CASE("definitions are read with their namespaces") {
  const std::string text =
      "namespace a::b { struct X : Y<int> { struct Inner {}; }; struct Later; enum class E : int { k };\n"
      "template <class T> struct V {}; template <> struct V<int> {}; namespace { struct Local {}; }\n"
      "inline void f() { struct Here {}; } struct alignas(8) W final {}; struct X* g(struct X&); struct "
      "X::Inner final {}; }";
  CHECK(Definitions(text).names() ==
        std::vector<std::string>{"a::b::X", "a::b::E", "a::b::V", "a::b::W", "a::b::X::Inner"});
}

}  // namespace weft::house

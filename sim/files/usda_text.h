// The text form of USD (.usda): prims with those of their attributes that shapes and their places need.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// A value without its nesting: numbers of tuples and arrays one after another, words of tokens and strings.
struct UsdaValue {
  std::vector<double> numbers;
  std::vector<std::string> words;
  bool blocked = false;  // None
};

struct UsdaAttribute {
  std::string type;  // "point3f[]"
  int line = 0;
  std::optional<UsdaValue> value;                     // at no time in particular
  std::vector<std::pair<double, UsdaValue>> samples;  // by time code, ascending
  std::string interpolation;                          // "vertex", "faceVarying"; empty: not said
};

struct UsdaPrim {
  std::string specifier, type, path;  // "def", "Mesh", "/run/cloth"
  int line = 0;
  bool active = true;
  std::map<std::string, UsdaAttribute>
      attributes;  // those that bodies need, and relationships without values
  std::vector<UsdaPrim> children;
};

struct UsdaLayer {
  std::map<std::string, UsdaValue> metadata;  // numbers and words at the top of the file
  std::vector<UsdaPrim> prims;
};

/// Parses the text of a layer. Throws Error "path:line" for text that breaks the grammar, for references,
/// payloads, sublayers and variants, which would need other files or choices, and for binary USD.
UsdaLayer parse_usda(const std::string& text, const std::string& path_for_messages);

}  // namespace weft

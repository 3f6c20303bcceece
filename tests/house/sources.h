// The sources as texts: files of the tree, their tokens and comments, and lists of exceptions that may only
// shrink.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::house {

/// Paths of all files, relative to the root, sorted: root, .ci, assets, cuda, docs, shaders, sim, tests,
/// third_party, viewer. What is built or cached is left out.
const std::vector<std::string>& tree();

/// Text of a file of the tree; fails the test if it cannot be read.
std::string text_of(const std::string& path);

/// Whether a path ends in one of these, each with its dot.
bool has_kind(std::string_view path, const std::vector<std::string_view>& kinds);
/// Sources of C++ and CUDA.
bool is_code(std::string_view path);
/// Pages: *.md, without the results of measurements.
bool is_page(std::string_view path);

bool begins_with(std::string_view text, std::string_view start);
bool ends_with(std::string_view text, std::string_view end);
/// "sim/mesh" of "sim/mesh/obj.h".
std::string folder_of(const std::string& path);
/// "obj.h" of "sim/mesh/obj.h".
std::string name_of(const std::string& path);
/// "obj" of "sim/mesh/obj.h".
std::string stem_of(const std::string& path);
bool is_word(char c);

/// One word, number, text in quotes or sign of C++. ">>" is two tokens. `text` is part of the file's text,
/// which must live on.
struct Token {
  std::string_view text;
  int line = 0;
};

/// What a C++ file consists of. Comments keep their signs; consecutive lines of // are one comment each.
struct Code {
  std::vector<Token> tokens, comments;
  std::vector<std::string> includes;  // in quotes
};

/// Divides a C++ or CUDA text. Preprocessor lines give includes and no tokens.
Code code_of(std::string_view text);

/// Index of the bracket that closes the one at `open`, of (), [] and {}; tokens.size() if there is none.
size_t closing(const std::vector<Token>& tokens, size_t open);
/// The same for the < at `open`; 0 if it is the sign "less".
size_t closing_angle(const std::vector<Token>& tokens, size_t open);

/// What a scanner found at one place: how many, and where to look.
struct Found {
  int count = 1;
  std::string where;
};
using Findings = std::map<std::string, Found>;

/// A list of exceptions, tests/house/FILE: one entry a line, "COUNT ENTRY" or "ENTRY"; # begins a comment.
struct List {
  std::string file;
  bool counted = false;
  std::string what;    // is found, in the plural
  std::string advice;  // for a new one
};

/// The entries of a list's text with their counts, 1 where the list has none.
std::map<std::string, int> entries_of(const std::string& text);
/// Findings that are not listed or more than listed, and entries that are no longer needed, one a line.
std::string differences(const List& list, const std::map<std::string, int>& listed, const Findings& found);
/// The list as it would be now, with the comment at its head.
std::string printed(const List& list, const std::string& text, const Findings& found);
/// Checks that the list has exactly what is found. Prints the present list where WEFT_HOUSE_PRINT is set.
void check_list(const List& list, const Findings& found);

}  // namespace weft::house

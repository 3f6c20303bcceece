// Names in pages and comments: files, and what the code calls things.
#pragma once
#include <set>
#include <unordered_set>

#include "tests/house/sources.h"

namespace weft::house {

/// What names can refer to.
struct Known {
  std::vector<std::unordered_set<std::string>> files;  // words of each source, without comments
  std::unordered_set<std::string> words;               // of all of them
  std::unordered_set<std::string> paths;  // files and folders, with every shorter end: "mesh/obj.h", "obj.h"
  std::unordered_set<std::string> whole;  // files and folders from the root
};

/// Adds a source's words, which stand in these texts.
void add_source(const std::vector<std::string_view>& texts, Known& known);
/// Adds the words of a text.
void add_words(std::string_view text, std::unordered_set<std::string>& words);
/// Adds a file and the folders that it is in.
void add_path(const std::string& path, Known& known);

/// A name in a page or comment.
struct Mention {
  std::string text;
  int line = 0;
};

/// Texts in single backticks on one line; what is between lines of three is an example and left out.
std::vector<Mention> backticked(std::string_view text, int first_line = 1);
/// Words outside of backticks that end like the name of a source or page.
std::vector<Mention> file_names(std::string_view text, int first_line = 1);
/// Words of a comment outside of backticks that are written like types and members: SeveralWords,
/// Type::member.
std::vector<Mention> type_names(std::string_view text, int first_line = 1);

/// Whether a text in backticks looks like a file or folder of the tree, or like a name of the code. Texts
/// with a placeholder (NAME, <...>) look like neither.
bool looks_like_path(const std::string& text);
bool looks_like_code(const std::string& text);

/// Whether a file or folder exists: from the root, from the page's folder or one above, or as the end of a
/// path.
bool path_exists(const std::string& path, const std::string& page, const Known& known);
/// Whether the words of a name, such as Type::member, occur in one source.
bool code_exists(const std::string& text, const Known& known);

/// Sources of a folder that its page does not name though it has a table of files: their names without kinds.
std::set<std::string> unnamed_files(const std::string& page_text, const std::set<std::string>& stems);

}  // namespace weft::house

#include "viewer/session/typed_path.h"

#include <cctype>
#include <cstdlib>

namespace weft {
namespace {

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = std::tolower(static_cast<unsigned char>(c));
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// "%20" as a space.
std::string without_escapes(const std::string& url) {
  std::string text;
  for (size_t i = 0; i < url.size(); ++i) {
    const bool escape =
        url[i] == '%' && i + 2 < url.size() && hex_digit(url[i + 1]) >= 0 && hex_digit(url[i + 2]) >= 0;
    if (!escape) text += url[i];
    else text += char(16 * hex_digit(url[i + 1]) + hex_digit(url[i + 2])), i += 2;
  }
  return text;
}

}  // namespace

std::string path_of_text(const std::string& typed) {
  std::string text = trimmed(typed), rest;
  if (!text.empty() && (text[0] == '\'' || text[0] == '"'))
    if (const size_t end = text.find(text[0], 1); end != text.npos)
      rest = text.substr(end + 1), text = text.substr(1, end - 1);
  if (text.starts_with("file://")) {
    const size_t folder = text.find('/', 7);  // after a host, which is empty or localhost
    if (folder != text.npos) text = without_escapes(text.substr(folder));
  }
  if (const char* home = std::getenv("HOME"); home && (text == "~" || text.starts_with("~/")))
    text = home + text.substr(1);
  return text + rest;
}

}  // namespace weft

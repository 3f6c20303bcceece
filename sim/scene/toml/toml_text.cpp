#include "sim/scene/toml/toml_text.h"

namespace weft::toml_text {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += {'\\', c};
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (static_cast<unsigned char>(c) < 32 || c == 127) out += fmt::format("\\u{:04X}", int(c));
    else out += c;
  }
  return out + "\"";
}

std::string value(const std::vector<int>& list) {
  std::string out;
  for (const int i : list) out += (out.empty() ? "" : ", ") + fmt::format("{}", i);
  return "[" + out + "]";
}

}  // namespace weft::toml_text

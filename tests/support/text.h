// Words in a text.
#pragma once
#include <string>

namespace weft::testing {

inline bool begins(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace weft::testing

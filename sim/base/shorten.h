// Shortening of texts for messages.
#pragma once
#include <string>

namespace weft {

/// At most about `most` bytes: of a longer text the start and the end, with "..." between them. Does not
/// split UTF-8 characters.
inline std::string shortened(const std::string& text, size_t most = 600) {
  if (text.size() <= most) return text;
  const auto begins_sign = [&](size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80; };
  size_t head = most * 2 / 3, tail = text.size() - most / 3;
  while (head > 0 && !begins_sign(head)) --head;
  while (tail < text.size() && !begins_sign(tail)) ++tail;
  return text.substr(0, head) + " ... " + text.substr(tail);
}

}  // namespace weft

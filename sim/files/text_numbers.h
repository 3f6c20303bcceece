// Numbers as text that gives back the same float32, also to readers that go through double.
#pragma once
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>

namespace weft {

/// The shortest decimal; where rounding first to double and then to float would give another value, all
/// digits.
/// Minus zero is "-0.0", because "-0" is a whole number to some readers.
inline void append_float(fmt::memory_buffer& to, float value) {
  const size_t begin = to.size();
  if (value == 0) {
    to.append(std::string_view(std::signbit(value) ? "-0.0" : "0"));
    return;
  }
  fmt::format_to(std::back_inserter(to), "{}", value);
  double read = 0;
  std::from_chars(to.data() + begin, to.data() + to.size(), read);
  if (float(read) == value) return;
  to.resize(begin);
  fmt::format_to(std::back_inserter(to), "{:.17g}", double(value));
}

}  // namespace weft

// Values as TOML text that reads back to the same value.
#pragma once
#include <fmt/format.h>

#include <concepts>
#include <string>
#include <vector>

#include "sim/base/math.h"

namespace weft::toml_text {

/// A basic string with its quotes.
std::string quoted(const std::string& text);

inline std::string value(float x) { return fmt::format("{}", x); }
inline std::string value(double x) { return fmt::format("{}", x); }
inline std::string value(int x) { return fmt::format("{}", x); }
/// A template, lest a pointer or a number be taken for a truth value.
template <std::same_as<bool> B>
std::string value(B on) {
  return on ? "true" : "false";
}
inline std::string value(const std::string& text) { return quoted(text); }
inline std::string value(const vec2& v) { return fmt::format("[{}, {}]", v.x, v.y); }
inline std::string value(const vec3& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }
std::string value(const std::vector<int>& list);

}  // namespace weft::toml_text

#include "sim/base/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/base/error.h"
#include "sim/base/nearest.h"

namespace weft {
namespace {

std::string trim(std::string s) {
  const char* space = " \t\r\n";
  s.erase(0, s.find_first_not_of(space) == std::string::npos ? s.size() : s.find_first_not_of(space));
  s.erase(s.find_last_not_of(space) + 1);
  return s;
}

bool parse_number(const std::string& raw, double& out) {
  std::string s = trim(raw);
  if (!s.empty() && s[0] == '+') s.erase(0, 1);
  const auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), out);
  return code == std::errc() && end == s.data() + s.size() && !s.empty();
}

std::string value_text(const ParamInfo& info, const ParamRef::Pointer& p) {
  if (auto f = std::get_if<float*>(&p)) return fmt::format("{}", **f);
  if (auto b = std::get_if<bool*>(&p)) return **b ? "true" : "false";
  if (auto v = std::get_if<vec3*>(&p)) return fmt::format("[{}, {}, {}]", (*v)->x, (*v)->y, (*v)->z);
  const int i = *std::get<int*>(p);
  if (info.choices.empty()) return fmt::format("{}", i);
  return i >= 0 && i < int(info.choices.size()) ? "\"" + info.choices[i] + "\"" : "\"?\"";
}

}  // namespace

ParamRef::ParamRef(std::string full_key, ParamInfo info, Pointer value, Pointer default_value)
    : key_(std::move(full_key)),
      info_(std::move(info)),
      value_(value),
      default_text_(value_text(info_, default_value)) {}

std::string ParamRef::text() const { return value_text(info_, value_); }

std::string ParamRef::range_text() const {
  if (std::holds_alternative<bool*>(value_)) return "true or false";
  if (!info_.choices.empty()) {
    std::string s;
    for (auto& c : info_.choices) s += (s.empty() ? "" : ", ") + c;
    return s;
  }
  return fmt::format("{:g} to {:g}{}{}", info_.min, info_.max, info_.unit.empty() ? "" : " ", info_.unit);
}

void ParamRef::check(double value) const {
  // Compared as float32, so that a value that was read back (0.1f) is not refused for a bound of 0.1. A NaN
  // fails both comparisons and is refused with the rest.
  if (float(value) >= float(info_.min) && float(value) <= float(info_.max)) return;
  std::string range = range_text();
  if (!info_.display_unit.empty())  // the window's field has another unit than files
    range += fmt::format(", {:g} to {:g} {} in the window", info_.min * info_.display_scale,
                         info_.max * info_.display_scale, info_.display_unit);
  throw Error(fmt::format("{:g} is outside its range", value), key_, "use " + range);
}

double ParamRef::number(int component) const {
  if (auto f = std::get_if<float*>(&value_)) return **f;
  if (auto b = std::get_if<bool*>(&value_)) return **b;
  if (auto v = std::get_if<vec3*>(&value_)) return (**v)[component];
  return *std::get<int*>(value_);
}

void ParamRef::set_number(double value, int component) const {
  if (auto b = std::get_if<bool*>(&value_)) {
    **b = value != 0;
    return;
  }
  if (info_.choices.empty()) check(value);
  if (auto f = std::get_if<float*>(&value_)) **f = float(value);
  else if (auto v = std::get_if<vec3*>(&value_)) (**v)[component] = float(value);
  else {
    if (value != std::floor(value) || std::abs(value) > 2e9)
      throw Error(fmt::format("{:g} is not a whole number", value), key_);
    if (!info_.choices.empty() && (value < 0 || value >= double(info_.choices.size())))
      throw Error(fmt::format("{:g} is not a choice", value), key_, "use one of " + range_text());
    *std::get<int*>(value_) = int(value);
  }
}

void ParamRef::set_text(const std::string& raw) const {
  std::string s = trim(raw);
  if (auto b = std::get_if<bool*>(&value_)) {
    if (s == "true" || s == "1" || s == "on") **b = true;
    else if (s == "false" || s == "0" || s == "off") **b = false;
    else throw Error("'" + s + "' is neither true nor false", key_, "use true or false");
    return;
  }
  if (auto v = std::get_if<vec3*>(&value_)) {
    if (!s.empty() && s.front() == '[' && s.back() == ']') s = s.substr(1, s.size() - 2);
    vec3 parsed(0);
    size_t begin = 0;
    for (int c = 0; c < 3; ++c) {
      const size_t end = s.find(',', begin);
      double x;
      if ((c < 2) == (end == std::string::npos) || !parse_number(s.substr(begin, end - begin), x))
        throw Error("'" + raw + "' is not three numbers", key_, "write it as x,y,z");
      check(x);
      parsed[c] = float(x);
      begin = end + 1;
    }
    **v = parsed;
    return;
  }
  if (!info_.choices.empty()) {
    if (s.size() >= 2 && s.front() == '"' && s.back() == '"') s = s.substr(1, s.size() - 2);
    const auto found = std::find(info_.choices.begin(), info_.choices.end(), s);
    if (found == info_.choices.end())
      throw Error("'" + s + "' is not a choice", key_, "use one of " + range_text());
    *std::get<int*>(value_) = int(found - info_.choices.begin());
    return;
  }
  double x;
  if (!parse_number(s, x)) throw Error("'" + s + "' is not a number", key_, "use " + range_text());
  set_number(x);
}

const ParamRef* ParamTable::find(const std::string& key) const {
  for (auto& r : refs_)
    if (r.key() == key) return &r;
  return nullptr;
}

std::string ParamTable::nearest_key(const std::string& key) const {
  std::vector<std::string> keys, last_parts;
  for (auto& r : refs_) keys.push_back(r.key()), last_parts.push_back(r.info().key);
  if (const std::string near = near_name(key, keys); !near.empty()) return near;
  // "dt" for "step.dt"
  const std::string last = near_name(key, last_parts);
  const auto at = std::find(last_parts.begin(), last_parts.end(), last);
  return at == last_parts.end() ? "" : keys[at - last_parts.begin()];
}

void ParamTable::set(const std::string& key, const std::string& text) const {
  const ParamRef* r = find(key);
  if (!r)
    throw Error("unknown parameter", key,
                (nearest_key(key).empty() ? "" : "did you mean " + nearest_key(key) + "? ") +
                    "'weft params' lists all");
  r->set_text(text);
}

}  // namespace weft

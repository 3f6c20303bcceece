#include "sim/garment/formats/json_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/shorten.h"

namespace weft {

std::string JsonValue::child(const std::string& key) const {
  // "file: a.b": the file, then the keys
  const size_t colon = where_.rfind(": ");
  return where_ + (colon == where_.npos ? ": " : ".") + shortened(key, 80);
}

JsonValue JsonValue::operator[](const char* key) const {
  if (!value_->is_object()) fail("this is no object", "write { ... }");
  if (!value_->contains(key)) throw Error("the key is missing", child(key), "add it");
  return {(*value_)[key], child(key)};
}

JsonValue JsonValue::operator[](size_t index) const {
  if (!value_->is_array() || index >= value_->size()) fail(fmt::format("there is no entry {}", index));
  return {(*value_)[index], fmt::format("{}[{}]", where_, index)};
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  if (!value_->is_object()) fail("this is no object", "write { ... }");
  std::vector<std::pair<std::string, JsonValue>> all;
  for (const auto& [key, value] : value_->items()) all.push_back({key, {value, child(key)}});
  return all;
}

size_t JsonValue::size(size_t least, size_t most) const {
  if (!value_->is_array()) fail("this is no list", "write [ ... ]");
  if (value_->size() < least || value_->size() > most)
    fail(least == most
             ? fmt::format("the list has {} entries instead of {}", value_->size(), least)
             : fmt::format("the list has {} entries; {} to {} are possible", value_->size(), least, most));
  return value_->size();
}

double JsonValue::number() const {
  if (!value_->is_number()) fail("this is no number");
  const double x = value_->get<double>();
  if (!std::isfinite(x)) fail("the number is not finite");
  return x;
}

int JsonValue::integer(int low, int high) const {
  const double x = number();
  if (x != std::floor(x) || x < low || x > high)
    fail(fmt::format("{:g} is no whole number from {} to {}", x, low, high));
  return int(x);
}

std::string JsonValue::text() const {
  if (!value_->is_string()) fail("this is no text", "write \"...\"");
  return value_->get<std::string>();
}

dvec2 JsonValue::point() const {
  size(2, 2);
  return {(*this)[size_t(0)].number(), (*this)[size_t(1)].number()};
}

dvec3 JsonValue::vector() const {
  size(3, 3);
  return {(*this)[size_t(0)].number(), (*this)[size_t(1)].number(), (*this)[2].number()};
}

nlohmann::ordered_json parse_json(const std::string& text, const std::string& path) {
  using Json = nlohmann::ordered_json;
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    const auto line = 1 + std::count(text.begin(), text.begin() + long(std::min(text.size(), e.byte)), '\n');
    const bool ends = e.byte >= text.size();
    throw Error(
        ends ? "the JSON text ends too early" : "this is not JSON", fmt::format("{}:{}", path, line),
        ends ? "the file is incomplete; export it again" : "look at the comma, quote or bracket before it");
  } catch (const Json::exception& e) {
    throw Error("this is not JSON: " + shortened(e.what(), 200), path, "export it again");
  }
}

}  // namespace weft

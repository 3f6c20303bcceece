// A value in a JSON file, with the words for where it is.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"

namespace weft {

/// Throws Error naming file and key for what is absent or of another kind. Does not own the value.
class JsonValue {
 public:
  using Json = nlohmann::ordered_json;
  JsonValue(const Json& value, std::string where) : value_(&value), where_(std::move(where)) {}

  bool has(const char* key) const {
    return value_->is_object() && value_->contains(key) && !(*value_)[key].is_null();
  }
  JsonValue operator[](const char* key) const;
  JsonValue operator[](size_t index) const;
  /// Of an object, in the order of the file.
  std::vector<std::pair<std::string, JsonValue>> members() const;
  /// Of an array with `least` to `most` entries.
  size_t size(size_t least = 0, size_t most = 1000000) const;
  double number() const;
  int integer(int low, int high) const;
  std::string text() const;
  dvec2 point() const;
  dvec3 vector() const;

  bool is_array() const { return value_->is_array(); }
  bool is_object() const { return value_->is_object(); }
  bool is_text() const { return value_->is_string(); }
  const std::string& where() const { return where_; }
  [[noreturn]] void fail(const std::string& what, const std::string& to_do = {}) const {
    throw Error(what, where_, to_do);
  }

 private:
  std::string child(const std::string& key) const;
  const Json* value_;
  std::string where_;
};

/// Throws Error "file:line" for text that is no JSON.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& path);

}  // namespace weft

// One table of a TOML file, read key by key with faults that name file, line and key.
#pragma once
#include <toml++/toml.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/params.h"

namespace weft {

/// Throws Error "file:line" for faults of syntax.
toml::table parse_toml(const std::string& text, const std::string& path);

/// `read` leaves a value as it is where the key is absent and returns whether it was there; it throws Error
/// "file:line" for another type, values outside the range, NaN and infinity. Every key that was asked for is known;
/// `finish` refuses the others. Does not own the table.
class TomlTable {
 public:
  TomlTable(const toml::table& table, const std::string& path, std::string name);

  bool read(const std::string& key, std::string& value);
  bool read(const std::string& key, bool& value);
  bool read(const std::string& key, int& value, double min, double max);
  bool read(const std::string& key, float& value, double min = -1e6, double max = 1e6);
  bool read(const std::string& key, double& value, double min, double max);
  bool read(const std::string& key, vec2& value, double min = -1e6, double max = 1e6);
  bool read(const std::string& key, vec3& value, double min = -1e6, double max = 1e6);
  bool read(const std::string& key, std::vector<int>& value, double min, double max);
  bool read(const std::string& key, std::vector<std::string>& value);
  /// A string that must be one of `choices`.
  bool read_choice(const std::string& key, std::string& value, const std::vector<std::string>& choices);
  /// Every parameter of the table under its short key.
  void read_table(const ParamTable& params);
  template <class P>
  void read_params(P& params) {
    ParamTable table;
    table.add(name_, params);
    read_table(table);
  }

  /// A table inside this one.
  std::optional<TomlTable> table(const std::string& key);
  /// [[key]], or an array of inline tables, or a single table.
  std::vector<TomlTable> tables(const std::string& key);
  bool has(const std::string& key) const { return table_->contains(key); }
  bool is_string(const std::string& key) const { return table_->get(key) && table_->get(key)->is_string(); }
  /// Keys in the order of the file.
  std::vector<std::string> keys() const;
  /// Throws Error for a key that nobody asked for, naming the nearest known one.
  void finish() const;

  /// Throws Error at the line of the key, or of the table if it has no such key.
  [[noreturn]] void fail(const std::string& key, const std::string& what, const std::string& what_to_do = {}) const;
  int line(const std::string& key = {}) const;

 private:
  const toml::node* find(const std::string& key);
  double number(const std::string& key, const toml::node& node, double min, double max) const;
  void numbers(const std::string& key, const toml::node& node, float* values, size_t count, double min, double max) const;

  const toml::table* table_;
  std::string path_, name_;
  std::set<std::string> known_;
};

}  // namespace weft

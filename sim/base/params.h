// Parameters described once: from each description come the slider and its tooltip, the key in the scene
// file, `--set key=value`, validation, and the reference table of the documentation.
//
// A module owns a plain struct of values and describes each in one function, which stands in a .cpp file, so
// that a changed help text is compiled once:
//
//   struct DragParams {
//     float stiffness = 60;
//     void describe(ParamVisitor& v);
//   };
//   void DragParams::describe(ParamVisitor& v) {
//     v(stiffness, {.key = "stiffness", .label = "Drag stiffness", .unit = "N/m", .max = 100, .help = "..."});
//   }
//
// Supported value types: float, int, bool, vec3, and int with `choices` (an index; written and read by name).
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "sim/base/math.h"

namespace weft {

/// Description of a parameter for users. Values and range are in SI units.
struct ParamInfo {
  std::string key;           // inside its group; the full key is group.key
  std::string label;         // in the panel
  std::string unit;          // "" for a pure number
  double min = 0, max = 1;   // inclusive; for vec3: of each component
  std::string help;          // one line, first for users, then for experts
  bool log_scale = false;    // slider only
  std::string display_unit;  // e.g. "ms"; shown value = value * display_scale
  double display_scale = 1;
  std::vector<std::string> choices;  // for int: names of 0, 1, 2 ...
  std::string zero;                  // meaning of 0 if it is not an amount ("automatic"), else ""
  bool advanced = false;             // shown behind "More" only
  bool rebuilds = false;             // takes effect by rebuilding the model, not while the cloth moves
};

/// What takes note of the values of a struct and their descriptions, in order.
class ParamVisitor {
 public:
  using Pointer = std::variant<float*, int*, bool*, vec3*>;
  void operator()(float& value, const ParamInfo& info) { visit(&value, info); }
  void operator()(int& value, const ParamInfo& info) { visit(&value, info); }
  void operator()(bool& value, const ParamInfo& info) { visit(&value, info); }
  void operator()(vec3& value, const ParamInfo& info) { visit(&value, info); }

 protected:
  ~ParamVisitor() = default;
  virtual void visit(Pointer value, const ParamInfo& info) = 0;
};

/// The values and descriptions of one struct.
struct ParamList final : ParamVisitor {
  std::vector<Pointer> values;
  std::vector<ParamInfo> infos;

 private:
  void visit(Pointer value, const ParamInfo& info) override {
    values.push_back(value), infos.push_back(info);
  }
};

/// One parameter of one live struct. Does not own the value.
class ParamRef {
 public:
  using Pointer = ParamVisitor::Pointer;
  ParamRef(std::string full_key, ParamInfo info, Pointer value, Pointer default_value);

  const std::string& key() const { return key_; }
  const ParamInfo& info() const { return info_; }
  const Pointer& pointer() const { return value_; }
  bool is_default() const { return text() == default_text_; }
  const std::string& default_text() const { return default_text_; }
  /// The value as in a scene file: 0.01, true, "cotton", [0, -9.81, 0]; shortest text that reads back to the
  /// same float32.
  std::string text() const;
  /// Parses and validates. Throws Error that names the key, the value and the range; the value is then
  /// unchanged.
  void set_text(const std::string& text) const;
  /// Number access for sliders; component 0..2 for vec3. set clamps nothing: out of range or NaN throws as
  /// set_text.
  double number(int component = 0) const;
  void set_number(double value, int component = 0) const;
  /// "0.001 … 0.1 s", or the list of choices.
  std::string range_text() const;

 private:
  void check(double value) const;
  std::string key_;
  ParamInfo info_;
  Pointer value_;
  std::string default_text_;
};

/// The parameters of several structs, in the order of their description.
class ParamTable {
 public:
  /// Adds every parameter of `params` under `group`. Both must outlive the table.
  template <class P>
  void add(const std::string& group, P& params);
  /// Adds a parameter of another table.
  void add(const ParamRef& ref) { refs_.push_back(ref); }
  const std::vector<ParamRef>& refs() const { return refs_; }
  /// nullptr if there is none.
  const ParamRef* find(const std::string& key) const;
  /// Throws Error for an unknown key (naming the nearest known one) or a bad value.
  void set(const std::string& key, const std::string& text) const;
  std::string nearest_key(const std::string& key) const;

 private:
  std::vector<ParamRef> refs_;
};

template <class P>
void ParamTable::add(const std::string& group, P& params) {
  P defaults{};
  ParamList of_defaults, list;
  defaults.describe(of_defaults);
  params.describe(list);
  // what defaults lack, as an entry of a list, has its present value for a default
  for (size_t i = 0; i < list.values.size(); ++i)
    refs_.emplace_back(group + "." + list.infos[i].key, list.infos[i], list.values[i],
                       i < of_defaults.values.size() ? of_defaults.values[i] : list.values[i]);
}

}  // namespace weft

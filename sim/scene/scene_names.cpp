#include "sim/scene/scene_names.h"

#include <algorithm>

#include "sim/scene/method_info.h"

namespace weft {

const std::vector<std::string>& cloth_shapes() {
  static const std::vector<std::string> names{"grid", "disc", "tube", "strip", "obj"};
  return names;
}

const std::vector<std::string>& garment_starts() {
  static const std::vector<std::string> names{"sewn", "placed", "dressed"};
  return names;
}

const std::vector<std::string>& rest_choices() {
  static const std::vector<std::string> names{"shape", "texture"};
  return names;
}

const std::vector<std::string>& rest_angle_choices() {
  static const std::vector<std::string> names{"rest", "file", "flat"};
  return names;
}

const std::vector<std::string>& obstacle_shapes() {
  static const std::vector<std::string> names{"plane", "sphere", "box", "capsule", "mesh", "mannequin"};
  return names;
}

const std::vector<std::string>& grid_patterns() {
  static const std::vector<std::string> names{"equilateral", "square", "uniform"};
  return names;
}

const std::vector<std::string>& remesh_choices() {
  static const std::vector<std::string> names{"automatic", "never", "always", "uneven"};
  return names;
}

const std::vector<std::string>& up_axes() {
  static const std::vector<std::string> names{"y", "z"};
  return names;
}

const std::vector<std::string>& file_units() {
  static const std::vector<std::string> names{"m", "cm", "mm", "in"};
  return names;
}

double metres_of(const std::string& unit) {
  return unit == "cm" ? 0.01 : unit == "mm" ? 0.001 : unit == "in" ? 0.0254 : 1.0;
}

bool is_cloth_name(const std::string& name) {
  for (const char* group : {"step", "forces", "drag", "contact", "fabric"})
    if (name == group) return false;
  const std::vector<std::string> of_methods = method_params().names();
  if (std::find(of_methods.begin(), of_methods.end(), name) != of_methods.end()) return false;
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string cloth_name_from(const std::string& wanted) {
  std::string name;
  bool replaced = false;
  for (const char c : wanted) {
    const bool fits = is_cloth_name(std::string(1, c));
    if (fits) name += c;
    else if (!replaced) name += '_';
    replaced = !fits;
  }
  return is_cloth_name(name) && name.find_first_not_of('_') != name.npos ? name : "cloth";
}

}  // namespace weft

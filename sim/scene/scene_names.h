// Words that scene files may use.
#pragma once
#include <string>
#include <vector>

namespace weft {

const std::vector<std::string>& cloth_shapes();
const std::vector<std::string>& obstacle_shapes();
const std::vector<std::string>& grid_patterns();
/// Of cloths from files; instead of one of them, an edge length in m.
const std::vector<std::string>& remesh_choices();
/// Letters, digits, _ and -, and no group of Scene::params: a cloth's name is the group of its fabric's parameters.
bool is_cloth_name(const std::string& name);

}  // namespace weft

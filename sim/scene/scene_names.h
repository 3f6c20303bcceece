// Words that scene files may use.
#pragma once
#include <string>
#include <vector>

namespace weft {

/// Names of the values of ClothShape that a scene may choose, of ObstacleShape, Remesh and RestAngles::From.
const std::vector<std::string>& cloth_shapes();
const std::vector<std::string>& obstacle_shapes();
const std::vector<std::string>& remesh_choices();  // an edge length in m may stand in their place
const std::vector<std::string>& rest_angle_choices();
/// Positions in which garments begin, and what the rest shape of a cloth from a file is.
const std::vector<std::string>& garment_starts();
const std::vector<std::string>& rest_choices();
const std::vector<std::string>& grid_patterns();
/// Axes that may point up in a file.
const std::vector<std::string>& up_axes();
/// Units of length that the numbers of a file may have, and one of them in metres.
const std::vector<std::string>& file_units();
double metres_of(const std::string& unit);
/// Letters, digits, _ and -, and no group of Scene::params: a cloth's name is the group of its fabric's
/// parameters.
bool is_cloth_name(const std::string& name);
/// `wanted` with '_' for each run of what a cloth's name may not hold; "cloth" where that gives no name.
std::string cloth_name_from(const std::string& wanted);

}  // namespace weft

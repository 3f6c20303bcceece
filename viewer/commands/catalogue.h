// What ships with the program and can be opened by name: scenes and garments, in sections.
#pragma once
#include <string>
#include <vector>

namespace weft {

/// A scene or a garment's pattern.
struct CatalogueItem {
  std::string path, name;  // the file, and what opens it: "wu2020/tie_small", "tshirt"
  std::string title, description;
  std::string picture;  // a PNG of 144 x 96 pixels; empty: none
};

struct CatalogueSection {
  std::string title;
  std::vector<CatalogueItem> items;
};

/// By assets/sections.toml; each item in one section, what no section names under "More". An item that
/// cannot be read has its fault as description. Throws Error without the folder of assets.
std::vector<CatalogueSection> read_catalogue();

/// Patterns of assets/garments, sorted, and their names: "tshirt".
std::vector<std::string> builtin_garments();
std::string garment_name(const std::string& path);

/// The shipped scene or garment of that name (a garment's with or without ".json"); empty where there is
/// none.
std::string shipped_file(const std::string& name);
/// Names of all of them.
std::vector<std::string> shipped_names();

}  // namespace weft

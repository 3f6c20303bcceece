// Gathering as files have it: where a cloth is cut larger or smaller than its place (Wang 2021, section 6.2).
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/scene/toml/toml_table.h"

namespace weft {

/// One entry of a list of gathers, as a file has it: a stroke from one place of the material to another;
/// parallel rows (shirring); two families of parallel lines (quilting). Lengths in metres of material space.
struct Gather {
  std::string cloth;            // name; empty: all
  std::string kind = "stroke";  // stroke, rows, diamonds
  vec2 from{0}, to{0};          // stroke
  float s0 = 1.5f;              // factor of lengths along the line: more than 1 gathers, less stretches
  float s1 = 1;                 // factor across it
  float radius = 0.02f;         // from the line; 0 (rows, diamonds): the same everywhere
  float irregularity =
      0;  // 0 to 1: random part of the exponent of s0 and s1, and half of it, in radians, of the direction
  float grain = 0.01f;  // of the random part
  int seed = 1;
  float spacing = 0.02f;  // rows, diamonds: between lines
  float angle =
      0;  // degrees between rows and the weft (first material coordinate); half the angle of diamonds
  vec2 min{-1e6f}, max{1e6f};  // rows, diamonds: only here
  // The line is stitched through a filling to the coarse surface: cloth stays there, and the filling
  // thins towards it within the radius.
  bool stitched = false;
  // Rows, diamonds: each panel's lines are moved so that they meet those of the panels that it is sewn to.
  // Otherwise one passes through the origin of the material.
  bool meet_at_seams = true;
  bool operator==(const Gather&) const = default;
};

/// The gathers of a scene: one of its blocks of parameters (Scene::of), without parameters for sliders.
struct GatherList {
  std::vector<Gather> list;
  bool operator==(const GatherList&) const = default;
  void describe(ParamVisitor&) {}
};

/// Every value in its range, as described above. Throws Error that names `where`.
void check_gather(const Gather& gather, const std::string& where);
/// The [[gather]] tables of a file. Throws Error "file:line".
std::vector<Gather> read_gathers(TomlTable& root);
/// As [[gather]] tables that read back to the same values.
std::string gathers_as_toml(const std::vector<Gather>& gathers);

}  // namespace weft

// States of the cloth as files that other programs read.
#pragma once
#include <string>
#include <vector>

#include "sim/simulation.h"

namespace weft {

/// Writes a NumPy array: float32, rows x 3, C order. Throws Error naming the file.
void write_npy(const std::string& path, const std::vector<vec3>& rows);

/// The cloths and then the obstacles of a running scene as one list of vertices: the order of every export.
class ExportedMesh {
 public:
  explicit ExportedMesh(Simulation& simulation);
  /// World positions now: all cloth vertices, then each obstacle's as its motion has placed it.
  std::vector<vec3> positions(Simulation& simulation) const;
  /// An OBJ of the present state with one group per cloth and obstacle. Throws Error naming the file.
  void write_obj(const std::string& path, Simulation& simulation) const;

 private:
  struct Group {
    std::string name;
    int first = 0, count = 0;  // vertices
    std::vector<ivec3> triangles;
  };
  std::vector<Group> groups_;
};

/// Makes a folder (and those above it) to write into. Throws Error naming it.
void make_folder(const std::string& folder);

}  // namespace weft

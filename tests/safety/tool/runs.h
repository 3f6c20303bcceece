// The inputs of weft-check as runs: states of one mesh, in order.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/files/run.h"
#include "tests/safety/crossings.h"

namespace weft::check {

struct Run {
  std::string name;                                    // as it was given
  std::function<std::unique_ptr<FrameSource>()> open;  // a source of its own for every thread
};

/// Single .obj files one after another make one run if their names differ only in numbers, and with
/// `sequence` whatever their names are: states of one mesh in the order in which they are given. Throws Error
/// for what cannot be read.
std::vector<Run> find_runs(const std::vector<std::string>& inputs, bool sequence);

/// A group of triangles, as a person knows it.
struct Part {
  std::string name;
  bool body = false;
  int first_triangle = 0, triangles = 0, first_vertex = 0, vertices = 0;
  std::string kind = "cloth";  // solid, rigid body, strands (whose triangles are lines), grains, body
  double radius = 0;           // m, of grains
  /// Whether what is inside of its surface, if that is closed, cannot be there.
  bool full() const { return body || kind == "solid" || kind == "rigid body"; }
};

/// All triangles of a run and of the bodies beside it: cloths first, so that they can be checked as one
/// surface.
struct Mesh {
  std::vector<Part> parts;
  std::vector<ivec3> triangles;
  // positions of the bodies that stand beside the run; they follow those of the run
  std::vector<dvec3> still;
  int run_vertices = 0, cloth_triangles = 0;
  int loose_vertices = 0;  // of no triangle, line or cell: nothing checks them
  int joined_vertices = 0;

  Surface surface() const { return {triangles, cloth_triangles}; }
  bool has_grains() const;
  /// m, of each vertex: of a grain, else 0.
  std::vector<double> radii() const;
  /// Positions of a state of the run, and of the bodies beside it.
  std::vector<dvec3> positions(const RunFrame& frame) const;
  /// "triangle 12 of sheet".
  std::string triangle_name(int triangle) const;
  /// "12 of sand".
  std::string vertex_name(int vertex) const;
  const Part& part_of(int triangle) const;
};
/// `bodies`: OBJ files. Throws Error, also for a run without cloth.
Mesh mesh_of(const Run& run, const RunInfo& info, const std::vector<std::string>& bodies, bool ignore_bodies);
/// Files for other programs have vertices that were joined several times. Two boundary edges of a part whose
/// ends have the same numbers in every state become one edge.
void join_doubled_edges(Mesh& mesh, FrameSource& source);

}  // namespace weft::check

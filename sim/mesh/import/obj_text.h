// The statements of an OBJ file, each number and index checked. obj.cpp interprets them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/mesh/painted.h"

namespace weft {

/// Number of occurrences and line of the first.
struct ObjTally {
  int count = 0, first_line = 0;
  void add(int line) {
    if (count++ == 0) first_line = line;
  }
};

struct ObjText {
  struct Corner {
    int vertex = 0, texture = -1;  // from 0; texture -1: none
  };
  /// An "l" statement with its words unparsed, since only outlines need them.
  struct Line {
    int line = 0, vertices_before = 0;
    std::vector<std::string> words;
  };
  std::vector<vec3> vertices;
  std::vector<int> vertex_lines;
  std::vector<VertexAttribute> attributes;  // of all vertices: "color", where they have colours
  std::vector<vec2> textures;
  std::vector<Corner> corners;      // corners of all faces, one after another
  std::vector<int> face_starts{0};  // face f has corners [face_starts[f], face_starts[f + 1])
  std::vector<int> face_lines;
  // names of objects and groups, each once, valid in TOML: UTF-8 without control characters
  std::vector<std::string> names;
  std::vector<int> face_object;  // per face the place of its "o" in `names`, -1 before the first
  std::vector<int> face_group;   // the same for "g"
  std::vector<Line> polylines;
  bool byte_order_mark = false;
  ObjTally points, lines, short_faces, mixed_corners, weights;
  // Problems without consequences: normals, and texture coordinates, whose corners then have none (texture
  // -1).
  struct Unusable {
    ObjTally normals, normal_indices, textures, texture_indices;
  } bad;
  std::map<std::string, ObjTally> unknown;  // keywords

  int face_count() const { return int(face_lines.size()); }
};

/// The vertices that an "l" statement names, from 0, without undefined ones and texture coordinates.
std::vector<int> vertices_of(const ObjText& text, const ObjText::Line& line);

/// Throws Error "file:line" for text that is not a number, numbers that are not finite or beyond 1000 km,
/// missing coordinates, indices that are not whole numbers, and vertex indices that are 0 or undefined.
/// Invalid normals and texture coordinates are counted instead.
ObjText read_obj_text(const std::string& text, const std::string& path_for_messages);

}  // namespace weft

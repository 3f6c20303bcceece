#include "sim/mesh/import/obj_objects.h"

#include <algorithm>

#include "sim/base/disjoint_sets.h"

namespace weft {
namespace {

/// Number of different names.
int distinct(const std::vector<int>& of_face) {
  std::vector<int> names = of_face;
  std::sort(names.begin(), names.end());
  return int(std::unique(names.begin(), names.end()) - names.begin());
}

/// Per name (and -1 for none, first) the lowest name that it is joined with by shared vertices.
std::vector<int> joined_names(const ObjText& text, const std::vector<int>& of_face) {
  DisjointSets sets(int(text.names.size()) + 1);
  std::vector<int> owner(text.vertices.size(), -1), least;
  for (int f = 0; f < text.face_count(); ++f)
    for (int c = text.face_starts[f]; c < text.face_starts[f + 1]; ++c) {
      const int name = of_face[f] + 1;
      int& first = owner[text.corners[c].vertex];
      if (first < 0) first = name;
      sets.join(first, name);
    }
  for (int i = 0; i <= int(text.names.size()); ++i) least.push_back(sets.find(i));
  return least;
}

void count_vertices(const ObjText& text, ObjObjects& found) {
  std::vector<char> seen(text.vertices.size(), 0);
  for (int f = 0; f < text.face_count(); ++f) {
    ObjObject& piece = found.pieces[found.of_face[f]];
    ++piece.faces;
    for (int c = text.face_starts[f]; c < text.face_starts[f + 1]; ++c) {
      char& vertex = seen[text.corners[c].vertex];
      piece.vertices += vertex == 0;
      vertex = 1;
    }
  }
}

}  // namespace

bool ObjObject::answers_to(const std::string& wanted) const {
  return name == wanted || std::find(joined.begin(), joined.end(), wanted) != joined.end();
}

ObjObjects find_objects(const ObjText& text) {
  const std::vector<int>& of_face = distinct(text.face_object) > 1 ? text.face_object : text.face_group;
  const std::vector<int> joined = joined_names(text, of_face);
  const auto name_of = [&](int name) {
    return name >= 0 ? text.names[name] : distinct(of_face) > 1 ? "default" : std::string();
  };
  ObjObjects found;
  std::vector<int> piece_of(joined.size(), -1);
  std::vector<char> told(joined.size(), 0);
  for (const int name : of_face) {
    int& piece = piece_of[joined[name + 1]];
    const bool is_new = piece < 0;
    if (is_new) piece = int(found.pieces.size());
    if (is_new) found.pieces.push_back({name_of(name), {}});
    else if (!told[name + 1]) found.pieces[piece].joined.push_back(name_of(name));
    told[name + 1] = 1;
    found.of_face.push_back(piece);
  }
  count_vertices(text, found);
  return found;
}

}  // namespace weft

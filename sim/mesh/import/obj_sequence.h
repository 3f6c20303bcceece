// An animated mesh as a sequence of OBJ files, one per frame.
#pragma once
#include <string>
#include <vector>

#include "sim/mesh/import/obj.h"
#include "sim/mesh/mesh.h"

namespace weft {

/// The files of a sequence, in the order of their numbers ("arm_2.obj" before "arm_10.obj").
struct ObjSequenceFiles {
  std::vector<std::string> files;
  std::vector<long long> numbers;  // one per file; empty where the names have none
};
/// `path`: a folder of *.obj; a pattern ("arm_####.obj", "arm_%04d.obj"); or one file, which stands for all
/// files beside it that differ only in their last number. Missing numbers are reported as notices; a constant
/// increment above 1 ("every fifth frame") is not a gap. Throws Error if nothing is found, for a folder of
/// several sequences, and for a number that two files have.
ObjSequenceFiles find_obj_sequence(const std::string& path, ImportReport& report);

/// Reads the frames one at a time, as the files have them: every vertex in the file's order.
class ObjSequence {
 public:
  /// Reads the first file. Throws Error.
  ObjSequence(const std::string& path, ImportReport& report);
  /// These files, in this order; at least one.
  explicit ObjSequence(ObjSequenceFiles files);
  int frame_count() const { return int(found_.files.size()); }
  const ObjSequenceFiles& found() const { return found_; }
  /// Vertices of a frame. Throws Error that names the file and what differs where its faces are not those of
  /// the first.
  std::vector<vec3> vertices(int frame) const;

 private:
  ObjSequenceFiles found_;
  std::vector<vec3> first_vertices_;
  std::vector<int> corners_, face_starts_;  // vertices of all faces of the first file, as in ObjText
};

struct MeshSequence {
  TriMesh mesh;                           // topology and the first frame
  std::vector<std::vector<vec3>> frames;  // positions of mesh's vertices, the first frame included
  std::vector<long long> numbers;         // numbers of the files; empty if their names have none
};
/// The whole sequence in memory. The mesh is read as by `read_obj`; dropped vertices are dropped from every
/// frame.
MeshSequence read_obj_sequence(const std::string& path, ImportReport& report);

}  // namespace weft

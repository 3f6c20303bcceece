// Pixar's Universal Scene Description as text, with a time sample per frame.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sim/files/frame_writer.h"
#include "sim/files/onward.h"
#include "sim/files/raw_file.h"
#include "sim/mesh/polylines.h"

namespace weft {

/// Where a rigid body is, as the affine map from its points in the first frame.
class RigidPlaces {
 public:
  /// The first frame. A map is known unless the points span no volume.
  void begin(const vec3* points, int count);
  bool known() const { return known_; }
  /// x = A x0 + t, in m: the map that fits the points best.
  glm::dmat4 place(const vec3* points) const;

 private:
  std::vector<dvec3> first_;  // from their centre
  dvec3 centre_{0};
  dmat3 inverse_{0};  // of their second moments
  bool known_ = false;
};

/// One UsdGeomMesh per group below the prim /run, and curves (BasisCurves) for strands. A solid's mesh is its
/// skin, with all its points; NAME_cells (TetMesh, purpose guide) has its tetrahedra over the same points. A
/// rigid body's points are those of the first frame, and a matrix moves them (xformOp:transform).
/// Points of a group that never moves are one value. Samples wait in nameless files beside the path, as the
/// text of one mesh cannot be interleaved with another's; the file appears when `finish` has put them
/// together. On a full disk it holds the frames that fit.
class UsdaWriter final : public FrameWriter {
 public:
  UsdaWriter(const std::string& path, const RunInfo& info);
  void frame(const RunFrame& frame) override;
  void finish() override;
  std::string summary() const override;

 private:
  /// Text of one group's samples.
  struct Samples {
    std::string prim, look, cells;  // names of the mesh, its material, and of a solid's tetrahedra
    std::vector<Polyline> strands;
    std::vector<int> order;  // of strands: the group's points one strand after the other; else empty
    std::unique_ptr<OutputFile> points, extents;
    bool moves = false;
    RigidPlaces places;                      // of a rigid body
    std::string first_points, first_extent;  // until it moves
    std::vector<vec3> last;
    std::vector<std::pair<uint64_t, uint64_t>> ends;  // ends of each frame's sample in `points` and `extents`
  };
  void sample(Samples& to, const std::string& code, const std::string& points, const std::string& extent);
  void write_group(OutputFile& file, const RunGroup& group, const Samples& samples) const;

  std::string path_;
  RunInfo info_;
  OnwardFrames onward_;
  std::vector<Samples> groups_;
  void sample_groups(const RunFrame& frame, const std::string& code);
  void sample_place(Samples& to, const vec3* now, const std::string& code, size_t count);
  /// Removes frames from `count` on from `samples`.
  static void keep_samples(Samples& samples, size_t count);
  /// On a full disk: drops the last frames until the text around the samples fits.
  void make_room();
  bool broken_ = false;             // writing has failed
  bool written_ = false;            // the file is there
  std::vector<std::string> codes_;  // time codes of the frames so far, as text
};

/// A name that USD allows: letters, digits and _, not beginning with a digit, not yet in `taken`.
std::string usd_name(const std::string& name, const std::vector<std::string>& taken);

}  // namespace weft

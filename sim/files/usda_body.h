// A body from USD text: its meshes with time samples and the transforms of their parents.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/base/part_choice.h"
#include "sim/files/file_faces.h"
#include "sim/files/usda_text.h"

namespace weft {

/// One step of a transform (xformOp), as a function of the time code.
struct UsdaTransformStep {
  enum class Kind { translate, scale, rotate, orient, matrix } kind = Kind::translate;
  bool inverse = false;
  std::string axes;                         // of rotate: "X", or an order such as "XYZ"
  std::vector<double> codes;                // of the samples; empty: one value for all times
  std::vector<std::vector<double>> values;  // numbers of each
};

class UsdaBody {
 public:
  /// Meshes that `parts` takes, by the name of their prim or of one around it, are joined into one, in metres
  /// and with y up as the stage says (metersPerUnit, upAxis; 0.01 and Y where it does not, as USD defines).
  /// Faces are cut into triangles. Vertices in one place in all samples are joined along edges: no further
  /// apart than `weld` (m; 0: there, kNoWeld: none). Throws Error with the file, its line and what to do.
  UsdaBody(const std::string& path, float weld, const PartChoice& parts = {});

  /// See usda_faces.
  static FileFaces faces(const std::string& path, const PartChoice& parts);

  const std::vector<ivec3>& triangles() const { return triangles_; }
  const std::vector<std::string>& notices() const { return notices_; }
  struct Part {
    std::string name;  // of the prim
    int first = 0, count = 0;
    std::vector<std::string> path = {};  // names of the prims around it, and its own
  };
  /// Vertices of each mesh.
  std::vector<Part> parts() const;
  /// Seconds at which something has a sample, ascending and from 0 on: the stage's start, or the first
  /// sample; one, if nothing moves.
  const std::vector<double>& times() const { return times_; }
  double rate() const { return rate_; }    // time codes per second
  double start() const { return start_; }  // time code of time 0
  /// World positions (m) at a time (s) from the start, linear between samples as USD has it, held outside of
  /// them.
  void positions(double time, std::vector<vec3>& out) const;

 private:
  struct Mesh {
    std::string name;
    std::vector<std::string> path;                           // names of the prims around it, and its own
    std::vector<std::vector<UsdaTransformStep>> transforms;  // of the prim, then of its parents
    std::vector<double> codes;                               // of `points`; empty: one value
    std::vector<std::vector<vec3>> points;                   // those kept
  };
  friend class UsdaBodyReader;
  explicit UsdaBody(const std::string& path) : path_(path) {}
  /// From the prim's own space to the stage's. Throws Error where it is not finite.
  glm::dmat4 world_at(const Mesh& mesh, double code) const;
  std::string path_;
  std::vector<std::string> notices_;
  std::vector<Mesh> meshes_;
  std::vector<ivec3> triangles_;
  std::vector<double> times_;
  double unit_ = 0.01, rate_ = 24, start_ = 0;  // m; time codes per second; time code of time 0
  bool z_up_ = false;
};

}  // namespace weft

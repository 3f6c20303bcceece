// A run as files hold it: groups that keep triangles, cells and lines, and a list of positions per frame.
#pragma once
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "sim/mesh/corner_textures.h"
#include "sim/mesh/input_mesh.h"

namespace weft {

/// What a group looks like in other programs.
struct RunLook {
  vec3 color{-1};  // linear, of the front; negative: not said
  float roughness = 0.8f;
  std::string print;  // path of a picture on it; empty: none
  // from the group's texture coordinates as they are written to the picture's, whose origin is its lower left
  // corner: first times `scale`, then plus `offset`
  vec2 scale{1}, offset{0};
};

/// What a closed surface that is simulated has inside.
enum class Filling { none, soft, rigid };

/// One cloth, solid, body, or strands. Its vertices are [first, first + count) of every frame.
struct RunGroup {
  std::string name;
  bool body = false;
  int first = 0, count = 0;
  std::vector<ivec3> triangles;  // indices within the group
  std::vector<vec2> uv;          // material coordinates in metres, one per vertex, or empty
  std::vector<vec3> rest;        // unstretched shape, one position per vertex, or empty
  // metres per unit of the texture coordinates that it came with: other programs get those
  vec2 uv_scale{1};
  // texture coordinates per corner, if vertices have several or none; written to files instead of `uv`
  CornerTextures corners = {};
  // how the file that it came from numbers it; files of other programs are written so (input_order.h)
  InputMesh input = {};
  RunLook look = {};
  std::vector<ivec4> cells = {};  // tetrahedra of a solid, whose skin the triangles are; as Topology::cells
  std::vector<ivec2> lines = {};  // of strands
  float width = 0;                // m, diameter of strands; or of grains, points without triangles and lines
  // of a solid, whose cells the file may not have, or of a simulated body that keeps its shape
  Filling filling = Filling::none;
  bool rigid() const { return filling == Filling::rigid; }
  bool solid() const { return filling == Filling::soft || !cells.empty(); }
  bool grains() const { return width > 0 && triangles.empty() && lines.empty(); }
};

/// A picture that lights a run from all around (Radiance .hdr, latitude and longitude), for formats with
/// lights.
struct RunSky {
  std::string file;    // empty: none
  float strength = 1;  // factor on its radiance
  float turn = 0;      // degrees about the vertical
};

struct RunInfo {
  std::string title;
  double dt = 0.01;              // s, of a time step
  double fps = 100;              // frames per second of simulated time
  std::string scene;             // text of the scene file, for colours and camera; may be empty
  std::string origin;            // program, command, device and settings, in one line; may be empty
  std::vector<RunGroup> groups;  // cloths first, then solids, strands and bodies
  RunSky sky;
  // time codes per second of USD files; 0: fps. Programs that play a frame per code do so at this many per
  // second
  double usd_rate = 24;

  int vertex_count() const { return groups.empty() ? 0 : groups.back().first + groups.back().count; }
};

/// One state: positions of all groups in world space, in metres.
struct RunFrame {
  long long step = 0;
  double time = 0;  // s
  std::vector<vec3> positions;
};

/// Frames that can be read in any order. One thread at a time.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual const RunInfo& info() const = 0;
  virtual int frame_count() const = 0;
  virtual long long step(int frame) const = 0;
  virtual double time(int frame) const = 0;
  /// Throws Error naming the file and the frame; `out` is then undefined.
  virtual void read(int frame, RunFrame& out) = 0;
  /// Problems that were found and could be handled, in words.
  const std::vector<std::string>& notices() const { return notices_; }
  /// Frames that belong to the run and cannot be read, in words: a file that ends too early. Also among the
  /// notices.
  const std::vector<std::string>& missing() const { return missing_; }

 protected:
  void add_missing(const std::string& words) { notices_.push_back(words), missing_.push_back(words); }
  std::vector<std::string> notices_, missing_;
};

}  // namespace weft

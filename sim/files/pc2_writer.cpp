#include "sim/files/pc2_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/files/obj_writers.h"
#include "sim/files/run_cache_bytes.h"
#include "sim/files/usda_writer.h"
#include "sim/mesh/import/obj.h"

namespace weft {
namespace {

constexpr size_t kSamplesAt = 28;  // position of the number of frames in the header

/// Magic, version, points, first frame, frames per sample, samples.
std::string header(int points, float start) {
  std::string out("POINTCACHE2\0", 12);
  cache::put(out, int32_t(1));
  cache::put(out, int32_t(points));
  cache::put(out, start);
  cache::put(out, 1.0f);
  cache::put(out, int32_t(0));
  return out;
}

}  // namespace

std::vector<std::string> pc2_stems(const std::string& path, const RunInfo& info) {
  const std::string stem = path.substr(0, path.size() - 4);
  std::vector<std::string> taken, stems;
  for (const RunGroup& g : info.groups) {
    taken.push_back(usd_name(g.name, taken));
    stems.push_back(info.groups.size() == 1 ? stem : stem + "_" + taken.back());
  }
  return stems;
}

Pc2Writer::Pc2Writer(const std::string& path, const RunInfo& info)
    : path_(path), info_(info), stems_(pc2_stems(path, info)) {
  info_.scene.clear();
  for (const std::string& stem : stems_) files_.push_back(std::make_unique<OutputFile>(stem + ".pc2"));
}

void Pc2Writer::frame(const RunFrame& frame) {
  try {
    add(frame);
  } catch (const Error& e) {
    throw Error(fmt::format("{}; {} frames are kept", e.what_happened, frames_), e.where, e.what_to_do);
  }
}

void Pc2Writer::add(const RunFrame& frame) {
  for (size_t g = 0; g < files_.size(); ++g) {
    const RunGroup& group = info_.groups[g];
    const std::vector<vec3> part(frame.positions.begin() + group.first,
                                 frame.positions.begin() + group.first + group.count);
    if (frames_ == 0) {
      files_[g]->write(header(group.count, float(std::round(frame.time * info_.fps))));
      write_obj(stems_[g] + ".obj",
                {{group.name, &part, &group.triangles, mat4(1), kind_line(group), &group.uv, group.uv_scale,
                  &group.corners, &group.input, &group.lines}},
                info_.origin);
    }
    files_[g]->write(part.data(), part.size() * sizeof(vec3));
  }
  // Each frame counts once it is whole, so that a run that is cut off leaves readable files.
  const int32_t samples = frames_ + 1;
  for (auto& file : files_) file->write_at(kSamplesAt, &samples, sizeof samples);
  ++frames_;
}

void Pc2Writer::finish() {
  for (auto& file : files_) file->close();
}

std::string Pc2Writer::summary() const {
  std::string names;
  for (const std::string& stem : stems_) names += (names.empty() ? "" : ", ") + stem + ".pc2";
  return fmt::format("PC2: {} frames in {}, each with its .obj", frames_, names);
}

}  // namespace weft

#include "sim/files/obj_writers.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/files/file_kind.h"
#include "sim/files/gltf_writer.h"
#include "sim/mesh/import/obj.h"

namespace weft {

std::string kind_of(const RunGroup& group) {
  if (group.body) return "body";
  if (!group.lines.empty()) return "strands";
  if (group.grains()) return "grains";
  if (group.rigid()) return "rigid body";
  return group.solid() ? "solid" : "cloth";
}

std::string kind_line(const RunGroup& group) {
  return group.grains() ? fmt::format("{} {}", kind_of(group), group.width) : kind_of(group);
}

void write_frame_obj(const std::string& path, const RunInfo& info, const RunFrame& frame) {
  std::vector<std::vector<vec3>> parts;
  for (const RunGroup& g : info.groups)
    parts.emplace_back(frame.positions.begin() + g.first, frame.positions.begin() + g.first + g.count);
  std::vector<ObjGroup> out;
  for (size_t i = 0; i < parts.size(); ++i) {
    const RunGroup& g = info.groups[i];
    out.push_back({g.name, &parts[i], &g.triangles, mat4(1), kind_line(g), &g.uv, g.uv_scale, &g.corners,
                   &g.input, &g.lines});
  }
  write_obj(path, out, info.origin);
}

void make_folder(const std::string& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) throw Error("the folder cannot be made: " + fault.message(), folder, "choose another place");
}

ObjSequenceWriter::ObjSequenceWriter(std::string folder, const RunInfo& info)
    : folder_(std::move(folder)), info_(info), onward_(info.dt) {
  while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
  make_folder(folder_);
}

void ObjSequenceWriter::frame(const RunFrame& frame) {
  long long step = frame.step;
  double time = frame.time;
  onward_.take(step, time);
  try {
    write_frame_obj(fmt::format("{}/step_{:06d}.obj", folder_, step), info_, frame);
  } catch (const Error& e) {
    throw Error(fmt::format("{}; {} files before it are kept", e.what_happened, count_), e.where,
                e.what_to_do);
  }
  ++count_;
}

std::string ObjSequenceWriter::summary() const {
  return fmt::format("export: {} OBJ files in {}", count_, folder_) + onward_.words();
}

void LastFrameWriter::finish() {
  if (!any_) return;
  if (file_ending(path_) == ".obj") write_frame_obj(path_, info_, last_);
  else write_gltf(path_, info_, last_);
  written_ = true;
}

std::string LastFrameWriter::summary() const {
  return written_ ? fmt::format("export: the state at {:.3f} s in {}", last_.time, path_)
                  : "export: no frame, no file";
}

}  // namespace weft

#include "viewer/record/export.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "sim/base/error.h"
#include "sim/mesh/obj.h"

namespace weft {

static_assert(std::endian::native == std::endian::little, "the header below says little-endian float32");

void write_npy(const std::string& path, const std::vector<vec3>& rows) {
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 3), }}", rows.size());
  // Magic, version and length take 10 bytes; the format asks for a total that is a multiple of 64, ended by a newline.
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  const uint16_t length = uint16_t(header.size());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  const auto put = [&](const void* data, size_t bytes) { return bytes == 0 || std::fwrite(data, 1, bytes, file.get()) == bytes; };
  if (!file || !put("\x93NUMPY\x01\x00", 8) || !put(&length, 2) || !put(header.data(), header.size()) ||
      !put(rows.data(), rows.size() * sizeof(vec3)) || std::fflush(file.get()) != 0)
    throw Error(std::string("cannot be written: ") + std::strerror(errno), path, "check the folder and the free space");
}

ExportedMesh::ExportedMesh(Simulation& simulation) {
  const Topology& host = simulation.model().host;
  for (const ClothRange& c : host.cloths) {
    Group group{c.name, c.first_vertex, c.vertex_count, {}};
    for (int t = c.first_triangle; t < c.first_triangle + c.triangle_count; ++t)
      group.triangles.push_back(host.triangles[size_t(t)] - ivec3(c.first_vertex));
    groups_.push_back(std::move(group));
  }
  int first = simulation.model().vertex_count();
  const auto& meshes = simulation.obstacle_meshes();
  for (size_t i = 0; i < meshes.size(); ++i) {
    groups_.push_back({simulation.scene().obstacles[i].name, first, meshes[i].vertex_count(), meshes[i].triangles});
    first += meshes[i].vertex_count();
  }
}

std::vector<vec3> ExportedMesh::positions(Simulation& simulation) const {
  std::vector<vec3> all = simulation.positions();
  const auto& meshes = simulation.obstacle_meshes();
  for (const ObstacleView& o : simulation.obstacles())
    for (const vec3& p : o.deformed ? *o.deformed : meshes[size_t(o.index)].positions) all.push_back(vec3(o.transform * vec4(p, 1)));
  return all;
}

void ExportedMesh::write_obj(const std::string& path, Simulation& simulation) const {
  const std::vector<vec3> all = positions(simulation);
  std::vector<std::vector<vec3>> parts;
  for (const Group& g : groups_) parts.emplace_back(all.begin() + g.first, all.begin() + g.first + g.count);
  std::vector<ObjGroup> out;
  for (size_t i = 0; i < groups_.size(); ++i) out.push_back({groups_[i].name, &parts[i], &groups_[i].triangles});
  weft::write_obj(path, out);
}

void make_folder(const std::string& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) throw Error("the folder cannot be made: " + fault.message(), folder, "choose another place");
}

}  // namespace weft

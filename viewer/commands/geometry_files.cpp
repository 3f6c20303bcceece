#include "viewer/commands/geometry_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_writer.h"
#include "sim/files/obj_writers.h"
#include "sim/mesh/import/obj.h"

namespace weft {
namespace fs = std::filesystem;

std::vector<ivec3> all_triangles(const std::vector<RunGroup>& groups) {
  std::vector<ivec3> all;
  for (const RunGroup& g : groups)
    for (const ivec3& t : g.triangles) all.push_back(t + ivec3(g.first));
  return all;
}

std::string triangle_name(const std::vector<RunGroup>& groups, int triangle) {
  for (const RunGroup& g : groups) {
    if (triangle < int(g.triangles.size()))
      return fmt::format("triangle {} of {}", triangle, g.name.empty() ? "the mesh" : g.name);
    triangle -= int(g.triangles.size());
  }
  return fmt::format("triangle {}", triangle);
}

void write_groups(const std::string& path, const std::vector<RunGroup>& groups,
                  const std::vector<vec3>& positions) {
  std::vector<std::vector<vec3>> parts;
  for (const RunGroup& g : groups)
    parts.emplace_back(positions.begin() + g.first, positions.begin() + g.first + g.count);
  std::vector<ObjGroup> out;
  for (size_t i = 0; i < groups.size(); ++i)
    out.push_back({groups[i].name, &parts[i], &groups[i].triangles, mat4(1), "", &groups[i].uv,
                   groups[i].uv_scale, &groups[i].corners});
  write_obj(path, out);
}

std::vector<std::string> find_frames(const std::vector<std::string>& arguments,
                                     std::vector<std::string>& notices) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const std::string& argument : arguments) {
    if (fs::exists(argument, ignored) && !fs::is_directory(argument, ignored)) {
      files.push_back(argument);
      continue;
    }
    ImportReport report;
    const ObjSequenceFiles found = find_obj_sequence(argument, report);
    files.insert(files.end(), found.files.begin(), found.files.end());
    notices.insert(notices.end(), report.notices.begin(), report.notices.end());
  }
  if (files.empty())
    throw Error("there are no frames to repair", "command line",
                "name them after the start: weft repair start.obj frames/*.obj -o out/");
  std::map<std::string, std::string> by_name;
  for (const std::string& file : files) {
    const auto [at, fresh] = by_name.emplace(fs::path(file).filename().string(), file);
    if (!fresh)
      throw Error("two frames have the same name and would be written to the same file: " + at->second, file,
                  "rename one of them");
  }
  // A shell puts f10.obj before f2.obj.
  for (size_t i = 1; i < files.size(); ++i) {
    const std::string a = fs::path(files[i - 1]).filename().string(),
                      b = fs::path(files[i]).filename().string();
    if (a.size() > b.size() && a < b) {
      notices.push_back(fmt::format(
          "frames are used in the order given: {} comes before {}; name their folder to sort them by number",
          a, b));
      break;
    }
  }
  return files;
}

void check_folder(const std::string& folder, const std::vector<std::string>& names,
                  const std::vector<std::string>& inputs) {
  make_folder(folder);
  std::error_code ignored;
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error("nothing can be written into this folder", folder,
                "check its permissions, or choose another");
  for (const std::string& name : names) {
    const fs::path out = fs::path(folder) / name;
    if (fs::is_directory(out, ignored))
      throw Error("a folder has the name of a frame", out.string(), "choose another place");
  }
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back((fs::path(folder) / name).string());
  check_apart(files, inputs);
}

void check_apart(const std::vector<std::string>& written, const std::vector<std::string>& read) {
  std::map<std::pair<dev_t, ino_t>, std::string> inputs;
  struct stat facts {};
  for (const std::string& input : read)
    if (::stat(input.c_str(), &facts) == 0 && !S_ISDIR(facts.st_mode))
      inputs[{facts.st_dev, facts.st_ino}] = input;
  for (const std::string& output : written) {
    if (::stat(output.c_str(), &facts) != 0) continue;
    if (const auto found = inputs.find({facts.st_dev, facts.st_ino}); found != inputs.end())
      throw Error("the result would overwrite the input (" + found->second + ")", output,
                  "choose another place");
  }
}

void check_export(const std::string& path) {
  if (!fills_folder(path)) check_file(path, file_ending(path) == ".pc2" || file_ending(path) == ".weftcache");
}

void check_file(const std::string& path, bool in_place) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw Error("this is a folder", path, "name a file");
  const bool there = fs::exists(path, ignored);
  if (write_protected(path))
    throw Error("the file is write-protected", path, "make it writable (chmod u+w), or choose another");
  if (there && (in_place || !fs::is_regular_file(path, ignored))) return;
  const fs::path folder = fs::absolute(path, ignored).parent_path();
  if (!fs::is_directory(folder, ignored))
    throw Error("there is no folder to write it into", path, "make the folder, or choose another place");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Error("nothing can be written into its folder", path, "check its permissions, or choose another");
}

}  // namespace weft

#include "sim/files/frame_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>

#include "sim/base/error.h"
#include "sim/files/file_kind.h"
#include "sim/files/frame_writer.h"
#include "sim/files/obj_groups.h"
#include "sim/files/run_cache.h"
#include "sim/files/usda_body.h"
#include "sim/mesh/import/obj_sequence.h"
#include "sim/mesh/import/weld.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// Frames whose topology comes from an OBJ file.
class MeshFrames : public FrameSource {
 public:
  MeshFrames(const std::string& mesh_file, double fps) {
    ObjGroups mesh = read_obj_groups(mesh_file);
    info_.title = fs::path(mesh_file).filename().string();
    info_.groups = std::move(mesh.groups);
    info_.fps = fps;
    info_.dt = 1 / fps;
  }
  const RunInfo& info() const override { return info_; }
  int frame_count() const override { return int(steps_.size()); }
  long long step(int frame) const override { return steps_.at(frame); }
  double time(int frame) const override {
    return times_.empty() ? double(steps_.at(frame)) / info_.fps : times_.at(frame);
  }

 protected:
  void begin(int frame, RunFrame& out) const {
    out.step = step(frame);
    out.time = time(frame);
  }
  void check(const std::vector<vec3>& positions, const std::string& path) const {
    for (size_t v = 0; v < positions.size(); ++v)
      if (!std::isfinite(positions[v].x + positions[v].y + positions[v].z))
        throw Error(fmt::format("the position of vertex {} is not finite", v), path, "write the file again");
  }
  RunInfo info_;
  std::vector<long long> steps_;
  std::vector<double> times_;  // s; empty: from the step numbers
};

class ObjFrames final : public MeshFrames {
 public:
  ObjFrames(ObjSequence sequence, const ImportReport& report, double fps)
      : MeshFrames(sequence.found().files.front(), fps), sequence_(std::move(sequence)) {
    notices_ = report.notices;
    steps_ = sequence_.found().numbers;
    for (int f = 0; steps_.empty() || int(steps_.size()) < sequence_.frame_count(); ++f) steps_.push_back(f);
  }
  void read(int frame, RunFrame& out) override {
    begin(frame, out);
    out.positions = sequence_.vertices(frame);
  }

 private:
  ObjSequence sequence_;
};

/// Reads the header of a NumPy array of float32 rows x 3; returns the position of the numbers.
uint64_t npy_data(const InputFile& file, int rows) {
  const auto wrong = [&](const std::string& what) {
    throw Error(what, file.path(), fmt::format("it should hold float32 of shape ({}, 3)", rows));
  };
  std::string head(std::min<uint64_t>(file.size(), 10), '\0');
  file.read(0, head.data(), head.size());
  if (head.size() < 10 || head.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0)
    wrong("this is not a NumPy array of version 1");
  const size_t length = size_t(uint8_t(head[8])) + 256 * size_t(uint8_t(head[9]));
  if (10 + length > file.size()) wrong("the array is truncated");
  std::string words(length, '\0');
  file.read(10, words.data(), words.size());
  if (words.find("'<f4'") == words.npos || words.find("'fortran_order': False") == words.npos)
    wrong("the array is not float32 in C order");
  std::erase(words, ' ');
  if (words.find(fmt::format("'shape':({},3)", rows)) == words.npos)
    wrong("the array's shape does not fit mesh.obj");
  if (file.size() != 10 + length + uint64_t(rows) * sizeof(vec3))
    wrong("the file's length does not fit its shape");
  return 10 + length;
}

class StateFrames final : public MeshFrames {
 public:
  StateFrames(const std::string& folder, double fps)
      : MeshFrames((fs::path(folder) / "mesh.obj").string(), fps) {
    std::map<long long, std::string> files;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
      long long step = 0;
      char rest[8] = {};
      const std::string name = it->path().filename().string();
      if (std::sscanf(name.c_str(), "step_%lld%7s", &step, rest) == 2 && std::string(rest) == ".npy")
        files[step] = it->path().string();
    }
    if (files.empty())
      throw Error("the folder holds no step_000123.npy", folder, "give the folder that --states wrote");
    for (const auto& [step, file] : files) steps_.push_back(step), files_.push_back(file);
  }
  void read(int frame, RunFrame& out) override {
    begin(frame, out);
    const InputFile file(files_.at(frame), "a NumPy array");
    const int rows = info_.vertex_count();
    const uint64_t data = npy_data(file, rows);
    out.positions.resize(rows);
    file.read(data, out.positions.data(), out.positions.size() * sizeof(vec3));
    check(out.positions, file.path());
  }

 private:
  std::vector<std::string> files_;
};

/// The .obj that belongs to a point cache.
std::string mesh_beside(const std::string& path) {
  const std::string mesh = fs::path(path).replace_extension(".obj").string();
  if (!fs::exists(mesh))
    throw Error("the mesh of this point cache is missing: " + mesh, path,
                "put the OBJ of the same name beside it");
  return mesh;
}

class Pc2Frames final : public MeshFrames {
 public:
  Pc2Frames(const std::string& path, double fps)
      : MeshFrames(mesh_beside(path), fps), file_(path, "a point cache") {
    if (file_.size() < kHead) throw Error("this is not a PC2 point cache", path, "give a .pc2 file");
    char head[kHead];
    file_.read(0, head, kHead);
    int32_t version = 0, points = 0, samples = 0;
    float start = 0, rate = 0;
    std::memcpy(&version, head + 12, 4), std::memcpy(&points, head + 16, 4),
        std::memcpy(&start, head + 20, 4);
    std::memcpy(&rate, head + 24, 4), std::memcpy(&samples, head + 28, 4);
    if (std::memcmp(head, "POINTCACHE2", 12) != 0 || version != 1)
      throw Error("this is not a PC2 point cache of version 1", path, "give a .pc2 file");
    if (points != info_.vertex_count())
      throw Error(
          fmt::format("the cache has {} points, its OBJ has {} vertices", points, info_.vertex_count()), path,
          "use the OBJ that was written with it");
    if (samples < 1 || !std::isfinite(start) || !std::isfinite(rate) || !(rate > 0))
      throw Error("the cache holds no frames", path, "write it again");
    // there are faces, so there are points
    const uint64_t whole = (file_.size() - kHead) / (uint64_t(points) * sizeof(vec3));
    if (uint64_t(samples) > whole) {
      add_missing(fmt::format("{}: the file ends after {} of {} frames", path, whole, samples));
      samples = int32_t(whole);
    }
    if (samples == 0) throw Error("the file ends within its first frame", path, "write it again");
    // Steps give the names of files: they are used only if they are whole frames from 0 on.
    const bool whole_frames = rate == 1 && start >= 0 && start < 1e9f && start == std::floor(start);
    for (int32_t s = 0; s < samples; ++s) {
      const double at = double(start) + double(s) * double(rate);
      steps_.push_back(whole_frames ? (long long)at : s);
      times_.push_back(at / fps);
    }
  }
  void read(int frame, RunFrame& out) override {
    begin(frame, out);
    out.positions.resize(info_.vertex_count());
    const size_t bytes = out.positions.size() * sizeof(vec3);
    file_.read(kHead + uint64_t(frame) * bytes, out.positions.data(), bytes);
    check(out.positions, fmt::format("{}, frame {}", file_.path(), frame));
  }

 private:
  static constexpr size_t kHead = 32;
  InputFile file_;
};

/// USD as text: its meshes at the times of its samples.
class UsdaFrames final : public FrameSource {
 public:
  explicit UsdaFrames(const std::string& path) : body_(path, kNoWeld) {
    notices_ = body_.notices();
    info_.title = fs::path(path).filename().string();
    info_.fps = frame_rate(), info_.dt = 1 / info_.fps;
    size_t next = 0;
    for (const UsdaBody::Part& p : body_.parts()) {
      RunGroup& g = info_.groups.emplace_back();
      g.name = p.name, g.first = p.first, g.count = p.count;
      for (; next < body_.triangles().size() && body_.triangles()[next].x < p.first + p.count; ++next)
        g.triangles.push_back(body_.triangles()[next] - p.first);
    }
  }
  const RunInfo& info() const override { return info_; }
  int frame_count() const override { return int(body_.times().size()); }
  long long step(int frame) const override { return std::llround(time(frame) * info_.fps); }
  double time(int frame) const override { return body_.start() / body_.rate() + body_.times().at(frame); }
  void read(int frame, RunFrame& out) override {
    out.step = step(frame), out.time = time(frame);
    body_.positions(body_.times().at(frame), out.positions);
  }

 private:
  /// That of its time codes; or, where samples lie between those, evenly, that of the samples; or one at
  /// which no two samples have one number.
  double frame_rate() const {
    const std::vector<double>& times = body_.times();
    const auto whole = [&](double rate) {
      return std::all_of(times.begin(), times.end(), [&](double t) {
        const double code = (body_.start() / body_.rate() + t) * rate;
        return std::abs(code - std::round(code)) < 1e-3;
      });
    };
    if (times.size() < 2 || whole(body_.rate())) return body_.rate();
    const double of_samples = double(times.size() - 1) / (times.back() - times.front());
    if (whole(of_samples)) return of_samples;
    double least = times.back() - times.front();
    for (size_t i = 1; i < times.size(); ++i) least = std::min(least, times[i] - times[i - 1]);
    return least > 0 ? std::max(body_.rate(), 1 / least) : body_.rate();
  }
  UsdaBody body_;
  RunInfo info_;
};

}  // namespace

std::vector<std::string> files_to_read(const std::string& path) {
  const std::string ending = file_ending(path), mesh = (fs::path(path) / "mesh.obj").string();
  std::error_code ignored;
  if (fs::is_directory(path, ignored) && fs::exists(mesh, ignored)) {
    std::vector<std::string> files = numbered_files(path, "step_", ".npy");
    files.push_back(mesh);
    return files;
  }
  if (ending == ".pc2") return {path, fs::path(path).replace_extension(".obj").string()};
  if (ending != ".obj" && !fs::is_directory(path, ignored)) return {path};
  ImportReport report;
  return find_obj_sequence(path, report).files;
}

std::unique_ptr<FrameSource> open_frame_source(const std::string& path, double fps) {
  const std::string ending = file_ending(path);
  std::error_code ignored;
  if (fs::is_directory(path, ignored) && fs::exists(fs::path(path) / "mesh.obj", ignored))
    return std::make_unique<StateFrames>(path, fps > 0 ? fps : 100);
  if (ending == ".weftcache") return std::make_unique<RunCacheReader>(path);
  if (fps <= 0) fps = 24;
  if (ending == ".pc2") {
    if (!fs::exists(path, ignored)) throw Error("there is no such file", path, "check the path");
    return std::make_unique<Pc2Frames>(path, fps);
  }
  if ((ending == ".usda" || ending == ".usd") && fs::exists(path, ignored))
    return std::make_unique<UsdaFrames>(path);
  if (ending == ".obj" || fs::is_directory(path, ignored)) {
    ImportReport report;
    ObjSequence sequence(path, report);
    return std::make_unique<ObjFrames>(std::move(sequence), report, fps);
  }
  if (!fs::exists(path, ignored)) throw Error("there is no such file or folder", path, "check the path");
  throw Error("this cannot be converted", path,
              "give a .weftcache, a folder of --states, an OBJ sequence, a .pc2 or a .usda");
}

}  // namespace weft

#include <cmath>
#include <cstring>

#include "sim/base/error.h"
#include "sim/files/frame_source.h"
#include "sim/files/run_cache.h"
#include "sim/files/run_cache_bytes.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

namespace weft::fuzz {
namespace {

const char* const kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

/// Frames forwards, then the first again: what is kept from one to the next must not mislead.
void read_all(FrameSource& source) {
  require(source.frame_count() > 0, "there is a frame");
  const int vertices = source.info().vertex_count(), frames = std::min(source.frame_count(), 50);
  for (int k = 0; k <= frames; ++k) {
    RunFrame frame;
    try {
      source.read(k % frames, frame);
    } catch (const Error&) {
      continue;
    }
    require(int(frame.positions.size()) == vertices, "a frame has every vertex");
    for (const vec3& p : frame.positions) require(std::isfinite(p.x + p.y + p.z), "positions are finite");
    require(std::isfinite(frame.time), "times are finite");
  }
}

void open_and_read(const std::string& path) {
  try {
    read_all(*open_frame_source(path));
  } catch (const Error&) {}
}

/// Makes the checksums of all blocks right, so that what is behind them is reached too.
std::string sealed(std::string bytes) {
  for (size_t at = cache::kStart; at + cache::kBlockHead <= bytes.size();) {
    uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at + 8, 8);
    const size_t payload = at + cache::kBlockHead;
    const bool whole = length <= bytes.size() - payload;
    const uint64_t sum = whole ? cache::checksum(bytes.data() + payload, size_t(length)) : 0;
    if (whole) std::memcpy(bytes.data() + at + 16, &sum, 8);
    const uint64_t head = cache::checksum(bytes.data() + at, cache::kBlockHead - 8);
    std::memcpy(bytes.data() + at + 24, &head, 8);
    if (!whole) break;
    at = payload + size_t(length);
  }
  return bytes;
}

}  // namespace

void run_cache(const std::string& bytes) {
  const ScratchFolder& folder = ScratchFolder::get();
  open_and_read(folder.write("input.weftcache", bytes));
  open_and_read(folder.write("sealed.weftcache", sealed(bytes)));
}

void pc2(const std::string& bytes) {
  const ScratchFolder& folder = ScratchFolder::get();
  static const std::string mesh = folder.write("square.obj", kSquare);
  open_and_read(folder.write("square.pc2", bytes));
}

void states(const std::string& bytes) {
  const ScratchFolder& folder = ScratchFolder::get();
  static const bool made = std::filesystem::create_directories(folder.path() / "states");
  static const std::string mesh = folder.write("states/mesh.obj", kSquare);
  require(made, "the folder is new");
  folder.write("states/step_000001.npy", bytes);
  open_and_read(folder / "states");
}

void write_run_cache_seeds(const std::string& folder) {
  RunInfo info;
  info.title = "seed";
  info.groups.push_back({"sheet",
                         false,
                         0,
                         4,
                         {{0, 1, 2}, {0, 2, 3}},
                         {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                         {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}});
  info.groups.push_back({"rock", true, 4, 3, {{0, 1, 2}}, {}, {}});
  for (const bool closed : {true, false}) {
    RunCacheWriter writer(folder + (closed ? "/closed.weftcache" : "/cut_off.weftcache"), info);
    for (int n = 0; n < 4; ++n) {
      RunFrame frame{n, 0.01 * n, {}};
      // the rock never moves
      for (int v = 0; v < 7; ++v) frame.positions.push_back({float(v), v < 4 ? float(n / 2) : 0.0f, 1});
      writer.frame(frame);
    }
    if (closed) writer.finish();
  }
}

}  // namespace weft::fuzz

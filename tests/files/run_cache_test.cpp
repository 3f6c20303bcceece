#include "sim/files/run_cache.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>

#include "sim/base/error.h"
#include "sim/files/run_cache_bytes.h"
#include "tests/support/folder.h"

using namespace weft;
using testing::Folder;
using testing::read_file;

namespace {

/// A sheet that moves in every frame, one that moves in some, and a body that never does.
RunInfo small_info() {
  RunInfo info;
  info.title = "A \"small\" run";
  info.dt = double(0.01f);
  info.fps = 100;
  info.scene = "title = \"small\"\n";
  const std::vector<ivec3> two = {{0, 1, 2}, {0, 2, 3}};
  info.groups.push_back({"sheet",
                         false,
                         0,
                         4,
                         two,
                         {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                         {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}});
  info.groups.push_back({"lazy", true, 4, 4, two, {}, {}});
  info.groups.push_back({"rock", true, 8, 3, {{0, 1, 2}}, {}, {}});
  return info;
}

RunFrame small_frame(int n) {
  RunFrame f{n, double(0.01f) * n, {}};
  for (int v = 0; v < 4; ++v) f.positions.push_back({float(v), 0.1f * float(n), -0.0f});
  for (int v = 0; v < 4; ++v) f.positions.push_back({float(v), float(n / 3), 1.0f});
  for (int v = 0; v < 3; ++v) f.positions.push_back({float(v), -1.0f, 1e-30f});
  return f;
}

/// The same where the first sheet has a seam and a bare corner, and the second only what its corners have.
RunInfo seamed_info() {
  RunInfo info = small_info();
  info.groups[0].corners = {{{0, 0}, {0.5f, 0}, {0.25f, 1}}, {{0, 1, 2}, {1, 2, -1}}};
  info.groups[1].corners = {{{0.125f, 0}}, {{0, -1, -1}, {-1, -1, 0}}};
  return info;
}

std::string write_small(const std::string& path, int frames, bool closed = true,
                        const RunInfo& info = small_info()) {
  RunCacheWriter writer(path, info);
  for (int n = 0; n < frames; ++n) writer.frame(small_frame(n));
  if (closed) writer.finish();
  return read_file(path);
}

bool same(const RunFrame& a, const RunFrame& b) {
  return a.step == b.step && a.time == b.time && a.positions.size() == b.positions.size() &&
         std::memcmp(a.positions.data(), b.positions.data(), a.positions.size() * sizeof(vec3)) == 0;
}

/// Reads all that can be read. Returns the number of frames that are as written; -1 for a cache that is
/// refused with an Error. A frame that is neither as written nor refused fails the test, and so does any
/// other exception.
int sound_frames(const std::string& path, const std::string& bytes) {
  { std::ofstream(path, std::ios::binary) << bytes; }
  try {
    RunCacheReader reader(path);
    int sound = 0;
    for (int f = 0; f < reader.frame_count(); ++f) {
      RunFrame frame;
      try {
        reader.read(f, frame);
      } catch (const Error& e) {
        CHECK(e.where == path);
        continue;
      }
      CHECK(same(frame, small_frame(f)));
      ++sound;
    }
    return sound;
  } catch (const Error& e) {
    CHECK(e.where == path);
    return -1;
  }
}

/// Makes the checksums of all blocks right again.
void seal(std::string& bytes) {
  for (size_t at = cache::kStart; at + cache::kBlockHead <= bytes.size();) {
    uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at + 8, 8);
    const size_t payload = at + cache::kBlockHead;
    if (length <= bytes.size() - payload) {
      const uint64_t sum = cache::checksum(bytes.data() + payload, size_t(length));
      std::memcpy(bytes.data() + at + 16, &sum, 8);
    }
    const uint64_t head = cache::checksum(bytes.data() + at, cache::kBlockHead - 8);
    std::memcpy(bytes.data() + at + 24, &head, 8);
    if (length > bytes.size() - payload) return;
    at = payload + size_t(length);
  }
}

/// Whatever is in the file: Errors, or frames of as many finite positions as the header says.
void open_and_read(const std::string& path, const std::string& bytes) {
  { std::ofstream(path, std::ios::binary) << bytes; }
  try {
    RunCacheReader reader(path);
    for (int f = 0; f < reader.frame_count(); ++f) {
      RunFrame frame;
      try {
        reader.read(f, frame);
      } catch (const Error&) {
        continue;
      }
      REQUIRE(int(frame.positions.size()) == reader.info().vertex_count());
      for (const vec3& p : frame.positions) REQUIRE(std::isfinite(p.x + p.y + p.z));
    }
    for (const RunGroup& g : reader.info().groups)
      for (const ivec3& t : g.corners.of_triangle)
        for (int k = 0; k < 3; ++k) REQUIRE((t[k] >= -1 && t[k] < int(g.corners.values.size())));
  } catch (const Error&) {}
}

/// Bytes before the first frame: 16, a block's head of 32, and its payload.
size_t header_size(const std::string& bytes) {
  uint64_t payload = 0;
  std::memcpy(&payload, bytes.data() + 16 + 8, sizeof payload);
  return 16 + 32 + size_t(payload);
}

}  // namespace

TEST_CASE("a cache gives back header and frames as they were written, bit for bit") {
  Folder folder;
  const std::string path = folder / "run.weftcache";
  write_small(path, 8);
  RunCacheReader reader(path);
  CHECK(reader.notices().empty());
  const RunInfo &a = small_info(), &b = reader.info();
  CHECK(b.title == a.title);
  CHECK(b.dt == a.dt);
  CHECK(b.fps == a.fps);
  CHECK(b.scene == a.scene);
  REQUIRE(b.groups.size() == 3);
  for (size_t g = 0; g < 3; ++g) {
    CHECK(b.groups[g].name == a.groups[g].name);
    CHECK(b.groups[g].body == a.groups[g].body);
    CHECK(b.groups[g].first == a.groups[g].first);
    CHECK(b.groups[g].count == a.groups[g].count);
    CHECK(b.groups[g].triangles == a.groups[g].triangles);
    CHECK(b.groups[g].uv == a.groups[g].uv);
    CHECK(b.groups[g].rest == a.groups[g].rest);
  }
  REQUIRE(reader.frame_count() == 8);
  for (int n = 0; n < 8; ++n) {
    RunFrame frame;
    reader.read(n, frame);
    CHECK(same(frame, small_frame(n)));
    CHECK(reader.time(n) == small_frame(n).time);
  }
}

TEST_CASE(
    "texture coordinates with seams come back from a cache, which has the oldest version that knows all of "
    "its run") {
  Folder folder;
  const std::string path = folder / "run.weftcache";
  CHECK(int(write_small(path, 2)[8]) == 1);
  RunInfo scaled = small_info();
  scaled.groups[0].uv_scale = {2, 3};
  CHECK(int(write_small(path, 2, true, scaled)[8]) == 2);
  CHECK(RunCacheReader(path).info().groups[0].uv_scale == vec2(2, 3));
  CHECK(int(write_small(path, 2, true, seamed_info())[8]) == 3);
  RunCacheReader reader(path);
  const RunInfo wanted = seamed_info();
  for (size_t g = 0; g < 3; ++g) {
    const RunGroup &a = wanted.groups[g], &b = reader.info().groups[g];
    CHECK(b.corners.values == a.corners.values);
    CHECK(b.corners.of_triangle == a.corners.of_triangle);
    CHECK(b.uv == a.uv);
    CHECK(b.rest == a.rest);
  }
  RunFrame frame;
  reader.read(1, frame);
  CHECK(same(frame, small_frame(1)));
}

TEST_CASE("frames read in any order are the same as in a row") {
  Folder folder;
  const std::string path = folder / "run.weftcache";
  write_small(path, 20);
  RunCacheReader reader(path);
  std::mt19937 random(7);
  RunFrame frame;
  for (int k = 0; k < 300; ++k) {
    const int n = int(random() % 20);
    reader.read(n, frame);
    REQUIRE(same(frame, small_frame(n)));
  }
  CHECK_THROWS_AS(reader.read(20, frame), Error);
  CHECK_THROWS_AS(reader.read(-1, frame), Error);
}

TEST_CASE("parts that rest are stored once") {
  Folder folder;
  // Of a frame, 32 bytes of block, 16 of step and time and 4 per group; then the parts: 4, 4 and 3 vertices.
  const auto grows = [&](int from, int to) {
    return write_small(folder / "b", to, false).size() - write_small(folder / "a", from, false).size();
  };
  const std::string first = write_small(folder / "a", 1, false);
  CHECK(first.size() - header_size(first) == 32 + 16 + 12 + 12 * 11);
  CHECK(grows(1, 2) == 32 + 16 + 12 + 12 * 4);
  CHECK(grows(3, 4) == 32 + 16 + 12 + 12 * 8);  // "lazy" moves at frame 3
}

TEST_CASE("a cache that was cut off anywhere is readable up to its last whole frame" *
          doctest::test_suite("slow")) {
  Folder folder;
  const std::string whole = write_small(folder / "whole", 6), path = folder / "cut";
  const size_t header = header_size(whole);
  std::vector<size_t> ends;  // of each frame
  for (int n = 1; n <= 6; ++n) ends.push_back(write_small(folder / "h", n, false).size());
  for (size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    int expected = 0;
    while (expected < 6 && ends[size_t(expected)] <= length) ++expected;
    REQUIRE(sound_frames(path, whole.substr(0, length)) == (expected ? expected : -1));
  }
  // What follows a crash may also be zeros.
  CHECK(sound_frames(path, whole.substr(0, ends[2] + 40) + std::string(500, '\0')) == 3);
  { std::ofstream(path, std::ios::binary) << whole.substr(0, ends[3] + 10); }
  const RunCacheReader reader(path);
  REQUIRE(reader.notices().size() == 1);
  CHECK(reader.notices()[0].find("4 complete frames up to 0.030 s were found") != std::string::npos);
  CHECK(header < ends[0]);
}

TEST_CASE("every flipped byte of a cache is noticed: an error, or what was written") {
  Folder folder;
  const std::string whole = write_small(folder / "whole", 4), path = folder / "flipped";
  const size_t header = header_size(whole), frames = write_small(folder / "h", 4, false).size();
  for (size_t at = 0; at < whole.size(); ++at) {
    CAPTURE(at);
    std::string bytes = whole;
    const int masks[] = {0x01, 0x80, 0xFF};
    bytes[at] = char(bytes[at] ^ masks[at % 3]);
    const int sound = sound_frames(path, bytes);
    if (at < header) REQUIRE(sound == -1);
    else if (at < frames) REQUIRE((sound >= 0 && sound < 4));
    else REQUIRE(sound == 4);  // only the index is hurt: the frames are found without it
  }
}

TEST_CASE("damage of many kinds never crashes") {
  Folder folder;
  const std::string whole = write_small(folder / "whole", 4), path = folder / "wild";
  std::mt19937 random(11);
  for (int k = 0; k < 800; ++k) {
    std::string bytes = whole;
    for (int n = 1 + int(random() % 6); n > 0; --n) {
      const size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0: bytes[at] = char(random()); break;
        case 1: bytes.erase(at, random() % 64); break;
        case 2: bytes.insert(at, std::string(random() % 64, char(random()))); break;
        default: {
          const uint32_t huge = random() % 2 ? 0xFFFFFFFFu : 0x7FFFFFFFu;
          if (at + 4 <= bytes.size()) std::memcpy(bytes.data() + at, &huge, 4);
        }
      }
    }
    sound_frames(path, bytes);
    seal(bytes);
    open_and_read(path, bytes);
  }
}

TEST_CASE("numbers that contradict each other are refused, also where every checksum is right") {
  Folder folder;
  const std::string whole = write_small(folder / "whole", 4), path = folder / "wild";
  const size_t header = header_size(whole);
  std::mt19937 random(13);
  const uint32_t values[] = {0, 1, 2, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FC00000};
  for (size_t at = 16; at + 4 <= whole.size(); at += 1 + random() % 4) {
    CAPTURE(at);
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &values[random() % 8], 4);
    seal(bytes);
    open_and_read(path, bytes);
  }
  const std::string seamed = write_small(folder / "seamed", 2, true, seamed_info());
  for (size_t at = 16; at + 4 <= header_size(seamed); ++at)
    for (const uint32_t value : values) {
      std::string bytes = seamed;
      std::memcpy(bytes.data() + at, &value, 4);
      seal(bytes);
      open_and_read(path, bytes);
    }
  // A corner of a texture coordinate that is not there.
  const int textures[] = {1, 2, -1};
  const size_t corner_at = seamed.find(std::string(reinterpret_cast<const char*>(textures), sizeof textures));
  REQUIRE(corner_at < header_size(seamed));
  for (const char wrong : {char(3), char(-2)}) {
    std::string changed = seamed;
    std::memset(changed.data() + corner_at + 4, wrong < 0 ? 0xFF : 0, 4);
    changed[corner_at + 4] = wrong;
    seal(changed);
    CHECK(sound_frames(path, changed) == -1);
  }
  // A triangle of a vertex that is not there.
  std::string bytes = whole;
  const int corner[] = {0, 1, 2};
  const size_t at = whole.find(std::string(reinterpret_cast<const char*>(corner), sizeof corner));
  REQUIRE(at < header);
  bytes[at + 8] = 4;
  seal(bytes);
  CHECK(sound_frames(path, bytes) == -1);
}

TEST_CASE("cells and lines come back from a cache and wrong ones are damage") {
  Folder folder;
  RunInfo info = small_info();
  info.groups[0].cells = {{0, 1, 2, 3}};
  info.groups[1].lines = {{0, 1}, {3, 2}}, info.groups[1].width = 0.25f;
  write_small(folder / "kinds.weftcache", 2, true, info);
  const std::string bytes = read_file(folder / "kinds.weftcache");
  CHECK(int(bytes[8]) == 5);  // the version
  const RunCacheReader reader(folder / "kinds.weftcache");
  CHECK(reader.info().groups[0].cells == info.groups[0].cells);
  CHECK(reader.info().groups[1].lines == info.groups[1].lines);
  CHECK(reader.info().groups[1].width == 0.25f);
  CHECK(reader.info().groups[2].lines.empty());
  CHECK(!reader.info().groups[0].rigid());
  info.groups[0].filling = Filling::rigid;
  CHECK(int(write_small(folder / "rigid.weftcache", 2, true, info)[8]) == 6);
  const RunCacheReader rigid(folder / "rigid.weftcache");
  CHECK(rigid.info().groups[0].rigid());
  CHECK(rigid.info().groups[0].cells == info.groups[0].cells);
  CHECK(!rigid.info().groups[1].rigid());
  info.groups[1].lines = {{0, 4}};  // the group has four points
  write_small(folder / "wrong.weftcache", 2, true, info);
  CHECK_THROWS_AS(RunCacheReader(folder / "wrong.weftcache"), Error);
}

TEST_CASE("files that are no cache, or of a later version, are told apart") {
  Folder folder;
  const auto fault = [&](const std::string& bytes) {
    const std::string path = folder / "x.weftcache";
    { std::ofstream(path, std::ios::binary) << bytes; }
    try {
      RunCacheReader reader(path);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(fault("").find("the file is empty") != std::string::npos);
  CHECK(fault("v 0 0 0\nv 1 0 0\n").find("this is not a run cache") != std::string::npos);
  std::string later = write_small(folder / "whole", 1);
  later[8] = 9;
  CHECK(fault(later).find("the cache has version 9, this program reads 6") != std::string::npos);
  CHECK_THROWS_WITH_AS(RunCacheReader(folder / "none"),
                       (folder / "none: there is no such file — check the path").c_str(), Error);
}

TEST_CASE("a full disk is told with what was kept, and that can be opened") {
  Folder folder;
  const std::string path = folder / "run.weftcache";
  // three frames and a part of the fourth
  const size_t room = write_small(folder / "h", 3, false).size() + 50;
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const struct rlimit tight { room, before.rlim_max };
  std::string said;
  {
    RunCacheWriter writer(path, small_info());
    setrlimit(RLIMIT_FSIZE, &tight);
    try {
      for (int n = 0; n < 6; ++n) writer.frame(small_frame(n));
    } catch (const Error& e) {
      said = e.what();
    }
    CHECK_THROWS_AS(writer.frame(small_frame(3)), Error);
    writer.finish();
    setrlimit(RLIMIT_FSIZE, &before);
  }
  std::signal(SIGXFSZ, old_handler);
  CHECK(said.find("run.weftcache: writing failed") != std::string::npos);
  CHECK(said.find("3 frames up to 0.020 s are kept and can be opened") != std::string::npos);
  RunCacheReader reader(path);
  REQUIRE(reader.frame_count() == 3);
  RunFrame frame;
  reader.read(2, frame);
  CHECK(same(frame, small_frame(2)));
}

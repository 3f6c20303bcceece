#include <fmt/format.h>
#include <tuple>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/files/run_cache.h"
#include "sim/files/run_cache_bytes.h"

namespace weft {
namespace {

constexpr uint32_t kNoPlace = 0xFFFFFFFF;

/// Tests the sum too: distances between such coordinates would overflow.
bool finite(const vec3& p) { return std::isfinite(p.x + p.y + p.z); }

bool all_finite(const std::vector<vec2>& all) {
  return std::all_of(all.begin(), all.end(),
                     [](const vec2& t) { return std::isfinite(t.x) && std::isfinite(t.y); });
}

/// Takes the texture coordinates of the corners of a group's triangles.
bool take_corners(cache::Taker& from, RunGroup& g) {
  const uint32_t values = from.take<uint32_t>();
  g.corners.values = from.list<vec2>(values);
  g.corners.of_triangle = from.list<ivec3>(g.triangles.size());
  const auto inside = [&](const ivec3& t) {
    return std::min({t.x, t.y, t.z}) >= -1 && std::max({t.x, t.y, t.z}) < int(values);
  };
  return from.ok && all_finite(g.corners.values) &&
         std::all_of(g.corners.of_triangle.begin(), g.corners.of_triangle.end(), inside);
}

template <class T>
bool all_within(const std::vector<T>& list, T least, T most) {
  return std::all_of(list.begin(), list.end(), [&](T v) { return v >= least && v <= most; });
}

/// Takes the numbering of a group's file.
bool take_input(cache::Taker& from, RunGroup& g) {
  InputMesh& in = g.input;
  const auto counted = [&](auto& list) {
    const uint32_t count = from.take<uint32_t>();
    list = from.list<std::decay_t<decltype(list[0])>>(count);
  };
  counted(in.vertex), counted(in.unused), counted(in.triangles), counted(in.face_starts), counted(in.corners);
  counted(in.texture), counted(in.textures);
  const int vertices = in.vertex.empty() ? g.count : int(in.vertex.size());
  const bool ascending = std::is_sorted(in.face_starts.begin(), in.face_starts.end()) &&
                         (in.face_starts.empty() ||
                          (in.face_starts.front() == 0 && in.face_starts.back() == int(in.corners.size())));
  return from.ok && ascending && in.triangles.size() == (in.vertex.empty() ? 0 : g.triangles.size()) &&
         (in.texture.empty() || in.texture.size() == in.corners.size()) &&
         all_within(in.vertex, -int(in.unused.size()), g.count - 1) &&
         all_within(in.corners, 0, vertices - 1) && all_within(in.texture, -1, int(in.textures.size()) - 1) &&
         std::all_of(in.triangles.begin(), in.triangles.end(),
                     [&](const ivec3& t) {
                       return std::min({t.x, t.y, t.z}) >= 0 && std::max({t.x, t.y, t.z}) < vertices;
                     }) &&
         std::all_of(in.unused.begin(), in.unused.end(), finite) && all_finite(in.textures);
}

/// Takes the cells and lines of a group.
bool take_elements(cache::Taker& from, RunGroup& g) {
  const uint32_t cells = from.take<uint32_t>();
  g.cells = from.list<ivec4>(cells);
  const uint32_t lines = from.take<uint32_t>();
  g.lines = from.list<ivec2>(lines);
  g.width = from.take<float>();
  const auto inside = [&](int v) { return v >= 0 && v < g.count; };
  return from.ok && g.width >= 0 && std::isfinite(g.width) &&
         std::all_of(
             g.cells.begin(), g.cells.end(),
             [&](const ivec4& c) { return inside(c.x) && inside(c.y) && inside(c.z) && inside(c.w); }) &&
         std::all_of(g.lines.begin(), g.lines.end(),
                     [&](const ivec2& l) { return inside(l.x) && inside(l.y); });
}

/// Takes one group; false where its numbers contradict each other.
bool take_group(cache::Taker& from, RunGroup& g) {
  g.name = from.text();
  const uint8_t body = from.take<uint8_t>(), kind = from.take<uint8_t>(), has_rest = from.take<uint8_t>();
  const uint8_t textures = kind & uint8_t(~(cache::kInput | cache::kElements | cache::kRigid));
  const uint32_t count = from.take<uint32_t>(), triangles = from.take<uint32_t>();
  if (!from.ok || body > 1 || textures > cache::kMaterialAndCorners || has_rest > 1 || count > 0x7FFFFFFF)
    return false;
  g.body = body == 1;
  if (kind & cache::kRigid) g.filling = Filling::rigid;
  g.count = int(count);
  g.triangles = from.list<ivec3>(triangles);
  if (cache::has_material(textures)) g.uv = from.list<vec2>(count);
  if (has_rest) g.rest = from.list<vec3>(count);
  if (textures == cache::kScaled) g.uv_scale.x = from.take<float>(), g.uv_scale.y = from.take<float>();
  if (cache::has_corners(textures) && !take_corners(from, g)) return false;
  if ((kind & cache::kInput) && !take_input(from, g)) return false;
  if ((kind & cache::kElements) && !take_elements(from, g)) return false;
  if (!from.ok ||
      !(g.uv_scale.x > 0 && g.uv_scale.y > 0 && std::isfinite(g.uv_scale.x) && std::isfinite(g.uv_scale.y)))
    return false;
  const auto inside = [&](const ivec3& t) {
    return std::min({t.x, t.y, t.z}) >= 0 && std::max({t.x, t.y, t.z}) < g.count;
  };
  return std::all_of(g.triangles.begin(), g.triangles.end(), inside) &&
         std::all_of(g.rest.begin(), g.rest.end(), finite) && all_finite(g.uv);
}

}  // namespace

RunCacheReader::RunCacheReader(const std::string& path) : file_(path, "a run cache") {
  read_header();
  if (!read_index()) scan();
  held_.resize(info_.vertex_count());
  held_sources_.assign(info_.groups.size(), kNoPlace);
}

void RunCacheReader::damaged(const std::string& what) const {
  throw Error("the cache is damaged: " + what, file_.path(),
              "run the scene again with --cache, or use a copy of the file");
}

/// False if no complete block begins at `offset`.
bool RunCacheReader::find_block(uint64_t offset, Block& block) const {
  if (offset > file_.size() || file_.size() - offset < cache::kBlockHead) return false;
  std::string head(cache::kBlockHead, '\0');
  file_.read(offset, head.data(), head.size());
  cache::Taker from{head};
  block.tag = from.take<uint32_t>();
  const uint32_t zero = from.take<uint32_t>();
  block.length = from.take<uint64_t>();
  block.checksum = from.take<uint64_t>();
  block.payload = offset + cache::kBlockHead;
  return zero == 0 && from.take<uint64_t>() == cache::checksum(head.data(), cache::kBlockHead - 8) &&
         block.length <= file_.size() - block.payload;
}

/// Empty where the bytes are not those that were written (no block's payload is empty but that of an index
/// without frames).
std::string RunCacheReader::read_payload(const Block& block) const {
  std::string payload(size_t(block.length), '\0');
  file_.read(block.payload, payload.data(), payload.size());
  if (cache::checksum(payload.data(), payload.size()) != block.checksum) payload.clear();
  return payload;
}

void RunCacheReader::read_header() {
  if (file_.size() == 0) throw Error("the file is empty", file_.path(), "it should hold a run cache");
  std::string start(std::min<uint64_t>(cache::kStart, file_.size()), '\0');
  file_.read(0, start.data(), start.size());
  if (start.size() < 8 || start.compare(0, 8, cache::kMagic) != 0)
    throw Error("this is not a run cache", file_.path(), "give a file that was written with --cache");
  cache::Taker from{start, 8};
  const uint32_t version = from.take<uint32_t>(), zero = from.take<uint32_t>();
  if (!from.ok || zero != 0) damaged("its first bytes are wrong");
  if (version < 1 || version > cache::kVersion)
    throw Error(fmt::format("the cache has version {}, this program reads {}", version, cache::kVersion),
                file_.path(), "use the program that wrote it");
  Block block;
  if (!find_block(cache::kStart, block) || block.tag != cache::kHeader)
    damaged("its header is damaged or truncated");
  const std::string payload = read_payload(block);
  cache::Taker header{payload};
  info_.title = header.text();
  info_.dt = header.take<double>();
  info_.fps = header.take<double>();
  std::tie(info_.scene, info_.origin) = cache::origin_apart(header.text());
  const uint32_t groups = header.take<uint32_t>();
  uint64_t vertices = 0;
  for (uint32_t g = 0; g < groups && header.ok; ++g) {
    RunGroup group;
    if (!take_group(header, group)) damaged("its header is damaged");
    group.first = int(std::min<uint64_t>(vertices, 0x7FFFFFFF));
    vertices += uint64_t(group.count);
    info_.groups.push_back(std::move(group));
  }
  const bool sound = header.ok && header.at == payload.size() && info_.dt > 0 && info_.fps > 0 &&
                     std::isfinite(info_.dt) && std::isfinite(info_.fps);
  if (!sound) damaged("its header is damaged");
  first_block_ = block.payload + block.length;
  // The first frame has every vertex.
  if (vertices > 0x7FFFFFFF || vertices * sizeof(vec3) > file_.size() - first_block_)
    throw Error(fmt::format("the cache ends before its first frame ({} vertices) is complete", vertices),
                file_.path(), "the run ended too early: run it again");
}

bool RunCacheReader::read_index() {
  if (file_.size() < first_block_ + cache::kBlockHead + cache::kFooter) return false;
  std::string footer(cache::kFooter, '\0');
  file_.read(file_.size() - cache::kFooter, footer.data(), footer.size());
  uint64_t offset = 0;
  std::memcpy(&offset, footer.data(), 8);
  if (footer.compare(8, 8, cache::kEndMagic) != 0 || offset < first_block_) return false;
  Block block;
  if (!find_block(offset, block) || block.tag != cache::kIndex || block.length % cache::kEntry != 0 ||
      block.length == 0 || block.payload + block.length + cache::kFooter != file_.size())
    return false;
  const std::string payload = read_payload(block);
  if (payload.empty()) return false;
  cache::Taker from{payload};
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < block.length / cache::kEntry; ++i) {
    Entry e;
    e.offset = from.take<uint64_t>();
    e.step = from.take<int64_t>();
    e.time = from.take<double>();
    if (e.offset < first_block_ || e.offset >= offset || !std::isfinite(e.time)) return false;
    entries.push_back(e);
  }
  entries_ = std::move(entries);
  return true;
}

void RunCacheReader::scan() {
  uint64_t offset = first_block_;
  Block block;
  std::vector<uint32_t> sources;
  std::string why = "it was not closed";
  while (find_block(offset, block) && block.tag == cache::kFrame) {
    const std::string payload = read_payload(block);
    if (!check_frame(payload, uint32_t(entries_.size()), sources)) break;
    cache::Taker from{payload};
    Entry e;
    e.offset = offset;
    e.step = from.take<int64_t>();
    e.time = from.take<double>();
    entries_.push_back(e);
    offset = block.payload + block.length;
  }
  if (entries_.empty())
    throw Error("the cache holds no complete frame", file_.path(), "the run ended too early: run it again");
  add_missing(
      fmt::format("{}: the cache has no valid index; the run was interrupted or the file is damaged: {} "
                  "complete frames up to {:.3f} s were found",
                  file_.path(), entries_.size(), entries_.back().time));
}

/// True if the payload is that of the `frame`-th frame; `sources` gets the frames that have its groups'
/// positions.
bool RunCacheReader::check_frame(const std::string& payload, uint32_t frame,
                                 std::vector<uint32_t>& sources) const {
  cache::Taker from{payload};
  from.take<int64_t>();
  const double time = from.take<double>();
  sources = from.list<uint32_t>(info_.groups.size());
  if (!from.ok || !std::isfinite(time)) return false;
  uint64_t vertices = 0;
  for (size_t g = 0; g < sources.size(); ++g) {
    if (sources[g] > frame) return false;
    if (sources[g] == frame) vertices += uint64_t(info_.groups[g].count);
  }
  return payload.size() - from.at == vertices * sizeof(vec3);
}

std::string RunCacheReader::frame_payload(int frame, std::vector<uint32_t>& sources) const {
  Block block;
  if (!find_block(entries_[frame].offset, block) || block.tag != cache::kFrame)
    damaged(fmt::format("frame {} does not match its checksum", frame));
  std::string payload = read_payload(block);
  if (!check_frame(payload, uint32_t(frame), sources))
    damaged(fmt::format("frame {} does not match its checksum", frame));
  return payload;
}

void RunCacheReader::load_group(size_t group, uint32_t source) {
  if (payload_frame_ != int(source)) {
    payload_frame_ = -1;
    payload_ = frame_payload(int(source), payload_sources_);
    payload_frame_ = int(source);
  }
  if (payload_sources_[group] != source)
    damaged(fmt::format("frame {} lacks the part {}", source, info_.groups[group].name));
  size_t at = 16 + 4 * info_.groups.size();
  for (size_t g = 0; g < group; ++g)
    if (payload_sources_[g] == source) at += size_t(info_.groups[g].count) * sizeof(vec3);
  const RunGroup& part = info_.groups[group];
  vec3* to = held_.data() + part.first;
  if (part.count)
    std::memcpy(static_cast<void*>(to), payload_.data() + at, size_t(part.count) * sizeof(vec3));
  held_sources_[group] = kNoPlace;
  if (!std::all_of(to, to + part.count, finite))
    damaged(fmt::format("frame {} has a position that is not finite", source));
  held_sources_[group] = source;
}

void RunCacheReader::read(int frame, RunFrame& out) {
  if (frame < 0 || frame >= frame_count())
    throw Error(
        fmt::format("frame {} does not exist: the cache has {}, counted from 0", frame, frame_count()),
        file_.path());
  std::vector<uint32_t> sources;
  if (payload_frame_ == frame) {
    sources = payload_sources_;
  } else {
    payload_frame_ = -1;
    payload_ = frame_payload(frame, payload_sources_);
    payload_frame_ = frame;
    sources = payload_sources_;
  }
  // Parts of this frame first, so that its bytes are still there.
  for (const bool own : {true, false})
    for (size_t g = 0; g < sources.size(); ++g)
      if (held_sources_[g] != sources[g] && (sources[g] == uint32_t(frame)) == own) load_group(g, sources[g]);
  out.step = entries_[frame].step;
  out.time = entries_[frame].time;
  out.positions = held_;
}

}  // namespace weft

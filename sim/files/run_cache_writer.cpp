#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/files/run_cache.h"
#include "sim/files/run_cache_bytes.h"

namespace weft {
namespace {

cache::Textures textures_of(const RunGroup& g) {
  if (!g.corners.empty()) return g.uv.empty() ? cache::kCorners : cache::kMaterialAndCorners;
  if (g.uv.empty()) return cache::kNoTextures;
  return g.uv_scale != vec2(1) ? cache::kScaled : cache::kMaterial;
}

/// The oldest version that supports them.
uint32_t version_of(cache::Textures textures) {
  return cache::has_corners(textures) ? 3 : textures == cache::kScaled ? 2 : 1;
}

template <class T>
void put_counted(std::string& to, const std::vector<T>& values) {
  cache::put(to, uint32_t(values.size()));
  cache::put_list(to, values.data(), values.size());
}

void put_input(std::string& to, const InputMesh& input) {
  put_counted(to, input.vertex), put_counted(to, input.unused), put_counted(to, input.triangles);
  put_counted(to, input.face_starts), put_counted(to, input.corners);
  put_counted(to, input.texture), put_counted(to, input.textures);
}

bool has_elements(const RunGroup& g) { return !g.cells.empty() || !g.lines.empty() || g.width > 0; }

std::string header_payload(const RunInfo& info) {
  std::string out;
  cache::put_text(out, info.title);
  cache::put(out, info.dt);
  cache::put(out, info.fps);
  cache::put_text(out, cache::with_origin(info.scene, info.origin));
  cache::put(out, uint32_t(info.groups.size()));
  for (const RunGroup& g : info.groups) {
    cache::put_text(out, g.name);
    cache::put(out, uint8_t(g.body));
    cache::put(out, uint8_t(textures_of(g) + (g.input.empty() ? 0 : cache::kInput) +
                            (has_elements(g) ? cache::kElements : 0) + (g.rigid() ? cache::kRigid : 0)));
    cache::put(out, uint8_t(!g.rest.empty()));
    cache::put(out, uint32_t(g.count));
    cache::put(out, uint32_t(g.triangles.size()));
    cache::put_list(out, g.triangles.data(), g.triangles.size());
    cache::put_list(out, g.uv.data(), g.uv.size());
    cache::put_list(out, g.rest.data(), g.rest.size());
    if (textures_of(g) == cache::kScaled) cache::put(out, g.uv_scale);
    if (cache::has_corners(textures_of(g))) {
      put_counted(out, g.corners.values);
      cache::put_list(out, g.corners.of_triangle.data(), g.corners.of_triangle.size());
    }
    if (!g.input.empty()) put_input(out, g.input);
    if (has_elements(g)) put_counted(out, g.cells), put_counted(out, g.lines), cache::put(out, g.width);
  }
  return out;
}

bool same_bits(const vec3* a, const vec3* b, int count) {
  return std::memcmp(a, b, size_t(count) * sizeof(vec3)) == 0;
}

}  // namespace

RunCacheWriter::RunCacheWriter(const std::string& path, const RunInfo& info)
    : file_(path), header_(header_payload(info)), vertices_(info.vertex_count()) {
  for (const RunGroup& g : info.groups) {
    version_ = std::max(version_, g.input.empty() ? version_of(textures_of(g)) : 4u);
    if (has_elements(g)) version_ = std::max(version_, 5u);
    if (g.rigid()) version_ = 6;
    ranges_.emplace_back(g.first, g.count);
  }
}

void RunCacheWriter::begin() {
  std::string start(cache::kMagic, 8);
  cache::put(start, version_);
  cache::put(start, uint32_t(0));
  file_.write(start);
  write_block(cache::kHeader, header_);
  header_ = {};
}

void RunCacheWriter::write_block(uint32_t tag, const std::string& payload) {
  std::string head;
  cache::put(head, tag);
  cache::put(head, uint32_t(0));
  cache::put(head, uint64_t(payload.size()));
  cache::put(head, cache::checksum(payload.data(), payload.size()));
  cache::put(head, cache::checksum(head.data(), head.size()));
  file_.write(head);
  file_.write(payload);
}

void RunCacheWriter::frame(const RunFrame& frame) {
  if (broken_) throw Error("nothing can be added: an earlier write failed", file_.path());
  if (int(frame.positions.size()) != vertices_)
    throw Error(
        fmt::format("a frame of {} vertices does not fit a run of {}", frame.positions.size(), vertices_),
        file_.path());
  const uint32_t number = uint32_t(entries_.size());
  std::vector<uint32_t> sources = sources_;
  sources.resize(ranges_.size(), number);
  for (size_t g = 0; g < ranges_.size(); ++g) {
    const auto [first, count] = ranges_[g];
    if (number == 0 || !same_bits(&frame.positions[first], &last_[first], count)) sources[g] = number;
  }
  buffer_.clear();
  cache::put(buffer_, int64_t(frame.step));
  cache::put(buffer_, frame.time);
  cache::put_list(buffer_, sources.data(), sources.size());
  for (size_t g = 0; g < ranges_.size(); ++g)
    if (sources[g] == number)
      cache::put_list(buffer_, frame.positions.data() + ranges_[g].first, size_t(ranges_[g].second));
  uint64_t begin = 0;
  try {
    if (entries_.empty()) this->begin();
    begin = file_.size();
    write_block(cache::kFrame, buffer_);
  } catch (const Error& e) {
    broken_ = true;
    file_.cut(begin);
    const std::string kept = entries_.empty()
                                 ? std::string("no frame is kept")
                                 : fmt::format("{} frames up to {:.3f} s are kept and can be opened",
                                               entries_.size(), entries_.back().time);
    throw Error(e.what_happened + "; " + kept, e.where, e.what_to_do);
  }
  entries_.push_back({begin, frame.step, frame.time});
  sources_ = std::move(sources);
  last_ = frame.positions;
}

void RunCacheWriter::finish() {
  if (entries_.empty()) return file_.close();  // nothing was written, or not even one frame fitted
  const uint64_t begin = file_.size();
  std::string index, footer;
  for (const Entry& e : entries_)
    cache::put(index, e.offset), cache::put(index, e.step), cache::put(index, e.time);
  cache::put(footer, begin);
  footer.append(cache::kEndMagic, 8);
  try {
    write_block(cache::kIndex, index);
    file_.write(footer);
    file_.close();
  } catch (const Error& e) {
    file_.cut(begin);     // without an index the frames are found by reading through
    if (broken_) return;  // already reported
    throw Error(fmt::format("{}; the index is missing, all {} frames are kept and can be opened",
                            e.what_happened, entries_.size()),
                e.where);
  }
}

std::string RunCacheWriter::summary() const {
  return fmt::format("cache: {} frames in {} ({:.1f} MB)", entries_.size(), file_.path(),
                     1e-6 * double(file_.size()));
}

}  // namespace weft

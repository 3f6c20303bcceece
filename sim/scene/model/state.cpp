#include "sim/scene/model/state.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/base/file.h"
#include "sim/base/hash.h"

namespace weft {
namespace {

constexpr char kMagic[8] = {'W', 'E', 'F', 'T', 'S', 'N', 'A', '1'};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

void read(std::FILE* f, void* data, size_t bytes, const std::string& path) {
  if (bytes && std::fread(data, 1, bytes, f) != bytes)
    throw Error("the snapshot ends too early", path, "it is damaged; save it again");
}

}  // namespace

Snapshot State::save() const {
  Snapshot s;
  s.step = step;
  s.time = time;
  for (auto& p : parts_) {
    std::vector<unsigned char> bytes = p.save();
    if (!p.optional || !bytes.empty()) s.parts.push_back({p.name, std::move(bytes)});
  }
  return s;
}

void State::refuse_size(const std::string& part) {
  throw Error("the snapshot's part '" + part + "' has a different size than this scene's", "snapshot",
              "load it with the scene it was made from");
}

void State::restore(const Snapshot& snapshot) {
  if (snapshot.step < 0 || !(snapshot.time >= 0 && snapshot.time < 1e9))
    throw Error("the snapshot's time is damaged", "snapshot", "save it again");
  const Snapshot before = save();
  try {
    restore_parts(snapshot);
  } catch (...) {  // parts may have been restored already
    restore_parts(before);
    throw;
  }
  step = snapshot.step;
  time = snapshot.time;
  ++revision;
}

void State::restore_parts(const Snapshot& snapshot) {
  const auto find = [&](const Part& p) {
    return std::find_if(snapshot.parts.begin(), snapshot.parts.end(),
                        [&](auto& s) { return s.first == p.name; });
  };
  for (auto& p : parts_) {
    const auto it = find(p);
    if (it == snapshot.parts.end() && p.optional) continue;
    if (it == snapshot.parts.end())
      throw Error("the snapshot has no part '" + p.name + "'", "snapshot",
                  "it was made with a different solver or collision method");
    if (p.name == "position" && it->second.size() != size_t(position.size()) * sizeof(vec3))
      throw Error("the snapshot is for a cloth of a different size", "snapshot",
                  "load it with the scene it was made from");
  }
  for (auto& p : parts_) {
    const auto it = find(p);
    p.restore(it == snapshot.parts.end() ? std::vector<unsigned char>() : it->second);
  }
}

uint64_t State::hash() const {
  uint64_t hash = hash_bytes(&step, sizeof step);
  hash = hash_bytes(&time, sizeof time, hash);
  for (auto& p : parts_) {
    const auto bytes = p.save();
    if (p.optional && bytes.empty()) continue;
    hash = hash_bytes(p.name.data(), p.name.size(), hash);
    hash = hash_bytes(bytes.data(), bytes.size(), hash);
  }
  return hash;
}

void write_snapshot(const std::string& path, const Snapshot& s) {
  std::string bytes(kMagic, sizeof kMagic);
  const auto put = [&](const void* data, size_t count) {
    bytes.append(static_cast<const char*>(data), count);
  };
  const int64_t head[2] = {s.step, int64_t(s.parts.size())};
  put(head, sizeof head);
  put(&s.time, sizeof s.time);
  for (auto& [name, part] : s.parts) {
    const std::array<int64_t, 2> sizes{int64_t(name.size()), int64_t(part.size())};
    put(sizes.data(), sizeof sizes);
    put(name.data(), name.size());
    put(part.data(), part.size());
  }
  write_text_file(path, bytes);
}

bool is_snapshot(const std::string& path) {
  File f(path.empty() ? nullptr : std::fopen(path.c_str(), "rb"),
         [](std::FILE* file) { return file ? std::fclose(file) : 0; });
  char magic[sizeof kMagic] = {};
  return f && std::fread(magic, 1, sizeof magic, f.get()) == sizeof magic &&
         std::memcmp(magic, kMagic, sizeof magic) == 0;
}

Snapshot read_snapshot(const std::string& path) {
  File f(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!f) throw Error(std::string("the snapshot cannot be read: ") + std::strerror(errno), path);
  char magic[8];
  read(f.get(), magic, sizeof magic, path);
  if (std::memcmp(magic, kMagic, sizeof magic) != 0)
    throw Error("this is not a snapshot", path, "use a file written by --save-snapshot or --snapshot-every");
  std::fseek(f.get(), 0, SEEK_END);
  const long file_size = std::ftell(f.get());
  std::fseek(f.get(), sizeof magic, SEEK_SET);
  Snapshot s;
  int64_t head[2];
  read(f.get(), head, sizeof head, path);
  read(f.get(), &s.time, sizeof s.time, path);
  if (head[0] < 0 || head[0] > 0x7FFFFFFF || head[1] < 0 || head[1] > 1000)
    throw Error("the snapshot is damaged", path);
  s.step = int(head[0]);
  for (int64_t i = 0; i < head[1]; ++i) {
    std::array<int64_t, 2> sizes{};
    read(f.get(), sizes.data(), sizeof sizes, path);
    if (sizes[0] < 0 || sizes[1] < 0 || sizes[0] > file_size || sizes[1] > file_size)
      throw Error("the snapshot is damaged", path);
    std::string name = std::string(static_cast<size_t>(sizes[0]), ' ');
    std::vector<unsigned char> bytes(static_cast<size_t>(sizes[1]));
    read(f.get(), name.data(), name.size(), path);
    read(f.get(), bytes.data(), bytes.size(), path);
    s.parts.push_back({std::move(name), std::move(bytes)});
  }
  return s;
}

}  // namespace weft

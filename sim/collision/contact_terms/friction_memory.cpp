#include "sim/collision/contact_terms/friction_memory.h"

#include <algorithm>
#include <cstring>

namespace weft {
namespace {
using namespace contact;

constexpr const char* kName = "friction of pairs";
constexpr int kFewestPairs = 256;  // initial capacity, pairs

}  // namespace

FrictionMemory::FrictionMemory(GrowingLists& lists, State& state, int vertices, int points, int planes)
    : device_(lists.device()),
      state_(state),
      vertices_(vertices),
      points_(points),
      count_(device_, kName, 1),
      count_now_(device_, kName, 1),
      pairs_(lists, kName, [this](int n) { give_room(n); }) {
  pairs_.reserve(std::max(kFewestPairs, vertices / 2));
  count_.clear();
  prepare(planes);
  state_.carry(
      kName, [this] { return save(); }, [this](const std::vector<unsigned char>& bytes) { restore(bytes); });
}

FrictionMemory::~FrictionMemory() { state_.forget(kName); }

void FrictionMemory::prepare(int planes) {
  if (planes == plane_count_) return;
  plane_count_ = planes;
  for (auto* b : {&planes_, &planes_now_}) {
    *b = Buffer<vec3>(device_, kName, buffer_size(int64_t(planes) * vertices_, kName));
    b->clear();
  }
  ++moves_;
}

/// Keeps the stored entries.
void FrictionMemory::give_room(int pairs) {
  if (pairs > kept_.size()) {
    Buffer<KeptPair> more(device_, kName, pairs);
    if (!kept_.empty())
      device_.copy(more.span().data, kept_.span().data, size_t(kept_.size()) * sizeof(KeptPair));
    kept_ = std::move(more);
  }
  now_ = Buffer<KeptPair>(device_, kName, pairs);
  ++moves_;
}

Recall FrictionMemory::recall(float dt, Span<const vec3> taken) const {
  return {kept_, count_, planes_, taken, vertices_, dt * dt};
}

void FrictionMemory::keep(const PairList pairs[2], Span<const Term> vertex_triangle,
                          Span<const Term> edge_edge, Span<const int> index, Span<const int> count,
                          float dt) {
  launch(device_, "friction memory", 1, CountKept{count, now_.size(), count_now_, pairs_.wanted()});
  launch_counted(
      device_, "friction memory", count_now_, now_.size(),
      KeepPairs{index, {pairs[0], pairs[1]}, {vertex_triangle, edge_edge}, 1 / (dt * dt), points_, now_});
}

void FrictionMemory::commit() {
  launch_counted(device_, "friction memory", count_now_, now_.size(), CopyKept{now_, kept_});
  device_.copy(count_.span().data, count_now_.span().data, sizeof(int));
  device_.copy(planes_.span().data, planes_now_.span().data, size_t(planes_.size()) * sizeof(vec3));
}

std::vector<unsigned char> FrictionMemory::save() const {
  const std::vector<KeptPair> all = kept_.download();
  const std::vector<vec3> planes = planes_.download();
  const int64_t head = std::clamp(count_.download()[0], 0, kept_.size());
  const size_t pairs = size_t(head) * sizeof(KeptPair), rest = planes.size() * sizeof(vec3);
  std::vector<unsigned char> bytes(sizeof head + pairs + rest);
  std::memcpy(bytes.data(), &head, sizeof head);
  if (pairs) std::memcpy(bytes.data() + sizeof head, all.data(), pairs);
  if (rest) std::memcpy(bytes.data() + sizeof head + pairs, planes.data(), rest);
  return bytes;
}

void FrictionMemory::restore(const std::vector<unsigned char>& bytes) {
  int64_t head = -1;
  const size_t of_plane = size_t(std::max(vertices_, 1)) * sizeof(vec3);
  if (bytes.size() >= sizeof head) std::memcpy(&head, bytes.data(), sizeof head);
  if (head < 0 || head > int64_t((bytes.size() - sizeof head) / sizeof(KeptPair)))
    throw Error("the friction in the snapshot is damaged", "snapshot", "save it again");
  const size_t rest = bytes.size() - sizeof head - size_t(head) * sizeof(KeptPair);
  if (rest % of_plane != 0)
    throw Error("the friction data in the snapshot is for a cloth of a different size", "snapshot",
                "load it with the scene it was made from");
  std::vector<KeptPair> pairs(static_cast<size_t>(head));
  std::vector<vec3> planes(rest / sizeof(vec3));
  const unsigned char* at = bytes.data() + sizeof head;
  std::copy_n(at, pairs.size() * sizeof(KeptPair), reinterpret_cast<unsigned char*>(pairs.data()));
  std::copy_n(at + pairs.size() * sizeof(KeptPair), rest, reinterpret_cast<unsigned char*>(planes.data()));
  prepare(int(rest / of_plane));
  pairs_.reserve(int(pairs.size()));
  if (!pairs.empty()) device_.upload(kept_.span().data, pairs.data(), pairs.size() * sizeof(KeptPair));
  count_.upload({int(pairs.size())});
  if (!planes.empty()) planes_.upload(planes);
}

}  // namespace weft

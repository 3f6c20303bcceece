#include "sim/run/state_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "sim/base/inject.h"

namespace weft {
namespace {

/// Beside its parts: their names and lists, and the memory manager's share.
constexpr size_t kOverhead = 2048;

size_t bytes_of(const Snapshot& state) {
  size_t bytes = kOverhead;
  for (const auto& [name, part] : state.parts) bytes += part.capacity();
  return bytes;
}

constexpr size_t kWord = sizeof(uint32_t);
constexpr size_t kShortest = 4;  // words: a run of zeros that is worth its two numbers

uint32_t word(const std::vector<unsigned char>& bytes, size_t i) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + i * kWord, kWord);
  return value;
}

/// How many words from `i` on are zero.
size_t zeros_from(const std::vector<unsigned char>& bytes, size_t i, size_t end) {
  size_t n = 0;
  while (i + n < end && word(bytes, i + n) == 0) ++n;
  return n;
}

}  // namespace

/// The number of bytes; then, again and again, how many words are 0, how many are not, and those; then what
/// is left of the last word.
std::vector<unsigned char> pack_zeros(const std::vector<unsigned char>& bytes) {
  std::vector<unsigned char> out;
  out.reserve(bytes.size() + 4 * kWord);
  const auto put = [&](const void* data, size_t count) {
    const auto* from = static_cast<const unsigned char*>(data);
    out.insert(out.end(), from, from + count);
  };
  const uint64_t size = bytes.size();
  put(&size, sizeof size);
  const size_t end = bytes.size() / kWord;
  for (size_t i = 0; i < end;) {
    const size_t zeros = zeros_from(bytes, i, end), first = i + zeros;
    size_t last = first;
    while (last < end) {
      const size_t next = zeros_from(bytes, last, std::min(end, last + kShortest));
      if (next >= kShortest || last + next == end) break;
      last += next + 1;
    }
    const uint32_t counts[2] = {uint32_t(zeros), uint32_t(last - first)};
    put(counts, sizeof counts);
    put(bytes.data() + first * kWord, (last - first) * kWord);
    i = last;
  }
  put(bytes.data() + end * kWord, bytes.size() - end * kWord);
  out.shrink_to_fit();
  return out;
}

std::vector<unsigned char> unpack_zeros(const std::vector<unsigned char>& packed) {
  uint64_t size = 0;
  std::memcpy(&size, packed.data(), sizeof size);
  std::vector<unsigned char> out(size, 0);
  size_t from = sizeof size, to = 0;
  while (to + kWord <= size) {
    uint32_t counts[2];
    std::memcpy(counts, packed.data() + from, sizeof counts);
    from += sizeof counts, to += counts[0] * kWord;
    std::copy_n(packed.begin() + long(from), counts[1] * kWord, out.begin() + long(to));
    from += counts[1] * kWord, to += counts[1] * kWord;
  }
  std::copy(packed.begin() + long(from), packed.end(), out.begin() + long(to));
  return out;
}

Snapshot KeptState::snapshot() const {
  Snapshot s{state.step, state.time, {}};
  for (const auto& [name, part] : state.parts) s.parts.emplace_back(name, unpack_zeros(part));
  return s;
}

size_t kept_state_bytes(size_t vertices, size_t carried) {
  return kOverhead + vertices * (2 * sizeof(vec3) + carried);
}

void StateHistory::keep(const State& state, int solver, int collision, size_t commands) {
  if (budget_ == 0) return;
  if (!states_.empty() && states_.back()->state.step == state.step) drop(states_.size() - 1);
  try {
    if (inject("history", state.step)) throw std::bad_alloc();
    auto kept = std::make_unique<KeptState>();
    kept->state = state.save();
    for (auto& [name, part] : kept->state.parts) part = pack_zeros(part);
    kept->solver = solver, kept->collision = collision, kept->commands = commands;
    kept->bytes = bytes_of(kept->state);
    bytes_ += kept->bytes;
    states_.push_back(std::move(kept));
  } catch (const std::bad_alloc&) {
    // half of what is kept makes room for the run itself
    const size_t allowed = bytes_ / 2;
    while (bytes_ > allowed && !states_.empty()) drop(least_missed());
    budget_ = std::max(allowed, kOverhead);
    why_ = fmt::format("The memory of this computer is full at step {}: from here on {:.0f} MB are used.",
                       state.step, double(budget_) * 1e-6);
    return;
  }
  fit();
}

void StateHistory::fit() {
  while ((bytes_ > budget_ || states_.size() > kMostStates) && states_.size() > 1) drop(least_missed());
  if (bytes_ <= budget_) return;
  why_ = fmt::format("One state takes {:.1f} MB, more than the budget of {:.1f} MB: none is kept.",
                     double(bytes_) * 1e-6, double(budget_) * 1e-6);
  states_.clear();
  bytes_ = 0;
}

size_t StateHistory::least_missed() const {
  size_t newer = 0, end = states_.size();
  while (end > 0 && newer + states_[end - 1]->bytes <= budget_ / 2 && states_.size() - end < kMostStates / 2)
    newer += states_[--end]->bytes;
  size_t least = 0;
  int least_zeros = 64;
  for (size_t i = 1; i < std::max<size_t>(end, 1); ++i)
    if (const int zeros = std::countr_zero(unsigned(states_[i]->state.step)); zeros < least_zeros)
      least = i, least_zeros = zeros;
  return least;
}

void StateHistory::drop(size_t index) {
  bytes_ -= states_[index]->bytes;
  states_.erase(states_.begin() + long(index));
}

void StateHistory::set_budget(size_t bytes) {
  if (bytes == budget_) return;
  budget_ = bytes;
  why_ = bytes == 0 ? kNoBudget : "";
  if (bytes == 0) return clear();
  fit();
}

int StateHistory::at_or_before(int step) const {
  const auto after = std::upper_bound(states_.begin(), states_.end(), step,
                                      [](int s, const auto& kept) { return s < kept->state.step; });
  return int(after - states_.begin()) - 1;
}

void StateHistory::cut_after(int index) {
  while (int(states_.size()) > index + 1) drop(states_.size() - 1);
}

void StateHistory::clear() {
  states_.clear();
  bytes_ = 0;
}

}  // namespace weft

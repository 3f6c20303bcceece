#include "sim/run/rewind.h"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

bool sets(const TimedCommand& c) { return std::holds_alternative<SetParam>(c.command); }

/// The last value of every parameter among these, in the order of the last changes.
std::vector<TimedCommand> last_values(const std::vector<TimedCommand>& of) {
  std::vector<TimedCommand> last;
  for (const TimedCommand& c : of) {
    if (!sets(c)) continue;
    const std::string& key = std::get<SetParam>(c.command).key;
    std::erase_if(last, [&](const TimedCommand& o) { return std::get<SetParam>(o.command).key == key; });
    last.push_back(c);
  }
  return last;
}

}  // namespace

std::vector<TimedCommand> Rewind::show(int index, std::vector<TimedCommand> commands, size_t since) {
  if (back())
    changes_.insert(changes_.end(), commands.end() - long(std::min(since, commands.size())), commands.end());
  else line_ = std::move(commands), changes_.clear();
  const KeptState& to = *kept.states()[size_t(index)];
  const bool newest = index + 1 == int(kept.states().size());
  const size_t before = std::min(to.commands, line_.size());
  std::vector<TimedCommand> led(line_.begin(), line_.begin() + long(before));
  std::vector<TimedCommand> later(line_.begin() + long(before), line_.end());
  later.insert(later.end(), changes_.begin(), changes_.end());
  for (TimedCommand& c : last_values(later)) led.push_back({to.state.step, to.state.time, c.command});
  shown_ = newest ? -1 : index;
  return led;
}

void Rewind::go_on(uint64_t next_frame) {
  if (!back()) return;
  branch_step_ = kept.states()[size_t(shown_)]->state.step;
  ++branch_, branch_frame_ = next_frame;
  kept.cut_after(shown_);
  std::erase_if(grabs_, [this](const auto& grab) { return grab.second > branch_step_; });
  shown_ = -1;
  line_.clear(), changes_.clear();
}

void Rewind::clear(const std::string& why, uint64_t next_frame) {
  kept.clear();
  cleared_ = why;
  ++branch_, branch_frame_ = next_frame, branch_step_ = -1;
  grabs_.clear(), line_.clear(), changes_.clear();
  shown_ = -1;
}

int Rewind::step_of_grab(int handle) const {
  const auto found = grabs_.find(handle);
  return found == grabs_.end() ? -1 : found->second;
}

RunTimeline Rewind::timeline(bool changed_since) const {
  RunTimeline t;
  for (const auto& k : kept.states()) t.kept.push_back({k->state.step, k->state.time});
  t.shown = shown_, t.changed = back() && (changed_since || !changes_.empty());
  t.bytes = kept.bytes(), t.budget = kept.budget();
  t.why = kept.why().empty() ? cleared_ : kept.why();
  t.branch = branch_, t.branch_frame = branch_frame_, t.branch_step = branch_step_;
  return t;
}

}  // namespace weft

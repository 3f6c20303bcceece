#include "sim/device/profiler.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace weft {
namespace {
constexpr int kWindow = 100;      // steps over which mean and worst are taken
constexpr int kSampleEvery = 30;  // steps between two that a StageClock measures
using Clock = std::chrono::steady_clock;
}  // namespace

struct Profiler::Node {
  const char* name = "";
  int parent = -1;
  int depth = 0;
  std::vector<int> children;
  Clock::time_point entered;
  double sum = 0;  // of the current step, ms
  int calls = 0;
  double last = 0;
  int last_calls = 0;
  std::array<float, kWindow> history{};
  int filled = 0, next = 0;
};

Profiler::Profiler() {
  nodes_.emplace_back();
  nodes_[0].name = "step";
}
Profiler::~Profiler() = default;

void Profiler::set_clock(StageClock* clock) {
  clock_ = clock;
  sampling_ = pending_ = false;
  steps_ = 0;
}

void Profiler::begin_step() {
  if (pending_) collect_sample();
  current_ = 0;
  launch_count_ = 0;
  played_back_ = false;
  spans_.clear();
  ++number_;
  for (auto& n : nodes_) n.sum = 0, n.calls = 0;
  // The very first step loads kernels and grows buffers, the second is like all that follow.
  sampling_ = enabled && clock_ && !pending_ && steps_++ % kSampleEvery == 1;
  if (sampling_) clock_->begin();
  nodes_[0].entered = Clock::now();
  if (sampling_) sampled_number_ = number_, sampled_begin_ = nodes_[0].entered;
}

void Profiler::collect_sample() {
  marks_.clear();
  if (!clock_->collect(marks_)) return;
  pending_ = false;
  if (marks_.empty()) return;
  for (auto& n : nodes_) n.sum = 0, n.calls = 0;
  for (const StageMark& m : marks_) add(m.node, m.milliseconds);
  publish();
  if (listeners_.empty()) return;
  spans_.clear();
  for (const StageMark& m : marks_)
    spans_.push_back({m.node, nodes_[m.node].name, nodes_[m.node].depth, m.begin, m.begin + m.milliseconds});
  tell_stages(sampled_number_, sampled_begin_, true);
  spans_.clear();
}

void Profiler::tell_stages(long number, StepListener::Time begin, bool on_device) {
  for (StepListener* l : listeners_) l->stages(number, begin, spans_, on_device);
}

void Profiler::add_listener(StepListener* listener) { listeners_.push_back(listener); }
void Profiler::remove_listener(StepListener* listener) { std::erase(listeners_, listener); }

std::string Profiler::path_of(int node) const {
  std::string path;
  for (; node > 0; node = nodes_[node].parent)
    path = path.empty() ? nodes_[node].name : nodes_[node].name + ("/" + path);
  return path;
}

int Profiler::enter(const char* name) {
  int child = -1;
  for (const int c : nodes_[current_].children)
    if (nodes_[c].name == name || std::strcmp(nodes_[c].name, name) == 0) {
      child = c;
      break;
    }
  if (child < 0) {
    child = int(nodes_.size());
    nodes_.emplace_back();
    nodes_[child].name = name;
    nodes_[child].parent = current_;
    nodes_[child].depth = nodes_[current_].depth + 1;
    nodes_[current_].children.push_back(child);
  }
  current_ = child;
  if (clock_) {
    clock_->open_range(name);
    if (sampling_) clock_->enter(child);
  } else {
    nodes_[child].entered = Clock::now();
  }
  return child;
}

void Profiler::leave(int node) {
  auto& n = nodes_[node];
  current_ = n.parent;
  if (clock_) {
    if (sampling_) clock_->leave(node);
    clock_->close_range();
    return;
  }
  const auto now = Clock::now();
  const double spent = std::chrono::duration<double, std::milli>(now - n.entered).count();
  n.sum += spent;
  ++n.calls;
  if (listeners_.empty()) return;
  const auto after_start = [&](Clock::time_point t) {
    return std::chrono::duration<double, std::milli>(t - nodes_[0].entered).count();
  };
  spans_.push_back({node, n.name, n.depth, after_start(n.entered), after_start(now)});
}

void Profiler::add(int node, double milliseconds) {
  nodes_[node].sum += milliseconds;
  ++nodes_[node].calls;
}

void Profiler::end_step() {
  last_played_back_ = played_back_;
  if (!played_back_) last_launches_ = launch_count_;
  current_ = 0;
  const auto now = Clock::now();
  wall_ = std::chrono::duration<double, std::milli>(now - nodes_[0].entered).count();
  const auto tell_end = [&] {
    for (StepListener* l : listeners_) l->step_ended(number_, nodes_[0].entered, now);
  };
  if (clock_) {
    if (sampling_) clock_->end();
    pending_ |= sampling_;
    sampling_ = false;
    return tell_end();
  }
  nodes_[0].sum = wall_;
  nodes_[0].calls = 1;
  publish();
  if (!listeners_.empty()) tell_stages(number_, nodes_[0].entered, false);
  tell_end();
}

/// Makes the sums of one step the latest entry of every node's history.
void Profiler::publish() {
  for (auto& n : nodes_) {
    n.last = n.sum;
    n.last_calls = n.calls;
    n.history[n.next] = float(n.sum);
    n.next = (n.next + 1) % kWindow;
    if (n.filled < kWindow) ++n.filled;
  }
}

int Profiler::launches() const { return last_launches_; }

std::vector<StageTime> Profiler::stages() const {
  std::vector<StageTime> out;
  struct Item {
    int node;
    std::string prefix;
  };
  std::vector<Item> stack{{0, ""}};
  while (!stack.empty()) {
    auto [i, prefix] = stack.back();
    stack.pop_back();
    const Node& n = nodes_[i];
    StageTime t;
    t.name = n.name;
    t.path = prefix + n.name;
    t.depth = n.depth;
    t.now = n.last;
    t.launches = n.last_calls;
    for (int k = 0; k < n.filled; ++k) {
      t.mean += n.history[k];
      t.worst = std::max(t.worst, double(n.history[k]));
    }
    if (n.filled) t.mean /= n.filled;
    out.push_back(t);
    for (auto c = n.children.rbegin(); c != n.children.rend(); ++c) stack.push_back({*c, t.path + "/"});
  }
  return out;
}

}  // namespace weft

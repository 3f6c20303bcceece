#include "sim/device/profiler.h"

#include <array>
#include <cstring>

namespace weft {
namespace {
constexpr int kWindow = 100;  // steps over which mean and worst are taken
using Clock = std::chrono::steady_clock;
}  // namespace

struct Profiler::Node {
  const char* name = "";
  int parent = -1;
  int depth = 0;
  std::vector<int> children;
  Clock::time_point entered;
  double sum = 0;  // of the step under way, ms
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

void Profiler::begin_step() {
  current_ = 0;
  launch_count_ = 0;
  for (auto& n : nodes_) n.sum = 0, n.calls = 0;
  nodes_[0].entered = Clock::now();
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
  nodes_[child].entered = Clock::now();
  return child;
}

void Profiler::leave(int node) {
  auto& n = nodes_[node];
  n.sum += std::chrono::duration<double, std::milli>(Clock::now() - n.entered).count();
  ++n.calls;
  current_ = n.parent;
}

void Profiler::add(int node, double milliseconds) {
  nodes_[node].sum += milliseconds;
  ++nodes_[node].calls;
}

void Profiler::end_step() {
  nodes_[0].sum = std::chrono::duration<double, std::milli>(Clock::now() - nodes_[0].entered).count();
  nodes_[0].calls = 1;
  for (auto& n : nodes_) {
    n.last = n.sum;
    n.last_calls = n.calls;
    n.history[n.next] = float(n.sum);
    n.next = (n.next + 1) % kWindow;
    if (n.filled < kWindow) ++n.filled;
  }
  last_launches_ = launch_count_;
  current_ = 0;
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

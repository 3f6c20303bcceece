#include "tests/safety/tool/states.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "sim/base/error.h"

namespace weft::check {
namespace {

constexpr int kBlock = 8;  // states that a thread takes at once: neighbours share what a cache stores once

/// 1 for the announced vertices of a state and those that share a triangle of the cloth with one: the body
/// may cross that triangle and meet its neighbours.
std::vector<char> marks_of(const Announced& announced, long long step, const Mesh& mesh, size_t vertices) {
  std::vector<char> own(vertices, 0);
  const auto found = announced.find(step);
  if (found == announced.end()) return own;
  for (const int v : found->second)
    if (size_t(v) < vertices) own[size_t(v)] = 1;
  std::vector<char> marks = own;
  for (int t = 0; t < mesh.cloth_triangles; ++t) {
    const ivec3& f = mesh.triangles[size_t(t)];
    if (own[size_t(f.x)] || own[size_t(f.y)] || own[size_t(f.z)])
      for (int k = 0; k < 3; ++k) marks[size_t(f[k])] = 1;
  }
  return marks;
}

void fill_crossings(StateReport& report, const Crossings& found, const Mesh& mesh,
                    const std::vector<dvec3>& x, const std::vector<char>& marks, size_t most) {
  report.crossings.all = found.pairs.size();
  report.without_area = found.without_area.size();
  for (const Crossing& c : found.pairs) {
    report.crossings.with_bodies += c.kind == Kind::body;
    const ivec3& cloth = mesh.triangles[size_t(std::min(c.a, c.b))];  // cloths come first
    report.crossings.announced +=
        c.kind == Kind::body && (marks[size_t(cloth.x)] || marks[size_t(cloth.y)] || marks[size_t(cloth.z)]);
    if (report.first_crossings.size() == most) continue;
    const ivec3& t = mesh.triangles[size_t(c.a)];
    report.first_crossings.push_back({c, (x[size_t(t.x)] + x[size_t(t.y)] + x[size_t(t.z)]) / 3.0});
  }
  report.first_without_area.assign(
      found.without_area.begin(),
      found.without_area.begin() + long(std::min(most, found.without_area.size())));
}

void fill_depth(StateReport& report, const Mesh& mesh, const std::vector<dvec3>& x) {
  std::vector<int> cloth;
  for (const Part& part : mesh.parts)
    for (int v = part.first_vertex; !part.body && v < part.first_vertex + part.vertices; ++v)
      cloth.push_back(v);
  for (const Part& part : mesh.parts) {
    if (!part.body) continue;
    const std::span triangles(mesh.triangles.data() + part.first_triangle, size_t(part.triangles));
    const BodyDepth depth = deepest_inside(x, triangles, cloth);
    if (!depth.closed) report.open_bodies.push_back(part.name.empty() ? "the body" : part.name);
    if (!depth.closed) continue;
    if (!report.depth_known || depth.depth > report.depth.depth)
      report.depth = depth, report.deepest_body = part.name;
    report.depth_known = true;
  }
}

void fill_grains(GrainFaults& report, const Mesh& mesh, const std::vector<dvec3>& x, size_t most) {
  if (!mesh.has_grains()) return;
  report.first_overlaps = find_grain_overlaps(x, mesh.radii());
  report.overlaps = report.first_overlaps.size();
  report.first_overlaps.resize(std::min(most, report.overlaps));
  std::vector<int> grains;
  for (const Part& part : mesh.parts)
    for (int k = 0; part.radius > 0 && k < part.vertices; ++k) grains.push_back(part.first_vertex + k);
  for (const Part& part : mesh.parts) {
    if (!part.full() || part.triangles == 0) continue;
    const BodyDepth depth =
        deepest_inside(x, {mesh.triangles.data() + part.first_triangle, size_t(part.triangles)}, grains);
    if (!depth.closed || depth.inside == 0) continue;
    report.inside += depth.inside;
    if (depth.depth >= report.deepest.depth) report.deepest = depth, report.inside_of = part.name;
  }
}

class Checker {
 public:
  Checker(const Run& run, const Mesh& mesh, int states, const Options& options, const Announced& announced,
          const std::function<void(int, const StateReport&)>& tell)
      : run_(run), mesh_(mesh), states_(states), options_(options), announced_(announced), tell_(tell) {}

  void work() {
    try {
      const auto source = run_.open();
      for (int begin; (begin = next_.fetch_add(kBlock)) < states_ && !failed_;)
        check_block(*source, begin, std::min(begin + kBlock, states_));
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failed_) fault_ = std::current_exception();
      failed_ = true;
    }
  }
  void finish() const {
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  void check_block(FrameSource& source, int begin, int end) {
    RunFrame frame;
    std::vector<dvec3> before, x;
    if (options_.continuous && has_way(source, begin))
      source.read(begin - 1, frame), before = mesh_.positions(frame);
    for (int s = begin; s < end && !failed_; ++s) {
      if (!has_way(source, s)) before.clear();
      source.read(s, frame);
      x = mesh_.positions(frame);
      publish(s, check_state(frame, before, x));
      if (options_.continuous) std::swap(before, x);
    }
  }

  StateReport check_state(const RunFrame& frame, const std::vector<dvec3>& before,
                          const std::vector<dvec3>& x) const try {
    StateReport report;
    report.step = frame.step, report.time = frame.time;
    const size_t most = size_t(options_.pairs);
    const std::vector<char> marks = marks_of(announced_, frame.step, mesh_, x.size());
    fill_crossings(report, find_crossings(x, mesh_.surface()), mesh_, x, marks, most);
    if (!before.empty()) {
      report.way = true;
      report.first_contacts = find_path_contacts(before, x, mesh_.surface());
      report.contacts.all = report.first_contacts.size();
      for (const PathContact& c : report.first_contacts) {
        report.contacts.with_bodies += c.body;
        report.contacts.announced += c.body && std::any_of(c.vertices.begin(), c.vertices.end(),
                                                           [&](int v) { return marks[size_t(v)] != 0; });
      }
      report.first_contacts.resize(std::min(most, report.contacts.all));
    }
    fill_depth(report, mesh_, x);
    fill_grains(report.grains, mesh_, x, most);
    if (options_.gaps) report.gap = smallest_gap(x, mesh_.surface());
    return report;
  } catch (const Error& e) {
    throw Error(e.what_happened, fmt::format("{}, step {}", run_.name, frame.step), e.what_to_do);
  }

  void publish(int state, StateReport report) {
    std::lock_guard lock(mutex_);
    waiting_.emplace(state, std::move(report));
    for (auto it = waiting_.find(told_); it != waiting_.end(); it = waiting_.find(told_)) {
      tell_(told_++, it->second);
      waiting_.erase(it);
    }
  }

  const Run& run_;
  const Mesh& mesh_;
  int states_;
  const Options& options_;
  const Announced& announced_;
  const std::function<void(int, const StateReport&)>& tell_;
  std::atomic<int> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr fault_;
  std::map<int, StateReport> waiting_;  // done, but not all before them
  int told_ = 0;
};

}  // namespace

bool has_way(const FrameSource& source, int state) {
  return state > 0 && source.step(state) > source.step(state - 1);
}

void check_states(const Run& run, const Mesh& mesh, int states, const Options& options,
                  const Announced& announced, const std::function<void(int, const StateReport&)>& tell) {
  Checker checker(run, mesh, states, options, announced, tell);
  const int jobs = options.jobs > 0 ? options.jobs : std::max(1, int(std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (int j = 1; j < std::min(jobs, (states + kBlock - 1) / kBlock); ++j)
    threads.emplace_back([&] { checker.work(); });
  checker.work();
  for (std::thread& t : threads) t.join();
  checker.finish();
}

}  // namespace weft::check

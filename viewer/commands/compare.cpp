#include "viewer/commands/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/dressing/dress.h"
#include "viewer/commands/progress.h"
#include "viewer/commands/run_origin.h"
#include "viewer/commands/standard_output.h"

namespace weft {
namespace {

constexpr size_t kMostLanes = 4;

/// What a lane was apart from the first one over the whole run.
struct Apart {
  double mean_sum = 0, largest = 0;
  long times = 0;
  void take(const RunDifference& d) { mean_sum += d.mean, largest = std::max(largest, d.largest), ++times; }
  double mean() const { return times > 0 ? mean_sum / double(times) : 0; }
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// One row per lane and common time. Columns that a lane does not count are empty in its rows.
class LanesTable {
 public:
  LanesTable(std::string path, const std::string& command, Lockstep& lanes) : path_(std::move(path)) {
    for (size_t i = 0; i < lanes.size(); ++i)
      for (const auto& [name, value] : lanes.lane(i).simulation().stats().all())
        if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    text_ = "# " + origin_text(lanes.lane(0).simulation(), command) +
            "\r\ntime_s,lane,steps,processor_s,wall_s,mean_difference_m,largest_difference_m";
    for (const std::string& name : names_) text_ += "," + (name == "time" ? "state_time" : name);
    text_ += "\r\n";
    write_text_file(path_, text_);  // a path that cannot be written is told before the run
  }
  void add(double time, Lane& lane, const RunDifference& difference) {
    text_ += fmt::format("{:.9g},{},{},{:.6g},{:.6g},{:.6g},{:.6g}", time, quoted(lane.name()), lane.steps(),
                         lane.processor_seconds(), lane.wall_seconds(), difference.mean, difference.largest);
    const auto numbers = lane.simulation().stats().all();
    for (const std::string& name : names_) {
      const auto found =
          std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.first == name; });
      text_ += found != numbers.end() && std::isfinite(found->second) ? fmt::format(",{}", found->second)
                                                                      : std::string(",");
    }
    text_ += "\r\n";
  }
  void write() const {
    write_text_file(path_, text_);
    std::printf("table: %s\n", StandardOutput::name(path_).c_str());
  }

 private:
  std::string path_, text_;
  std::vector<std::string> names_;
};

std::vector<LaneSetup> setups_of(const CompareRequest& request) {
  if (request.lanes.size() < 2 || request.lanes.size() > kMostLanes)
    throw Error(fmt::format("a comparison has two to {} lanes, not {}", kMostLanes, request.lanes.size()),
                "--lane", "write for example --lane solver=newton --lane solver=descent");
  std::vector<LaneSetup> setups;
  for (const LaneSpec& lane : request.lanes) {
    for (const LaneSetup& other : setups)
      if (other.name == lane.name)
        throw Error("two lanes have one name", "lane " + lane.name, "give one another with name=");
    LaneSetup setup{lane.name, lane_scene(request.scene, lane),
                    lane.own_device ? lane.device : request.device, request.threads};
    setup.fixed = own_keys(lane);
    setups.push_back(std::move(setup));
  }
  double longest = 0;
  for (const LaneSetup& s : setups) longest = std::max(longest, double(s.scene.step.dt));
  for (size_t i = 0; i < setups.size(); ++i)
    setups[i].budget =
        lane_budget(request.lanes[i], request.budget, double(setups[i].scene.step.dt), longest);
  return setups;
}

/// Of the mesh that the commands name: the first lane's has to be that of the scene.
void check_commands(const CompareRequest& request) {
  if (request.commands.empty() || request.lanes.front().edge <= 0) return;
  throw Error("recorded input names vertices of the scene's own mesh", "lane " + request.lanes.front().name,
              "give edge to other lanes than the first");
}

void print_lanes(Lockstep& lanes, const std::vector<Apart>& apart, double budget) {
  std::printf(
      "\n| lane | s per simulated s | steps | ended | left (%%) | mean distance (mm) | largest (mm) | "
      "longest "
      "edge |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < lanes.size(); ++i) {
    Lane& lane = lanes.lane(i);
    const double simulated = std::max(1e-9, lanes.simulated());
    std::printf("| %s | %.3f | %ld | %ld | %.3g | %s | %s | %.3f |\n", lane.name().c_str(),
                lane.processor_seconds() / simulated, lane.steps(), lane.ended(), 100 * lane.mean_residual(),
                i == 0 ? "-" : fmt::format("{:.3g}", 1e3 * apart[i].mean()).c_str(),
                i == 0 ? "-" : fmt::format("{:.3g}", 1e3 * apart[i].largest).c_str(),
                double(lane.simulation().stats().max_stretch));
  }
  std::printf(
      "\ns per simulated s: processor time of the steps; ended: steps that a budget ended before they were "
      "solved; left: the error of the steps in the mean, as their solver estimates it, over what gravity "
      "moves "
      "in a step; distances from the first lane at the same time, over the whole run; longest edge: over its "
      "length at rest, at the end\n");
  if (budget > 0)
    std::printf(
        "each lane had %.3g ms for a step of the longest, the reference as long as it takes: contact, bodies "
        "and "
        "block descent are not cut short, and a solver makes some few iterations whatever they take\n",
        1e3 * budget);
  for (size_t i = 0; i < lanes.size(); ++i)
    std::printf("state hash of %s: %016llx\n", lanes.lane(i).name().c_str(),
                static_cast<unsigned long long>(lanes.lane(i).simulation().hash()));
}

/// "1-newton.toml": what a replay of each lane needs. A mesh of its own no recording can name.
std::filesystem::path recording_path(const CompareRequest& request, Lockstep& lanes, size_t lane) {
  std::string name = lanes.lane(lane).name();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return std::filesystem::path(request.hands_folder) / fmt::format("{}-{}.toml", lane + 1, name);
}

/// Makes the folder of recordings. Throws Error if it cannot be made, or if one would replace what is
/// replayed.
void begin_recordings(const CompareRequest& request, Lockstep& lanes) {
  if (request.hands_folder.empty()) return;
  std::error_code fault;
  std::filesystem::create_directories(request.hands_folder, fault);
  if (fault)
    throw Error("the folder cannot be made: " + fault.message(), request.hands_folder, "name another one");
  for (size_t i = 0; i < lanes.size(); ++i)
    for (const std::string& input : {request.hands, request.scene.path}) {
      const auto path = recording_path(request, lanes, i);
      if (!input.empty() && std::filesystem::equivalent(path, input, fault))
        throw Error("it is read by this run, which would replace it", path.string(), "name another folder");
    }
}

void save_recordings(const CompareRequest& request, Lockstep& lanes) {
  if (request.hands_folder.empty()) return;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (request.lanes[i].edge > 0) {
      log_notice("lane {} has a mesh of its own: its input is not recorded", lanes.lane(i).name());
      continue;
    }
    const auto path = recording_path(request, lanes, i);
    write_hands(path.string(), lanes.lane(i).recording());
    std::printf("recorded input of %s: %s\n", lanes.lane(i).name().c_str(), path.string().c_str());
  }
}

}  // namespace

int run_compare(const CompareRequest& request) {
  check_commands(request);
  const InterruptGuard interrupt;
  auto prompt = std::make_unique<PromptEnd>();
  Lockstep lanes(
      setups_of(request),
      [](Scene scene, Device& device) { return open_simulation(std::move(scene), device); },
      request.commands);
  prompt.reset();
  std::unique_ptr<LanesVideo> video;
  if (!request.video.path.empty()) video = make_lanes_video(request.video, request.layout, lanes);
  std::unique_ptr<LanesTable> table;
  if (!request.table.empty()) table = std::make_unique<LanesTable>(request.table, request.command, lanes);
  std::vector<Apart> apart(lanes.size());
  const auto take = [&] {
    for (size_t i = 0; i < lanes.size(); ++i) {
      const RunDifference difference = lanes.difference(i);
      apart[i].take(difference);
      if (table) table->add(lanes.time(), lanes.lane(i), difference);
    }
    if (video) video->state();
  };
  const double seconds = request.seconds > 0 ? request.seconds : double(request.scene.duration);
  bool complete = true;
  const auto close = [&] {
    complete = !video || video->finish();
    if (video && !video->summary().empty()) std::printf("%s\n", video->summary().c_str());
    if (table) table->write();
    print_lanes(lanes, apart, request.budget);
    save_recordings(request, lanes);
  };
  begin_recordings(request, lanes);
  try {
    take();
    Progress progress("comparing", "ms", long(std::lround(1e3 * seconds)), request.quiet);
    while (lanes.simulated() < seconds - 1e-6 && !InterruptGuard::interrupted()) {
      lanes.advance(InterruptGuard::interrupted);
      take();
      progress.update(std::lround(1e3 * lanes.simulated()));
    }
  } catch (const Interrupted&) {
  } catch (const Error&) {  // of one lane: what the others made until then is kept
    close();
    throw;
  }
  close();
  if (InterruptGuard::interrupted()) {
    std::printf("stopped early\n");
    return InterruptGuard::exit_status();
  }
  return complete ? ExitStatus::ok : ExitStatus::error;
}

}  // namespace weft

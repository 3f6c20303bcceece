#include "viewer/bench/bench_scaling.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <thread>

#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/device/buffer.h"
#include "sim/dressing/dress.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/bench/bench_timing.h"
#include "viewer/commands/geometry_files.h"
#include "viewer/commands/progress.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

constexpr int kCountedSteps = 10;

/// One device with the scene on it.
struct Lane {
  std::unique_ptr<Device> device;
  std::unique_ptr<Simulation> simulation;
  std::vector<double> rates;  // steps per second, by run
  double copied = 0;          // bytes per second, see copy_rate
  double rate() const { return median(rates); }
};

/// Size of one step, the same on every device.
struct StepSize {
  double bytes = 0;  // bytes moved by its launches, see Traffic
  int launches = 0;  // in the last step
};

std::vector<std::unique_ptr<Device>> devices(const BenchRequest& request) {
  std::vector<std::unique_ptr<Device>> all;
  if (request.device != DeviceChoice::cuda) {
    const int most =
        request.threads > 0 ? request.threads : std::max(1, int(std::thread::hardware_concurrency()));
    for (int n = 1; n < most; n *= 2) all.push_back(Device::create(DeviceChoice::cpu, n));
    all.push_back(Device::create(DeviceChoice::cpu, most));
  }
  if (request.device == DeviceChoice::cpu) return all;
  std::string why_not;
  auto gpu = Device::create(request.device, 1, &why_not);
  if (gpu->is_cuda()) all.push_back(std::move(gpu));
  else log_notice("no row for a GPU: {}", why_not);
  return all;
}

/// Memory bandwidth of the device, bytes read and written per second: the best of several copies larger than
/// caches.
double copy_rate(Device& device) {
  const size_t bytes = std::min<size_t>(size_t(256) << 20, device.bytes_free() / 8);
  const Buffer<float> from(device, "bandwidth", int(bytes / sizeof(float)));
  Buffer<float> to(device, "bandwidth", from.size());
  double best = 0;
  for (int k = 0; k < 5; ++k) {
    device.synchronize();
    const auto start = BenchClock::now();
    device.run([&] { to.copy_from(from); });
    device.synchronize();
    best = std::max(best, 2.0 * double(from.size()) * sizeof(float) / seconds_since(start));
  }
  return best;
}

/// Makes the first steps on a separate CPU device and counts in the last of them.
StepSize count(const Scene& scene, int steps, const std::function<void()>& stepped) {
  Traffic traffic;
  const auto device = Device::create(DeviceChoice::cpu);
  device->meter(&traffic);
  const auto opened = open_simulation(scene, *device);
  Simulation& simulation = *opened;
  const int counted = std::min(steps, kCountedSteps);
  for (int k = 0; k < steps; ++k) {
    traffic.counting = k >= steps - counted;
    bench_step(simulation);
    stepped();
  }
  return {traffic.bytes() / counted, device->profiler().launches()};
}

/// Runs of one round follow each other at once, in the other order in every second round.
void measure(std::vector<Lane>& lanes, const BenchRequest& request, const std::function<void()>& stepped) {
  for (Lane& lane : lanes)
    for (int k = 0; k < request.warm_up; ++k) bench_step(*lane.simulation), stepped();
  for (int run = 0; run < request.runs; ++run)
    for (size_t n = 0; n < lanes.size(); ++n) {
      Lane& lane = lanes[run % 2 ? lanes.size() - 1 - n : n];
      lane.device->synchronize();
      const auto start = BenchClock::now();
      for (int k = 0; k < request.steps; ++k) bench_step(*lane.simulation), stepped();
      lane.device->synchronize();
      lane.rates.push_back(request.steps / seconds_since(start));
    }
}

/// Against the first lane, round by round: what slows the machine down for a while slows both.
double speed_up(const std::vector<Lane>& lanes, const Lane& lane) {
  std::vector<double> ratios;
  for (size_t k = 0; k < lane.rates.size(); ++k) ratios.push_back(lane.rates[k] / lanes.front().rates[k]);
  return median(ratios);
}

nlohmann::ordered_json to_json(const std::vector<Lane>& lanes, const Lane& lane, const StepSize& size) {
  nlohmann::ordered_json j;
  j["device"] = lane.device->name();
  j["threads"] = lane.device->is_cuda() ? 0 : lane.device->threads();
  j["steps_per_second"] = {{"median", lane.rate()},
                           {"slowest_run", *std::min_element(lane.rates.begin(), lane.rates.end())},
                           {"fastest_run", *std::max_element(lane.rates.begin(), lane.rates.end())}};
  j["ms_per_step"] = 1000 / lane.rate();
  j["speed_up"] = speed_up(lanes, lane);
  j["launches_per_step"] = lane.device->is_cuda() ? lane.device->profiler().launches() : size.launches;
  j["megabytes_per_step"] = 1e-6 * size.bytes;
  j["gigabytes_per_second"] = 1e-9 * size.bytes * lane.rate();
  j["copied_gigabytes_per_second"] = 1e-9 * lane.copied;
  return j;
}

std::string markdown(const nlohmann::ordered_json& all) {
  const auto& facts = all["program"];
  std::string text = fmt::format(
      "Default scene ({} vertices), default iterations, on {} ({}; Weft {}). Medians of {} runs of {} steps, "
      "which took turns, after {} to warm up; speed-up against the "
      "first row is the median of that of each round. Bytes are those of the buffers that the launches of a "
      "step name, once per launch, as {} steps count them; much "
      "of that stays in caches. For comparison: the bandwidth of a copy larger than the caches.\n\n",
      all["vertices"].get<int>(), facts["processor"].get<std::string>(), facts["compiler"].get<std::string>(),
      facts["weft"].get<std::string>(), all["runs"].get<int>(), all["steps_per_run"].get<int>(),
      all["warm_up"].get<int>(), all["counted_steps"].get<int>());
  text +=
      "| device | steps/s | slowest to fastest run | ms per step | speed-up | launches per step | MB per "
      "step | GB/s | a copy, GB/s | of a copy |\n";
  text += "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& r : all["rows"]) {
    const auto& rate = r["steps_per_second"];
    const double named = r["gigabytes_per_second"], copied = r["copied_gigabytes_per_second"];
    text += fmt::format(
        "| {} | {:.1f} | {:.1f} to {:.1f} | {:.2f} | {:.2f} | {} | {:.1f} | {:.2f} | {:.1f} | {:.0f} % |\n",
        r["device"].get<std::string>(), rate["median"].get<double>(), rate["slowest_run"].get<double>(),
        rate["fastest_run"].get<double>(), r["ms_per_step"].get<double>(), r["speed_up"].get<double>(),
        r["launches_per_step"].get<int>(), r["megabytes_per_step"].get<double>(), named, copied,
        100 * named / copied);
  }
  return text;
}

}  // namespace

int run_scaling_bench(const BenchRequest& request) {
  for (const std::string& file : {request.json_file, request.markdown_file})
    if (!file.empty()) check_file(file);
  InterruptGuard interrupt;
  const Scene scene = default_bench_scene(request);
  std::vector<Lane> lanes;
  for (auto& device : devices(request)) lanes.push_back({std::move(device), nullptr, {}, 0});
  StepSize size;
  {
    const long each = request.warm_up + long(request.runs) * request.steps;
    Progress progress("measuring", "steps", each * long(lanes.size()) + request.warm_up, request.quiet);
    long done = 0;
    const auto stepped = [&] { progress.update(++done); };
    for (Lane& lane : lanes)
      lane.copied = copy_rate(*lane.device), lane.simulation = open_simulation(scene, *lane.device);
    size = count(scene, request.warm_up, stepped);
    measure(lanes, request, stepped);
  }
  nlohmann::ordered_json all;
  all["program"] = version_facts();
  all["scene"] = "default";
  all["vertices"] = lanes.front().simulation->model().vertex_count();
  all["runs"] = request.runs;
  all["steps_per_run"] = request.steps;
  all["warm_up"] = request.warm_up;
  all["counted_steps"] = std::min(request.warm_up, kCountedSteps);
  for (const Lane& lane : lanes) all["rows"].push_back(to_json(lanes, lane, size));
  const std::string table = markdown(all);
  std::fputs(table.c_str(), stdout);
  write_bench_files(request, all, table);
  return ExitStatus::ok;
}

}  // namespace weft

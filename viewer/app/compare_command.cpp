#include "sim/base/error.h"
#include "sim/scene/command.h"
#include "sim/scene/text/viewpoint_table.h"
#include "viewer/app/commands.h"
#include "viewer/app/run_command.h"
#include "viewer/commands/compare.h"
#include "viewer/commands/scene_input.h"
#include "viewer/session/light_choice.h"

namespace weft {
namespace {

struct CompareOptions {
  ComputeOptions compute;
  std::string input, hands, layout = lane_layouts().front(), table, command;
  std::vector<std::string> lanes;
  std::string lane_hands;
  double seconds = 0, budget = 0;  // budget: ms
  VideoRequest video;
};

void add_compare(CLI::App& app, CompareOptions& o) {
  add_settings(app, o.compute);
  app.add_option("scene", o.input,
                 "Scene that all lanes run: as 'weft SCENE' takes it; with --hands that of the recording");
  repeated(app, "--lane", o.lanes,
           "What one run has of its own, two to four times: solver=descent,collision=ndb,dt=0.005, any "
           "parameter, preset=lan2024, reference=true (solved to its end, in quarter steps), device=cuda, "
           "edge=0.02 (m, another mesh), name=TEXT. The others are "
           "measured from the first");
  add_plugins_option(app, o.compute.plugins);
  app.add_option("--hands", o.hands, "Recorded user input (TOML) that acts on all of them");
  app.add_option("--seconds", o.seconds, "Simulated time in seconds; default: the scene's duration")
      ->check(PositiveNumber());
  app.add_option("--budget", o.budget,
                 "Milliseconds that each lane has for a step of the longest time step: its solver ends then, "
                 "contact does not, nor block descent. The table says what is left of each. Another run has "
                 "other bits; default: all steps are solved")
      ->check(PositiveNumber());
  app.add_option(
      "--save-hands", o.lane_hands,
      "Folder for a recording of each lane, with the counts at which its budget ended steps: 'weft "
      "replay' repeats them to the bit");
  app.add_option("--table", o.table,
                 "CSV: for each lane and time its steps, processor time, distance from the first lane, and "
                 "the numbers of its state");
  app.add_option("--layout", o.layout,
                 "Picture: split (side by side), wipe (two of them, left and right of the middle), overlay "
                 "(over each other), difference (side by side, coloured by the distance)")
      ->check(CLI::IsMember(lane_layouts()))
      ->capture_default_str();
  add_video_file(app, o.video);
  app.add_flag("--show-timings", o.video.show_timings, "Milliseconds a step beside each lane's name");
}

int compare(const CompareOptions& options) {
  CompareRequest request;
  HandRecording hands;
  if (!options.hands.empty()) hands = read_hands(options.hands);
  const std::string input = options.input.empty() ? scene_of(hands, options.hands) : options.input;
  request.scene = open_scene(input, {});
  if (!options.video.look.viewpoint.empty()) look_from(request.scene, options.video.look.viewpoint);
  add_plugins(request.scene, options.compute.plugins);
  request.video = options.video;
  set_scene_light(request.video.view, request.scene);
  apply_settings(hands.overrides, request.scene, request.video.view);
  apply_settings(split_settings(options.compute.settings), request.scene, request.video.view);
  for (const std::string& lane : options.lanes) request.lanes.push_back(read_lane(lane));
  request.device = options.compute.device, request.threads = options.compute.threads;
  request.quiet = options.compute.quiet;
  request.seconds = options.seconds;
  if (options.seconds <= 0 && hands.steps > 0)
    request.seconds = double(hands.steps) * double(request.scene.step.dt);
  for (const TimedCommand& c : hands.commands)  // the times before resets belong to it
    if (options.seconds <= 0 && std::holds_alternative<ResetState>(c.command)) request.seconds += c.time;
  request.commands = hands.commands, request.hands = options.hands;
  for (size_t i = 0; i < lane_layouts().size(); ++i)
    if (lane_layouts()[i] == options.layout) request.layout = LaneLayout(i);
  request.table = options.table;
  request.budget = 1e-3 * options.budget, request.hands_folder = options.lane_hands;
  request.command = options.command;
  return run_compare(request);
}

}  // namespace

void add_compare_command(CLI::App& app, Choice& choice) {
  CLI::App* command =
      app.add_subcommand("compare", "Several methods on one scene at the same simulated time");
  const auto options = std::make_shared<CompareOptions>();
  add_compare(*command, *options);
  command->callback([&choice, options] {
    choice.quiet = options->compute.quiet;
    choice.run = [&choice, options] {
      options->command = choice.command;
      return compare(*options);
    };
  });
}

}  // namespace weft

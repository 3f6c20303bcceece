#include "viewer/app/run_options.h"

#include <cstdio>
#include <functional>

#include "sim/base/error.h"
#include "sim/files/file_kind.h"
#include "sim/scene/scene_names.h"
#include "viewer/app/shared_options.h"
#include "viewer/commands/scene_input.h"

namespace weft {
namespace {

struct CacheName : CLI::Validator {
  CacheName() {
    name_ = "FILE.weftcache";
    func_ = [](const std::string& text) {
      return file_ending(text) == ".weftcache"
                 ? std::string()
                 : "'" + text + "' should end in .weftcache, by which Weft recognises it";
    };
  }
};

/// WIDTHxHEIGHT.
std::string read_size(const std::string& text, VideoRequest& video) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 ||
      width > 16384 || height > 16384)
    return "'" + text + "' is not a size; write WIDTHxHEIGHT, for example 1920x1080";
  video.width = width;
  video.height = height;
  return {};
}

constexpr const char* kFiles =
    "Files written by a run (later frames of an earlier run in the same folder are removed)";

void add_outputs(CLI::App& app, RunOptions& o) {
  const std::string files = kFiles;
  add_video_file(app, o.video, [&o] { o.window.size_given = true; });
  app.add_flag("--every-step", o.video.every_step, "Make one video frame per time step, whatever its length")
      ->group(files);
  app.add_option("--export", o.files.export_path,
                 "Results for other programs, by extension: .usda, .pc2 (all steps); .gltf, .glb, .obj (the "
                 "last state); a folder for one OBJ per step")
      ->group(files);
  add_usd_rate(app, o.files.usd_rate)->group(files);
  app.add_option("--cache", o.files.cache_file,
                 "All steps in one file (run.weftcache), for 'weft run.weftcache' and 'weft convert'")
      ->group(files)
      ->check(CacheName());
  app.add_option("--states", o.files.states_folder,
                 "Folder for mesh.obj and one step_000123.npy (float32, vertices x 3) per step")
      ->group(files);
  app.add_option("--stats", o.files.stats_file,
                 "JSON file with the numbers of every step; -: standard output")
      ->group(files);
  app.add_option(
         "--csv", o.files.csv_file,
         "Table with one row per step: its numbers, wall time, and the time of every stage (ms); -: standard "
         "output")
      ->group(files);
  app.add_option("--trace", o.files.trace_file,
                 "Chrome trace (JSON) of every stage of every step, for ui.perfetto.dev; on CUDA the stages "
                 "of one step in 30")
      ->group(files);
  app.add_option("--load-snapshot", o.files.load_snapshot, "Start from a saved state")->group(files);
  app.add_option("--save-snapshot", o.files.save_snapshot, "Save the complete final state")->group(files);
  app.add_option("--snapshot-every", o.files.snapshot_every,
                 "Save the complete state after every so many seconds of simulated time too, beside "
                 "--save-snapshot with the number of the step (snapshot_000100.weftsnap without it)")
      ->group(files)
      ->check(PositiveNumber());
}

void add_video(CLI::App& app, RunOptions& o) {
  const std::string video =
      "Contents of the video (GIF: 640x360 at 25 frames/s by default, at most 1280 pixels and 50 frames/s)";
  app.add_option("--turntable", o.video.turntable,
                 "Turn the camera about its target once in this many seconds of video")
      ->group(video)
      ->check(PositiveNumber());
  app.add_option("--caption", o.video.caption, "Text in the lower left corner")->group(video);
  app.add_flag("--show-timings", o.video.show_timings,
               "Simulated time, steps/s, ms per step, solver and vertices in the upper left corner; of a "
               "recorded run its time and vertices")
      ->group(video);
  app.add_flag("--transparent", o.video.transparent,
               "Cloth and bodies alone, with an alpha channel: out.mov (ProRes 4444), out.webm (VP9) or a "
               "folder of PNG files; in the window its screenshots too")
      ->group(video);
  app.add_option("--motion-blur", o.video.blur.states,
                 "States averaged into a frame, in linear light; at most the number of steps while the "
                 "shutter is open")
      ->group(video)
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--shutter", o.video.blur.shutter,
                 "Time the shutter is open, in degrees; 360 is a whole frame")
      ->group(video)
      ->check(CLI::Range(1.0, 360.0))
      ->capture_default_str();
}

void add_run(CLI::App& app, RunOptions& o) {
  app.add_option("--frames", o.frames, "Time steps to make")->check(CLI::Range(1, 100000000));
  app.add_option("--seconds", o.seconds, "Simulated time in seconds instead; default: the scene's duration")
      ->check(PositiveNumber());
  app.add_flag(
      "--verdict", o.check.crossings,
      "Tests each state for cloth that crosses itself or a body; says the count and the first step, and "
      "exit status 3 if there is one. Its cost is the stage 'verdict' of --csv and --stats");
  app.add_flag("--check", o.check.ends, "Exit status 3 if the scene's end conditions are not met");
  add_plugins_option(app, o.compute.plugins);
  const std::string meshes = "OBJ files named here (a scene file has the keys scale and up for each mesh)";
  repeated(app, "--obstacle", o.obstacles, "OBJ that the cloth collides with. May be given several times")
      ->group(meshes);
  const auto scale = CLI::Range(1e-6, 1e6);
  app.add_option("--cloth-scale", o.units.cloth_scale,
                 "Metres per unit of the cloth's file: 0.01 for centimetres (--scale is the size of the "
                 "window's text)")
      ->group(meshes)
      ->check(scale)
      ->type_name("FACTOR");
  app.add_option("--obstacle-scale", o.units.body_scale, "The same for the --obstacle files")
      ->group(meshes)
      ->check(scale)
      ->type_name("FACTOR");
  app.add_option("--up", o.units.up, "The axis that points up in the files, cloth and bodies: y or z")
      ->group(meshes)
      ->check(CLI::IsMember(up_axes()))
      ->capture_default_str();
  app.add_option("--rest", o.changes.rest,
                 "OBJ of the same vertices and faces whose shape is the cloth's rest shape")
      ->group(meshes);
  app.add_option("--start", o.changes.start,
                 "State to start from: a pose (OBJ of the same vertices), a run (.weftcache, folder of "
                 "--states, .pc2, .usda; run.weftcache#120 is step 120 of it, else its last), or a snapshot, "
                 "which goes on with the same bits")
      ->group(meshes);
  app.add_option("--weld", o.changes.weld,
                 "Join boundary edges of OBJ files that are within this distance (0.1mm); automatic: "
                 "coincident ones only; never: none")
      ->group(meshes)
      ->each([](const std::string& text) {
        float ignored = 0;
        if (const std::string fault = parse_weld(text, ignored); !fault.empty())
          throw CLI::ValidationError("--weld", fault);
      });
}

}  // namespace

void add_video_file(CLI::App& app, VideoRequest& video, const std::function<void()>& sized) {
  app.add_option("--record", video.path,
                 "Video (out.mp4, out.webm), animation (out.gif), numbered PNG files (a folder: out/), or a "
                 "picture of the last state (out.png)")
      ->group(kFiles);
  app.add_option("--size", "Size of the video or the window, WIDTHxHEIGHT")
      ->group(kFiles)
      ->each([&video, sized](const std::string& text) {
        if (const std::string fault = read_size(text, video); !fault.empty())
          throw CLI::ValidationError("--size", fault);
        if (sized) sized();
      });
  app.add_option("--fps", video.fps,
                 "Frames per second of the video; default: the largest rate below 60 (GIF: about 25) at "
                 "which all frames last equally many steps")
      ->group(kFiles)
      ->check(CLI::Range(1.0, 1000.0))
      ->each([&video](const std::string&) { video.fps_given = true; });
  app.add_option("--speed", video.speed, "Simulated seconds per second of video; 0.1 is slow motion")
      ->group(kFiles)
      ->check(PositiveNumber())
      ->capture_default_str();
  app.add_option("--viewpoint", video.look.viewpoint, "Camera of the scene by its name ([[viewpoint]])")
      ->group(kFiles);
  app.add_option("--supersample", video.look.supersample,
                 "Draws pictures so many times as wide and high, and averages: smoother edges and weaves")
      ->group(kFiles)
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  app.add_option("--crf", video.crf, "Quality of the video: 0 lossless, 18 fine, 30 coarse")
      ->group(kFiles)
      ->check(CLI::Range(0, 51))
      ->capture_default_str();
}

void add_plugins_option(CLI::App& app, std::vector<std::string>& plugins) {
  repeated(app, "--plugin", plugins,
           "Shared library with an energy or a filter of positions (docs/plugins.md), which runs as part of "
           "the program; its parameters are plugin.NAME.KEY. May be given several times");
}

void add_settings(CLI::App& app, ComputeOptions& o) {
  add_compute(app, o.device, o.threads, o.quiet, "simulate", "CPU threads of the simulator; 0: all");
  repeated(app, "--set", o.settings,
           "Parameter as key=value; 'weft params' lists all, and obstacle.NAME.KEY=value is a key of that "
           "body in the "
           "scene file. May be given several times");
  // after --set, whose values it comes before
  app.add_option_function<std::string>(
      "--preset",
      [&o](const std::string& name) {
        try {
          std::vector<std::string> texts;
          for (const auto& [key, value] : paper_preset(name).settings) texts.push_back(key + "=" + value);
          o.settings.insert(o.settings.begin(), texts.begin(), texts.end());
        } catch (const Error& e) {
          throw CLI::ValidationError("--preset", e.what());
        }
      },
      "Settings of a paper as published: lan2024, tang2018, wang2021, wang2023 or wu2020; --set changes them "
      "further");
}

void add_run_options(CLI::App& app, RunOptions& o) {
  add_settings(app, o.compute);
  add_run(app, o);
  add_outputs(app, o);
  add_video(app, o);
}

void add_window_options(CLI::App& app, RunOptions& o) {
  const std::string window = "Window";
  app.add_flag("--paused", o.window.paused, "Start paused")->group(window);
  app.add_flag("--fresh", o.window.fresh, "Neither load nor save the panel layout")->group(window);
  app.add_flag("--panels", o.window.panels, "Show the panels in the video of the window")->group(window);
  app.add_option("--scale", o.window.scale,
                 "Size of text and widgets; 0: chosen from the display (--cloth-scale is the size of a mesh)")
      ->group(window)
      ->check(CLI::Range(0.0, 8.0));
  app.add_option("--test-report", o.window.test_report)->group("");
}

void check_run_options(const RunOptions& options) {
  if (options.headless && options.window.panels)
    throw CLI::ValidationError("--panels", "panels are part of the window; leave out --headless");
  if (options.headless && options.window.scale != 0)
    throw CLI::ValidationError("--scale",
                               "it is the size of the window's text, and --headless opens no window; "
                               "--cloth-scale and --obstacle-scale scale meshes");
  if (options.vertices > 0 && !options.input.empty())
    throw CLI::ValidationError("--vertices", "it is of the default scene; a scene file says its own");
  if (options.frames > 0 && options.seconds > 0)
    throw CLI::ValidationError("--frames", "give either --frames or --seconds");
  if (options.video.blur.states > 1 && options.video.every_step)
    throw CLI::ValidationError("--motion-blur",
                               "--every-step leaves no states between two frames; leave out one of the two");
}

std::vector<std::pair<std::string, std::string>> split_settings(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& text : texts) settings.push_back(split_setting(text));
  return settings;
}

}  // namespace weft

#include "viewer/app/command_options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/base/error.h"
#include "sim/base/length.h"
#include "sim/files/file_kind.h"
#include "sim/scene/model/body_clips.h"
#include "sim/scene/scene_names.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/bench/paper_bench.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

constexpr const char* kFooter = R"(
Without a display, `weft` records weft-demo.mp4 (10 s, 1280x720).
Exit status: 0 all is well; 1 an error, told in words; 2 arguments that make no sense;
3 end conditions not met (with --check); 130 stopped by Ctrl-C, files closed properly.
Examples:
  weft drape_table                                      a scene that ships with the program
  weft shirt.obj --obstacle body.obj                    any mesh as cloth
  weft shirt.obj --cloth-scale 0.01 --up z              the same in centimetres, with z up
  weft scene.toml --headless --frames 300 --states out/ --set fabric.bending_rigidity=5e-5
  weft replay hands.toml --record again.mp4             what a person did, again
  weft drape_table --headless --cache run.weftcache     then: weft run.weftcache
  weft convert run.weftcache run.usda --from 100        for Houdini, Blender, usdview
  weft remesh shirt.obj --edge 5mm -o even.obj          edges of nearly equal length
  weft pattern shirt.json -o shirt.obj --svg shirt.svg  a sewing pattern as mesh and drawing
  weft dress shirt.json -o shirt.obj     sewn and put on the mannequin
  weft wrinkle run.weftcache -o fine.weftcache --cell 1mm
                                                        fine wrinkles on a coarse run
  weft repair start.obj frames/*.obj -o out/            takes crossings out of an animation)";

struct PositiveNumber : CLI::Validator {
  PositiveNumber() {
    name_ = "POSITIVE";
    func_ = [](const std::string& text) {
      double value = 0;
      if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value) || !(value > 0))
        return "'" + text + "' is not a number above 0";
      return std::string();
    };
  }
};

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
std::string read_size(const std::string& text, CommandOptions& options) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 ||
      width > 16384 || height > 16384)
    return "'" + text + "' is not a size; write WIDTHxHEIGHT, for example 1920x1080";
  options.width = width;
  options.height = height;
  options.size_given = true;
  return {};
}

template <class T>
CLI::Option* repeated(CLI::App& app, const std::string& name, std::vector<T>& to, const std::string& help) {
  return app.add_option(name, to, help)->expected(1)->take_all()->allow_extra_args(false);
}

void add_device(CLI::App& app, CommandOptions& o) {
  app.add_option("--device", o.device, "Where to simulate: auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "CPU threads of the simulator; 0: all")->check(CLI::Range(0, 1024));
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
  app.add_flag("--quiet", o.quiet, "Print only results and errors, no progress");
}

void add_outputs(CLI::App& app, CommandOptions& o) {
  const std::string files =
      "Files written by a run (later frames of an earlier run in the same folder are removed)";
  app.add_option("--record", o.record,
                 "Video (out.mp4, out.webm), animation (out.gif), or numbered PNG files (a folder: out/)")
      ->group(files);
  app.add_option("--size", "Size of the video or the window, WIDTHxHEIGHT")
      ->group(files)
      ->each([&o](const std::string& text) {
        if (const std::string fault = read_size(text, o); !fault.empty())
          throw CLI::ValidationError("--size", fault);
      });
  app.add_option("--fps", o.fps,
                 "Frames per second of the video; default: the largest rate below 60 (GIF: about 25) at "
                 "which all frames last equally many steps")
      ->group(files)
      ->check(CLI::Range(1.0, 1000.0))
      ->each([&o](const std::string&) { o.fps_given = true; });
  app.add_option("--speed", o.speed, "Simulated seconds per second of video; 0.1 is slow motion")
      ->group(files)
      ->check(PositiveNumber())
      ->capture_default_str();
  app.add_flag("--every-step", o.every_step, "Make one video frame per time step, whatever its length")
      ->group(files);
  app.add_option("--crf", o.crf, "Quality of the video: 0 lossless, 18 fine, 30 coarse")
      ->group(files)
      ->check(CLI::Range(0, 51))
      ->capture_default_str();
  app.add_option("--export", o.files.export_path,
                 "Results for other programs, by extension: .usda, .pc2 (all steps); .gltf, .glb, .obj (the "
                 "last state); a folder for one OBJ per step")
      ->group(files);
  app.add_option("--cache", o.files.cache_file,
                 "All steps in one file (run.weftcache), for 'weft run.weftcache' and 'weft convert'")
      ->group(files)
      ->check(CacheName());
  app.add_option("--states", o.files.states_folder,
                 "Folder for mesh.obj and one step_000123.npy (float32, vertices x 3) per step")
      ->group(files);
  app.add_option("--stats", o.files.stats_file, "JSON file with the numbers of every step")->group(files);
  app.add_option("--csv", o.files.csv_file,
                 "Table with one row per step: its numbers, wall time, and the time of every stage (ms)")
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

void add_video(CLI::App& app, CommandOptions& o) {
  const std::string video =
      "Contents of the video (GIF: 640x360 at 25 frames/s by default, at most 1280 pixels and 50 frames/s)";
  app.add_option("--turntable", o.turntable,
                 "Turn the camera about its target once in this many seconds of video")
      ->group(video)
      ->check(PositiveNumber());
  app.add_option("--caption", o.caption, "Text in the lower left corner")->group(video);
  app.add_flag("--show-timings", o.show_timings,
               "Simulated time, steps/s, ms per step, solver and vertices in the upper left corner; of a "
               "recorded run its time and vertices")
      ->group(video);
  app.add_option("--motion-blur", o.motion_blur,
                 "States averaged into a frame, in linear light; at most the number of steps while the "
                 "shutter is open")
      ->group(video)
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--shutter", o.shutter, "Time the shutter is open, in degrees; 360 is a whole frame")
      ->group(video)
      ->check(CLI::Range(1.0, 360.0))
      ->capture_default_str();
}

void add_run(CLI::App& app, CommandOptions& o) {
  app.add_option("--frames", o.frames, "Time steps to make")->check(CLI::Range(1, 100000000));
  app.add_option("--seconds", o.seconds, "Simulated time in seconds instead; default: the scene's duration")
      ->check(PositiveNumber());
  app.add_flag("--check", o.check, "Exit status 3 if the scene's end conditions are not met");
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

void add_window(CLI::App& app, CommandOptions& o) {
  const std::string window = "Window";
  app.add_flag("--paused", o.paused, "Start paused")->group(window);
  app.add_flag("--fresh", o.fresh, "Neither load nor save the panel layout")->group(window);
  app.add_flag("--panels", o.panels, "Show the panels in the video of the window")->group(window);
  app.add_option("--scale", o.scale,
                 "Size of text and widgets; 0: chosen from the display (--cloth-scale is the size of a mesh)")
      ->group(window)
      ->check(CLI::Range(0.0, 8.0));
  app.add_option("--test-report", o.test_report)->group("");
}

void add_remesh(CLI::App& app, CommandOptions& o) {
  app.add_option("in", o.remesh_from,
                 "OBJ in metres: a surface (flat pieces are sampled as patterns), or closed lines (l "
                 "statements) around a flat pattern and its holes")
      ->required();
  app.add_option("--edge",
                 "Target edge length with unit: 4.2mm, 0.42cm, 0.0042m; default: the mean of the input")
      ->each([&o](const std::string& text) {
        if (const std::string fault = read_length(text, o.remesh_edge); !fault.empty())
          throw CLI::ValidationError(fault);
      })
      ->type_name("LENGTH");
  auto* out =
      app.add_option("-o,--out", o.remesh_to, "OBJ to write; may be the input, which is then replaced");
  app.add_flag("--ratio", o.remesh_report, "Only report how even the edges are")->excludes(out);
  app.add_option("--corner-angle", o.corner_angle,
                 "Boundary corners sharper than this angle (degrees) stay in place")
      ->check(CLI::Range(1.0, 179.0))
      ->capture_default_str();
  app.add_option("--seed", o.remesh_seed,
                 "Of the samples in flat patterns; the same seed gives the same mesh")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  app.add_flag("--quiet", o.quiet, "Print only results and errors, no progress");
  app.footer(
      "The ratio is the shortest over the longest edge: 0.6 or more suits vertex repulsion. Texture "
      "coordinates without seams are carried over.\n"
      "Examples:\n  weft remesh shirt.obj --ratio\n  weft remesh shirt.obj --edge 5mm -o even.obj\n  weft "
      "remesh pattern_lines.obj --edge 4.2mm -o pattern.obj");
}

CLI::Option* add_length(CLI::App& app, const std::string& name, double& metres, const std::string& help,
                        bool may_be_negative = false) {
  return app.add_option(name, help)
      ->type_name("LENGTH")
      ->each([&metres, may_be_negative](const std::string& text) {
        if (const std::string fault = read_length(text, metres, may_be_negative); !fault.empty())
          throw CLI::ValidationError(fault);
      });
}

void add_processing_device(CLI::App& app, CommandOptions& o) {
  app.add_option("--device", o.device, "Where to compute: auto, cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", o.threads, "CPU threads; 0: all")->check(CLI::Range(0, 1024));
  app.add_flag("--quiet", o.quiet, "Print only results and errors, no progress");
}

void add_repair(CLI::App& app, CommandOptions& o) {
  app.add_option(
         "start", o.process_from,
         "OBJ in metres that is free of crossings: the path begins here. Alone: its groups are layers, "
         "the first next to the body, and are lifted over each other where they cross")
      ->required();
  app.add_option("frames", o.repair_frames,
                 "OBJ files with the same faces, in this order; or a folder or pattern (frame_####.obj), "
                 "sorted by number");
  app.add_option("-o,--out", o.process_to, "Folder for the repaired frames, under their own names")
      ->required();
  add_length(app, "--distance", o.layer_distance,
             "Distance kept between layers, with unit: 0.5mm; default 1mm, and at most 0.4 of the mean edge");
  app.add_option("--steps", o.repair_steps, "Forward steps per frame, at most")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  repeated(app, "--obstacle", o.obstacles,
           "OBJ of a closed body that must not be crossed either. May be given several times");
  add_processing_device(app, o);
  app.footer(
      "The start is moved from frame to frame; each frame is a target, reached where no layer is in the way. "
      "Prints for each the distance of its vertices\n"
      "from their targets. A layer that passes through another in a frame stays on its side: its vertices "
      "end no further from their\n"
      "targets than layers pass through each other in it, plus twice --distance (measured; more in tangles, "
      "with too few --steps, and\n"
      "where parts turn by half a circle from frame to frame). Several meshes: one file with all.\n"
      "Examples:\n  weft repair rest.obj frames/*.obj -o out/ --distance 0.5mm --obstacle body.obj\n"
      "  weft repair outfit.obj -o out/ --obstacle body.obj     layers that cross, without a clean pose");
}

void add_flow(CLI::App& app, CommandOptions& o) {
  app.add_option("in", o.process_from, "OBJ in metres, free of crossings")->required();
  add_length(app, "--distance", o.flow_distance,
             "How far the surface moves along its normals, with unit: 5mm; negative: against them (inwards)",
             true)
      ->required();
  app.add_option("-o,--out", o.process_to, "OBJ to write")->required();
  app.add_option("--steps", o.flow_steps, "Steps of the flow; default: a quarter of the mean edge each")
      ->check(CLI::Range(1, 1000000));
  add_length(app, "--gap", o.layer_distance,
             "Distance kept between parts that meet; default 1mm, and at most 0.4 of the mean edge");
  add_processing_device(app, o);
  app.footer(
      "Parts that meet on their way press against each other and never cross. Each step smooths the surface, "
      "as far as it moves.\n"
      "Examples:\n  weft flow body.obj --distance 5mm -o thicker.obj\n  weft flow body.obj --distance -5mm "
      "-o thinner.obj");
}

void add_pattern(CLI::App& app, CommandOptions& o) {
  app.add_option("in", o.pattern_from, "Sewing pattern: .json (GarmentCode) or .dxf (AAMA, ASTM D6673)")
      ->required();
  app.add_option("-o,--out", o.pattern_to,
                 "Ends in .obj (the garment as one mesh, with the pattern as texture coordinates in metres), "
                 ".svg (a drawing) or .json (GarmentCode)");
  app.add_option("--svg", o.pattern_drawing, "Drawing of the panels with their seams, besides");
  add_length(app, "--edge", o.pattern_edge,
             "Edge length of the mesh with unit: 15mm; default: that of the pattern");
  add_length(app, "--unit", o.pattern_unit,
             "Length of one unit of a DXF file: 1mm; default: as the file says");
  app.add_option("--size", o.pattern_choice.size,
                 "Size of a graded DXF file: 42; default: its base size, else the middle one")
      ->type_name("NAME");
  app.add_flag("--propose-seams", o.pattern_choice.propose_seams,
               "Print edges of equal length, divided alike by notches, that could be sewn on each other, and "
               "write them as seams");
  app.add_flag("--sewn", o.pattern_choice.sewn,
               "Seams drawn together along a path without crossings, instead of panels as they are placed");
  repeated(app, "--obstacle", o.obstacles,
           "OBJ of a closed body around which the garment is sewn. May be given several times");
  add_processing_device(app, o);
  app.footer(
      "Panels are welded along their seams, as many vertices on each side: one mesh. Sewn garments have no "
      "weight yet: simulate them.\n"
      "Examples:\n  weft pattern shirt.json -o shirt.obj --svg shirt.svg\n  weft pattern pieces.dxf --unit "
      "1mm -o pieces.json\n  weft pattern graded.dxf --size 42 --propose-seams -o pieces.json");
}

/// An option for each parameter of wrinkle synthesis, with units where they are lengths.
void add_wrinkle_params(CLI::App& app, CommandOptions& o) {
  ParamTable params;
  params.add("wrinkle", o.wrinkle_defaults);
  for (const ParamRef& ref : params.refs()) {
    std::string name = ref.info().key;
    std::replace(name.begin(), name.end(), '_', '-');
    const bool length = ref.info().unit == "m";
    app.add_option("--" + name, ref.info().help)
        ->type_name((length ? "LENGTH in " : "") + ref.range_text())
        ->default_str(ref.default_text())
        ->group(ref.info().advanced ? "Solver" : "Wrinkles")
        ->each([ref, length, &o](const std::string& text) {
          double metres = 0;
          const bool with_unit = length && text != "0";
          if (with_unit)
            if (const std::string fault = read_length(text, metres); !fault.empty())
              throw CLI::ValidationError(fault);
          try {
            with_unit ? ref.set_number(metres) : ref.set_text(text);
          } catch (const Error& e) {
            throw CLI::ValidationError(e.what_happened);
          }
          o.wrinkle_overrides.push_back({ref.info().key, ref.text()});
        });
  }
}

void add_wrinkle(CLI::App& app, CommandOptions& o) {
  app.add_option("in", o.wrinkle_from,
                 "Coarse run: a .weftcache, a folder of --states, an OBJ sequence with texture coordinates, "
                 "or a .pc2 with its .obj")
      ->required();
  app.add_option("-o,--out", o.wrinkle_to,
                 "Ends in .weftcache, .usda, .pc2 (all frames); .gltf, .glb, .obj (one frame); or a folder "
                 "for one OBJ per frame")
      ->required();
  app.add_option("--settings", o.wrinkle_settings,
                 "TOML file with a table [wrinkle] of the parameters below and tables [[gather]]");
  app.add_option("--fabric", o.wrinkle_fabric,
                 "Fabric of the wrinkles; default: that of the run's scene, else cotton");
  const auto frame_number = CLI::Range(0, 100000000);
  app.add_option("--every", o.wrinkle_every, "Every n-th frame of the run")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--from", o.first_frame, "First frame, counted from 0")->check(frame_number);
  app.add_option("--to", o.last_frame, "Last frame")->check(frame_number);
  app.add_option(
         "--reference", o.wrinkle_reference,
         "Synthesise this frame alone and put its wrinkles on all others: faster, without wrinkles of motion")
      ->check(frame_number);
  app.add_option(
      "--normal-map", o.wrinkle_map,
      "PNG of the fine normals in the coarse mesh's tangent space; with several frames one each, numbered");
  app.add_flag(
      "--guard", o.wrinkle_guard,
      "Move each frame from the coarse surface towards its wrinkles as far as no layers of a cloth meet "
      "(Wang 2023): no crossings within a cloth where its surface has none before its wrinkles. Up to "
      "250,000 "
      "vertices a cloth");
  app.add_option("--map-size", o.wrinkle_map_size, "Texels along the longer side of the normal map")
      ->check(CLI::Range(2, 16384))
      ->capture_default_str();
  app.add_option(
         "--input-fps", o.input_fps,
         "Frames per second of an input without a rate; default: 100 for --states, 24 for OBJ and PC2")
      ->check(PositiveNumber());
  add_processing_device(app, o);
  add_wrinkle_params(app, o);
  app.footer(
      "Each cloth is laid out on a grid in its material, wrinkles by the elasticity of its fabric, and is "
      "written with the grid's vertices. No freedom from\n"
      "crossings is promised; for each frame the output says whether distances of vertices exclude them.\n"
      "Example:\n  weft wrinkle run.weftcache -o fine.weftcache --cell 0.5mm --every 3 --settings "
      "gathers.toml");
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// --height, --bust ... of the mannequin; with `still` those of its shape alone, and its edge length as
/// --body-edge.
void add_measures(CLI::App& app, CommandOptions& o, bool still) {
  ParamTable params;
  params.add("mannequin", o.mannequin);
  for (const ParamRef& ref : params.refs()) {
    std::string name = ref.info().key;
    std::replace(name.begin(), name.end(), '_', '-');
    if (still && (name == "lead-in" || name == "blend" || name == "speed")) continue;
    if (still && name == "edge") name = "body-edge";
    app.add_option("--" + name, ref.info().help)
        ->type_name("FLOAT in " + ref.range_text())
        ->default_str(ref.default_text())
        ->each([ref](const std::string& text) {
          try {
            ref.set_text(text);
          } catch (const Error& e) {
            throw CLI::ValidationError(e.what_happened);
          }
        });
  }
}

void add_dress(CLI::App& app, CommandOptions& o) {
  app.add_option("in", o.dress_from, "Sewing pattern (.json, .dxf), or a scene (.toml) with garments")
      ->required();
  app.add_option("-o,--out", o.dress_to,
                 "OBJ of the garment as it is worn, with its pattern as texture coordinates (m)")
      ->required();
  repeated(app, "--body", o.dress_bodies,
           "\"mannequin\" (the default), or an OBJ of a body. May be given several times");
  add_length(app, "--edge", o.dress_edge,
             "Edge length of the mesh with unit: 15mm; default: that of the pattern");
  add_length(app, "--finer", o.dress_finer,
             "Edge length of the result, where it is dressed with longer edges: 5mm; default: the same");
  add_measures(app, o, true);
  repeated(app, "--set", o.dress_changes, "key=value: a parameter of the dressing (sewing.tension=60)");
  app.add_option("--states", o.dress_run, "All states of the dressing: run.weftcache, or a folder");
  add_processing_device(app, o);
  app.footer(
      "Panels start around a thin body, joined along their seams. The seams close while the body grows; then "
      "the "
      "garment hangs. It never crosses itself or the body. What was dressed before is taken from "
      "~/.cache/weft.\nExamples:\n  weft dress shirt.json --body body.obj -o shirt.obj\n  weft dress "
      "skirt.json "
      "--waist 0.72 --set sewing.settle=2 -o skirt.obj\nIn a scene: [[cloth]] file = \"shirt.obj\", rest = "
      "\"texture\"; or [[garment]] start = \"dressed\".");
}

void add_mannequin(CLI::App& app, CommandOptions& o) {
  app.add_option("-o,--out", o.mannequin_to,
                 "File to write: .glb or .gltf with skeleton and skin weights, or .obj")
      ->required();
  add_measures(app, o, false);
  repeated(app, "--clip", o.mannequin_clips,
           "Clip of assets/mannequin (walk): an animation in glTF, a pose in OBJ. May be given several times")
      ->check([](const std::string& name) {  // asked late: other commands need no assets
        const std::vector<std::string> names = clip_names();
        return std::find(names.begin(), names.end(), name) != names.end() ? std::string()
                                                                          : "clips are " + joined(names);
      });
  app.add_option("--time", o.mannequin_time, "Time of the pose in an .obj (s)")->check(CLI::Range(0.0, 1e6));
  app.footer([] {
    return "Lengths are in metres. Clips: " + joined(clip_names()) +
           ".\nExamples:\n  weft mannequin -o body.glb --clip walk --clip turn\n  weft mannequin --bust 0.94 "
           "--hips 1.02 -o body.obj";
  });
}

std::vector<std::string> bench_names() {
  std::vector<std::string> names = paper_bench_names();
  names.push_back("wang2021");
  names.push_back("error");
  return names;
}

void add_bench(CLI::App& app, CommandOptions& o) {
  add_device(app, o);
  CLI::Option* const what =
      app.add_option("what", o.bench_what,
                     "wu2020, wang2023, tang2018, lan2024: the complete scenes of that paper, beside its "
                     "figures; wang2021: a "
                     "square's step by every descent, and the cost of an iteration; error: the error of one "
                     "step against its time, for each solver at several efforts, in cloth that hangs, folds, "
                     "is dragged and lies on a table, or in the scenes of --scene; default: the "
                     "default scene, and a hanging cloth of three sizes")
          ->check(CLI::IsMember(bench_names()));
  CLI::Option* const window = app.add_flag(
      "--window", o.bench_window,
      "Measure frames per second of the window while a step takes half a second; needs a display");
  app.add_flag("--scaling", o.bench_scaling,
               "Measure the default scene with 1, 2, 4 ... --threads threads and on the GPU: speed-up, and "
               "bytes per step against memory bandwidth")
      ->excludes(what)
      ->excludes(window);
  app.add_option("--json", o.bench_json, "Results as JSON");
  app.add_option("--markdown", o.bench_markdown, "Results as a Markdown table");
  repeated(app, "--vertices", o.bench_vertices,
           "Only the hanging cloth, of about this many vertices; may be given several times. With --scaling: "
           "of the default scene's cloth; for error: of each cloth")
      ->check(CLI::Range(100, 10000000));
  app.add_option("--runs", o.bench_runs, "Timed runs; the median is reported")->check(CLI::Range(1, 1000));
  app.add_option("--steps", o.bench_steps, "Steps per run; for a paper's scenes, the maximum of each")
      ->check(CLI::Range(1, 100000));
  const std::string papers = "Scenes of a paper";
  app.add_flag("--small", o.bench_small, "Scenes of 2,000 to 4,000 vertices instead of the paper's sizes")
      ->group(papers);
  repeated(app, "--scene", o.bench_scenes,
           "Only this scene (funnel); for error: any scene. May be given several times")
      ->group(papers);
  app.add_option("--seconds", o.bench_seconds, "Maximum simulated time of each scene (s)")
      ->group(papers)
      ->check(PositiveNumber());
  app.add_option("--wall", o.bench_wall, "Maximum wall time for the steps of each scene (s)")
      ->group(papers)
      ->check(PositiveNumber());
}

void add_subcommands(CLI::App& app, CommandOptions& o) {
  using Task = CommandOptions::Task;
  const auto add = [&](const char* name, const char* help, Task task) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->callback([&o, task] { o.task = task; });
    return sub;
  };
  add("list", "Scenes that ship with the program", Task::list);
  add("params", "Every parameter with its unit, range, default and meaning", Task::params)
      ->add_flag("--markdown", o.markdown, "As a Markdown table");
  add("devices", "Devices that the simulator can run on", Task::devices);

  CLI::App* replay =
      add("replay", "Replay recorded user input without a window, and print the final state's hash",
          Task::replay);
  replay->add_option("hands", o.hands, "Recording (TOML)")->required();
  add_device(*replay, o);
  add_run(*replay, o);
  add_outputs(*replay, o);
  add_video(*replay, o);

  CLI::App* convert = add("convert", "Convert a recorded run into files for other programs", Task::convert);
  convert
      ->add_option("in", o.convert_from,
                   "A .weftcache, a folder of --states, an OBJ sequence (a folder, one of its files, or "
                   "arm_####.obj), or a .pc2 with its .obj")
      ->required();
  convert
      ->add_option("out", o.convert_to,
                   "Ends in .usda, .pc2, .weftcache (all frames); .gltf, .glb, .obj (one frame); or a folder "
                   "for one OBJ per frame")
      ->required();
  const auto frame_number = CLI::Range(0, 100000000);
  auto* from =
      convert->add_option("--from", o.first_frame, "First frame, counted from 0")->check(frame_number);
  auto* to = convert->add_option("--to", o.last_frame, "Last frame")->check(frame_number);
  convert->add_option("--frame", o.only_frame, "Only this frame")
      ->check(frame_number)
      ->excludes(from)
      ->excludes(to);
  convert
      ->add_option(
          "--fps", o.output_fps,
          "Frames per second to write: each frame is the newest state at its time, without interpolation; "
          "default: every state. "
          "For an input without a rate (--states, OBJ, PC2) it is the input's, unless --input-fps is given")
      ->check(PositiveNumber());
  convert
      ->add_option(
          "--input-fps", o.input_fps,
          "Frames per second of an input without a rate; default: 100 for --states, 24 for OBJ and PC2")
      ->check(PositiveNumber());
  convert->add_flag("--quiet", o.quiet, "Print only results and errors, no progress");

  add_remesh(
      *add("remesh", "Remesh to edges of nearly equal length, as vertex repulsion needs; or mesh an outline",
           Task::remesh),
      o);
  add_repair(*add("repair",
                  "Remove crossings from an animation: move a mesh from frame to frame along a path without "
                  "crossings",
                  Task::repair),
             o);
  add_flow(*add("flow", "Move a surface along its normals, outwards or inwards, without self-crossing",
                Task::flow),
           o);

  add_pattern(*add("pattern", "Mesh, draw or convert a sewing pattern", Task::pattern), o);
  add_dress(*add("dress", "Sew a pattern and put it on a body", Task::dress), o);
  add_mannequin(
      *add("mannequin", "Write a body with given measures, its skeleton and its motion", Task::mannequin), o);

  add_wrinkle(*add("wrinkle", "Put the wrinkles of the fabric on a coarse run, at millimetres or less",
                   Task::wrinkle),
              o);

  add_bench(*add("bench", "Measure steps per second and the cost of every stage", Task::bench), o);
}

}  // namespace

std::optional<int> parse_arguments(int argc, char** argv, CommandOptions& options) {
  CLI::App app("Weft: cloth simulation that you can grab.", "weft");
  app.footer(kFooter);
  app.set_version_flag("--version", program_name());
  app.require_subcommand(0, 1);
  app.add_option("input", options.input,
                 "Scene (.toml), cloth (.obj), sewing pattern (.json, .dxf), recorded run (.weftcache), or "
                 "the name of a scene from 'weft list'");
  app.add_flag("--headless", options.headless, "Run without a window");
  app.add_option("--vertices", options.vertices,
                 "Vertices of the default scene's cloth. Without it a window shows as many as the computer "
                 "simulates in real time, at most 10000, and a run without a window 10000")
      ->check(CLI::Range(4, 20000000));
  add_device(app, options);
  add_run(app, options);
  add_outputs(app, options);
  add_video(app, options);
  add_window(app, options);
  add_subcommands(app, options);
  try {
    app.parse(argc, argv);
    if (options.headless && options.panels)
      throw CLI::ValidationError("--panels", "panels are part of the window; leave out --headless");
    if (options.headless && options.scale != 0)
      throw CLI::ValidationError("--scale",
                                 "it is the size of the window's text, and --headless opens no window; "
                                 "--cloth-scale and --obstacle-scale scale meshes");
    if (options.vertices > 0 && !options.input.empty())
      throw CLI::ValidationError("--vertices", "it is of the default scene; a scene file says its own");
    if (options.frames > 0 && options.seconds > 0)
      throw CLI::ValidationError("--frames", "give either --frames or --seconds");
    if (options.motion_blur > 1 && options.every_step)
      throw CLI::ValidationError(
          "--motion-blur", "--every-step leaves no states between two frames; leave out one of the two");
    return std::nullopt;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? ExitStatus::ok : ExitStatus::usage;
  }
}

}  // namespace weft

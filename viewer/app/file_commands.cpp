#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/length.h"
#include "sim/wrinkles/wrinkle_settings.h"
#include "viewer/app/commands.h"
#include "viewer/commands/convert.h"
#include "viewer/commands/wrinkle.h"

namespace weft {
namespace {

void add_convert(CLI::App& app, ConvertRequest& r) {
  app.add_option("in", r.from,
                 "A .weftcache, a folder of --states, an OBJ sequence (a folder, one of its files, or "
                 "arm_####.obj), or a .pc2 with its .obj")
      ->required();
  app.add_option("out", r.to,
                 "Ends in .usda, .pc2, .weftcache (all frames); .gltf, .glb, .obj (one frame); or a folder "
                 "for one OBJ per frame")
      ->required();
  const auto frame_number = CLI::Range(0, 100000000);
  auto* from = app.add_option("--from", r.first, "First frame, counted from 0")->check(frame_number);
  auto* to = app.add_option("--to", r.last, "Last frame")->check(frame_number);
  app.add_option("--frame", r.only, "Only this frame")->check(frame_number)->excludes(from)->excludes(to);
  app.add_option(
         "--fps", r.fps,
         "Frames per second to write: each frame is the newest state at its time, without interpolation; "
         "default: every state. "
         "For an input without a rate (--states, OBJ, PC2) it is the input's, unless --input-fps is given")
      ->check(PositiveNumber());
  app.add_option(
         "--input-fps", r.input_fps,
         "Frames per second of an input without a rate; default: 100 for --states, 24 for OBJ and PC2")
      ->check(PositiveNumber());
  add_usd_rate(app, r.usd_rate);
  add_quiet(app, r.quiet);
}

/// An option for each parameter of wrinkle synthesis, with units where they are lengths.
void add_wrinkle_params(CLI::App& app, WrinkleRequest& r) {
  const auto defaults = std::make_shared<wrinkles::WrinkleParams>();  // values are checked with it
  ParamTable params;
  params.add("wrinkle", *defaults);
  for (const ParamRef& ref : params.refs()) {
    std::string name = ref.info().key;
    std::replace(name.begin(), name.end(), '_', '-');
    const bool length = ref.info().unit == "m";
    app.add_option("--" + name, ref.info().help)
        ->type_name((length ? "LENGTH in " : "") + ref.range_text())
        ->default_str(ref.default_text())
        ->group(ref.info().advanced ? "Solver" : "Wrinkles")
        ->each([ref, length, &r, defaults](const std::string& text) {
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
          r.overrides.push_back({ref.info().key, ref.text()});
        });
  }
}

void add_wrinkle(CLI::App& app, WrinkleRequest& r) {
  app.add_option("in", r.from,
                 "Coarse run: a .weftcache, a folder of --states, an OBJ sequence with texture coordinates, "
                 "or a .pc2 with its .obj")
      ->required();
  app.add_option("-o,--out", r.to,
                 "Ends in .weftcache, .usda, .pc2 (all frames); .gltf, .glb, .obj (one frame); or a folder "
                 "for one OBJ per frame")
      ->required();
  app.add_option("--settings", r.settings_file,
                 "TOML file with a table [wrinkle] of the parameters below and tables [[gather]]");
  app.add_option("--fabric", r.fabric,
                 "Fabric of the wrinkles; default: that of the run's scene, else cotton");
  const auto frame_number = CLI::Range(0, 100000000);
  app.add_option("--every", r.every, "Every n-th frame of the run")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--from", r.first, "First frame, counted from 0")->check(frame_number);
  app.add_option("--to", r.last, "Last frame")->check(frame_number);
  app.add_option(
         "--reference", r.reference,
         "Synthesise this frame alone and put its wrinkles on all others: faster, without wrinkles of motion")
      ->check(frame_number);
  app.add_option(
      "--normal-map", r.normal_map,
      "PNG of the fine normals in the coarse mesh's tangent space; with several frames one each, numbered");
  app.add_flag(
      "--guard", r.guard,
      "Move each frame from the coarse surface towards its wrinkles as far as no layers of a cloth meet "
      "(Wang 2023): no crossings within a cloth where its surface has none before its wrinkles. Up to "
      "250,000 "
      "vertices a cloth");
  app.add_option("--map-size", r.map_size, "Texels along the longer side of the normal map")
      ->check(CLI::Range(2, 16384))
      ->capture_default_str();
  app.add_option(
         "--input-fps", r.input_fps,
         "Frames per second of an input without a rate; default: 100 for --states, 24 for OBJ and PC2")
      ->check(PositiveNumber());
  add_compute(app, r);
  add_wrinkle_params(app, r);
  app.footer(
      "Each cloth is laid out on a grid in its material, wrinkles by the elasticity of its fabric, and is "
      "written with the grid's vertices. No freedom from\n"
      "crossings is promised; for each frame the output says whether distances of vertices exclude them.\n"
      "Example:\n  weft wrinkle run.weftcache -o fine.weftcache --cell 0.5mm --every 3 --settings "
      "gathers.toml");
}

}  // namespace

void add_file_commands(CLI::App& app, Choice& choice) {
  add_command(app, choice, "convert", "Convert a recorded run into files for other programs", add_convert,
              run_convert);
  add_command(app, choice, "wrinkle",
              "Put the wrinkles of the fabric on a coarse run, at millimetres or less", add_wrinkle,
              run_wrinkle);
}

}  // namespace weft

#include "viewer/app/commands.h"
#include "viewer/commands/remesh.h"
#include "viewer/commands/repair.h"

namespace weft {
namespace {

void add_remesh(CLI::App& app, RemeshRequest& r) {
  app.add_option("in", r.from,
                 "OBJ in metres: a surface (flat pieces are sampled as patterns), or closed lines (l "
                 "statements) around a flat pattern and its holes")
      ->required();
  add_length(app, "--edge", r.edge,
             "Target edge length with unit: 4.2mm, 0.42cm, 0.0042m; default: the mean of the input");
  auto* out = app.add_option("-o,--out", r.to, "OBJ to write; may be the input, which is then replaced");
  app.add_flag("--ratio", r.report, "Only report how even the edges are")->excludes(out);
  app.add_option("--corner-angle", r.corner_angle,
                 "Boundary corners sharper than this angle (degrees) stay in place")
      ->check(CLI::Range(1.0, 179.0))
      ->capture_default_str();
  app.add_option("--seed", r.seed, "Of the samples in flat patterns; the same seed gives the same mesh")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  add_quiet(app, r.quiet);
  app.footer(
      "The ratio is the shortest over the longest edge: 0.6 or more suits vertex repulsion. Texture "
      "coordinates without seams are carried over.\n"
      "Examples:\n  weft remesh shirt.obj --ratio\n  weft remesh shirt.obj --edge 5mm -o even.obj\n  weft "
      "remesh pattern_lines.obj --edge 4.2mm -o pattern.obj");
}

void add_repair(CLI::App& app, RepairRequest& r) {
  app.add_option(
         "start", r.start,
         "OBJ in metres that is free of crossings: the path begins here. Alone: its groups are layers, "
         "the first next to the body, and are lifted over each other where they cross")
      ->required();
  app.add_option("frames", r.frames,
                 "OBJ files with the same faces, in this order; or a folder or pattern (frame_####.obj), "
                 "sorted by number");
  app.add_option("-o,--out", r.to, "Folder for the repaired frames, under their own names")->required();
  add_length(app, "--distance", r.distance,
             "Distance kept between layers, with unit: 0.5mm; default 1mm, and at most 0.4 of the mean edge");
  app.add_option("--steps", r.steps, "Forward steps per frame, at most")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  repeated(app, "--obstacle", r.obstacles,
           "OBJ of a closed body that must not be crossed either. May be given several times");
  add_compute(app, r);
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

void add_flow(CLI::App& app, FlowRequest& r) {
  app.add_option("in", r.from, "OBJ in metres, free of crossings")->required();
  add_length(app, "--distance", r.distance,
             "How far the surface moves along its normals, with unit: 5mm; negative: against them (inwards)",
             true)
      ->required();
  app.add_option("-o,--out", r.to, "OBJ to write")->required();
  app.add_option("--steps", r.steps, "Steps of the flow; default: a quarter of the mean edge each")
      ->check(CLI::Range(1, 1000000));
  add_length(app, "--gap", r.gap,
             "Distance kept between parts that meet; default 1mm, and at most 0.4 of the mean edge");
  add_compute(app, r);
  app.footer(
      "Parts that meet on their way press against each other and never cross. Each step smooths the surface, "
      "as far as it moves.\n"
      "Examples:\n  weft flow body.obj --distance 5mm -o thicker.obj\n  weft flow body.obj --distance -5mm "
      "-o thinner.obj");
}

}  // namespace

void add_geometry_commands(CLI::App& app, Choice& choice) {
  add_command(app, choice, "remesh",
              "Remesh to edges of nearly equal length, as vertex repulsion needs; or mesh an outline",
              add_remesh, run_remesh);
  add_command(app, choice, "repair",
              "Remove crossings from an animation: move a mesh from frame to frame along a path without "
              "crossings",
              add_repair, run_repair);
  add_command(app, choice, "flow",
              "Move a surface along its normals, outwards or inwards, without self-crossing", add_flow,
              run_flow);
}

}  // namespace weft

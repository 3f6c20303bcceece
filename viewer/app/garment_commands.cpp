#include <algorithm>

#include "sim/base/error.h"
#include "sim/scene/model/body_clips.h"
#include "viewer/app/commands.h"
#include "viewer/commands/dress.h"
#include "viewer/commands/mannequin.h"
#include "viewer/commands/pattern.h"

namespace weft {
namespace {

void add_pattern(CLI::App& app, PatternRequest& r) {
  app.add_option("in", r.from, "Sewing pattern: .json (GarmentCode) or .dxf (AAMA, ASTM D6673)")->required();
  app.add_option("-o,--out", r.to,
                 "Ends in .obj (the garment as one mesh, with the pattern as texture coordinates in metres), "
                 ".svg (a drawing) or .json (GarmentCode)");
  app.add_option("--svg", r.drawing, "Drawing of the panels with their seams, besides");
  add_length(app, "--edge", r.edge, "Edge length of the mesh with unit: 15mm; default: that of the pattern");
  add_length(app, "--unit", r.unit, "Length of one unit of a DXF file: 1mm; default: as the file says");
  app.add_option("--size", r.choice.size,
                 "Size of a graded DXF file: 42; default: its base size, else the middle one")
      ->type_name("NAME");
  repeated(app, "--grade", r.choice.grades,
           "Make all panels wider or longer: \"width +4 cm\" (the widest panel gains that, others in "
           "proportion), \"length -3 %\". May be given several times");
  app.add_flag("--propose-seams", r.choice.propose_seams,
               "Print edges of equal length, divided alike by notches, that could be sewn on each other, and "
               "write them as seams");
  app.add_flag("--sewn", r.choice.sewn,
               "Seams drawn together along a path without crossings, instead of panels as they are placed");
  repeated(app, "--obstacle", r.bodies,
           "OBJ of a closed body around which the garment is sewn. May be given several times");
  add_compute(app, r);
  app.footer(
      "Panels are welded along their seams, as many vertices on each side: one mesh. Sewn garments have no "
      "weight yet: simulate them.\n"
      "Examples:\n  weft pattern shirt.json -o shirt.obj --svg shirt.svg\n  weft pattern pieces.dxf --unit "
      "1mm -o pieces.json\n  weft pattern graded.dxf --size 42 --propose-seams -o pieces.json\n  weft "
      "pattern shirt.json --grade \"width +4 cm\" "
      "--grade \"length 5 %\" -o wider.json");
}

/// --height, --bust ... of the mannequin; with `still` those of its shape alone, and its edge length as
/// --body-edge.
void add_measures(CLI::App& app, MannequinParams& measures, bool still) {
  ParamTable params;
  params.add("mannequin", measures);
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

void add_dress(CLI::App& app, DressRequest& r) {
  app.add_option("in", r.from, "Sewing pattern (.json, .dxf), or a scene (.toml) with garments")->required();
  app.add_option("-o,--out", r.to,
                 "OBJ of the garment as it is worn, with its pattern as texture coordinates (m)")
      ->required();
  repeated(app, "--body", r.bodies,
           "\"mannequin\" (the default), or an OBJ of a body. May be given several times");
  add_length(app, "--edge", r.edge, "Edge length of the mesh with unit: 15mm; default: that of the pattern");
  add_length(app, "--finer", r.finer,
             "Edge length of the result, where it is dressed with longer edges: 5mm; default: the same");
  add_measures(app, r.measures, true);
  repeated(app, "--set", r.changes, "key=value: a parameter of the dressing (sewing.tension=60)");
  app.add_option("--states", r.run, "All states of the dressing: run.weftcache, or a folder");
  add_compute(app, r);
  app.footer(
      "Panels start around a thin body, joined along their seams. The seams close while the body grows; then "
      "the "
      "garment hangs. It never crosses itself or the body. What was dressed before is taken from "
      "~/.cache/weft.\nExamples:\n  weft dress shirt.json --body body.obj -o shirt.obj\n  weft dress "
      "skirt.json "
      "--waist 0.72 --set sewing.settle=2 -o skirt.obj\nIn a scene: [[cloth]] file = \"shirt.obj\", rest = "
      "\"texture\"; or [[garment]] start = \"dressed\".");
}

void add_mannequin(CLI::App& app, MannequinRequest& r) {
  app.add_option("-o,--out", r.to, "File to write: .glb or .gltf with skeleton and skin weights, or .obj")
      ->required();
  add_measures(app, r.params, false);
  repeated(app, "--clip", r.clips,
           "Clip of assets/mannequin (walk): an animation in glTF, a pose in OBJ. May be given several times")
      ->check([](const std::string& name) {  // asked late: other commands need no assets
        const std::vector<std::string> names = clip_names();
        return std::find(names.begin(), names.end(), name) != names.end() ? std::string()
                                                                          : "clips are " + joined(names);
      });
  app.add_option("--time", r.time, "Time of the pose in an .obj (s)")->check(CLI::Range(0.0, 1e6));
  app.footer([] {
    return "Lengths are in metres. Clips: " + joined(clip_names()) +
           ".\nExamples:\n  weft mannequin -o body.glb --clip walk --clip turn\n  weft mannequin --bust 0.94 "
           "--hips 1.02 -o body.obj";
  });
}

}  // namespace

void add_garment_commands(CLI::App& app, Choice& choice) {
  add_command(app, choice, "pattern", "Mesh, draw or convert a sewing pattern", add_pattern, run_pattern);
  add_command(app, choice, "dress", "Sew a pattern and put it on a body", add_dress, run_dress);
  add_command(app, choice, "mannequin", "Write a body with given measures, its skeleton and its motion",
              add_mannequin, run_mannequin);
}

}  // namespace weft

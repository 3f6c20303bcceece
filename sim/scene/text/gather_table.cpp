#include "sim/scene/text/gather_table.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/scene/toml/toml_text.h"

namespace weft {
namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = {"stroke", "rows", "diamonds"};
  return all;
}

Gather read_gather(TomlTable& t) {
  Gather g;
  t.read("cloth", g.cloth);
  t.read_choice("kind", g.kind, kinds());
  t.read("s0", g.s0, 0.1, 10);
  t.read("s1", g.s1, 0.1, 10);
  t.read("irregularity", g.irregularity, 0, 1);
  t.read("grain", g.grain, 1e-5, 10);
  t.read("seed", g.seed, 0, 1e9);
  t.read("stitched", g.stitched);
  if (g.kind == "stroke") {
    if (!t.read("from", g.from) || !t.read("to", g.to))
      t.fail("", "a stroke needs its ends", "add from = [0, 0] and to = [0.1, 0], metres of the material");
    if (g.from == g.to) t.fail("to", "the stroke has no direction", "give different ends");
    t.read("radius", g.radius, 1e-6, 1e4);
  } else {
    t.read("radius", g.radius, 0, 1e4);
    t.read("spacing", g.spacing, 1e-5, 1e4);
    t.read("angle", g.angle, -360, 360);
    t.read("meet_at_seams", g.meet_at_seams);
    t.read("min", g.min);
    t.read("max", g.max);
    if (!(g.min.x < g.max.x && g.min.y < g.max.y))
      t.fail("max", "the area is empty", "give a max above min in both coordinates");
  }
  t.finish();
  return g;
}

}  // namespace

void check_gather(const Gather& g, const std::string& where) {
  const auto in = [&](float value, float least, float most, const char* name) {
    if (!(value >= least && value <= most))
      throw Error(fmt::format("{} of a gather is {:g}", name, value), where,
                  fmt::format("use {:g} to {:g}", least, most));
  };
  if (g.kind == "stroke" && g.from == g.to)
    throw Error("a stroke of gathering has no direction", where, "give different ends");
  in(g.s0, 0.1f, 10, "s0"), in(g.s1, 0.1f, 10, "s1"), in(g.irregularity, 0, 1, "irregularity"),
      in(g.grain, 1e-5f, 10, "grain");
  in(g.radius, g.kind == "stroke" ? 1e-6f : 0, 1e4f, "radius"), in(g.spacing, 1e-5f, 1e4f, "spacing"),
      in(g.angle, -360, 360, "angle");
}

std::vector<Gather> read_gathers(TomlTable& root) {
  std::vector<Gather> out;
  for (TomlTable& t : root.tables("gather")) out.push_back(read_gather(t));
  return out;
}

std::string gathers_as_toml(const std::vector<Gather>& gathers) {
  std::string out;
  const Gather usual;
  for (const Gather& g : gathers) {
    out += fmt::format("[[gather]]\nkind = {}\n", toml_text::value(g.kind));
    if (!g.cloth.empty()) out += fmt::format("cloth = {}\n", toml_text::value(g.cloth));
    if (g.kind == "stroke") {
      out += fmt::format("from = {}\nto = {}\n", toml_text::value(g.from), toml_text::value(g.to));
    } else {
      out +=
          fmt::format("spacing = {}\nangle = {}\n", toml_text::value(g.spacing), toml_text::value(g.angle));
      if (!g.meet_at_seams) out += "meet_at_seams = false\n";
      if (g.min != usual.min) out += fmt::format("min = {}\n", toml_text::value(g.min));
      if (g.max != usual.max) out += fmt::format("max = {}\n", toml_text::value(g.max));
    }
    if (g.stitched) out += "stitched = true\n";
    out += fmt::format("s0 = {}\ns1 = {}\nradius = {}\nirregularity = {}\ngrain = {}\nseed = {}\n\n",
                       toml_text::value(g.s0), toml_text::value(g.s1), toml_text::value(g.radius),
                       toml_text::value(g.irregularity), toml_text::value(g.grain), g.seed);
  }
  return out;
}

}  // namespace weft

#include "sim/wrinkles/wrinkle_settings.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/file.h"

namespace weft::wrinkles {

WrinkleSettings parse_wrinkle_settings(const std::string& text, const std::string& path) {
  const toml::table parsed = parse_toml(text, path);
  TomlTable root(parsed, path, "");
  WrinkleSettings out;
  if (auto t = root.table("wrinkle")) {
    t->read_params(out.params);
    t->finish();
  }
  out.gathers = read_gathers(root);
  root.finish();
  check(out.params);
  return out;
}

WrinkleSettings read_wrinkle_settings(const std::string& path) {
  return parse_wrinkle_settings(read_text_file(path, "settings of wrinkles"), path);
}

std::string as_toml(const WrinkleSettings& settings) {
  WrinkleParams params = settings.params;
  ParamTable table;
  table.add("wrinkle", params);
  std::string out;
  for (const ParamRef& ref : table.refs())
    if (!ref.is_default()) out += fmt::format("{} = {}\n", ref.info().key, ref.text());
  if (!out.empty()) out = "[wrinkle]\n" + out + "\n";
  return out + gathers_as_toml(settings.gathers);
}

void check(const WrinkleParams& p) {
  if (p.block_width != 8 && p.block_width != 16 && p.block_width != 32 && p.block_width != 64)
    throw Error(fmt::format("a block of {} vertices is not possible", p.block_width), "wrinkle.block_width",
                "use 8, 16, 32 or 64");
}

}  // namespace weft::wrinkles

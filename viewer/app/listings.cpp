#include "viewer/app/listings.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "sim/base/error.h"
#include "sim/device/device.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/render/view_settings.h"

namespace weft {
namespace {

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

void print_markdown(const ParamTable& table) {
  print("| key | unit | range | default | meaning |\n|---|---|---|---|---|\n");
  for (const ParamRef& r : table.refs()) {
    const std::string unit = r.info().unit;
    std::string range = r.range_text();
    // has its own column
    if (!unit.empty() && range.ends_with(" " + unit)) range.resize(range.size() - unit.size() - 1);
    print(fmt::format("| `{}` | {} | {} | `{}` | {} |\n", r.key(), cell(unit), cell(range), r.default_text(),
                      cell(r.info().help)));
  }
}

void print_plain(const ParamTable& table) {
  std::string group;
  for (const ParamRef& r : table.refs()) {
    const std::string its_group = r.key().substr(0, r.key().find('.'));
    if (its_group != group) print((group.empty() ? "" : "\n") + its_group + "\n");
    group = its_group;
    print(fmt::format("  {:<28} {}\n  {:<28} {}; default {}\n", r.key(), r.info().help, "", r.range_text(),
                      r.default_text()));
  }
}

}  // namespace

int list_scenes() {
  for (const std::string& path : builtin_scenes()) {
    const Scene scene = read_scene(path);
    print(fmt::format("{:<28} {}\n", builtin_name(path), scene.title));
    if (!scene.description.empty()) print(fmt::format("{:<28} {}\n", "", scene.description));
    print(fmt::format("{:<28} {}\n", "", path));
  }
  return 0;
}

int list_parameters(bool markdown) {
  // Every group but those of single cloths, which have the keys of `fabric` under the cloth's name.
  Scene scene;
  scene.cloths.emplace_back();
  ViewSettings view;
  ParamTable own, all = scene.params();
  own.add("view", view);
  ParamTable listed;
  for (const ParamTable* table : {&all, &own})
    for (const ParamRef& r : table->refs())
      if (r.key().rfind(scene.cloths[0].name + ".", 0) != 0) listed.add(r);
  if (markdown) print_markdown(listed);
  else print_plain(listed);
  return 0;
}

int print_devices() {
  for (const DeviceInfo& d : list_devices())
    print(fmt::format("{:<5} {:<9} {}{}\n", d.kind == DeviceKind::cuda ? "cuda" : "cpu",
                      d.usable ? "usable" : "not usable", d.name,
                      d.remark.empty() ? "" : " (" + d.remark + ")"));
  return 0;
}

}  // namespace weft

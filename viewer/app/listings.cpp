#include "viewer/app/listings.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/error.h"
#include "sim/device/device.h"
#include "sim/scene/text/scene_file.h"
#include "viewer/commands/catalogue.h"
#include "viewer/commands/scene_input.h"
#include "viewer/render/view_settings.h"

namespace weft {
namespace {

using json = nlohmann::ordered_json;

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

void print_json(const ParamTable& table) {
  json list = json::array();
  for (const ParamRef& r : table.refs()) {
    const ParamInfo& info = r.info();
    json one = {{"key", r.key()},
                {"label", info.label},
                {"help", info.help},
                {"unit", info.unit},
                {"default", r.default_text()}};
    if (!info.choices.empty()) one["choices"] = info.choices;
    else if (!std::holds_alternative<bool*>(r.pointer())) one["min"] = info.min, one["max"] = info.max;
    list.push_back(std::move(one));
  }
  print(list.dump(1) + "\n");
}

}  // namespace

int list_scenes(ListForm form) {
  if (form == ListForm::json) {
    json list = json::array();
    for (const CatalogueSection& section : read_catalogue())
      for (const CatalogueItem& item : section.items)
        list.push_back({{"name", item.name},
                        {"section", section.title},
                        {"title", item.title},
                        {"description", item.description},
                        {"path", item.path}});
    return print(list.dump(1) + "\n"), 0;
  }
  for (const CatalogueSection& section : read_catalogue()) {
    print("\n" + section.title + "\n");
    for (const CatalogueItem& item : section.items) {
      print(fmt::format("  {:<28} {}\n", item.name, item.title));
      if (!item.description.empty()) print(fmt::format("  {:<28} {}\n", "", item.description));
    }
  }
  return 0;
}

int list_parameters(ListForm form, const std::vector<std::string>& plugins) {
  // Every group but those of single cloths, which have the keys of `fabric` under the cloth's name.
  Scene scene;
  scene.cloths.emplace_back();
  add_plugins(scene, plugins);
  ViewSettings view;
  ParamTable own, all = scene.params();
  own.add("view", view);
  ParamTable listed;
  for (const ParamTable* table : {&all, &own})
    for (const ParamRef& r : table->refs())
      if (r.key().rfind(scene.cloths[0].name + ".", 0) != 0) listed.add(r);
  if (form == ListForm::markdown) print_markdown(listed);
  else if (form == ListForm::json) print_json(listed);
  else print_plain(listed);
  return 0;
}

int print_devices(ListForm form) {
  if (form == ListForm::json) {
    json list = json::array();
    for (const DeviceInfo& d : list_devices())
      list.push_back({{"kind", d.kind == DeviceKind::cuda ? "cuda" : "cpu"},
                      {"usable", d.usable},
                      {"name", d.name},
                      {"remark", d.remark}});
    return print(list.dump(1) + "\n"), 0;
  }
  for (const DeviceInfo& d : list_devices())
    print(fmt::format("{:<5} {:<9} {}{}\n", d.kind == DeviceKind::cuda ? "cuda" : "cpu",
                      d.usable ? "usable" : "not usable", d.name,
                      d.remark.empty() ? "" : " (" + d.remark + ")"));
  return 0;
}

}  // namespace weft

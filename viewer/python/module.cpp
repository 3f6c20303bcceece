// The module weft._weft.
#include <nanobind/stl/vector.h>

#include "sim/base/log.h"
#include "sim/device/device.h"
#include "sim/scene/scene.h"
#include "viewer/commands/catalogue.h"
#include "viewer/python/values.h"
#include "viewer/render/view_settings.h"

namespace weft::python {
namespace {

/// Those of `weft params`.
nb::typed<nb::list, nb::dict> all_params() {
  Scene scene;
  scene.cloths.emplace_back();
  ViewSettings view;
  ParamTable own, all = scene.params();
  own.add("view", view);
  nb::list rows;
  for (const ParamTable* table : {&all, &own})
    for (const ParamRef& ref : table->refs())
      if (!ref.key().starts_with(scene.cloths[0].name + ".")) rows.append(row_of(ref));
  return rows;
}

nb::typed<nb::list, nb::dict> all_devices() {
  nb::list rows;
  for (const DeviceInfo& device : list_devices()) {
    nb::dict row;
    row["kind"] = device.kind == DeviceKind::cuda ? "cuda" : "cpu";
    row["name"] = device.name;
    row["usable"] = device.usable;
    row["remark"] = device.remark;
    rows.append(row);
  }
  return rows;
}

}  // namespace

NB_MODULE(_weft, module) {
  set_console_level(LogLevel::warning);
  translate_errors();
  wait_at_exit();
  nb::set_leak_warnings(false);  // a thread that still runs at the end keeps its simulation
  module.attr("__version__") = WEFT_VERSION;
  bind_run(module);
  bind_scene(module);
  module.def("params", &all_params,
             "All parameters, as `weft params` lists them: dicts with key, label, unit, default, help, "
             "choices, min,\n"
             "max and rebuilds.");
  module.def("scenes", &shipped_names, "Names of the scenes and garments that ship.");
  module.def("devices", &all_devices, "Dicts with kind, name, usable and remark.");
}

}  // namespace weft::python

// Energies and filters of positions as Python functions.
#include <nanobind/stl/shared_ptr.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/plugin/library.h"
#include "sim/plugin/plugin_list.h"
#include "viewer/python/script_scene.h"
#include "viewer/python/values.h"

namespace weft::python {
namespace {

using Doubles = nb::ndarray<nb::numpy, const double, nb::c_contig>;

/// A reference that any thread may drop; a process that ends keeps it.
class KeptObject {
 public:
  explicit KeptObject(nb::object object) : object_(std::move(object)) {}
  ~KeptObject() {
    if (!Py_IsInitialized()) {
      (void)object_.release();
      return;
    }
    const nb::gil_scoped_acquire gil;
    object_.reset();
  }
  KeptObject(const KeptObject&) = delete;
  const nb::object& operator*() const { return object_; }

 private:
  nb::object object_;
};

/// A copy, which Python may keep.
nb::object as_array(std::span<const double> values, size_t columns) {
  auto* kept = new std::vector<double>(values.begin(), values.end());
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), {values.size() / columns, columns}, owner));
}

/// Numbers in rows of NumPy's own form. Throws what NumPy throws of things that are no numbers.
nb::object as_numbers(nb::handle object, const char* type) {
  return nb::module_::import_("numpy").attr("ascontiguousarray")(object, type);
}

/// What a function gave, `count` doubles.
void copy_numbers(nb::handle object, std::span<double> to, const char* what, const std::string& where,
                  const std::string& shape) {
  const nb::object array = as_numbers(object, "float64");
  const Doubles rows = nb::cast<Doubles>(array);
  if (rows.size() != to.size())
    throw Error(fmt::format("its {} has {} numbers, and {} are needed", what, rows.size(), to.size()), where,
                "give an array of the shape " + shape);
  std::copy(rows.data(), rows.data() + to.size(), to.begin());
}

/// What Python functions of one plug-in are, shared by what is made of them.
struct PythonFunctions {
  std::string name;
  std::vector<HostParameter> parameters;
  KeptObject function;  // of an energy or a filter
  KeptObject elements;  // of an energy: an array, or a function of the mesh; None: a filter
  bool definite = false;

  std::string where() const { return "plugin " + name; }
  nb::dict values(std::span<const double> numbers) const {
    nb::dict all;
    for (size_t i = 0; i < numbers.size(); ++i) all[parameters[i].key.c_str()] = numbers[i];
    return all;
  }
};
using Functions = std::shared_ptr<const PythonFunctions>;

nb::dict rest_mesh(const HostMesh& mesh) {
  const auto numbers = [](const std::vector<int>& list, size_t columns) {
    auto* kept = new std::vector<int>(list);
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<int>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, int>(kept->data(), {list.size() / columns, columns}, owner));
  };
  nb::dict all;
  all["rest"] = as_array(mesh.rest, 3);
  all["mass"] = as_array(mesh.mass, 1).attr("ravel")();
  all["triangles"] = numbers(mesh.triangles, 3);
  all["edges"] = numbers(mesh.edges, 2);
  return all;
}

class PythonEnergy final : public HostEnergy {
 public:
  PythonEnergy(Functions functions, const HostMesh& mesh) : functions_(std::move(functions)) {
    const nb::gil_scoped_acquire gil;
    nb::object given = *functions_->elements;
    if (PyCallable_Check(given.ptr())) given = given(rest_mesh(mesh));
    const nb::object raw = nb::module_::import_("numpy").attr("asarray")(given);
    const std::string kind = nb::cast<std::string>(raw.attr("dtype").attr("kind"));
    if (kind != "i" && kind != "u")
      throw Error("its elements are no whole numbers", functions_->where(), "give an array of integers");
    const nb::object array = as_numbers(raw, "int64");
    const auto rows = nb::cast<nb::ndarray<nb::numpy, const int64_t, nb::c_contig>>(array);
    if (rows.ndim() != 2)
      throw Error(fmt::format("its elements have {} dimensions", rows.ndim()), functions_->where(),
                  "give an array (m, k) of the k vertices of m elements");
    points_ = int(rows.shape(1));
    for (size_t i = 0; i < rows.size(); ++i)  // what no int holds is no vertex, which is told
      elements_.push_back(int(std::clamp<int64_t>(rows.data()[i], -1, INT32_MAX)));
    vertices_ = mesh.vertices();
  }
  int points() const override { return points_; }
  const std::vector<int>& elements() const override { return elements_; }
  bool definite() const override { return functions_->definite; }

  double evaluate(std::span<const double> x, std::span<const double> parameters, std::span<double> gradient,
                  std::span<double> hessian) override {
    const nb::gil_scoped_acquire gil;
    const bool derivatives = !gradient.empty() || !hessian.empty();
    const nb::object told =
        (*functions_->function)(as_array(x, 3), functions_->values(parameters), nb::bool_(derivatives));
    if (!derivatives && !PyTuple_Check(told.ptr())) return number(told);
    if (!PyTuple_Check(told.ptr()) || nb::len(told) != 3)
      throw Error("its function returned no triple", functions_->where(),
                  "return energy, gradient (n, 3) and Hessians (m, 3 k, 3 k)");
    if (derivatives) {
      copy_numbers(told[1], gradient, "gradient", functions_->where(), fmt::format("({}, 3)", vertices_));
      copy_numbers(told[2], hessian, "Hessian", functions_->where(),
                   fmt::format("({}, {}, {})", elements_.size() / size_t(points_), 3 * points_, 3 * points_));
    }
    return number(told[0]);
  }

 private:
  double number(nb::handle object) const {
    const double value = PyFloat_AsDouble(object.ptr());
    if (PyErr_Occurred()) throw nb::python_error();
    return value;
  }
  Functions functions_;
  int points_ = 0, vertices_ = 0;
  std::vector<int> elements_;
};

class PythonFilter final : public HostFilter {
 public:
  explicit PythonFilter(Functions functions) : functions_(std::move(functions)) {}
  void apply(std::span<const double> from, std::span<double> x, std::span<const double> parameters) override {
    const nb::gil_scoped_acquire gil;
    const nb::object moved =
        (*functions_->function)(as_array(from, 3), as_array(x, 3), functions_->values(parameters));
    copy_numbers(moved, x, "result", functions_->where(), fmt::format("({}, 3)", x.size() / 3));
  }

 private:
  Functions functions_;
};

class PythonPlugin final : public HostPlugin {
 public:
  PythonPlugin(Functions functions, bool filter) : functions_(std::move(functions)), filter_(filter) {}
  const std::string& name() const override { return functions_->name; }
  std::string origin() const override { return "Python"; }
  const std::vector<HostParameter>& parameters() const override { return functions_->parameters; }
  bool has_energy() const override { return !filter_; }
  bool has_filter() const override { return filter_; }
  std::unique_ptr<HostEnergy> energy(std::shared_ptr<const HostMesh> mesh) const override {
    return std::make_unique<PythonEnergy>(functions_, *mesh);
  }
  std::unique_ptr<HostFilter> filter(std::shared_ptr<const HostMesh>) const override {
    return std::make_unique<PythonFilter>(functions_);
  }

 private:
  Functions functions_;
  bool filter_;
};

/// A number, or (number, min, max).
std::vector<HostParameter> parameters_of(const nb::dict& given) {
  std::vector<HostParameter> all;
  for (const auto& [key, value] : given) {
    HostParameter p;
    p.key = nb::cast<std::string>(key);
    p.help = "Of the plug-in.";
    if (nb::isinstance<nb::tuple>(value) || nb::isinstance<nb::list>(value)) {
      if (nb::len(value) != 3)
        throw Error("a range has three numbers", "parameter " + p.key, "write (default, min, max)");
      p.fallback = nb::cast<double>(value[0]), p.min = nb::cast<double>(value[1]);
      p.max = nb::cast<double>(value[2]);
    } else {
      p.fallback = nb::cast<double>(value);
      const double most = std::max(1.0, 1000 * std::abs(p.fallback));
      p.min = p.fallback < 0 ? -most : 0, p.max = most;
    }
    all.push_back(std::move(p));
  }
  return all;
}

void add_plugin(ScriptScene& scene, const std::string& name, const nb::object& function,
                const nb::object& elements, const nb::dict& parameters, bool definite, bool filter) {
  if (!PyCallable_Check(function.ptr()))
    throw Error("it is no function", "plugin " + name, "give something that can be called");
  Functions functions(new PythonFunctions{name, parameters_of(parameters), KeptObject(function),
                                          KeptObject(elements), definite});
  scene.scene().of<PluginList>().add(std::make_shared<PythonPlugin>(std::move(functions), filter));
}

}  // namespace

void bind_plugins(nb::class_<ScriptScene>& scene) {
  scene.def(
      "add_energy",
      [](ScriptScene& s, const std::string& name, const nb::object& function, const nb::object& elements,
         const nb::dict& parameters,
         bool definite) { add_plugin(s, name, function, elements, parameters, definite, false); },
      nb::arg("name"), nb::arg("function"), nb::arg("elements"), nb::kw_only(),
      nb::arg("parameters") = nb::dict(), nb::arg("definite") = false,
      "Adds an energy over elements of 1 to 4 vertices: docs/plugins.md.\n\n"
      "function: of x (n, 3) m, a dict of parameters, and whether derivatives are needed; returns energy "
      "(J),\n"
      "gradient (n, 3) N and Hessians (m, 3 k, 3 k) N/m, or the energy alone where none are needed. "
      "elements:\n"
      "(m, k) vertices, or a function of a dict with rest (n, 3), mass (n), triangles and edges. "
      "parameters:\n"
      "defaults, or (default, min, max), of plugin.NAME.KEY. definite: Hessians have no negative "
      "eigenvalues.");
  scene.def(
      "add_filter",
      [](ScriptScene& s, const std::string& name, const nb::object& function, const nb::dict& parameters) {
        add_plugin(s, name, function, nb::none(), parameters, false, true);
      },
      nb::arg("name"), nb::arg("function"), nb::kw_only(), nb::arg("parameters") = nb::dict(),
      "Adds a filter of the positions that the solver found, before contact.\n\n"
      "function: of the positions at the start of the step, those found, both (n, 3) m, and a dict of\n"
      "parameters; returns positions (n, 3).");
  scene.def(
      "add_plugin",
      [](ScriptScene& s, const std::string& path) { s.scene().of<PluginList>().add(load_plugin(path)); },
      nb::arg("path"), "Loads a shared library (weft/plugin.h), whose code runs as part of this process.");
}

}  // namespace weft::python

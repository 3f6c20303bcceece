// Values of parameters between Python and their texts in scene files; arrays; errors.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/params.h"
#include "sim/base/span.h"
#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {
class ScriptScene;
}

namespace weft::python {

namespace nb = nanobind;

/// Rows of numbers as NumPy has them; other arrays of numbers are copied into this form.
template <class T, int kColumns>
using Rows = nb::ndarray<const T, nb::shape<-1, kColumns>, nb::c_contig, nb::device::cpu>;
/// A list of whole numbers.
using Numbers = nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// What goes back to Python: read-only, rows of `kColumns`.
template <class T, int kColumns>
using View = nb::ndarray<nb::numpy, const T, nb::shape<-1, kColumns>, nb::c_contig>;

using Three = std::array<float, 3>;
inline vec3 as_vec3(const Three& a) { return {a[0], a[1], a[2]}; }
std::vector<vec3> as_points(const Rows<float, 3>& rows);
std::vector<ivec3> as_triangles(const Rows<int, 3>& rows);
std::vector<int> as_list(const Numbers& numbers);

/// Views of memory that `owner` keeps alive.
View<float, 3> view_of(Span<const vec3> points, nb::handle owner);
/// The same of a list, which the array owns from then on.
View<float, 3> array_of(std::vector<vec3> points);

/// The text of a value as `--set` takes it: numbers, truth values, names, and sequences of numbers.
std::string value_text(nb::handle value);
/// The value of a parameter: float, int, bool, str, or a tuple of three floats.
nb::object value_of(const ParamRef& ref);
/// The value of a scene's parameter. Throws Error for an unknown key.
nb::object value_in(Scene& scene, const std::string& key);
/// A row of weft.params().
nb::dict row_of(const ParamRef& ref);

/// Python's lock is free while it lives, for work of a step's length. An interpreter that ends waits for it,
/// and has the work interrupted (SignalWatch): a thread that asked for the lock later would end within C++.
class AwayFromPython {
 public:
  /// Throws Error where the interpreter is about to end.
  AwayFromPython();
  ~AwayFromPython();
  AwayFromPython(const AwayFromPython&) = delete;

 private:
  std::optional<nb::gil_scoped_release> free_;
};
/// Once, for all of them.
void wait_at_exit();

/// Throws the exception that Python has for a signal (KeyboardInterrupt), if one has arrived. Needs the GIL.
void check_signals();
/// Whether a signal has arrived for Python, for work without the GIL: takes it once in a tenth of a second at
/// most, however often it is asked. The exception is then Python's current one.
class SignalWatch {
 public:
  std::function<bool()> ask();
  bool arrived() const { return arrived_; }

 private:
  double next_ = 0;  // s
  bool arrived_ = false;
};

/// Makes `weft.Error` (from the module weft._error) of Error.
void translate_errors();

void bind_scene(nb::module_& module);
void bind_plugins(nb::class_<ScriptScene>& scene);
void bind_run(nb::module_& module);

}  // namespace weft::python

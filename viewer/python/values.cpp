#include "viewer/python/values.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "sim/base/error.h"

namespace weft::python {
namespace {

static_assert(sizeof(vec3) == 3 * sizeof(float) && sizeof(ivec3) == 3 * sizeof(int));

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::atomic<int> away{0};  // threads that work without the lock
std::atomic<bool> python_ends{false};

/// Python's own text of a number: the shortest that gives the same number back.
std::string number_text(nb::handle value) { return nb::cast<std::string>(nb::str(nb::float_(value))); }

nb::object unquoted(const std::string& text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return nb::str(quoted ? text.substr(1, text.size() - 2).c_str() : text.c_str());
}

/// `text` as a scene file has a value of this type.
nb::object parsed(const ParamInfo& info, const ParamRef::Pointer& pointer, const std::string& text) {
  if (std::holds_alternative<bool*>(pointer)) return nb::bool_(text == "true");
  if (!info.choices.empty()) return unquoted(text);
  if (std::holds_alternative<vec3*>(pointer)) {
    nb::list three;
    for (size_t at = 1; at < text.size();
         at = text.find(',', at) == text.npos ? text.npos : text.find(',', at) + 1)
      three.append(nb::float_(std::stod(text.substr(at))));
    return nb::tuple(three);
  }
  if (std::holds_alternative<int*>(pointer)) return nb::int_(std::stol(text));
  return nb::float_(std::stod(text));
}

template <class T>
std::vector<T> rows_as(const void* data, size_t rows) {
  const T* first = static_cast<const T*>(data);
  return {first, first + rows};
}

}  // namespace

std::vector<vec3> as_points(const Rows<float, 3>& rows) { return rows_as<vec3>(rows.data(), rows.shape(0)); }
std::vector<ivec3> as_triangles(const Rows<int, 3>& rows) {
  return rows_as<ivec3>(rows.data(), rows.shape(0));
}
std::vector<int> as_list(const Numbers& numbers) { return rows_as<int>(numbers.data(), numbers.shape(0)); }

View<float, 3> view_of(Span<const vec3> points, nb::handle owner) {
  return View<float, 3>(points.data, {size_t(points.size), 3}, owner);
}

View<float, 3> array_of(std::vector<vec3> points) {
  auto* kept = new std::vector<vec3>(std::move(points));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<vec3>*>(p); });
  return View<float, 3>(kept->data(), {kept->size(), 3}, owner);
}

std::string value_text(nb::handle value) {
  if (PyBool_Check(value.ptr())) return value.is(nb::handle(Py_True)) ? "true" : "false";
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::int_>(value)) return nb::cast<std::string>(nb::str(value));
  if (PySequence_Check(value.ptr()) || nb::hasattr(value, "__len__")) {
    std::string text = "[";
    for (nb::handle entry : value) text += (text.size() > 1 ? ", " : "") + number_text(entry);
    return text + "]";
  }
  return number_text(value);
}

nb::object value_of(const ParamRef& ref) { return parsed(ref.info(), ref.pointer(), ref.text()); }

nb::object value_in(Scene& scene, const std::string& key) {
  const ParamTable table = scene.params();
  if (const ParamRef* ref = table.find(key)) return value_of(*ref);
  const std::string near = table.nearest_key(key);
  throw Error("there is no such parameter", key, near.empty() ? "" : "did you mean " + near + "?");
}

nb::dict row_of(const ParamRef& ref) {
  const ParamInfo& info = ref.info();
  nb::dict row;
  row["key"] = ref.key();
  row["label"] = info.label;
  row["unit"] = info.unit;
  row["default"] = parsed(info, ref.pointer(), ref.default_text());
  row["help"] = info.help;
  if (info.choices.empty()) {
    row["choices"] = nb::none();
  } else {
    nb::list names;
    for (const std::string& name : info.choices) names.append(nb::str(name.c_str()));
    row["choices"] = names;
  }
  const bool ranged = info.choices.empty() && !std::holds_alternative<bool*>(ref.pointer());
  row["min"] = ranged ? nb::object(nb::float_(info.min)) : nb::none();
  row["max"] = ranged ? nb::object(nb::float_(info.max)) : nb::none();
  row["rebuilds"] = info.rebuilds;
  return row;
}

AwayFromPython::AwayFromPython() {
  if (python_ends) throw Error("the interpreter is about to end", "weft");
  ++away;
  free_.emplace();
}
AwayFromPython::~AwayFromPython() {
  free_.reset();
  --away;
}

void wait_at_exit() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    constexpr int kMost = 30'000;  // ms
    python_ends = true;
    const nb::gil_scoped_release free;
    for (int waited = 0; away > 0 && waited < kMost; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }));
}

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

std::function<bool()> SignalWatch::ask() {
  next_ = seconds_now() + 0.1;
  return [this] {
    if (python_ends) return true;
    if (arrived_ || seconds_now() < next_) return arrived_;
    const nb::gil_scoped_acquire gil;
    next_ = seconds_now() + 0.1;
    return arrived_ = PyErr_CheckSignals() != 0;
  };
}

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& e) {
      try {
        const nb::object type = nb::module_::import_("weft._error").attr("Error");
        const nb::object made = type(e.what_happened, e.where, e.what_to_do);
        PyErr_SetObject(type.ptr(), made.ptr());
      } catch (nb::python_error& fault) {
        fault.restore();
      }
    } catch (const Interrupted&) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_KeyboardInterrupt, "");
    }
  });
}

}  // namespace weft::python

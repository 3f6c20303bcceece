#include "sim/plugin/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/shorten.h"
#include "sim/plugin/weft/plugin.h"

namespace weft {
namespace {

std::string text_of(const char* text) { return text ? text : ""; }

/// A library while it is loaded.
struct LoadedLibrary {
  void* handle = nullptr;
  const weft_plugin* plugin = nullptr;
  std::string path;
  ~LoadedLibrary() {
    if (handle) ::dlclose(handle);
  }
  Error fault(const std::string& words) const {
    return Error(words, "plugin " + text_of(plugin->name) + " (" + path + ")",
                 "the state is as before the step; see what the plug-in says of its faults");
  }
};
using SharedLibrary = std::shared_ptr<const LoadedLibrary>;

/// What the library made for a mesh.
class LibraryObject {
 public:
  LibraryObject(SharedLibrary library, std::shared_ptr<const HostMesh> mesh)
      : library_(std::move(library)), mesh_(std::move(mesh)) {
    const weft_plugin& p = *library_->plugin;
    view_ = {mesh_->vertices(),
             int(mesh_->triangles.size() / 3),
             int(mesh_->edges.size() / 2),
             mesh_->rest.data(),
             mesh_->mass.data(),
             mesh_->triangles.data(),
             mesh_->edges.data()};
    if (p.create && !(self_ = p.create(&view_))) throw library_->fault("it could not be made for this scene");
  }
  ~LibraryObject() {
    if (library_->plugin->destroy && library_->plugin->create) library_->plugin->destroy(self_);
  }
  LibraryObject(const LibraryObject&) = delete;
  const weft_plugin& plugin() const { return *library_->plugin; }
  const LoadedLibrary& library() const { return *library_; }
  void* self() const { return self_; }

 private:
  SharedLibrary library_;
  std::shared_ptr<const HostMesh> mesh_;
  weft_mesh view_{};
  void* self_ = nullptr;
};

class LibraryEnergy final : public HostEnergy {
 public:
  LibraryEnergy(SharedLibrary library, std::shared_ptr<const HostMesh> mesh)
      : object_(std::move(library), std::move(mesh)) {
    const weft_energy& e = *object_.plugin().energy;
    const int count = e.points > 0 ? e.elements(object_.self(), nullptr) : -1;
    if (count < 0 || count > 100'000'000) throw object_.library().fault("it has no elements for this scene");
    elements_.resize(size_t(count) * size_t(e.points));
    if (e.elements(object_.self(), elements_.data()) != count)
      throw object_.library().fault("it gave two numbers of elements");
  }
  int points() const override { return object_.plugin().energy->points; }
  const std::vector<int>& elements() const override { return elements_; }
  bool definite() const override { return object_.plugin().energy->definite != 0; }
  double evaluate(std::span<const double> x, std::span<const double> parameters, std::span<double> gradient,
                  std::span<double> hessian) override {
    double energy = 0;
    std::fill(hessian.begin(), hessian.end(), 0.0);
    const int fault = object_.plugin().energy->evaluate(object_.self(), x.data(), parameters.data(), &energy,
                                                        gradient.empty() ? nullptr : gradient.data(),
                                                        hessian.empty() ? nullptr : hessian.data());
    if (fault != 0) throw object_.library().fault(fmt::format("its energy reported the fault {}", fault));
    return energy;
  }

 private:
  LibraryObject object_;
  std::vector<int> elements_;
};

class LibraryFilter final : public HostFilter {
 public:
  LibraryFilter(SharedLibrary library, std::shared_ptr<const HostMesh> mesh)
      : object_(std::move(library), std::move(mesh)) {}
  void apply(std::span<const double> from, std::span<double> x, std::span<const double> parameters) override {
    const int fault = object_.plugin().filter(object_.self(), from.data(), x.data(), parameters.data());
    if (fault != 0) throw object_.library().fault(fmt::format("its filter reported the fault {}", fault));
  }

 private:
  LibraryObject object_;
};

class LibraryPlugin final : public HostPlugin {
 public:
  explicit LibraryPlugin(SharedLibrary library) : library_(std::move(library)) {
    const weft_plugin& p = *library_->plugin;
    name_ = text_of(p.name);
    for (int i = 0; i < p.parameter_count; ++i) {
      const weft_parameter& one = p.parameters[i];
      parameters_.push_back({text_of(one.key), text_of(one.label), text_of(one.unit), text_of(one.help),
                             one.fallback, one.min, one.max});
    }
  }
  const std::string& name() const override { return name_; }
  std::string origin() const override { return library_->path; }
  const std::vector<HostParameter>& parameters() const override { return parameters_; }
  bool has_energy() const override {
    const weft_energy* e = library_->plugin->energy;
    return e && e->elements && e->evaluate;
  }
  bool has_filter() const override { return library_->plugin->filter != nullptr; }
  std::unique_ptr<HostEnergy> energy(std::shared_ptr<const HostMesh> mesh) const override {
    return std::make_unique<LibraryEnergy>(library_, std::move(mesh));
  }
  std::unique_ptr<HostFilter> filter(std::shared_ptr<const HostMesh> mesh) const override {
    return std::make_unique<LibraryFilter>(library_, std::move(mesh));
  }

 private:
  SharedLibrary library_;
  std::string name_;
  std::vector<HostParameter> parameters_;
};

}  // namespace

std::shared_ptr<const HostPlugin> load_plugin(const std::string& path) {
  std::error_code gone;
  if (!std::filesystem::is_regular_file(path, gone))
    throw Error("there is no such library", shortened(path), "check the path");
  auto library = std::make_shared<LoadedLibrary>();
  library->path = path;
  library->handle = ::dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library->handle)
    throw Error("the library cannot be loaded: " + shortened(text_of(::dlerror()), 300), path,
                "build it as a shared library for this machine: cc -shared -fPIC");
  void* entry = ::dlsym(library->handle, "weft_plugin_entry");
  if (!entry) throw Error("the library has no function weft_plugin_entry", path, "export it (weft/plugin.h)");
  library->plugin = reinterpret_cast<const weft_plugin* (*)()>(entry)();
  if (!library->plugin) throw Error("the library describes no plug-in", path, "return one (weft/plugin.h)");
  if (library->plugin->version != WEFT_PLUGIN_VERSION)
    throw Error(fmt::format("the library is made for version {} of weft/plugin.h, and this is version {}",
                            library->plugin->version, WEFT_PLUGIN_VERSION),
                path, "build it again with the header of this program");
  if (library->plugin->parameter_count < 0 || library->plugin->parameter_count > 1000 ||
      (library->plugin->parameter_count > 0 && !library->plugin->parameters))
    throw Error("the library's list of parameters makes no sense", path, "see weft/plugin.h");
  auto plugin = std::make_shared<LibraryPlugin>(library);
  check_plugin(*plugin);
  return plugin;
}

}  // namespace weft

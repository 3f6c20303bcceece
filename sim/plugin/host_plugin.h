// An energy or a filter of positions that is no part of Weft: from a shared library, or from Python.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// What is simulated, at rest, as weft/plugin.h describes it.
struct HostMesh {
  std::vector<double> rest, mass;     // 3 per vertex, m; kg
  std::vector<int> triangles, edges;  // 3 and 2 vertices each
  int vertices() const { return int(mass.size()); }
};

/// A value that people set.
struct HostParameter {
  std::string key, label, unit, help;
  double fallback = 0, min = 0, max = 1;
};

/// A sum over elements of the same number of vertices of one mesh.
class HostEnergy {
 public:
  virtual ~HostEnergy() = default;
  virtual int points() const = 0;  // of an element, 1 to 4
  /// points() vertices per element.
  virtual const std::vector<int>& elements() const = 0;
  virtual bool definite() const = 0;
  /// J at x (3 per vertex, m). Adds to `gradient` (N, 3 per vertex) and sets `hessian` (N/m, (3 points())²
  /// numbers per element, by rows); either may be empty. Throws Error.
  virtual double evaluate(std::span<const double> x, std::span<const double> parameters,
                          std::span<double> gradient, std::span<double> hessian) = 0;
};

/// Moves the positions that a solver found.
class HostFilter {
 public:
  virtual ~HostFilter() = default;
  /// `from`: positions at the start of the step. Throws Error.
  virtual void apply(std::span<const double> from, std::span<double> x,
                     std::span<const double> parameters) = 0;
};

/// What a library or a script brings. One thread at a time uses what it makes.
class HostPlugin {
 public:
  virtual ~HostPlugin() = default;
  virtual const std::string& name() const = 0;
  virtual std::string origin() const = 0;  // for messages: the path of a library, "Python"
  virtual const std::vector<HostParameter>& parameters() const = 0;
  virtual bool has_energy() const = 0;
  virtual bool has_filter() const = 0;
  /// For one mesh, which they keep. Throw Error.
  virtual std::unique_ptr<HostEnergy> energy(std::shared_ptr<const HostMesh> mesh) const = 0;
  virtual std::unique_ptr<HostFilter> filter(std::shared_ptr<const HostMesh> mesh) const = 0;
};

/// Throws Error for elements that are not whole, name a vertex that does not exist, or one twice.
void check_elements(const HostEnergy& energy, int vertices, const std::string& where);
/// Throws Error for names that cannot be part of a key, keys that are there twice, and ranges without their
/// default.
void check_plugin(const HostPlugin& plugin);

}  // namespace weft

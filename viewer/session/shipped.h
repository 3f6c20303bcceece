// What ships with the program, read when it is first asked for: the catalogue of scenes, fabrics, papers'
// presets.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/assets.h"
#include "sim/scene/scene.h"
#include "viewer/commands/catalogue.h"

namespace weft {

struct NamedFabric {
  std::string name;
  FabricParams values;
};

class Shipped {
 public:
  /// `tell` reports what cannot be read, once.
  using Tell = std::function<void(const std::string&)>;
  explicit Shipped(Tell tell) : tell_(std::move(tell)) {}

  const std::vector<CatalogueSection>& catalogue();
  const std::vector<NamedFabric>& fabrics();
  const std::vector<PaperPreset>& papers();

 private:
  template <class List, class Read>
  const List& once(std::optional<List>& list, Read read);
  Tell tell_;
  std::optional<std::vector<CatalogueSection>> catalogue_;
  std::optional<std::vector<NamedFabric>> fabrics_;
  std::optional<std::vector<PaperPreset>> papers_;
};

/// All fabrics that ship. Throws Error for one that cannot be read.
std::vector<NamedFabric> read_fabrics();
/// Keys (without the cloth's name) and values of a fabric, as text.
std::vector<std::pair<std::string, std::string>> fabric_texts(FabricParams values);
/// Index of the fabric with exactly these values, else -1.
int matching_fabric(const std::vector<NamedFabric>& fabrics, const FabricParams& values);
/// What a tuned fabric was tuned from: the one that shares the most values with it, `present` among equals;
/// `present` too where less than half of the values are those of any other.
std::string fabric_tuned_from(const std::vector<NamedFabric>& fabrics, const FabricParams& values,
                              const std::string& present);

/// Values that make a scene run a paper's method, or (chosen = -1) its own again: each parameter that any
/// preset sets, with its value; `own` gives the scene's own.
std::vector<std::pair<std::string, std::string>> paper_values(
    const std::vector<PaperPreset>& papers, int chosen, const ParamTable& params,
    const std::function<std::string(const ParamRef&)>& own);

}  // namespace weft

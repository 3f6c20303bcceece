#include "viewer/session/shipped.h"

#include <algorithm>

namespace weft {

template <class List, class Read>
const List& Shipped::once(std::optional<List>& list, Read read) {
  if (list) return *list;
  list.emplace();
  try {
    *list = read();
  } catch (const std::exception& e) {
    tell_(e.what());
  }
  return *list;
}

const std::vector<CatalogueSection>& Shipped::catalogue() { return once(catalogue_, read_catalogue); }

std::vector<NamedFabric> read_fabrics() {
  std::vector<NamedFabric> list;
  for (const std::string& name : fabric_names()) list.push_back({name, read_fabric(name)});
  return list;
}

const std::vector<NamedFabric>& Shipped::fabrics() { return once(fabrics_, read_fabrics); }

const std::vector<PaperPreset>& Shipped::papers() { return once(papers_, paper_presets); }

std::vector<std::pair<std::string, std::string>> fabric_texts(FabricParams values) {
  ParamTable table;
  table.add("", values);
  std::vector<std::pair<std::string, std::string>> texts;
  for (const ParamRef& ref : table.refs()) texts.emplace_back(ref.info().key, ref.text());
  return texts;
}

int matching_fabric(const std::vector<NamedFabric>& fabrics, const FabricParams& values) {
  const auto texts = fabric_texts(values);
  for (int i = 0; i < int(fabrics.size()); ++i)
    if (fabric_texts(fabrics[size_t(i)].values) == texts) return i;
  return -1;
}

std::string fabric_tuned_from(const std::vector<NamedFabric>& fabrics, const FabricParams& values,
                              const std::string& present) {
  const auto texts = fabric_texts(values);
  std::string best = present;
  size_t most = texts.size() / 2;
  for (const NamedFabric& fabric : fabrics) {
    const auto its = fabric_texts(fabric.values);
    size_t shared = 0;
    for (size_t i = 0; i < texts.size(); ++i) shared += texts[i] == its[i];
    if (shared > most || (shared == most && fabric.name == present)) most = shared, best = fabric.name;
  }
  return best;
}

std::vector<std::pair<std::string, std::string>> paper_values(
    const std::vector<PaperPreset>& papers, int chosen, const ParamTable& params,
    const std::function<std::string(const ParamRef&)>& own) {
  const auto sets = [](const PaperPreset& paper, const std::string& key) {
    return std::find_if(paper.settings.begin(), paper.settings.end(),
                        [&](const auto& setting) { return setting.first == key; });
  };
  std::vector<std::pair<std::string, std::string>> values;
  for (const ParamRef& ref : params.refs()) {
    if (std::none_of(papers.begin(), papers.end(), [&](const PaperPreset& paper) {
          return sets(paper, ref.key()) != paper.settings.end();
        }))
      continue;
    std::string text = own(ref);
    if (chosen >= 0) {
      const PaperPreset& paper = papers[size_t(chosen)];
      if (const auto set = sets(paper, ref.key()); set != paper.settings.end()) text = set->second;
    }
    values.emplace_back(ref.key(), text);
  }
  return values;
}

}  // namespace weft

#include "viewer/session/finder.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "viewer/session/window_keys.h"
#include "viewer/session/window_state.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

using Kind = FinderEntry::Kind;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

bool word_begins_at(const std::string& text, size_t at) {
  return at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
}

/// How well a word fits: 0 not at all; larger is better.
int fit_of_word(const std::string& label, const std::string& name, const std::string& detail,
                const std::string& word) {
  if (label == word || name == word) return 6;
  const size_t in_label = label.find(word), in_name = name.find(word);
  if (in_label == 0) return 5;
  for (size_t at = in_label; at != label.npos; at = label.find(word, at + 1))
    if (word_begins_at(label, at)) return 4;
  if (in_name != name.npos && word_begins_at(name, in_name)) return 3;
  if (in_label != label.npos || in_name != name.npos) return 2;
  const size_t in_detail = detail.find(word);
  return in_detail != detail.npos && word_begins_at(detail, in_detail) ? 1 : 0;
}

/// Sum over the words; 0 where one of them is nowhere.
int fit(const FinderEntry& entry, const std::vector<std::string>& words) {
  const std::string label = lower(entry.label), name = lower(entry.name), detail = lower(entry.detail);
  int sum = 0;
  for (const std::string& word : words) {
    const int one = fit_of_word(label, name, detail, word);
    if (one == 0) return 0;
    sum += one;
  }
  return sum;
}

/// Commands that have a button and no key.
void add_buttons(std::vector<FinderEntry>& entries) {
  const auto add = [&](const char* words, const std::function<void(WindowState&)>& run) {
    entries.push_back({Kind::command, words, "", "", run});
  };
  add("Export the state that is shown as OBJ", [](WindowState& s) { s.session.export_shown(".obj"); });
  add("Save hands: all user input, for weft replay", [](WindowState& s) {
    if (!s.session.playback()) s.session.save_hands();
  });
  add("Light or dark panels", [](WindowState& s) {
    const bool light = !s.settings.flag("light", false);
    s.settings.set("light", light);
    theme::use(light);
  });
}

void add_shipped(WindowState& state, std::vector<FinderEntry>& entries) {
  for (const CatalogueSection& section : state.offers.shipped.catalogue())
    for (const CatalogueItem& item : section.items)
      entries.push_back({item.path.ends_with(".json") ? Kind::garment : Kind::scene, item.title,
                         item.description, item.name,
                         [path = item.path](WindowState& s) { s.session.open({path}); }});
  for (const NamedFabric& fabric : state.offers.shipped.fabrics())
    entries.push_back({Kind::fabric, fabric.name, "Gives every cloth the values of this fabric", fabric.name,
                       [fabric](WindowState& s) {
                         std::vector<std::pair<std::string, std::string>> values;
                         for (const Cloth& cloth : s.session.scene().cloths)
                           for (const auto& [key, text] : fabric_texts(fabric.values))
                             values.emplace_back(cloth.name + "." + key, text);
                         s.session.change("Fabric: " + fabric.name, values);
                       }});
  const std::vector<PaperPreset>& papers = state.offers.shipped.papers();
  for (int i = 0; i < int(papers.size()); ++i)
    entries.push_back(
        {Kind::paper, papers[size_t(i)].title, papers[size_t(i)].description, papers[size_t(i)].name,
         [i](WindowState& s) {
           const std::vector<PaperPreset>& list = s.offers.shipped.papers();
           const auto own = [&](const ParamRef& ref) { return s.session.original_text(ref.key()); };
           s.session.change(list[size_t(i)].title, paper_values(list, i, s.session.params(), own));
         }});
}

void add_parameters(WindowState& state, std::vector<FinderEntry>& entries) {
  // With one cloth "fabric.*" and the cloth's own keys are the same.
  const bool one_cloth = state.session.scene().cloths.size() < 2;
  for (const ParamRef& ref : state.session.params().refs())
    if (!one_cloth || !ref.key().starts_with("fabric."))
      entries.push_back({Kind::parameter, ref.info().label, ref.info().help, ref.key(), {}});
  ViewSettings view;
  ParamTable table;
  table.add("view", view);
  for (const ParamRef& ref : table.refs())
    entries.push_back({Kind::parameter, ref.info().label, ref.info().help, ref.key(), {}});
}

}  // namespace

const char* kind_name(FinderEntry::Kind kind) {
  constexpr const char* kNames[] = {"Scene", "Garment", "Fabric", "Paper", "Parameter", "Command"};
  return kNames[size_t(kind)];
}

std::vector<FinderEntry> finder_entries(WindowState& state) {
  std::vector<FinderEntry> entries;
  for (const KeyBinding& binding : key_bindings())
    if (binding.words[0] != '\0')
      entries.push_back({Kind::command, binding.words, binding.keys, "", binding.run});
  add_buttons(entries);
  add_shipped(state, entries);
  add_parameters(state, entries);
  return entries;
}

std::vector<int> find_entries(const std::vector<FinderEntry>& entries, const std::string& query,
                              size_t most) {
  std::istringstream text(lower(query));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  std::vector<std::pair<int, int>> found;  // the worse the later, then the order of entries
  for (int i = 0; i < int(entries.size()) && !words.empty(); ++i)
    if (const int how = fit(entries[size_t(i)], words); how > 0) found.emplace_back(-how, i);
  std::sort(found.begin(), found.end());
  if (found.size() > most) found.resize(most);
  std::vector<int> indices;
  for (const auto& [how, index] : found) indices.push_back(index);
  return indices;
}

}  // namespace weft

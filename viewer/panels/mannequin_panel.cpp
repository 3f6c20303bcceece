// The mannequin's measures, and the clip that it moves by. Changes are gathered: each builds the scene again,
// and puts garments on anew.
#include <imgui.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/scene/model/body_clips.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"
#include "viewer/theme/theme.h"

namespace weft {
namespace {

/// Measures that have not been taken over yet.
class MannequinTarget : public ParamTarget {
 public:
  MannequinTarget(WindowState& state, const ParamTable& table) : state_(state), table_(table) {}
  void begin(const std::string&) override {}
  void set(const std::string& key, const std::string& text) override {
    try {
      table_.set(key, text);
    } catch (const Error& e) {
      state_.toasts.add(LogLevel::error, e.what());
    }
  }
  void end() override {}

 private:
  WindowState& state_;
  const ParamTable& table_;
};

/// The clip is one of these, or the scene's list of several, or none.
void clip_field(WindowState& state, const Mannequin& now, Mannequin& wanted) {
  std::vector<std::string> names{"none: the pose of dressing"};
  const std::vector<std::string> clips = clip_names();
  names.insert(names.end(), clips.begin(), clips.end());
  int current = 0;
  if (wanted.clips.size() == 1)
    current = 1 + int(std::find(clips.begin(), clips.end(), wanted.clips[0].clip) - clips.begin());
  const bool several = now.clips.size() > 1;
  if (several) names.push_back("the scene's " + std::to_string(now.clips.size()) + " clips");
  if (wanted.clips.size() > 1) current = int(names.size()) - 1;
  const int chosen = choice_list(state, "Clip", "mannequin.clip", names, current, {},
                                 "How it moves once the garment is worn. It goes from the pose of dressing "
                                 "to the clip's first pose within the "
                                 "lead-in.");
  if (chosen < 0) return;
  if (chosen == 0) wanted.clips.clear();
  else if (several && chosen + 1 == int(names.size())) wanted.clips = now.clips;
  else wanted.clips = {{.clip = clips[size_t(chosen - 1)]}};
}

void take_over(WindowState& state, int obstacle, const Mannequin& now, Mannequin& wanted) {
  const std::vector<Cloth>& cloths = state.session.scene().cloths;
  const bool dresses = std::any_of(cloths.begin(), cloths.end(),
                                   [](const Cloth& c) { return c.shape == ClothShape::garment; });
  const bool changed = !(wanted == now);
  const ButtonRow row({dresses ? "Dress again" : "Build again", "Take back"});
  if (text_button(
          state, dresses ? "Dress again" : "Build again",
          dresses ? "Builds the body with these measures and puts its garments on, which is shown. The scene "
                    "starts again."
                  : "Builds the body with these measures. The scene starts again.",
          row.width(), changed)) {
    Obstacle body = state.session.scene().obstacles[size_t(obstacle)];
    body.mannequin = state.memory.mannequin.send();
    state.session.set_obstacle(obstacle, std::move(body));
  }
  note_item(state, "mannequin.apply");
  row.next();
  if (text_button(state, "Take back", "The measures and the clip that the scene has.", row.width(), changed))
    wanted = now;
  note_item(state, "mannequin.back");
}

}  // namespace

void mannequin_panel(WindowState& state) {
  const std::vector<Obstacle>& bodies = state.session.scene().obstacles;
  const auto body = std::find_if(bodies.begin(), bodies.end(),
                                 [](const Obstacle& o) { return o.shape == ObstacleShape::mannequin; });
  if (body == bodies.end() || !begin_section(state, "Mannequin", false)) return;
  state.memory.mannequin.follow(state.session.view().model_id, body->mannequin);
  Mannequin& wanted = state.memory.mannequin.wanted;
  ParamTable table;
  table.add("mannequin", wanted.params);
  MannequinTarget target(state, table);
  const auto more = [](const ParamRef& ref) {
    return ref.key() == "mannequin.edge" || ref.key() == "mannequin.blend" ||
           ref.key() == "mannequin.lead_in";
  };
  for (const ParamRef& ref : table.refs())
    if (!more(ref)) param_slider(state, target, ref);
  clip_field(state, body->mannequin, wanted);
  if (fold(state, "fold.mannequin", "More"))
    for (const ParamRef& ref : table.refs())
      if (more(ref)) param_slider(state, target, ref);
  take_over(state, int(body - bodies.begin()), body->mannequin, wanted);
  end_section();
}

}  // namespace weft

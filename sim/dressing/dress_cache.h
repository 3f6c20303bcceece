// Dressed garments by content, in the user's cache folder.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/mesh/mesh.h"
#include "sim/scene/scene.h"

namespace weft {

/// A number of all that a dressing depends on: its scene with meshes and the bodies' vertices.
uint64_t dressing_key(const Scene& scene);

/// $XDG_CACHE_HOME/weft/dressed or ~/.cache/weft/dressed; empty where neither is known.
std::string dress_cache_folder();

/// Positions of the garments' vertices (m) that were kept under a key; nothing where there are none or they
/// do not fit.
std::optional<std::vector<std::vector<vec3>>> find_dressed(uint64_t key, const std::vector<int>& vertices);
/// Keeps them. What cannot be written is left out in silence: the cache is a convenience.
void keep_dressed(uint64_t key, const std::vector<std::vector<vec3>>& positions);

/// The right to dress what has this key: other processes and threads that want the same wait for the result.
/// Where the cache's folder cannot be written nobody waits.
class DressingTurn {
 public:
  /// Throws Interrupted where `give_up`, which may be empty, says so while another one dresses.
  DressingTurn(uint64_t key, const std::function<bool()>& give_up);
  ~DressingTurn();
  DressingTurn(const DressingTurn&) = delete;

 private:
  bool wait(const std::function<bool()>& give_up);
  std::string path_;
  int file_ = -1;
};

}  // namespace weft

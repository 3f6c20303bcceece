// Readers of files that come from elsewhere, fed with any bytes. libFuzzer makes the bytes
// (libfuzzer_entry.cpp); the unit tests feed the corpus (corpus_test.cpp).
#pragma once
#include <string>

namespace weft::fuzz {

/// Gives `bytes` to a reader. Returns for what was read and for what was refused with an Error. Any other
/// exception is a fault: one from within, or a logic_error where something that was read breaks what the
/// reader promises.
using Target = void (*)(const std::string& bytes);

struct NamedTarget {
  const char* name;  // and folder in corpus/
  Target run;
};

void obj(const std::string& bytes);           // mesh import, and the same text as groups of a recorded run
void ply(const std::string& bytes);           // PLY mesh, and cloth of it
void obj_sequence(const std::string& bytes);  // files of a sequence, parted by lines "%%"
void scene(const std::string& bytes);         // scene file, read and written back
void scene_build(const std::string& bytes);   // scene file; small scenes are built and run for two steps
void hands(const std::string& bytes);         // recorded hands, read and written back
void run_cache(const std::string& bytes);     // recorded run, as it is and with its checksums put right
void pc2(const std::string& bytes);           // point cache of a square
void states(const std::string& bytes);        // NumPy array of a square
void gltf(const std::string& bytes);          // glTF body, its animations played
void usda(const std::string& bytes);          // USD text as a body
void snapshot(const std::string& bytes);      // snapshot, restored and run for two steps
// sewing pattern (GarmentCode), meshed, drawn, written and read back
void pattern(const std::string& bytes);
void dxf(const std::string& bytes);  // sewing pattern (DXF), the same

constexpr NamedTarget kTargets[] = {{"obj", obj},
                                    {"ply", ply},
                                    {"obj_sequence", obj_sequence},
                                    {"scene", scene},
                                    {"scene_build", scene_build},
                                    {"hands", hands},
                                    {"run_cache", run_cache},
                                    {"pc2", pc2},
                                    {"states", states},
                                    {"gltf", gltf},
                                    {"usda", usda},
                                    {"snapshot", snapshot},
                                    {"pattern", pattern},
                                    {"dxf", dxf}};

/// Inputs of formats that only the program writes; to be made anew where a format changes (`fuzz-seeds
/// tests/fuzz/corpus`).
void write_run_cache_seeds(const std::string& folder);
void write_snapshot_seeds(const std::string& folder);
void write_gltf_seeds(const std::string& folder);

}  // namespace weft::fuzz

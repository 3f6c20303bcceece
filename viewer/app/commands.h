// The commands of the program: each fills the request that it runs.
#pragma once
#include "viewer/app/shared_options.h"

namespace weft {

/// remesh, repair, flow.
void add_geometry_commands(CLI::App& app, Choice& choice);
/// pattern, dress, mannequin.
void add_garment_commands(CLI::App& app, Choice& choice);
/// convert, wrinkle.
void add_file_commands(CLI::App& app, Choice& choice);
void add_bench_command(CLI::App& app, Choice& choice);
void add_compare_command(CLI::App& app, Choice& choice);
void add_batch_command(CLI::App& app, Choice& choice);
/// man, completion: texts about all other commands, so it is called after them.
void add_manual_commands(CLI::App& app, Choice& choice);

}  // namespace weft

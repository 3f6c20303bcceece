// Table 2 of Wu 2020: whoever has read the paper finds its parameters by their symbols.
#include <doctest/doctest.h>

#include <cctype>
#include <string>

#include "sim/scene/scene.h"

using namespace weft;

namespace {

/// Whether the text names the symbol as a word of its own.
bool names(const std::string& text, const std::string& symbol) {
  const auto part_of_word = [&](size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  for (size_t at = text.find(symbol); at != std::string::npos; at = text.find(symbol, at + 1))
    if (!(at > 0 && part_of_word(at - 1)) && !part_of_word(at + symbol.size())) return true;
  return false;
}

}  // namespace

TEST_CASE(
    "every parameter of the repulsion paper's table is told of by its symbol, and has its value by default") {
  struct Row {
    std::string symbol, key;
    double least, most;  // SI
  };
  const Row table[] = {{"L", "repulsion.max_edge", 6e-3 * 1.41421356, 6e-3 * 1.41421356},
                       {"B_tight", "repulsion.tightening", 0.5e-3, 0.5e-3},
                       {"epsilon_slack", "repulsion.slack", 21.75e-6, 21.75e-6},
                       {"epsilon_cond", "repulsion.condition", 0.01e-6, 0.01e-6},
                       {"I_soft", "repulsion.soft_iterations", 6, 16},
                       {"I_hard", "repulsion.hard_iterations", 8, 8},
                       {"R", "repulsion.rollback_steps", 12, 12},
                       {"K", "repulsion.steps", 72, 72},
                       {"sigma", "repulsion.coupling", 80000, 80000},
                       // of 48 steps on the coarsest mesh; one on the others
                       {"I_dyn", "descent.coarse_iterations", 48 * 1, 48 * 6},
                       {"I_dyn", "descent.middle_iterations", 12, 12},
                       {"I_init", "repulsion.initial_steps", 6, 6},
                       {"D", "repulsion.step_limit", 0.25e-3, 0.25e-3},
                       {"L_ref", "repulsion.reference_edge", 4.2e-3, 4.2e-3},
                       {"L_ada", "repulsion.resample_from", 6.5e-3, 6.5e-3}};
  Scene scene;
  const ParamTable params = scene.params();
  for (const Row& row : table) {
    CAPTURE(row.key);
    const ParamRef* found = params.find(row.key);
    REQUIRE(found != nullptr);
    CHECK(names(found->info().help, row.symbol));
    CHECK(found->number() >= row.least * (1 - 1e-5));
    CHECK(found->number() <= row.most * (1 + 1e-5));
  }
}

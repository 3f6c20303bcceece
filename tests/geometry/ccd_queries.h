// Continuous collision queries with exact answers, made elsewhere (shared/data/README.md).
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/base/math.h"
#include "test_paths.h"
#include "tests/geometry/float_rounding.h"

namespace weft::testing {

/// A vertex against a triangle (points 0 | 1 2 3), or an edge against an edge (0 1 | 2 3).
struct CcdQuery {
  dvec3 start[4], end[4];
  bool edges = false, collides = false;
  bool exact_in_float() const {
    for (int k = 0; k < 4; ++k)
      if (!weft::testing::exact_in_float(start[k]) || !weft::testing::exact_in_float(end[k])) return false;
    return true;
  }
};

inline std::filesystem::path ccd_query_folder() { return std::filesystem::path(WEFT_SHARED_DATA) / "ccd-queries" / "unit-tests"; }

/// Eight rows per query: four points at the start, four at the end; coordinates as fractions. Empty where the data is not there.
inline std::vector<CcdQuery> read_ccd_queries() {
  std::vector<CcdQuery> queries;
  for (const char* kind : {"edge-edge", "vertex-face"})
    for (const char* file : {"data_0_0.csv", "data_0_1.csv"}) {
      std::ifstream in(ccd_query_folder() / kind / file);
      int row = 0;
      for (std::string line; std::getline(in, line); row = (row + 1) % 8) {
        double number[7];
        char* at = line.data();
        for (double& n : number) n = std::strtod(at, &at), at += *at == ',';
        if (row == 0) queries.emplace_back();
        CcdQuery& q = queries.back();
        q.edges = std::string(kind) == "edge-edge";
        q.collides = number[6] != 0;
        dvec3* state = row < 4 ? q.start : q.end;
        state[row % 4] = {number[0] / number[1], number[2] / number[3], number[4] / number[5]};
      }
    }
  return queries;
}

}  // namespace weft::testing

// Continuous collision queries with exact answers, made elsewhere (shared/data/README.md).
#pragma once
#include "tests/support/ccd_queries.h"

namespace weft::testing {

inline std::filesystem::path ccd_query_folder() { return shared_ccd_query_folder(); }

inline std::vector<CcdQuery> read_ccd_queries() { return shared_ccd_queries(); }

}  // namespace weft::testing

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "tests/support/skip.h"

REGISTER_LISTENER("skips", 1, weft::testing::SkipReporter);

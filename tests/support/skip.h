// What a test says that cannot run on this machine, so that ctest reports it as skipped and not as passed.
#pragma once
#include <doctest/doctest.h>

#include <iostream>
#include <string>

namespace weft::testing {

inline std::string& skipped_because() {
  static std::string why;
  return why;
}

/// Says that the test, or a part of it, cannot run here. `why`: what the machine lacks. After a test that
/// checked nothing else SkipReporter prints "weft-skip: why", and ctest searches for that
/// (SKIP_REGULAR_EXPRESSION in tests/CMakeLists.txt).
inline void skip(const std::string& why) { skipped_because() = why; }

/// Prints the reason after a test that skipped; "in part" if it checked something. It prints nothing after a
/// failure, which ctest would take for a skip.
class SkipReporter : public doctest::IReporter {
 public:
  explicit SkipReporter(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData&) override { skipped_because().clear(); }
  void test_case_end(const doctest::CurrentTestCaseStats& test) override {
    if (skipped_because().empty() || test.failure_flags != 0) return;
    const char* what = test.numAssertsCurrentTest == 0 ? "weft-skip: " : "not run in part: ";
    std::cout << what << skipped_because() << std::endl;
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

}  // namespace weft::testing

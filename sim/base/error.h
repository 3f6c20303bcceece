// User-facing errors: what happened, where, and what to do about it.
#pragma once
#include <stdexcept>
#include <string>

namespace weft {

/// Thrown for every fault that a user can cause or fix. `where` is a file with line, a key, or a stage;
/// either of `where` and `what_to_do` may be empty. what() joins the three into one line.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what_happened, const std::string& where = {},
                 const std::string& what_to_do = {})
      : std::runtime_error((where.empty() ? "" : where + ": ") + what_happened +
                           (what_to_do.empty() ? "" : " — " + what_to_do)),
        what_happened(what_happened),
        where(where),
        what_to_do(what_to_do) {}
  std::string what_happened, where, what_to_do;
};

/// The device has failed permanently: nothing can be read from it or run on it. Data on the host can still be
/// used.
class DeviceLost : public Error {
 public:
  using Error::Error;
};

/// A step was abandoned on request (Device::interrupt_when). Not a fault; the state is that before the step.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace weft

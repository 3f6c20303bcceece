// Progress and interruption of long work on the host.
#pragma once
#include <functional>
#include <string>

namespace weft {

/// Watches the work of this thread during its life. Watches nest; the innermost one is asked.
class WorkWatch {
 public:
  using Report = std::function<void(const std::string& what, double share)>;
  /// `give_up` is asked often and may be empty; if it returns true the work ends with Interrupted. `report`
  /// receives the current task ("remeshing cloth shirt") and its progress, 0 to 1; it may be empty.
  explicit WorkWatch(std::function<bool()> give_up, Report report = nullptr);
  ~WorkWatch();
  WorkWatch(const WorkWatch&) = delete;

  /// Called regularly by work that may take more than a tenth of a second. Throws Interrupted.
  static void check();
  static void report(const std::string& what, double share);
  /// Asks what `check` asks, from any thread, while this thread's innermost watch lives; empty without one.
  static std::function<bool()> asked();

 private:
  std::function<bool()> give_up_;
  Report report_;
  WorkWatch* outer_;
};

}  // namespace weft

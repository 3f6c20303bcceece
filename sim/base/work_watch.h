// Long work on the host: somebody may look at how far it is, and end it.
#pragma once
#include <functional>
#include <string>

namespace weft {

/// Who watches what this thread does, while it lives. Watches nest: the innermost one is asked.
class WorkWatch {
 public:
  using Tell = std::function<void(const std::string& what, double share)>;
  /// `give_up` is asked many times and may be empty; where it says yes the work ends with Interrupted. `tell` receives what is done
  /// ("remeshing cloth shirt") and the share of it that is done, 0 to 1; it may be empty.
  explicit WorkWatch(std::function<bool()> give_up, Tell tell = nullptr);
  ~WorkWatch();
  WorkWatch(const WorkWatch&) = delete;

  /// To be called now and then by whatever may take more than a tenth of a second. Throws Interrupted.
  static void check();
  static void tell(const std::string& what, double share);

 private:
  std::function<bool()> give_up_;
  Tell tell_;
  WorkWatch* outer_;
};

}  // namespace weft

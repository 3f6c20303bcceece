#include "sim/base/work_watch.h"

#include "sim/base/error.h"

namespace weft {
namespace {

thread_local WorkWatch* innermost = nullptr;

}  // namespace

WorkWatch::WorkWatch(std::function<bool()> give_up, Report report)
    : give_up_(std::move(give_up)), report_(std::move(report)), outer_(innermost) {
  innermost = this;
}
WorkWatch::~WorkWatch() { innermost = outer_; }

void WorkWatch::check() {
  if (innermost && innermost->give_up_ && innermost->give_up_()) throw Interrupted();
}

std::function<bool()> WorkWatch::asked() { return innermost ? innermost->give_up_ : std::function<bool()>(); }

void WorkWatch::report(const std::string& what, double share) {
  if (innermost && innermost->report_) innermost->report_(what, share);
}

}  // namespace weft

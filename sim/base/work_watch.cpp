#include "sim/base/work_watch.h"

#include "sim/base/error.h"

namespace weft {
namespace {

thread_local WorkWatch* innermost = nullptr;

}  // namespace

WorkWatch::WorkWatch(std::function<bool()> give_up, Tell tell)
    : give_up_(std::move(give_up)), tell_(std::move(tell)), outer_(innermost) {
  innermost = this;
}
WorkWatch::~WorkWatch() { innermost = outer_; }

void WorkWatch::check() {
  if (innermost && innermost->give_up_ && innermost->give_up_()) throw Interrupted();
}

std::function<bool()> WorkWatch::asked() { return innermost ? innermost->give_up_ : std::function<bool()>(); }

void WorkWatch::tell(const std::string& what, double share) {
  if (innermost && innermost->tell_) innermost->tell_(what, share);
}

}  // namespace weft

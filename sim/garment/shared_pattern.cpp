#include "sim/garment/shared_pattern.h"

#include "sim/garment/pattern.h"

namespace weft {

SharedPattern::SharedPattern(Pattern pattern)
    : pattern_(std::make_shared<const Pattern>(std::move(pattern))) {}

bool SharedPattern::operator==(const SharedPattern& other) const {
  if (pattern_ == other.pattern_) return true;
  return pattern_ && other.pattern_ && *pattern_ == *other.pattern_;
}

}  // namespace weft

// A sewing pattern that a scene holds without its readers knowing what a pattern is.
#pragma once
#include <memory>

namespace weft {

struct Pattern;

/// A pattern or none. A value: comparisons reach the pattern; copies share it, as nobody changes it in place.
class SharedPattern {
 public:
  SharedPattern() = default;
  SharedPattern(Pattern pattern);
  explicit operator bool() const { return pattern_ != nullptr; }
  /// The pattern, which must be there.
  const Pattern& operator*() const { return *pattern_; }
  const Pattern* operator->() const { return pattern_.get(); }
  bool operator==(const SharedPattern& other) const;

 private:
  std::shared_ptr<const Pattern> pattern_;
};

}  // namespace weft

// Waiting for what another thread or process brings about.
#pragma once
#include <chrono>
#include <thread>

namespace weft::testing {

/// Whether `condition()` became true within `seconds`; a minute passes only where there is a fault.
template <class Condition>
bool wait_for(const Condition& condition, int seconds = 60) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace weft::testing

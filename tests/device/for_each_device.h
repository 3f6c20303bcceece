// Runs one test body on every device at hand: the CPU with one and with two threads, CUDA where there is a
// usable GPU.
#pragma once
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "sim/device/device.h"
#include "tests/support/skip.h"

namespace weft::testing {

/// Why CUDA is not among the devices at hand; empty if it is.
inline std::string cuda_missing() {
  static const std::string reason = [] {
    std::string why;
    for (const DeviceInfo& d : list_devices()) {
      if (d.kind != DeviceKind::cuda) continue;
      if (d.usable) return std::string();
      why = d.remark;
    }
    return why;
  }();
  return reason;
}

/// Calls body(device) inside device.run.
template <class Body>
void for_each_device(const Body& body) {
  const auto run_on = [&](std::unique_ptr<Device> device) {
    INFO("device: " << device->name());
    device->run([&] { body(*device); });
  };
  run_on(Device::create(DeviceChoice::cpu, 1));
  run_on(Device::create(DeviceChoice::cpu, 2));
  if (cuda_missing().empty()) run_on(Device::create(DeviceChoice::cuda));
  skip(cuda_missing());
}

/// Calls body(cpu, cuda); skips where there is no GPU to compare with.
template <class Body>
void for_cpu_and_cuda(const Body& body) {
  if (!cuda_missing().empty()) return skip(cuda_missing());
  const auto cpu = Device::create(DeviceChoice::cpu, 2);
  const auto gpu = Device::create(DeviceChoice::cuda);
  body(*cpu, *gpu);
}

}  // namespace weft::testing

#include "sim/device/device.h"

#include "sim/base/error.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("a device choice is auto, cpu or cuda and nothing else") {
  CHECK(parse_device_choice("auto") == DeviceChoice::automatic);
  CHECK(parse_device_choice("cpu") == DeviceChoice::cpu);
  CHECK(parse_device_choice("cuda") == DeviceChoice::cuda);
  for (const char* bad : {"", "gpu", "CPU", "cpu "}) CHECK_THROWS_AS(parse_device_choice(bad), Error);
}

TEST_CASE("the CPU has the threads that were asked for") {
  CHECK(Device::create(DeviceChoice::cpu, 2)->threads() == 2);
  CHECK(Device::create(DeviceChoice::cpu)->threads() >= 1);
}

TEST_CASE("automatic takes CUDA where it works and else the CPU, with the reason in one line") {
  std::string note = "untouched";
  const auto device = Device::create(DeviceChoice::automatic, 0, &note);
  if (cuda_missing().empty()) {
    CHECK(device->is_cuda());
    return;
  }
  CHECK(device->kind() == DeviceKind::cpu);
  CHECK(note.find(cuda_missing()) != std::string::npos);
  CHECK(note.find('\n') == std::string::npos);
}

TEST_CASE("asking for CUDA where there is none is an error that says why") {
  if (cuda_missing().empty()) {
    MESSAGE("there is a GPU here");
    return;
  }
  std::string message;
  try {
    Device::create(DeviceChoice::cuda);
  } catch (const Error& e) {
    message = e.what();
  }
  CHECK(message.find(cuda_missing()) != std::string::npos);
  CHECK(message.find("--device") != std::string::npos);
}

TEST_CASE("the list of devices names the CPU first and says of each whether it can be used") {
  const auto all = list_devices();
  REQUIRE(all.size() >= 2);
  CHECK(all[0].kind == DeviceKind::cpu);
  CHECK(all[0].usable);
  for (const DeviceInfo& d : all) {
    CHECK(!d.name.empty());
    CHECK(!d.remark.empty());
    CHECK(d.remark.find('\n') == std::string::npos);
  }
}

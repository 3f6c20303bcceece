// A CPU device for tests that look into what happens between two launches of a loop.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/device/device.h"

namespace weft::testing {

/// Does all that another device does, and reports the loops that it runs. Depth 1: a loop that lies in no
/// other.
class WatchedDevice : public Device {
 public:
  explicit WatchedDevice(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}

  std::function<void(int depth)> loop_begins, round_ended, loop_ended;
  /// Memory that was allocated under this name, in the order of its allocation.
  std::vector<void*> memory(const std::string& name) const {
    std::vector<void*> found;
    for (const auto& [at, called] : allocated_)
      if (called == name) found.push_back(at);
    return found;
  }

  /// How often memory was allocated under this name.
  int allocations(const std::string& name) const {
    const auto found = allocations_.find(name);
    return found == allocations_.end() ? 0 : found->second;
  }

  DeviceKind kind() const override { return inner_->kind(); }
  std::string name() const override { return inner_->name(); }
  int threads() const override { return inner_->threads(); }
  void* allocate(size_t bytes, const char* name) override {
    void* memory = inner_->allocate(bytes, name);
    allocated_.emplace_back(memory, name);
    ++allocations_[name];
    return memory;
  }
  void release(void* memory, size_t bytes) override {
    std::erase_if(allocated_, [&](const auto& a) { return a.first == memory; });
    inner_->release(memory, bytes);
  }
  void upload(void* to, const void* from, size_t bytes) override { inner_->upload(to, from, bytes); }
  void download(void* to, const void* from, size_t bytes) override { inner_->download(to, from, bytes); }
  void copy(void* to, const void* from, size_t bytes) override { inner_->copy(to, from, bytes); }
  void clear(void* memory, size_t bytes) override { inner_->clear(memory, bytes); }
  void synchronize() override { inner_->synchronize(); }
  void run(const std::function<void()>& work) override { inner_->run(work); }
  void replay(uint64_t signature, const std::function<void()>& work) override {
    inner_->replay(signature, work);
  }
  void when(Span<const int> flag, const std::function<void()>& work) override { inner_->when(flag, work); }
  void repeat(Span<const int> flag, const std::function<void()>& work) override {
    const int depth = ++depth_;
    if (loop_begins) loop_begins(depth);
    inner_->repeat(flag, [&] {
      work();
      if (round_ended) round_ended(depth);
    });
    if (loop_ended) loop_ended(depth);
    --depth_;
  }
  ThreadTeam* team() override { return inner_->team(); }
  size_t bytes_free() const override { return inner_->bytes_free(); }

 private:
  std::unique_ptr<Device> inner_;
  std::vector<std::pair<void*, std::string>> allocated_;
  std::map<std::string, int> allocations_;
  int depth_ = 0;
};

}  // namespace weft::testing

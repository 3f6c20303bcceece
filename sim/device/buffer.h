// Named memory on a device.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/span.h"
#include "sim/device/device.h"

namespace weft {

/// `entries` as the size of a Buffer. Throws Error where they are more than an index can name.
inline int buffer_size(int64_t entries, const char* name) {
  if (entries > INT32_MAX)
    throw Error(std::string("no memory for '") + name + "': " + std::to_string(entries) +
                    " entries exceed the limit of 2,147,483,647 for one list",
                "", "use a coarser mesh");
  return int(entries);
}

/// Move-only array on one device; upload and download are explicit. Contents start cleared to zero bytes.
template <class T>
class Buffer {
  // Copied bytewise. GLM's vectors are, but with initialising constructors their copies no longer count as
  // trivial.
  static_assert(std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T>);

 public:
  Buffer() = default;
  Buffer(Device& device, const char* name, int size) : device_(&device), name_(name) { resize(size); }
  Buffer(Device& device, const char* name, const std::vector<T>& values) : device_(&device), name_(name) {
    upload(values);
  }
  Buffer(Buffer&& o) noexcept { *this = std::move(o); }
  Buffer& operator=(Buffer&& o) noexcept {
    std::swap(device_, o.device_);
    std::swap(name_, o.name_);
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(capacity_, o.capacity_);
    return *this;
  }
  ~Buffer() {
    if (data_) device_->release(data_, size_t(capacity_) * sizeof(T));
  }

  int size() const { return size_; }
  const char* name() const { return name_; }
  bool empty() const { return size_ == 0; }

  /// Drops the contents; the memory is cleared. Grows the allocation only when needed.
  void resize(int size) {
    if (size > capacity_) {
      T* bigger = static_cast<T*>(device_->allocate(size_t(size) * sizeof(T), name_));
      if (data_) device_->release(data_, size_t(capacity_) * sizeof(T));
      data_ = bigger;
      capacity_ = size;
    }
    size_ = size;
    clear();
  }
  void clear() {
    if (size_) device_->clear(data_, size_t(size_) * sizeof(T));
  }
  /// Takes the size of `values`.
  void upload(const std::vector<T>& values) {
    if (int(values.size()) != size_) resize(int(values.size()));
    if (size_) device_->upload(data_, values.data(), size_t(size_) * sizeof(T));
  }
  std::vector<T> download() const {
    std::vector<T> values(static_cast<size_t>(size_));
    if (size_) device_->download(values.data(), data_, size_t(size_) * sizeof(T));
    return values;
  }
  void copy_from(const Buffer& o) {
    if (o.size_ != size_) resize(o.size_);
    if (size_) device_->copy(data_, o.data_, size_t(size_) * sizeof(T));
  }

  Span<T> span() { return {data_, size_}; }
  Span<const T> span() const { return {data_, size_}; }
  operator Span<T>() { return span(); }
  operator Span<const T>() const { return span(); }

 private:
  Device* device_ = nullptr;
  const char* name_ = "";
  T* data_ = nullptr;
  int size_ = 0, capacity_ = 0;
};

}  // namespace weft

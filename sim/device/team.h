// A team of CPU threads that share short parallel loops at a cost of well under a microsecond each.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace weft {

/// One step is hundreds of loops, many of a few microseconds. Threads that wait for the next one in a spin
/// start on it ten times faster than a task scheduler wakes them. After a while without work they sleep.
///
/// The calling thread is member 0 and never depends on the others: who has not begun when the work is done is
/// not waited for, so that on a busy machine a loop takes no longer than on one thread. One thread at a time
/// calls; a loop within a loop works on the calling member alone.
class ThreadTeam {
 public:
  /// `threads` at least 1, the caller included.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }

  /// Runs body(begin, end) over [0, count) in chunks. Each member takes the chunks of its own part first, so
  /// that it uses the same memory from loop to loop, and then those left by others. The body must not throw.
  template <class Body>
  void for_range(int count, int chunk, const Body& body) {
    const int chunks = (count + chunk - 1) / chunk;
    const int members = chunks < size_ ? chunks : size_;
    if (members <= 1 || busy_) {
      for (int c = 0; c < chunks; ++c) body(c * chunk, std::min(count, (c + 1) * chunk));
      return;
    }
    for (int m = 0; m < members; ++m)
      slots_[m].next.store(part(chunks, members, m), std::memory_order_relaxed);
    share(members, [&](int member) {
      for (int k = 0; k < members; ++k) {
        const int m = (member + k) % members, end = part(chunks, members, m + 1);
        for (;;) {
          const int c = slots_[m].next.fetch_add(1, std::memory_order_relaxed);
          if (c >= end) break;
          body(c * chunk, std::min(count, (c + 1) * chunk));
        }
      }
    });
  }

  /// The same for each k in [0, iterations), body(begin, end, k); no chunk of an iteration begins before the
  /// last of the previous one has ended.
  template <class Body>
  void for_iterations(int count, int smallest_chunk, int iterations, const Body& body) {
    const int chunks = count < 2 * smallest_chunk || busy_ ? 1 : std::min(size_, count / smallest_chunk);
    if (chunks == 1) {
      for (int k = 0; k < iterations && count > 0; ++k) body(0, count, k);
      return;
    }
    for (int c = 0; c < chunks; ++c) {
      slots_[c].next.store(0, std::memory_order_relaxed);
      slots_[c].finished.store(0, std::memory_order_relaxed);
    }
    share(chunks, [&](int member) {
      for (int k = 0; k < iterations; ++k) {
        for (int i = 0; i < chunks; ++i) {
          const int c = (member + i) % chunks;
          int expected = k;
          if (slots_[c].next.load(std::memory_order_relaxed) != k ||
              !slots_[c].next.compare_exchange_strong(expected, k + 1, std::memory_order_relaxed))
            continue;
          body(part(count, chunks, c), part(count, chunks, c + 1), k);
          slots_[c].finished.store(k + 1, std::memory_order_release);
        }
        for (int c = 0; c < chunks; ++c) wait_until_finished(c, k + 1);
      }
    });
  }

 private:
  using Job = void (*)(const void* body, int member);
  enum State : int { idle, offered, joined };
  struct alignas(64) Slot {
    // next chunk of this part; of an iterated loop: iterations taken of this chunk
    std::atomic<int> next{0};
    std::atomic<int> finished{0};              // iterations finished of this chunk
    alignas(64) std::atomic<int> state{idle};  // state of the member in the current loop
  };
  /// First of `items` that belongs to `member`.
  static int part(int items, int members, int member) { return int(int64_t(items) * member / members); }
  /// Lets up to `members` members run body(member); returns when those that began have ended.
  template <class Body>
  void share(int members, const Body& body) {
    call([](const void* b, int member) { (*static_cast<const Body*>(b))(member); }, &body, members);
  }
  void call(Job job, const void* body, int members);
  void work(int member);
  void wait_until_finished(int chunk, int iterations);

  const int size_;
  bool busy_ = false;
  Job job_ = nullptr;
  const void* body_ = nullptr;
  alignas(64) std::atomic<uint32_t> calls_{0};
  std::atomic<int> sleeping_{0};
  std::atomic<bool> stop_{false};
  std::unique_ptr<Slot[]> slots_;
  std::vector<std::thread> threads_;
};

}  // namespace weft

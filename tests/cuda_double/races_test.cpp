// Threads of a launch that race, reported by the thread sanitizer (races.h): whole steps of every choice, and
// launches that show that it would be reported.
#include "tests/cuda_double/races.h"

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include "tests/cuda_double/include/kernels.h"
#include "tests/support/variants.h"

using namespace weft;
using namespace weft::testing;
using cuda_double::races::reports;

namespace {

unsigned number() { return blockIdx.x * blockDim.x + threadIdx.x; }

void add_left(int* out) {
  if (number() > 0) out[number()] += out[number() - 1];
}
void own_row(int* out) { ++out[number()]; }
void one_for_all(int* out) { ++out[0]; }
void one_for_all_atomically(int* out) { atomicAdd(&out[0], 1); }
/// Hands over through memory, with a barrier of the warp between or with a shuffle, which orders nothing.
void pass_on(int* out, bool ordered) {
  out[number()] = int(number());
  if (ordered) __syncwarp();
  const int other = out[number() ^ 1] + __shfl_xor_sync(~0u, 0, 1);
  if (ordered) __syncwarp();
  out[number()] = other;
}
void pass_on_in_order(int* out) { pass_on(out, true); }
void pass_on_by_shuffle(int* out) { pass_on(out, false); }
void pass_to_other_warp(int* out) {
  out[number()] = 1;
  __syncthreads();
  const int other = out[number() ^ 32];
  __syncthreads();
  out[number()] = other;
}

/// Reports of two launches in turn, which are ordered among themselves.
long reports_of(void (*kernel)(int*)) {
  const long before = reports();
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  int* out = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&out), 256 * sizeof(int)) == cudaSuccess);
  cudaMemsetAsync(out, 0, 256 * sizeof(int), stream);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(4), config.blockDim = dim3(64), config.stream = stream;
  for (int launches = 0; launches < 2; ++launches)
    CHECK(cudaLaunchKernelEx(&config, kernel, out) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  cudaFree(out);
  cudaStreamDestroy(stream);
  return reports() - before;
}

}  // namespace

TEST_CASE("rows that read or count what others write are reported, and rows in order are not") {
  CHECK(reports_of(add_left) > 0);
  CHECK(reports_of(one_for_all) > 0);
  CHECK(reports_of(pass_on_by_shuffle) > 0);
  CHECK(reports_of(own_row) == 0);
  CHECK(reports_of(one_for_all_atomically) == 0);
  CHECK(reports_of(pass_on_in_order) == 0);
  CHECK(reports_of(pass_to_other_warp) == 0);
}

TEST_CASE("no two threads of a launch race, in any choice of any method") {
  for (const Variant& v : every_variant()) {
    INFO(v.name());
    const long before = reports();
    const auto device = Device::create(DeviceChoice::cuda);
    hash_after(v.scene(120), *device, 4);
    CHECK(reports() == before);
  }
}

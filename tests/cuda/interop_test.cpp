#if WEFT_CUDA
#include "cuda/interop/gl_shared_buffer.h"

#include "sim/device/cuda_hooks.h"
#include "tests/device/for_each_device.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("sharing a vertex buffer without an OpenGL context on the GPU is refused in one line") {
  cuda::GlSharedBuffer shared;
  std::string why_not;
  CHECK_FALSE(shared.attach({1, 2}, why_not));
  CHECK(!why_not.empty());
  CHECK(why_not.find('\n') == std::string::npos);
  FrameVertices frame;
  CHECK_FALSE(shared.copy(frame, {{1, 0, &why_not, 4}}, why_not));
  CHECK(!why_not.empty());
  shared.detach();  // twice is harmless
}

TEST_CASE("no CUDA device is made without saying why") {
  std::string why_not;
  const auto device = cuda::make_device(why_not);
  CHECK((device != nullptr) == cuda_missing().empty());
  if (!device) CHECK(why_not == cuda_missing());
}
#endif

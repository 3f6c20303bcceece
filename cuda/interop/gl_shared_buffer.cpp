#include "cuda/interop/gl_shared_buffer.h"

#include <cuda_runtime_api.h>
// Its prototypes need OpenGL's types, which it takes from <GL/gl.h>.
#include <cuda_gl_interop.h>

#include <algorithm>

namespace weft::cuda {
namespace {

/// Reason in words; empty for success. Clears the error, which else a launch on this thread would report as
/// its own.
std::string reason(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) return {};
  cudaGetLastError();
  return std::string(doing) + ": " + cudaGetErrorString(code);
}

/// The GPU on which the current OpenGL context runs, made current for CUDA on this thread. Empty on success.
std::string use_gl_gpu(int& gpu) {
  if (const std::string fault = interop_fault(InteropStage::device); !fault.empty()) return fault;
  unsigned count = 0;
  int gpus[8] = {};
  const cudaError_t code = cudaGLGetDevices(&count, gpus, 8, cudaGLDeviceListAll);
  if (code == cudaErrorNoDevice || code == cudaErrorOperatingSystem || (code == cudaSuccess && count == 0)) {
    cudaGetLastError();
    return "OpenGL does not run on an NVIDIA GPU";
  }
  if (code != cudaSuccess) return reason(code, "asking for OpenGL's GPU");
  gpu = gpus[0];
  return reason(cudaSetDevice(gpu), "using OpenGL's GPU");
}

}  // namespace

struct GlSharedBuffer::Impl {
  struct Registered {
    unsigned gl_buffer;
    cudaGraphicsResource_t resource;
  };
  std::vector<Registered> buffers;
  cudaStream_t stream = nullptr;
  int gpu = 0;  // of `stream` and of OpenGL

  cudaGraphicsResource_t find(unsigned gl_buffer) const {
    const auto at = std::find_if(buffers.begin(), buffers.end(),
                                 [&](const Registered& r) { return r.gl_buffer == gl_buffer; });
    return at == buffers.end() ? nullptr : at->resource;
  }

  void detach() {
    if (stream) cudaStreamSynchronize(stream);
    for (const Registered& r : buffers) cudaGraphicsUnregisterResource(r.resource);
    buffers.clear();
    cudaGetLastError();
  }

  std::string attach(const std::vector<unsigned>& gl_buffers) {
    detach();
    std::string why = use_gl_gpu(gpu);
    if (why.empty() && !stream)
      why = reason(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream for drawing");
    for (const unsigned b : gl_buffers) {
      if (!why.empty()) break;
      cudaGraphicsResource_t resource = nullptr;
      why = interop_fault(InteropStage::registration);
      if (why.empty())
        why = reason(cudaGraphicsGLRegisterBuffer(&resource, b, cudaGraphicsRegisterFlagsWriteDiscard),
                     "sharing a vertex buffer");
      if (why.empty()) buffers.push_back({b, resource});
    }
    if (!why.empty()) detach();
    return why;
  }

  /// The slot's memory must be on the GPU that OpenGL runs on.
  std::string check_source(const void* source) const {
    if (!source) return {};
    cudaPointerAttributes attributes{};
    int current = 0;
    std::string why = reason(cudaGetDevice(&current), "GPU");
    if (why.empty()) why = reason(cudaPointerGetAttributes(&attributes, source), "the simulator's memory");
    if (why.empty() && attributes.device != current) why = "OpenGL and the simulator run on different GPUs";
    return why;
  }

  std::string copy_one(const SharedCopy& c) const {
    void* target = nullptr;
    size_t room = 0;
    std::string why = reason(cudaGraphicsResourceGetMappedPointer(&target, &room, find(c.gl_buffer)),
                             "mapping a vertex buffer");
    if (!why.empty()) return why;
    if (c.offset > room || c.bytes > room - c.offset) return "a vertex buffer is smaller than the frame";
    auto* to = static_cast<unsigned char*>(target) + c.offset;
    return reason(c.source ? cudaMemcpyAsync(to, c.source, c.bytes, cudaMemcpyDeviceToDevice, stream)
                           : cudaMemsetAsync(to, 0, c.bytes, stream),
                  "copying vertices");
  }

  /// The distinct buffers that `copies` write to.
  std::string collect(const std::vector<SharedCopy>& copies,
                      std::vector<cudaGraphicsResource_t>& resources) const {
    for (const SharedCopy& c : copies) {
      const cudaGraphicsResource_t resource = find(c.gl_buffer);
      if (!resource) return "a vertex buffer was not registered";
      if (const std::string why = check_source(c.source); !why.empty()) return why;
      if (std::find(resources.begin(), resources.end(), resource) == resources.end())
        resources.push_back(resource);
    }
    return {};
  }

  std::string copy(const FrameVertices& frame, const std::vector<SharedCopy>& copies) {
    std::vector<cudaGraphicsResource_t> resources;
    // this thread may have used another one since
    std::string why = reason(cudaSetDevice(gpu), "using OpenGL's GPU");
    if (why.empty()) why = interop_fault(InteropStage::copy);
    if (why.empty()) why = collect(copies, resources);
    if (!why.empty() || resources.empty()) return why;
    why = reason(cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(frame.ready), 0),
                 "waiting for the frame");
    if (!why.empty()) return why;
    const int count = int(resources.size());
    why = reason(cudaGraphicsMapResources(count, resources.data(), stream), "mapping vertex buffers");
    if (!why.empty()) return why;
    for (size_t i = 0; i < copies.size() && why.empty(); ++i) why = copy_one(copies[i]);
    const std::string unmap =
        reason(cudaGraphicsUnmapResources(count, resources.data(), stream), "unmapping vertex buffers");
    const std::string record =
        reason(cudaEventRecord(static_cast<cudaEvent_t>(frame.consumed), stream), "freeing the frame");
    return !why.empty() ? why : !unmap.empty() ? unmap : record;
  }
};

GlSharedBuffer::GlSharedBuffer() : impl_(new Impl) {}

GlSharedBuffer::~GlSharedBuffer() {
  impl_->detach();
  if (impl_->stream) cudaStreamDestroy(impl_->stream);
}

bool GlSharedBuffer::attach(const std::vector<unsigned>& gl_buffers, std::string& why_not) {
  why_not = impl_->attach(gl_buffers);
  return why_not.empty();
}

void GlSharedBuffer::detach() { impl_->detach(); }

bool GlSharedBuffer::copy(const FrameVertices& frame, const std::vector<SharedCopy>& copies,
                          std::string& why_not) {
  why_not = impl_->copy(frame, copies);
  if (!why_not.empty()) impl_->detach();
  return why_not.empty();
}

}  // namespace weft::cuda

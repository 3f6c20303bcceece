// The trace of a headless run.
#include <fmt/format.h>

#include "sim/base/log.h"
#include "viewer/commands/headless.h"
#include "viewer/record/trace_file.h"

namespace weft {
namespace {

class TraceOutput final : public StepOutput {
 public:
  TraceOutput(const std::string& file, Simulation& simulation)
      : trace_(std::make_shared<TraceFile>(file)), profiler_(&simulation.device().profiler()) {
    set_current_trace(trace_);
    profiler_->add_listener(trace_.get());
  }
  ~TraceOutput() override { stop(); }

  void state(Simulation& simulation) override { trace_->published(simulation.stats()); }

  void moved(Simulation& simulation) override {
    profiler_->remove_listener(trace_.get());
    profiler_ = &simulation.device().profiler();
    profiler_->add_listener(trace_.get());
  }

  bool finish(Simulation&) override {
    stop();
    if (trace_->close()) return true;
    log_error("{}", trace_->fault());
    return false;
  }

  std::string summary() const override {
    return fmt::format("trace: {} ({} steps); ui.perfetto.dev and chrome://tracing open it", trace_->path(),
                       trace_->steps());
  }

 private:
  void stop() {
    profiler_->remove_listener(trace_.get());
    if (current_trace() == trace_) set_current_trace(nullptr);
  }
  std::shared_ptr<TraceFile> trace_;
  Profiler* profiler_;
};

}  // namespace

std::unique_ptr<StepOutput> make_trace_output(const std::string& file, Simulation& simulation) {
  return std::make_unique<TraceOutput>(file, simulation);
}

}  // namespace weft

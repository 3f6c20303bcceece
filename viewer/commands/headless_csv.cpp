// One row per step as comma-separated values (RFC 4180): numbers of the state and times of the stages, below
// a line that begins with # and says what they were made with.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "sim/base/file.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/standard_output.h"

namespace weft {
namespace {

/// Rows kept until the header is written: stages that appear in these steps get their own columns.
constexpr size_t kRowsBeforeHeader = 32;
/// A GPU's times of a step arrive during the next one.
constexpr size_t kRowsBehindDevice = 2;

/// Spreadsheets cannot read NaN and infinity: the field is empty.
std::string field(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

/// Stage times are known to the nanosecond.
std::string stage_field(double ms) { return fmt::format("{:.6g}", std::round(ms * 1e6) * 1e-6); }

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

using Numbers = std::vector<std::pair<std::string, double>>;

std::vector<std::string> names_of(const Numbers& numbers) {
  std::vector<std::string> names;
  for (const auto& [name, value] : numbers) names.push_back(name);
  return names;
}

class CsvOutput final : public StepOutput, public StepListener {
 public:
  CsvOutput(std::string file, std::string origin, Simulation& simulation)
      : file_(std::move(file)),
        origin_(std::move(origin)),
        made_(!std::filesystem::exists(file_)),
        out_(file_, std::ios::binary | std::ios::app),
        profiler_(&simulation.device().profiler()) {
    if (!out_)
      throw Error(std::string("cannot be written: ") + std::strerror(errno), file_, "choose another file");
    profiler_->add_listener(this);
  }
  ~CsvOutput() override {
    profiler_->remove_listener(this);
    std::error_code ignored;
    if (made_ && !begun_) std::filesystem::remove(file_, ignored);
  }

  void stages(long number, Time, const std::vector<StageSpan>& spans, bool on_device) override {
    std::map<std::string, double> sums;
    for (const StageSpan& s : spans) sums[profiler_->path_of(s.node)] += s.end - s.begin;
    if (!on_device) return void(last_.stages = std::move(sums));
    for (Row& row : waiting_)
      if (row.number == number) row.stages = sums, row.measured = true;
  }

  void step_ended(long number, Time begin, Time end) override {
    last_.number = number;
    last_.wall_ms = std::chrono::duration<double, std::milli>(end - begin).count();
    last_.launches = profiler_->launches_counted() ? fmt::format("{}", profiler_->launches()) : "";
  }

  void state(Simulation& simulation) override {
    begun_ = true;
    if (last_.number == 0) return;  // the start is no step
    Row row{last_.number, fmt::format("{}", simulation.state().step), std::exchange(last_.stages, {}),
            !profiler_->has_device_clock()};
    const StepStats stats = simulation.stats();
    row.text += "," + field(last_.wall_ms) + "," + last_.launches;
    const auto numbers = stats.all();
    if (names_.empty()) names_ = names_of(numbers);
    // A method that is changed within a run counts something else: its counters have no columns here.
    for (size_t i = 0; i < names_.size(); ++i) {
      const bool known = i < numbers.size() && numbers[i].first == names_[i];
      row.text += "," + (known ? field(numbers[i].second) : std::string());
    }
    waiting_.push_back(std::move(row));
    last_.number = 0;
    if (!header_written_ && waiting_.size() < kRowsBeforeHeader) return;
    write_header();
    write_rows(profiler_->has_device_clock() ? kRowsBehindDevice : 0);
  }

  void moved(Simulation& simulation) override {
    profiler_->remove_listener(this);
    // measurements of the lost device never arrive
    for (Row& row : waiting_) row.measured |= !row.stages.empty();
    profiler_ = &simulation.device().profiler();
    profiler_->add_listener(this);
    last_ = {};
  }

  bool finish(Simulation& simulation) override {
    if (!begun_) return false;
    if (names_.empty()) names_ = names_of(simulation.stats().all());
    write_header();
    write_rows(0);
    out_.flush();
    check();
    return true;
  }

  std::string summary() const override {
    return !begun_ ? std::string() : fmt::format("table: {} ({} steps)", StandardOutput::name(file_), rows_);
  }

 private:
  struct Row {
    long number;
    std::string text;                      // step, wall time, launches and numbers
    std::map<std::string, double> stages;  // ms by path; "" is the step
    bool measured;
  };

  void write_header() {
    if (header_written_) return;
    header_written_ = true;
    std::error_code ignored;
    // the old table is replaced only now
    if (!StandardOutput::is(file_) && std::filesystem::is_regular_file(file_, ignored))
      std::filesystem::resize_file(file_, 0, ignored);
    std::set<std::string> seen;
    for (const Row& row : waiting_)
      for (const auto& [path, ms] : row.stages)
        if (!path.empty()) seen.insert(path);
    if (!origin_.empty()) put("# " + origin_ + "\r\n");
    std::string line = "step,wall_ms,launches";
    for (const std::string& name : names_) line += "," + field(name);
    if (profiler_->has_device_clock()) line += ",device_ms", columns_.push_back("");
    // In the profiler's order: parents first.
    for (const StageTime& s : profiler_->stages())
      if (const auto found = seen.find(s.depth > 0 ? s.path.substr(s.path.find('/') + 1) : "");
          found != seen.end()) {
        line += "," + field(*found + "_ms");
        columns_.push_back(*found);
        known_.insert(*found);
      }
    put(line + ",other_ms\r\n");
  }

  /// All rows but the last `kept`.
  void write_rows(size_t kept) {
    for (; waiting_.size() > kept; waiting_.pop_front()) {
      const Row& row = waiting_.front();
      std::string line = row.text;
      for (const std::string& path : columns_) {
        const auto found = row.stages.find(path);
        line += ",";
        if (row.measured) line += stage_field(found == row.stages.end() ? 0.0 : found->second);
      }
      put(line + "," + (row.measured ? stage_field(other(row)) : std::string()) + "\r\n");
      ++rows_;
    }
  }

  /// Time of stages that have no column, less those inside of others that have none.
  double other(const Row& row) const {
    double sum = 0;
    for (const auto& [path, ms] : row.stages) {
      if (path.empty()) continue;
      const size_t slash = path.rfind('/');
      const bool parent_known = slash == std::string::npos || known_.count(path.substr(0, slash));
      if (!known_.count(path) && parent_known) sum += ms;
    }
    return sum;
  }

  void put(const std::string& line) {
    put_ += line.size();
    out_ << line;
    check();
  }
  void check() {
    if (out_) return;
    const int code = errno;
    const auto [rows, bytes] = cut_back();
    rows_ = rows;
    throw write_fault(file_, code, put_ - bytes, fmt::format("{} complete rows are kept", rows));
  }

  /// Removes an incomplete last row. Returns the number of rows and bytes kept.
  std::pair<long, size_t> cut_back() {
    out_.close();
    std::error_code ignored;
    if (StandardOutput::is(file_) || !std::filesystem::is_regular_file(file_, ignored)) return {0, 0};
    std::ifstream in(file_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const size_t end = text.rfind('\n'), bytes = end == std::string::npos ? 0 : end + 1;
    std::filesystem::resize_file(file_, bytes, ignored);
    const long lines = long(std::count(text.begin(), text.begin() + long(bytes), '\n'));
    return {std::max(0L, lines - (origin_.empty() ? 1 : 2)), bytes};
  }

  /// What the profiler reported of a step that has no row yet.
  struct Measured {
    std::map<std::string, double> stages;  // ms by path; empty on a device with its own clock
    long number = 0;                       // of the step; 0: none since the last row
    double wall_ms = 0;
    std::string launches;  // empty if a GPU replayed it
  };

  std::string file_, origin_;
  bool made_;           // was not there before
  bool begun_ = false;  // until then the file is unchanged
  std::ofstream out_;
  size_t put_ = 0;  // bytes
  Profiler* profiler_;
  std::vector<std::string> names_;
  std::vector<std::string> columns_;  // paths of stages
  std::set<std::string> known_;       // those that have a column
  std::deque<Row> waiting_;
  Measured last_;
  bool header_written_ = false;
  long rows_ = 0;
};

}  // namespace

std::unique_ptr<StepOutput> make_csv_output(const std::string& file, const std::string& origin,
                                            Simulation& simulation) {
  return std::make_unique<CsvOutput>(file, origin, simulation);
}

}  // namespace weft

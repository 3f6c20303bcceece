#include "viewer/commands/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/base/log.h"
#include "sim/base/program_folder.h"
#include "sim/base/shorten.h"
#include "viewer/commands/batch_jobs.h"
#include "viewer/commands/batch_journal.h"
#include "viewer/commands/batch_process.h"
#include "viewer/commands/headless.h"
#include "viewer/commands/versions.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// The programs that jobs run.
struct BatchPrograms {
  std::string weft, check;  // `check`: empty where it is not beside the other one
};

BatchPrograms batch_programs() {
  std::error_code unknown;
  BatchPrograms found;
  found.weft = fs::read_symlink("/proc/self/exe", unknown).string();
  const fs::path check = program_folder() / "weft-check";
  if (fs::exists(check, unknown)) found.check = check.string();
  if (found.weft.empty()) throw Error("the system does not say where this program lies", "batch");
  return found;
}

std::string last_line_with(const std::string& file, const std::string& words) {
  std::ifstream in(file, std::ios::binary);
  std::string found;
  for (std::string line; std::getline(in, line);)
    if (line.find(words) != std::string::npos) found = line;
  return found;
}

std::string first_line(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The last error that the job told; else its first line, since help follows a wrong option.
std::string told_reason(const std::string& log) {
  std::string line = last_line_with(log, "error: ");
  if (line.empty()) line = first_line(log);
  const size_t at = line.find("error: ");
  return shortened(at == std::string::npos ? line : line.substr(at + 7), 400);
}

/// A job on its way: its run, then weft-check over the states of it.
class RunningJob {
 public:
  RunningJob(const BatchJob& job, const BatchPrograms& programs, const std::string& folder,
             const std::vector<std::string>& compute)
      : job_(job), programs_(programs), folder_(folder) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::vector<std::string> words = {programs.weft};
    words.insert(words.end(), job.arguments.begin(), job.arguments.end());
    words.insert(words.end(), {"--headless", "--quiet", "--stats", folder_ + "/stats.json"});
    if (job.check != "none" || job.keep) words.insert(words.end(), {"--cache", cache()});
    if (job.has_end) words.push_back("--check");
    words.insert(words.end(), compute.begin(), compute.end());
    result_.id = job.id, result_.program = program_name();
    process_ = std::make_unique<BatchProcess>(words, log());
  }

  const BatchJob& job() const { return job_; }
  const BatchResult& result() const { return result_; }

  /// True when the verdict is there.
  bool go_on() {
    if (job_.limit > 0 && result_.wall_s + process_->wall_s() > job_.limit && !late_)
      late_ = true, process_->kill();
    const auto end = process_->ended();
    if (!end) return false;
    result_.processor_s += end->processor_s, result_.wall_s += end->wall_s;
    if (late_) return done("limit", fmt::format("it was ended after its {} s", job_.limit));
    return checking_ ? checked(end->status) : ran(end->status);
  }

 private:
  std::string log() const { return folder_ + "/log.txt"; }
  std::string cache() const { return folder_ + "/run.weftcache"; }

  bool done(const std::string& verdict, const std::string& reason) {
    result_.verdict = verdict, result_.reason = reason;
    std::error_code ignored;
    if (!job_.keep) fs::remove(cache(), ignored);
    return true;
  }

  bool ran(int status) {
    if (status >= 1000)
      return done("died", fmt::format("signal {} ({})", status - 1000, strsignal(status - 1000)));
    read_stats();
    if (status != ExitStatus::ok && status != ExitStatus::unmet) return done("failed", told_reason(log()));
    if (status == ExitStatus::ok) found_.unmet.clear();
    if (job_.check == "none") return uncrossed();
    if (programs_.check.empty())
      return done("unchecked", "weft-check does not lie beside weft; check = \"none\" leaves it out");
    std::vector<std::string> words = {programs_.check, cache(), "--quiet", "--jobs", "1"};
    if (job_.check == "paths") words.push_back("--continuous");
    process_ = std::make_unique<BatchProcess>(words, log());
    checking_ = true;
    return false;
  }

  bool checked(int status) {
    if (status == 1) return done("crossing", told_reason(log()));
    if (status != 0 && status != 3) return done("unchecked", told_reason(log()));
    return uncrossed();
  }

  /// The verdict on a run that ended and does not cross.
  bool uncrossed() {
    if (!found_.misfits.empty()) return done("misfit", shortened(found_.misfits, 400));
    return done(found_.unmet.empty() ? "ok" : "unmet", found_.unmet);
  }

  /// The run's numbers, its unmet end conditions and what is wrong with how its garments sit.
  void read_stats() {
    std::ifstream in(folder_ + "/stats.json", std::ios::binary);
    const auto all = nlohmann::json::parse(in, nullptr, false);
    if (!all.is_object()) return;
    result_.steps = all.value("steps", 0l), result_.hash = all.value("hash", "");
    if (const auto last = all.find("final"); last != all.end()) {
      const auto number = [&](const char* name) {
        return last->contains(name) && (*last)[name].is_number() ? double((*last)[name]) : 0.0;
      };
      result_.simulated_s = number("time"), result_.longest_edge = number("max_stretch");
    }
    const auto words = [&](const char* name) {
      std::string text;
      if (const auto list = all.find(name); list != all.end())
        for (const auto& entry : *list) text += (text.empty() ? "" : "; ") + entry.get<std::string>();
      return text;
    };
    found_.unmet = words("unmet_end_conditions"), found_.misfits = words("misfits");
  }

  const BatchJob& job_;
  const BatchPrograms& programs_;
  std::string folder_;
  struct {
    std::string unmet, misfits;  // in words
  } found_;
  BatchResult result_;
  std::unique_ptr<BatchProcess> process_;
  bool checking_ = false, late_ = false;
};

std::string choices_text(const BatchJob& job) {
  std::string text;
  for (const auto& [key, value] : job.choices) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// A row per job, in the order of the file; those without a verdict have none.
void write_results(const std::string& path, const std::vector<BatchJob>& jobs, const BatchJournal& journal) {
  std::vector<std::string> keys;
  for (const BatchJob& job : jobs)
    for (const auto& [key, value] : job.choices)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  std::string text = "run,job";
  for (const std::string& key : keys) text += "," + csv_field(key);
  text += ",verdict,reason,steps,simulated_s,longest_edge,processor_s,wall_s,hash,program\r\n";
  for (const BatchJob& job : jobs) {
    text += job.group + "," + job.id;
    for (const std::string& key : keys) {
      const auto found = std::find_if(job.choices.begin(), job.choices.end(),
                                      [&](const auto& choice) { return choice.first == key; });
      text += "," + (found == job.choices.end() ? std::string() : csv_field(found->second));
    }
    const auto found = journal.results().find(job.id);
    if (found == journal.results().end()) {
      text += ",,,,,,,,,\r\n";
      continue;
    }
    const BatchResult& r = found->second;
    text += fmt::format(",{},{},{},{:.9g},{:.6g},{:.4g},{:.4g},{},{}\r\n", r.verdict, csv_field(r.reason),
                        r.steps, r.simulated_s, r.longest_edge, r.processor_s, r.wall_s, r.hash,
                        csv_field(r.program));
  }
  write_text_file(path, text);
}

/// Verdicts by [[run]], and what is to be seen to. Returns the exit status.
int print_results(const std::vector<BatchJob>& jobs, const BatchJournal& journal) {
  constexpr size_t kMostTold = 20;
  std::vector<std::string> groups;
  std::map<std::string, std::map<std::string, int>> counts;
  std::vector<std::string> told;
  bool broken = false, bad = false;
  for (const BatchJob& job : jobs) {
    if (!counts.count(job.group)) groups.push_back(job.group);
    const auto found = journal.results().find(job.id);
    const std::string verdict = found == journal.results().end() ? "open" : found->second.verdict;
    ++counts[job.group][verdict];
    if (verdict == "ok" || verdict == "open") continue;
    broken |= found->second.broken(), bad = true;
    told.push_back(fmt::format("{}: {}: {}", job.id, verdict, found->second.reason));
  }
  std::printf("\n| run | jobs | verdicts |\n|---|---|---|\n");
  for (const std::string& group : groups) {
    int all = 0;
    std::string words;
    for (const auto& [verdict, count] : counts[group])
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, verdict), all += count;
    std::printf("| %s | %d | %s |\n", group.c_str(), all, words.c_str());
  }
  for (size_t i = 0; i < std::min(told.size(), kMostTold); ++i) std::printf("%s\n", told[i].c_str());
  if (told.size() > kMostTold) std::printf("and %zu more\n", told.size() - kMostTold);
  return broken ? ExitStatus::error : bad ? ExitStatus::unmet : ExitStatus::ok;
}

std::string device_word(DeviceChoice device) {
  return device == DeviceChoice::cpu ? "cpu" : device == DeviceChoice::cuda ? "cuda" : "auto";
}

/// Runs jobs, so many at the same time.
class BatchRunner {
 public:
  BatchRunner(const BatchRequest& request, const std::string& folder, BatchJournal& journal, size_t total)
      : request_(request), folder_(folder), journal_(journal), total_(total) {
    const int cores = std::max(1, int(std::thread::hardware_concurrency()));
    most_ = request.processes > 0 ? request.processes : cores;
    const int threads = request.threads > 0 ? request.threads : std::max(1, cores / most_);
    compute_ = {"--threads", std::to_string(threads), "--device", device_word(request.device)};
    done_ = total;
  }

  void run(std::deque<const BatchJob*> waiting) {
    done_ = total_ - waiting.size();
    while (!InterruptGuard::interrupted() && (!waiting.empty() || !running_.empty())) {
      while (!waiting.empty() && int(running_.size()) < most_) start(*waiting.front()), waiting.pop_front();
      const size_t before = running_.size();
      std::erase_if(running_, [this](const auto& job) { return job->go_on() && finish(*job); });
      if (running_.size() == before) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    running_.clear();  // without a verdict: they run again
  }

 private:
  void start(const BatchJob& job) {
    journal_.begun(job.id);
    running_.push_back(std::make_unique<RunningJob>(job, programs_, folder_ + "/" + job.id, compute_));
  }

  bool finish(const RunningJob& ended) {
    const BatchResult& r = ended.result();
    journal_.ended(r);
    ++done_;
    if (request_.quiet && r.well()) return true;
    std::printf("[%zu/%zu] %s%s: %s%s%s; %ld steps, %.3g s\n", done_, total_, r.id.c_str(),
                choices_text(ended.job()).c_str(), r.verdict.c_str(), r.reason.empty() ? "" : ": ",
                r.reason.c_str(), r.steps, r.wall_s);
    std::fflush(stdout);
    return true;
  }

  const BatchRequest& request_;
  std::string folder_;
  BatchJournal& journal_;
  size_t total_, done_ = 0;
  int most_ = 1;
  BatchPrograms programs_ = batch_programs();
  std::vector<std::string> compute_;
  std::vector<std::unique_ptr<RunningJob>> running_;
};

int list_batch(const std::vector<BatchJob>& jobs) {
  for (const BatchJob& job : jobs) {
    std::string words;
    for (const std::string& word : job.arguments) words += " " + word;
    std::printf("%s:%s\n", job.id.c_str(), words.c_str());
  }
  std::printf("%zu jobs\n", jobs.size());
  return ExitStatus::ok;
}

}  // namespace

int run_batch(const BatchRequest& request) {
  const std::vector<BatchJob> jobs = read_batch(request.jobs);
  if (request.list) return list_batch(jobs);
  const fs::path file = fs::absolute(request.jobs);
  const std::string folder =
      request.out.empty() ? (file.parent_path() / (file.stem().string() + ".batch")).string() : request.out;
  BatchJournal journal(fs::absolute(folder).string());
  std::deque<const BatchJob*> waiting;
  for (const BatchJob& job : jobs) {
    const auto found = journal.results().find(job.id);
    const bool there =
        found != journal.results().end() && !request.again && !(request.retry && found->second.broken());
    if (!there) waiting.push_back(&job);
    else if (found->second.program != program_name())
      log_warning("{} has a result of another program ({}); --again runs everything again", job.id,
                  found->second.program);
  }
  if (waiting.size() < jobs.size())
    std::printf("%zu of %zu jobs have a result in %s\n", jobs.size() - waiting.size(), jobs.size(),
                folder.c_str());
  const InterruptGuard interrupt;
  BatchRunner(request, fs::absolute(folder).string(), journal, jobs.size()).run(std::move(waiting));
  write_results(folder + "/results.csv", jobs, journal);
  const int status = print_results(jobs, journal);
  std::printf("table: %s/results.csv\n", folder.c_str());
  if (!InterruptGuard::interrupted()) return status;
  std::printf("stopped early; the same command goes on\n");
  return InterruptGuard::exit_status();
}

}  // namespace weft

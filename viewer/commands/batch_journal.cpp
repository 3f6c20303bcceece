#include "viewer/commands/batch_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/file.h"

namespace weft {
namespace {

std::string line_of(const BatchResult& r) {
  const nlohmann::ordered_json line = {
      {"end", r.id},         {"verdict", r.verdict},         {"reason", r.reason},
      {"steps", r.steps},    {"simulated_s", r.simulated_s}, {"longest_edge", r.longest_edge},
      {"hash", r.hash},      {"processor_s", r.processor_s}, {"wall_s", r.wall_s},
      {"program", r.program}};
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// False for other lines.
bool read_line(const std::string& text, BatchResult& r) {
  const auto line = nlohmann::json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("end")) return false;
  try {
    r.id = line.at("end"), r.verdict = line.at("verdict"), r.reason = line.at("reason");
    r.steps = line.at("steps"), r.simulated_s = line.at("simulated_s"), r.hash = line.at("hash");
    r.longest_edge = line.at("longest_edge");
    r.processor_s = line.at("processor_s"), r.wall_s = line.at("wall_s"), r.program = line.at("program");
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  return true;
}

/// The job that a line says has begun: what it had is gone with its folder. Empty for other lines.
std::string begun_in(const std::string& text) {
  const auto line = nlohmann::json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("begin") || !line["begin"].is_string()) return {};
  return line["begin"];
}

}  // namespace

BatchJournal::BatchJournal(const std::string& folder) : path_(folder + "/journal.jsonl") {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) throw Error("the folder cannot be made: " + fault.message(), folder, "name another with --out");
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw write_fault(path_, errno, 0);
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw Error("another batch works in this folder", folder, "wait for it, or name another folder: --out");
  }
  std::ifstream in(path_, std::ios::binary);
  bool whole = true;
  for (std::string line; std::getline(in, line);) {
    whole = !in.eof();
    if (BatchResult result; whole && read_line(line, result)) results_[result.id] = result;
    else if (whole) results_.erase(begun_in(line));
  }
  if (!whole) write("");  // ends the line that was left unfinished
}

BatchJournal::~BatchJournal() { ::close(file_); }

void BatchJournal::begun(const std::string& id) {
  results_.erase(id);
  write(nlohmann::json{{"begin", id}}.dump());
}

void BatchJournal::ended(const BatchResult& result) {
  write(line_of(result));
  results_[result.id] = result;
}

void BatchJournal::write(const std::string& line) {
  const std::string text = line + "\n";
  const ssize_t written = ::write(file_, text.data(), text.size());
  if (written != ssize_t(text.size()))
    throw write_fault(path_, errno, text.size() - size_t(written < 0 ? 0 : written));
}

}  // namespace weft

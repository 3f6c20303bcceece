// What the system says about a process: memory, threads, files.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace weft::testing {

/// Resident memory of a process in bytes, what it shares with files (code) left out. -1 where there is no
/// such process.
inline long resident_bytes(const std::string& process = "self") {
  std::ifstream statm("/proc/" + process + "/statm");
  long size = 0, resident = 0, shared = 0;
  return statm >> size >> resident >> shared ? (resident - shared) * sysconf(_SC_PAGESIZE) : -1;
}

/// Entries of /proc/PROCESS/NAME: "task" has one per thread, "fd" one per open file.
inline int count_entries(const std::string& name, const std::string& process = "self") {
  int count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/" + process + "/" + name))
    ++count;
  return count;
}

}  // namespace weft::testing

#include "sim/base/inject.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/nearest.h"

namespace weft {
namespace {

struct Fault {
  long step = -1;  // -1: any
  long asked = 0;  // so often until now at such a step
  long come = 0;   // so often until now
  std::map<std::string, double> values;
};

std::mutex fault_mutex;
std::map<std::string, Fault> faults;

/// The faults, and the keys of each beside `times`, `after` and `each`.
const std::map<std::string, std::vector<std::string>>& known() {
  static const std::map<std::string, std::vector<std::string>> keys{
      {"nan", {"vertex", "stage"}}, {"lost", {"every"}}, {"memory", {"bytes", "estimate"}},
      {"interop", {"stage"}},       {"panel", {}},       {"share", {}},
      {"slow", {"seconds"}},        {"history", {}}};
  return keys;
}

const std::vector<std::string>& known_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, keys] : known()) all.push_back(name);
    return all;
  }();
  return names;
}

void check_key(const std::string& name, const std::string& key) {
  std::vector<std::string> keys = known().at(name);
  keys.insert(keys.end(), {"times", "after", "each"});
  if (std::find(keys.begin(), keys.end(), key) == keys.end())
    throw Error("the fault '" + name + "' has no key '" + key + "'", "WEFT_INJECT", did_you_mean(key, keys));
}

template <class T>
T number(const std::string& text, const std::string& of) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    throw Error("'" + text + "' is not a number", of, "write NAME@STEP:key=value,...");
  return value;
}

std::pair<std::string, Fault> parse(const std::string& text) {
  std::istringstream pieces(text);
  std::string name;
  std::getline(pieces, name, ':');
  Fault fault;
  if (const size_t at = name.find('@'); at != std::string::npos) {
    fault.step = number<long>(name.substr(at + 1), text);
    name.resize(at);
  }
  if (!known().count(name))
    throw Error("unknown fault '" + name + "'", "WEFT_INJECT", did_you_mean(name, known_names()));
  for (std::string piece; std::getline(pieces, piece, ':');) {
    const size_t equals = piece.find('=');
    if (equals == std::string::npos)
      throw Error("'" + piece + "' is not of the form key=value", "WEFT_INJECT, " + name);
    check_key(name, piece.substr(0, equals));
    fault.values[piece.substr(0, equals)] = number<double>(piece.substr(equals + 1), "WEFT_INJECT, " + piece);
  }
  return {name, fault};
}

}  // namespace

namespace inject_detail {

std::atomic<bool> any{false};

bool due(const char* name, long at) {
  std::lock_guard lock(fault_mutex);
  const auto found = faults.find(name);
  if (found == faults.end()) return false;
  Fault& fault = found->second;
  if (fault.step >= 0 && at >= 0 && fault.step != at) return false;
  const auto value = [&](const char* key, long otherwise) {
    const auto found = fault.values.find(key);
    return found == fault.values.end() ? otherwise : long(found->second);
  };
  const long question = fault.asked++ - value("after", 0);
  if (question < 0 || question % std::max(1l, value("each", 1)) != 0) return false;
  const long most = value("times", 1);
  if (most > 0 && fault.come >= most) return false;
  ++fault.come;
  return true;
}

}  // namespace inject_detail

void set_injected_faults(const std::string& text) {
  std::map<std::string, Fault> wanted;
  std::istringstream list(text);
  for (std::string one; std::getline(list, one, ',');)
    if (!one.empty())
      if (const auto [at, fresh] = wanted.insert(parse(one)); !fresh)
        throw Error("the fault '" + at->first + "' is given twice", "WEFT_INJECT",
                    "give it once; its key 'times' says how often it happens");
  std::lock_guard lock(fault_mutex);
  faults = std::move(wanted);
  inject_detail::any = !faults.empty();
}

void read_injected_faults() {
  if (const char* text = std::getenv("WEFT_INJECT")) set_injected_faults(text);
}

bool injected(const char* name) {
  if (!inject_detail::any.load(std::memory_order_relaxed)) return false;
  std::lock_guard lock(fault_mutex);
  return faults.count(name) > 0;
}

double injected_value(const char* name, const std::string& key, double fallback) {
  if (!inject_detail::any.load(std::memory_order_relaxed)) return fallback;
  std::lock_guard lock(fault_mutex);
  const auto found = faults.find(name);
  if (found == faults.end()) return fallback;
  const auto value = found->second.values.find(key);
  return value == found->second.values.end() ? fallback : value->second;
}

}  // namespace weft

// weft-physics-table: every case of the physics table over solvers, methods, models and time steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "sim/base/error.h"
#include "tests/physics/physics_table/table.h"

using namespace weft;
using namespace weft::physics;

namespace {

const char* kHelp = R"(Measures the simulator against theory and writes a CSV, and a Markdown table beside it.
  tests/physics/table [options]

  --quick            the cheap cases only, at 1/60 s
  --only-defaults    runs with nothing set but the scene and dt
  --case TEXT        cases whose name contains TEXT; may be given several times
  --item N           cases of one item of the list in tests/physics/README.md
  --solver NAME      newton or descent
  --method NAME      bodies, repulsion, two_way, ndb, impact_zones or none
  --dt T             1/30, 1/60 or 1/120
  --models NAMES     "all" (default), or "springs" for springs and quadratic bending alone
  --most-seconds S   processor time that one run may take (default 300)
  --rest S           simulated time that cloth is watched at rest with defaults (default 60, with --quick 10)
  --resume           keeps the runs that the file of -o has already, and goes on with the others
  --list             names the cases and ends
  -o FILE.csv        default: physics_table.csv in this folder

Exit status: 0 if every run with defaults holds, 1 if one does not, 2 for a wrong option.
)";

struct Options {
  bool resume = false, quick = false, only_defaults = false, list = false, all_models = true;
  std::vector<std::string> cases;
  std::string solver, method, out = "physics_table.csv";
  std::optional<double> dt, rest;
  std::optional<int> item;
};

double parse_dt(const std::string& text) {
  const size_t slash = text.find('/');
  const double value = slash == std::string::npos
                           ? std::stod(text)
                           : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
  if (!(value > 0)) throw Error("'" + text + "' is no time step", "--dt", "for example 1/60");
  return value;
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == argc) throw Error("needs a value", a);
      return argv[++i];
    };
    if (a == "--resume") o.resume = true;
    else if (a == "--quick") o.quick = true;
    else if (a == "--only-defaults") o.only_defaults = true;
    else if (a == "--list") o.list = true;
    else if (a == "--case") o.cases.push_back(value());
    else if (a == "--item") o.item = std::stoi(value());
    else if (a == "--solver") o.solver = value();
    else if (a == "--method") o.method = value();
    else if (a == "--dt") o.dt = parse_dt(value());
    else if (a == "--models") o.all_models = value() == "all";
    else if (a == "--most-seconds") seconds_for_a_run() = std::stod(value());
    else if (a == "--rest") o.rest = std::stod(value());
    else if (a == "-o") o.out = value();
    else throw Error("is no option", a, "see --help");
  }
  return o;
}

bool wanted(const Options& o, const Case& c) {
  if (o.quick && !c.quick) return false;
  if (o.item && c.item != *o.item) return false;
  if (o.cases.empty()) return true;
  for (const auto& text : o.cases)
    if (c.name.find(text) != std::string::npos) return true;
  return false;
}

bool wanted(const Options& o, const Setting& s) {
  const std::optional<double> dt = o.dt ? o.dt : o.quick ? std::optional(1.0 / 60) : std::nullopt;
  if (dt && std::abs(double(s.dt) / *dt - 1) > 1e-3) return false;
  if (s.defaults) return o.solver.empty() && o.method.empty();
  if (o.only_defaults) return false;
  if (!o.all_models && (s.stretch != "springs" || s.bending != "quadratic")) return false;
  return (o.solver.empty() || s.solver == o.solver) && (o.method.empty() || s.method == o.method);
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw Error("cannot be written", path);
}

void say(const Row& row) {
  const Setting& s = row.setting;
  fmt::print("{} | {}{} {} {} {} 1/{:.0f} | ", row.name, s.defaults ? "defaults: " : "", s.solver, s.method,
             s.stretch, s.bending, 1 / double(s.dt));
  if (!row.error.empty()) fmt::print("failed: {}", row.error);
  for (const Quantity& q : row.quantities)
    fmt::print("{} {:.4g} {} (theory {:.4g}) {}; ", q.name, q.measured, q.unit, q.theory,
               q.holds() ? "holds" : "MISSES");
  fmt::print(" [{:.1f} s]\n", row.cpu_seconds);
  std::fflush(stdout);
}

/// What is to be run: defaults first, then pairs with springs and quadratic bending at 1/60 s, then the rest.
std::vector<std::pair<Case, Setting>> runs(const Options& o) {
  std::vector<std::pair<Case, Setting>> parts[3], all;
  for (const Case& c : all_cases()) {
    if (!wanted(o, c)) continue;
    for (const Setting& s : settings_of(c)) {
      const bool usual =
          s.stretch == "springs" && s.bending == "quadratic" && std::abs(60 * s.dt - 1) < 1e-3f;
      if (wanted(o, s)) parts[s.defaults ? 0 : usual ? 1 : 2].push_back({c, s});
    }
  }
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

void list(const Options& o) {
  for (const Case& c : all_cases())
    if (wanted(o, c)) fmt::print("{} (item {}; {})\n", c.name, c.item, c.theory);
}

int run(const Options& o) {
  if (o.list) return list(o), 0;
  seconds_at_rest() = o.rest ? *o.rest : o.quick ? 10 : 60;
  const auto all = runs(o);
  if (all.empty()) throw Error("no case and setting fits these options", "weft-physics-table", "see --list");
  std::vector<Row> rows;
  if (o.resume) rows = read_csv(o.out);
  std::filesystem::path beside = o.out;
  beside.replace_extension(".md");
  bool defaults_hold = true;
  for (const auto& [c, s] : all) {
    const Row here{c.name, c.item, s, {}, {}, 0};
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return same_run(r, here); });
    if (row == rows.end()) row = rows.insert(rows.end(), run_case(c, s)), say(*row);
    if (s.defaults && !row->holds()) defaults_hold = false;
    std::string csv = csv_head();
    for (const Row& r : rows) csv += csv_lines(r);
    write(o.out, csv);  // after each run: a table that was stopped is not lost
    write(beside.string(), markdown(rows));
  }
  return defaults_hold ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  seconds_for_a_run() = 300;
  for (int i = 1; i < argc; ++i)
    if (!std::strcmp(argv[i], "--help") || !std::strcmp(argv[i], "-h")) return std::fputs(kHelp, stdout), 0;
  try {
    return run(parse(argc, argv));
  } catch (const std::exception& e) {
    fmt::print(stderr, "weft-physics-table: {}\n", e.what());
    return 2;
  }
}

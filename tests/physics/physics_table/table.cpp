#include "tests/physics/physics_table/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <limits>

#include "sim/base/error.h"

namespace weft::physics {
namespace {

/// Commas and line ends would break a CSV.
std::string plain(std::string text) {
  std::replace(text.begin(), text.end(), ',', ';');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string rate(float dt) { return fmt::format("1/{:.0f}", 1 / double(dt)); }

const char* kind_of(const Quantity& q) {
  return q.kind == Quantity::relative ? "relative" : q.kind == Quantity::absolute ? "absolute" : "at most";
}

/// Error in parts of the limit; infinite where there is none or it was not measured.
double share_of_limit(const Quantity& q) {
  const double share = q.limit > 0 ? q.error() / q.limit : q.holds() ? 0 : 1e30;
  return std::isfinite(share) ? std::max(0.0, share) : 1e30;
}

const Quantity& worst_of(const Row& row) {
  return *std::max_element(
      row.quantities.begin(), row.quantities.end(),
      [](const Quantity& a, const Quantity& b) { return share_of_limit(a) < share_of_limit(b); });
}

std::string number(const Quantity& q, double value) { return fmt::format("{:.4g} {}", value, q.unit); }

}  // namespace

bool Row::holds() const {
  return error.empty() && !quantities.empty() &&
         std::all_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.holds(); });
}

Row run_case(const Case& c, const Setting& setting) {
  Row row{c.name, c.item, setting, {}, {}, 0};
  const double before = processor_seconds();
  try {
    row.quantities = c.run(setting);
  } catch (const std::exception& e) {
    row.error = e.what();
  }
  row.cpu_seconds = processor_seconds() - before;
  return row;
}

std::string csv_head() {
  return "case,item,run,solver,method,stretch,bending,dt,quantity,unit,theory,measured,kind,error,limit,"
         "verdict,cpu_seconds\n";
}

std::string csv_lines(const Row& row) {
  const Setting& s = row.setting;
  const std::string start =
      fmt::format("{},{},{},{},{},{},{},{}", plain(row.name), row.item, s.defaults ? "defaults" : "chosen",
                  s.solver, s.method, s.stretch, s.bending, rate(s.dt));
  if (!row.error.empty())
    return fmt::format("{},{},,,,,,,failed,{:.2f}\n", start, plain(row.error), row.cpu_seconds);
  std::string text;
  for (const Quantity& q : row.quantities)
    text += fmt::format("{},{},{},{:.6g},{:.6g},{},{:.3g},{:g},{},{:.2f}\n", start, plain(q.name), q.unit,
                        q.theory, q.measured, kind_of(q), q.error(), q.limit, q.holds() ? "holds" : "misses",
                        row.cpu_seconds);
  return text;
}

bool same_run(const Row& a, const Row& b) {
  const Setting &s = a.setting, &t = b.setting;
  return a.name == b.name && s.defaults == t.defaults && s.solver == t.solver && s.method == t.method &&
         s.stretch == t.stretch && s.bending == t.bending && rate(s.dt) == rate(t.dt);
}

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts(1);
  for (const char c : line)
    if (c == ',') parts.emplace_back();
    else parts.back() += c;
  return parts;
}

float step_of(const std::string& rate) { return 1.0f / std::stof(rate.substr(2)); }

}  // namespace

std::vector<Row> read_csv(const std::string& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return rows;
  if (line + "\n" != csv_head())
    throw Error("is no physics table of this version", path, "name another file with -o");
  while (std::getline(file, line)) {
    const std::vector<std::string> c = split(line);
    if (c.size() != split(csv_head()).size()) continue;
    Row row{c[0], std::stoi(c[1]), {c[2] == "defaults", c[3], c[4], c[5], c[6], step_of(c[7])}, {},
            {},   std::stod(c[16])};
    if (c[15] == "failed") row.error = c[8];
    else {
      const auto kind = c[12] == "relative"   ? Quantity::relative
                        : c[12] == "absolute" ? Quantity::absolute
                                              : Quantity::at_most;
      row.quantities.push_back({c[8], c[9], kind, std::stod(c[10]), std::stod(c[11]), std::stod(c[14])});
    }
    if (!rows.empty() && same_run(rows.back(), row)) rows.back().quantities.push_back(row.quantities.at(0));
    else rows.push_back(row);
  }
  return rows;
}

namespace {

/// The rows of one case, all with defaults or none.
std::vector<const Row*> select(const std::vector<Row>& rows, const std::string& name, bool defaults) {
  std::vector<const Row*> some;
  for (const Row& r : rows)
    if (r.name == name && r.setting.defaults == defaults) some.push_back(&r);
  return some;
}

/// "1.69 m/s² at 1/60" of the row that is furthest from theory.
std::string worst_in_words(const std::vector<const Row*>& rows) {
  for (const Row* r : rows)
    if (!r->error.empty() || r->quantities.empty()) return "failed at " + rate(r->setting.dt);
  const Row* worst = *std::max_element(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
    return share_of_limit(worst_of(*a)) < share_of_limit(worst_of(*b));
  });
  const Quantity& q = worst_of(*worst);
  return fmt::format("{} {} (theory {}) at {}", q.name, number(q, q.measured), number(q, q.theory),
                     rate(worst->setting.dt));
}

/// The largest error in parts of its limit; infinite if a run failed.
double largest_share(const std::vector<const Row*>& rows) {
  double worst = 0;
  for (const Row* r : rows)
    worst =
        std::max(worst, r->error.empty() && !r->quantities.empty() ? share_of_limit(worst_of(*r))
                                                                   : std::numeric_limits<double>::infinity());
  return worst;
}

std::string verdict(const std::vector<const Row*>& rows) {
  if (rows.empty()) return "";
  const auto good = std::count_if(rows.begin(), rows.end(), [](const Row* r) { return r->holds(); });
  if (good == long(rows.size())) return "holds";
  const double worst = largest_share(rows);
  return fmt::format("**misses {}/{}**, {}", rows.size() - size_t(good), rows.size(),
                     worst >= 1e6 ? "no number" : fmt::format("{:.2g} x", worst));
}

using Rows = std::vector<const Row*>;

/// The cases with defaults: those that miss, then the ten that hold with the least room.
std::string defaults_in_words(std::vector<std::pair<std::string, Rows>> cases) {
  std::stable_sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) {
    return largest_share(a.second) > largest_share(b.second);
  });
  const auto hold =
      std::find_if(cases.begin(), cases.end(), [](const auto& c) { return verdict(c.second) == "holds"; });
  std::string text =
      fmt::format("{} of {} cases hold; here are the others, and the ten with the least room.\n\n",
                  cases.end() - hold, cases.size());
  text += "| case | furthest from theory | verdict |\n|---|---|---|\n";
  const auto end = cases.end() - hold > 10 ? hold + 10 : cases.end();
  for (auto c = cases.begin(); c != end; ++c)
    text += fmt::format("| {} | {} | {} |\n", c->first, worst_in_words(c->second), verdict(c->second));
  return text;
}

/// A row for each case that misses with a pair of solver and method.
std::string pairs_in_words(const std::vector<std::pair<std::string, Rows>>& cases) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"newton", "bodies"},  {"newton", "repulsion"},  {"newton", "two_way"},  {"newton", "none"},
      {"descent", "bodies"}, {"descent", "repulsion"}, {"descent", "two_way"}, {"descent", "none"}};
  std::string head = "| case |", rule = "|---|", lines;
  for (const auto& p : pairs) head += fmt::format(" {}, {} |", p.first, p.second), rule += "---|";
  size_t hold = 0;
  for (const auto& [name, rows] : cases) {
    if (verdict(rows) == "holds" && ++hold) continue;
    lines += "| " + name + " |";
    for (const auto& p : pairs) {
      Rows of_pair;
      for (const Row* r : rows)
        if (r->setting.solver == p.first && r->setting.method == p.second) of_pair.push_back(r);
      lines += " " + verdict(of_pair) + " |";
    }
    lines += "\n";
  }
  return fmt::format("{} of {} cases hold with every pair that they are run with; the others:\n\n", hold,
                     cases.size()) +
         head + "\n" + rule + "\n" + lines;
}

}  // namespace

std::string markdown(const std::vector<Row>& rows) {
  std::vector<std::pair<std::string, Rows>> defaults, pairs;
  for (const Row& r : rows) {
    auto& cases = r.setting.defaults ? defaults : pairs;
    if (std::none_of(cases.begin(), cases.end(), [&](const auto& c) { return c.first == r.name; }))
      cases.push_back({r.name, select(rows, r.name, r.setting.defaults)});
  }
  return "# Physics table\n\nWritten by `tests/physics/table` (see tests/physics/README.md); every number is "
         "in "
         "physics_table.csv.\n\n"
         "## Defaults\n\nNothing is set but the scene and the time step, which is 1/30, 1/60 and 1/120 s; "
         "where "
         "cloth meets cloth and the default method knows no self-collision, the method is two_way. " +
         defaults_in_words(defaults) +
         "\n## Pairs of solver and method\n\nOver all time steps and models with which a case is run. "
         "Misses: "
         "how many of its runs, and the largest error in parts of its limit. " +
         pairs_in_words(pairs);
}

}  // namespace weft::physics

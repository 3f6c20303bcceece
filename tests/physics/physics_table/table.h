// Runs cases, and writes what came out as CSV and as Markdown.
#pragma once
#include <string>
#include <vector>

#include "tests/physics/physics_table/case.h"

namespace weft::physics {

struct Row {
  std::string name;  // of the case
  int item = 0;
  Setting setting;
  std::vector<Quantity> quantities;
  std::string error;  // what ended the run, if something did; `quantities` is then empty
  double cpu_seconds = 0;
  bool holds() const;
};

/// Whether two rows are the same case with the same setting.
bool same_run(const Row& a, const Row& b);

/// One run of a case. Whatever is thrown becomes the row's `error`.
Row run_case(const Case& c, const Setting& setting);

/// CSV: a line for each quantity; `csv_head` first. Numbers with six digits. An error and its limit are of
/// the quantity's `kind`: relative to theory, an absolute difference, or what is above theory.
std::string csv_head();
std::string csv_lines(const Row& row);
/// The rows of such a file, as far as it is whole; none where there is no file. Throws Error for another
/// head.
std::vector<Row> read_csv(const std::string& path);
/// Markdown: with defaults the cases that miss and the ten that hold with the least room; then the cases that
/// miss with a pair of solver and method, a column for each pair; cells have the worst error in parts of its
/// limit.
std::string markdown(const std::vector<Row>& rows);

}  // namespace weft::physics

#include "sim/mesh/import/obj_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/file.h"
#include "sim/mesh/import/obj_text.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_obj(const std::string& name) {
  if (name.size() < 4) return false;
  std::string end = name.substr(name.size() - 4);
  for (char& c : end) c = char(std::tolower(static_cast<unsigned char>(c)));
  return end == ".obj";
}

/// A file name around the place of its number.
struct Stem {
  std::string before, after;
  size_t least_digits = 1;
  auto operator<=>(const Stem& o) const = default;
  std::string shown() const { return before + "#" + after; }
};

struct Numbered {
  Stem stem;
  long long number = 0;
};

std::optional<long long> as_number(const std::string& digits) {
  long long value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// The last number in a file's name without extension; empty if there is none.
std::optional<Numbered> numbered(const std::string& name) {
  const size_t dot = name.rfind('.') == name.npos ? name.size() : name.rfind('.');
  size_t end = dot;
  while (end > 0 && !is_digit(name[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  const auto number = as_number(name.substr(begin, end - begin));
  if (!number) return std::nullopt;
  return Numbered{{name.substr(0, begin), name.substr(end)}, *number};
}

/// "####" or "%04d" in a file's name; empty if it is not a pattern.
std::optional<Stem> pattern(const std::string& name) {
  if (const size_t begin = name.find('#'); begin != name.npos) {
    const size_t end = std::min(name.find_first_not_of('#', begin), name.size());
    return Stem{name.substr(0, begin), name.substr(end), end - begin};
  }
  const size_t begin = name.find('%');
  if (begin == name.npos) return std::nullopt;
  size_t end = begin + 1;
  while (end < name.size() && is_digit(name[end])) ++end;
  if (end >= name.size() || name[end] != 'd' || end - begin > 4) return std::nullopt;
  const auto width = as_number(name.substr(begin + 1, end - begin - 1));
  return Stem{name.substr(0, begin), name.substr(end + 1), size_t(std::clamp(width.value_or(1), 1LL, 100LL))};
}

/// The number in a name that fits the pattern.
std::optional<long long> match(const Stem& stem, const std::string& name) {
  const size_t around = stem.before.size() + stem.after.size();
  if (name.size() < around + stem.least_digits || name.compare(0, stem.before.size(), stem.before) != 0 ||
      name.compare(name.size() - stem.after.size(), stem.after.size(), stem.after) != 0)
    return std::nullopt;
  const std::string digits = name.substr(stem.before.size(), name.size() - around);
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  return as_number(digits);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (!it->is_directory()) names.push_back(it->path().filename().string());
  if (failed)
    throw Error("the folder cannot be read: " + failed.message(), folder.string(), "check the path");
  std::sort(names.begin(), names.end());
  return names;
}

using Files = std::map<long long, std::string>;  // number, name

void add(Files& files, long long number, const std::string& name, const std::string& where) {
  const auto [at, fresh] = files.emplace(number, name);
  if (!fresh)
    throw Error(fmt::format("{} and {} have the same number", at->second, name), where,
                "move one of them away");
}

void report_gaps(const Files& files, const std::string& where, ImportReport& report) {
  long long stride = 0;
  for (auto next = files.begin(), at = next++; next != files.end(); at = next++)
    stride = stride ? std::min(stride, next->first - at->first) : next->first - at->first;
  for (auto next = files.begin(), at = next++; next != files.end(); at = next++) {
    const long long missing = (next->first - at->first) / stride - 1;
    if (missing > 0)
      report.notices.push_back(fmt::format(
          "{}: {} missing between {} and {}: the motion jumps there", where,
          missing == 1 ? "1 frame is" : fmt::format("{} frames are", missing), at->second, next->second));
  }
}

ObjSequenceFiles in_order(const fs::path& folder, const Files& files, const std::string& where,
                          ImportReport& report) {
  report_gaps(files, where, report);
  ObjSequenceFiles found;
  for (const auto& [number, name] : files) {
    found.files.push_back((folder / name).string());
    found.numbers.push_back(number);
  }
  return found;
}

ObjSequenceFiles in_folder(const std::string& folder, ImportReport& report) {
  std::map<Stem, Files> sequences;
  std::vector<std::string> plain;
  for (const std::string& name : names_in(folder)) {
    if (!is_obj(name)) continue;
    if (const auto n = numbered(name)) add(sequences[n->stem], n->number, name, folder);
    else plain.push_back(name);
  }
  if (sequences.size() > 1) {
    const Stem &a = sequences.begin()->first, &b = std::next(sequences.begin())->first;
    throw Error(fmt::format("the folder holds {} sequences ({}, {}{})", sequences.size(), a.shown(),
                            b.shown(), sequences.size() > 2 ? ", ..." : ""),
                folder,
                "name one of its files, or a pattern such as " + (fs::path(folder) / a.shown()).string());
  }
  if (sequences.empty() && plain.empty())
    throw Error("the folder holds no OBJ files", folder, "check the path");
  if (sequences.empty()) {
    ObjSequenceFiles found;
    for (const std::string& name : plain) found.files.push_back((fs::path(folder) / name).string());
    return found;
  }
  for (const std::string& name : plain)
    report.notices.push_back(fmt::format("{}: has no number, so it is not part of the sequence: skipped",
                                         (fs::path(folder) / name).string()));
  return in_order(folder, sequences.begin()->second, folder, report);
}

ObjSequenceFiles of_stem(const fs::path& folder, const Stem& stem, const std::string& where,
                         ImportReport& report) {
  Files files;
  for (const std::string& name : names_in(folder))
    if (const auto number = match(stem, name)) add(files, *number, name, where);
  if (files.empty())
    throw Error("no file matches the pattern", where, "check the path; # and %d stand for digits");
  return in_order(folder, files, where, report);
}

std::string short_name(const std::string& path) { return fs::path(path).filename().string(); }

}  // namespace

ObjSequenceFiles find_obj_sequence(const std::string& path, ImportReport& report) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return in_folder(path, report);
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  const std::string name = fs::path(path).filename().string();
  if (fs::exists(path, ignored)) {
    if (const auto n = numbered(name)) return of_stem(folder, n->stem, path, report);
    return {{path}, {}};
  }
  const auto stem = pattern(name);
  if (!stem)
    throw Error("there is no such file or folder", path,
                "name a folder of OBJ files, one of them, or a pattern such as arm_####.obj");
  if (!fs::is_directory(folder, ignored))
    throw Error("there is no such folder", folder.string(), "check the path");
  return of_stem(folder, *stem, path, report);
}

ObjSequence::ObjSequence(const std::string& path, ImportReport& report)
    : ObjSequence(find_obj_sequence(path, report)) {}

ObjSequence::ObjSequence(ObjSequenceFiles files) : found_(std::move(files)) {
  const std::string& first = found_.files.front();
  ObjText text = read_obj_text(read_text_file(first, "an OBJ mesh"), first);
  first_vertices_ = std::move(text.vertices);
  face_starts_ = std::move(text.face_starts);
  for (const ObjText::Corner& c : text.corners) corners_.push_back(c.vertex);
}

std::vector<vec3> ObjSequence::vertices(int frame) const {
  if (frame == 0) return first_vertices_;
  const std::string &file = found_.files.at(frame), first = short_name(found_.files.front());
  const char* const cure = "every frame of a sequence must have the same vertices and faces";
  ObjText text = read_obj_text(read_text_file(file, "an OBJ mesh"), file);
  if (text.vertices.size() != first_vertices_.size())
    throw Error(fmt::format("the file has {} vertices, {} has {}", text.vertices.size(), first,
                            first_vertices_.size()),
                file, cure);
  if (text.face_starts.size() != face_starts_.size())
    throw Error(
        fmt::format("the file has {} faces, {} has {}", text.face_count(), first, face_starts_.size() - 1),
        file, cure);
  for (size_t f = 0; f + 1 < face_starts_.size(); ++f) {
    bool same = text.face_starts[f + 1] == face_starts_[f + 1];
    for (int c = face_starts_[f]; same && c < face_starts_[f + 1]; ++c)
      same = text.corners[c].vertex == corners_[c];
    if (!same)
      throw Error(fmt::format("face {} has different vertices than in {}", f + 1, first),
                  fmt::format("{}:{}", file, text.face_lines[f]), cure);
  }
  return std::move(text.vertices);
}

MeshSequence read_obj_sequence(const std::string& path, ImportReport& report) {
  const ObjSequence sequence(path, report);
  MeshSequence all;
  all.mesh = read_obj(sequence.found().files.front(), report);
  all.numbers = sequence.found().numbers;
  const std::vector<int> kept = report.kept_vertices;
  for (int f = 0; f < sequence.frame_count(); ++f) {
    const std::vector<vec3> vertices = sequence.vertices(f);
    std::vector<vec3>& frame = all.frames.emplace_back();
    frame.reserve(kept.size());
    for (int v : kept) frame.push_back(vertices[v]);
  }
  return all;
}

}  // namespace weft

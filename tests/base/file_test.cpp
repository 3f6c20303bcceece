#include "sim/base/file.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "tests/viewer/program.h"

using namespace weft;
using weft::test::Folder;
using weft::test::read_file;
namespace fs = std::filesystem;

namespace {

int count(const Folder& folder) { return int(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator())); }

}  // namespace

TEST_CASE("a file that is replaced leaves its neighbours alone and keeps its permissions") {
  Folder folder;
  folder.write("a.txt", "old"), folder.write("a.txt.part", "mine");
  fs::permissions(folder / "a.txt", fs::perms(0640));
  write_text_file(folder / "a.txt", "new");
  CHECK(read_file(folder / "a.txt") == "new");
  CHECK(read_file(folder / "a.txt.part") == "mine");
  CHECK(fs::status(folder / "a.txt").permissions() == fs::perms(0640));
  CHECK(count(folder) == 2);
  const mode_t before = ::umask(027);
  write_text_file(folder / "b.txt", "b");
  ::umask(before);
  CHECK(fs::status(folder / "b.txt").permissions() == fs::perms(0640));
}

TEST_CASE("names may be as long as the file system allows") {
  Folder folder;
  for (const size_t length : {size_t(250), size_t(251), size_t(255)}) {
    write_text_file(folder / std::string(length, 'x'), "text");
    CHECK(read_file(folder / std::string(length, 'x')) == "text");
  }
  CHECK_THROWS_WITH_AS(write_text_file(folder / std::string(256, 'x'), "text"), doctest::Contains("File name too long"), Error);
  CHECK(count(folder) == 3);
}

TEST_CASE("what a link leads to is written, also where nothing is there yet") {
  Folder folder;
  fs::create_directories(folder / "far");
  fs::create_symlink("far/b.txt", folder / "a.txt");
  fs::create_symlink("a.txt", folder / "first.txt");
  for (const char* text : {"one", "two"}) {
    write_text_file(folder / "first.txt", text);
    CHECK(fs::is_symlink(folder / "first.txt"));
    CHECK(fs::is_symlink(folder / "a.txt"));
    CHECK(read_file(folder / "far/b.txt") == text);
  }
  fs::create_symlink("far/missing/c.txt", folder / "c.txt");
  CHECK_THROWS_WITH_AS(write_text_file(folder / "c.txt", "text"), doctest::Contains("No such file or directory"), Error);
  fs::create_symlink("y", folder / "x"), fs::create_symlink("x", folder / "y");
  CHECK_THROWS_WITH_AS(write_text_file(folder / "x", "text"), doctest::Contains("circle"), Error);
  fs::create_symlink("/dev/null", folder / "nothing");
  write_text_file(folder / "nothing", "text");
  CHECK(fs::is_symlink(folder / "nothing"));
}

TEST_CASE("a file that is write-protected is refused and stays") {
  Folder folder;
  folder.write("a.txt", "old");
  fs::permissions(folder / "a.txt", fs::perms(0444));
  CHECK_THROWS_WITH_AS(write_text_file(folder / "a.txt", "new"), doctest::Contains("write-protected"), Error);
  CHECK(read_file(folder / "a.txt") == "old");
  CHECK(count(folder) == 1);
}

TEST_CASE("who writes the same file at the same time never mixes with another") {
  Folder folder;
  const std::string path = folder / "a.txt";
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w)
    writers.emplace_back([&, w] {
      for (int k = 0; k < 50; ++k) write_text_file(path, std::string(20000 + 1000 * size_t(w), char('a' + w)));
    });
  for (std::thread& w : writers) w.join();
  const std::string text = read_file(path);
  REQUIRE(!text.empty());
  CHECK(text == std::string(20000 + 1000 * size_t(text[0] - 'a'), text[0]));
  CHECK(count(folder) == 1);
}

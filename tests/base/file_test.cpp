#include "sim/base/file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "tests/support/folder.h"

using namespace weft;
using weft::testing::Folder;
using weft::testing::read_file;
namespace fs = std::filesystem;

namespace {

int count(const Folder& folder) {
  return int(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

void make_older(const std::string& path, int seconds) {
  const struct timespec times[2] = {{::time(nullptr) - seconds, 0}, {::time(nullptr) - seconds, 0}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0);
}

/// A process that is in the middle of writing `path`.
class Writer {
 public:
  explicit Writer(const std::string& path) {
    int ready[2], go[2];
    REQUIRE((::pipe(ready) == 0 && ::pipe(go) == 0));
    id_ = ::fork();
    REQUIRE(id_ >= 0);
    if (id_ == 0) {
      TemporaryFile file(path);
      char signal = 0;
      bool whole = ::write(file.handle(), "part", 4) == 4 &&
                   ::write(ready[1], file.name().c_str(), file.name().size() + 1) > 0;
      ::close(go[1]);
      whole = whole && ::read(go[0], &signal, 1) == 1;
      ::_exit(whole && file.put_in_place() == 0 ? 0 : 1);
    }
    ::close(ready[1]), ::close(go[0]);
    char name[4096] = {};
    REQUIRE(::read(ready[0], name, sizeof name - 1) > 0);
    ::close(ready[0]);
    part = name, go_ = go[1];
  }
  ~Writer() {
    if (id_ > 0) kill();
    ::close(go_);
  }
  void kill() {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    id_ = -1;
  }
  bool complete() {
    int status = 1;
    const bool told = ::write(go_, "g", 1) == 1;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return told && status == 0;
  }
  std::string part;  // the temporary file

 private:
  pid_t id_ = -1;
  int go_ = -1;
};

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
  CHECK_THROWS_WITH_AS(write_text_file(folder / std::string(256, 'x'), "text"),
                       doctest::Contains("File name too long"), Error);
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
  CHECK_THROWS_WITH_AS(write_text_file(folder / "c.txt", "text"),
                       doctest::Contains("No such file or directory"), Error);
  fs::create_symlink("y", folder / "x"), fs::create_symlink("x", folder / "y");
  CHECK_THROWS_WITH_AS(write_text_file(folder / "x", "text"), doctest::Contains("part of a loop"), Error);
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

TEST_CASE(
    "what a killed process left is removed with the next save into its folder, and nothing that another "
    "still writes") {
  Folder folder;
  Writer killed(folder / "a.txt"), young(folder / "a.txt"), alive(folder / "b.txt");
  killed.kill(), young.kill();
  for (const Writer* w : {&killed, &young, &alive}) REQUIRE(fs::exists(w->part));
  make_older(killed.part, 120), make_older(alive.part, 120);
  // Names that only look like it, and what is no file.
  const std::vector<std::string> others = {".weft-notes", ".weft-ABCDEFGH", ".weft-abcdefghi",
                                           ".weft-abcdefg", "x.weft-abcdefgh"};
  for (const std::string& name : others) folder.write(name, "mine"), make_older(folder / name, 120);
  folder.write("victim", "mine");
  fs::create_symlink("victim", folder / ".weft-linklink"), fs::create_directories(folder / ".weft-12345678");
  make_older(folder / "victim", 120), make_older(folder / ".weft-linklink", 120),
      make_older(folder / ".weft-12345678", 120);
  write_text_file(folder / "c.txt", "c");
  CHECK(!fs::exists(killed.part));
  CHECK(fs::exists(young.part));  // perhaps of a process that does not lock
  CHECK(fs::exists(alive.part));
  for (const std::string& name : others) CHECK(read_file(folder / name) == "mine");
  CHECK(read_file(folder / "victim") == "mine");
  CHECK(fs::is_symlink(folder / ".weft-linklink"));
  CHECK(fs::is_directory(folder / ".weft-12345678"));
  CHECK(alive.complete());
  CHECK(read_file(folder / "b.txt") == "part");
}

TEST_CASE("who writes the same file at the same time never mixes with another") {
  Folder folder;
  const std::string path = folder / "a.txt";
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w)
    writers.emplace_back([&, w] {
      for (int k = 0; k < 50; ++k)
        write_text_file(path, std::string(20000 + 1000 * size_t(w), char('a' + w)));
    });
  for (std::thread& w : writers) w.join();
  const std::string text = read_file(path);
  REQUIRE(!text.empty());
  CHECK(text == std::string(20000 + 1000 * size_t(text[0] - 'a'), text[0]));
  CHECK(count(folder) == 1);
}

TEST_CASE("a pipe is refused where a file is to be read, instead of being waited for") {
  Folder folder;
  const std::string pipe = folder / "pipe.obj";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH_AS(read_text_file(pipe, "an OBJ mesh"),
                       doctest::Contains("this is a pipe or a device, not an OBJ mesh"), Error);
}

TEST_CASE("a file that memory cannot hold is refused with its size before it is read") {
  Folder folder;
  const std::string path = folder.write("large.obj", "v 0 0 0\n");
  if (::truncate(path.c_str(), off_t(4) << 40) != 0) return;  // no file system for such files
  CHECK_THROWS_WITH_AS(read_text_file(path, "an OBJ mesh"),
                       doctest::Contains("not enough memory for this file (4398.0 GB)"), Error);
}

// weft batch: many runs from one file.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>

#include "sim/base/error.h"
#include "test_paths.h"
#include "tests/support/folder.h"
#include "tests/support/program.h"
#include "viewer/commands/batch_jobs.h"
#include "viewer/commands/batch_journal.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// A sheet of few vertices that must have fallen by its end.
constexpr const char* kScene = R"(
duration = 0.02
[step]
collision = "bodies"
[[cloth]]
name = "sheet"
vertices = 20
position = [0, 1, 0]
[[end]]
quantity = "time"
min = 0.01
)";

size_t count(const std::string& text, const std::string& words) {
  size_t n = 0;
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++n;
  return n;
}

/// Lines of a journal by their job: how often each was begun, and ended.
std::map<std::string, std::pair<int, int>> turns(const std::string& journal) {
  std::map<std::string, std::pair<int, int>> all;
  std::istringstream lines(journal);
  for (std::string line; std::getline(lines, line);)
    for (const char* kind : {"{\"begin\":\"", "{\"end\":\""})
      if (line.starts_with(kind)) {
        const size_t first = std::string(kind).size();
        auto& turn = all[line.substr(first, line.find('"', first) - first)];
        ++(kind[2] == 'b' ? turn.first : turn.second);
      }
  return all;
}

}  // namespace

TEST_CASE("jobs of a batch are all combinations and keep their ids when others are added") {
  const Folder folder;
  folder.write("a.toml", kScene);
  const auto jobs = [&](const std::string& text) { return read_batch(folder.write("jobs.toml", text)); };
  const std::string table = "[[run]]\nname = \"grid\"\nscene = [\"a.toml\", \"drape_sphere\"]\nframes = 3\n";
  const auto few = jobs(table + "vary = {\"step.dt\" = [0.01, 0.005], \"step.solver\" = [\"newton\"]}\n");
  REQUIRE(few.size() == 4);
  CHECK(few[0].arguments[0] == folder / "a.toml");
  CHECK(few[0].has_end);
  CHECK(few[0].choices.size() == 2);  // one solver is no choice
  CHECK(few[1].choices[1] == std::pair<std::string, std::string>("step.dt", "0.005"));
  const auto more =
      jobs(table + "vary = {\"step.dt\" = [0.02, 0.01, 0.005], \"step.solver\" = [\"newton\"]}\n");
  REQUIRE(more.size() == 6);
  for (const BatchJob& job : few)
    CHECK(std::count_if(more.begin(), more.end(), [&](const BatchJob& b) { return b.id == job.id; }) == 1);
  CHECK(jobs("[[run]]\nscene = \"a.toml\"\nvary = {\"step.dt\" = [0.01, 0.01]}\n").size() == 1);
  const auto vector = jobs("[[run]]\nscene = \"a.toml\"\nset = {\"forces.gravity\" = [0, -1, 0]}\n");
  CHECK(vector[0].arguments[2] == "forces.gravity=[0, -1, 0]");
}

TEST_CASE("a batch says what is wrong with its file before it runs anything") {
  const Folder folder;
  folder.write("a.toml", kScene);
  const std::pair<const char*, const char*> faults[] = {
      {"# nothing\n", "no runs"},
      {"[[run]]\n", "there is no scene"},
      {"[[run]]\nscene = \"drape_sphre\"\n", "drape_sphere"},
      {"[[run]]\nscene = \"a.toml\"\nset = {\"step.dtt\" = 1}\n", "step.dt"},
      {"[[run]]\nscene = \"a.toml\"\nvary = {\"step.dt\" = 1}\n", "a list of values"},
      {"[[run]]\nscene = \"a.toml\"\nvary = {\"step.dt\" = [0.01, -1]}\n", "step.dt"},
      {"[[run]]\nscene = \"a.toml\"\nbody = \"no.obj\"\n", "no.obj"},
      {"[[run]]\nscene = \"a.toml\"\nframes = 1\nseconds = 1\n", "seconds too"},
      {"[[run]]\nscene = \"a.toml\"\ncolour = 3\n", "colour"},
      {"[[run]]\nname = \"a/b\"\nscene = \"a.toml\"\n", "no name"},
      {"[[run]]\nscene = \"a.toml\"\nname = \"x\"\n[[run]]\nscene = \"a.toml\"\nname = \"x\"\n", "two runs"}};
  for (const auto& [text, words] : faults) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(read_batch(folder.write("jobs.toml", text)), doctest::Contains(words), Error);
  }
}

TEST_CASE("each job has a verdict and failed ones keep their reason") {
  const Folder folder;
  folder.write("good.toml", kScene);
  folder.write("unmet.toml", std::string(kScene) + "[[end]]\nquantity = \"time\"\nmin = 100\n");
  folder.write("broken.toml", std::string(kScene) + "[[pin]]\nvertices = [100000]\n");
  folder.write("jobs.toml",
               "[[run]]\nname = \"all\"\nscene = [\"good.toml\", \"unmet.toml\", \"broken.toml\"]\n"
               "[[run]]\nname = \"late\"\nscene = \"good.toml\"\nseconds = 1000\nlimit = 0.5\n");
  Outcome o = testing::weft(folder, {"batch", "jobs.toml", "--device", "cpu", "--jobs", "2"});
  INFO(o.out << o.err);
  CHECK(o.status == 1);
  CHECK(o.prints("1 failed, 1 ok, 1 unmet"));
  CHECK(o.prints("| late | 1 | 1 limit |"));
  const std::string table = read_file(folder / "jobs.batch/results.csv");
  CHECK(count(table, "\r\n") == 5);
  CHECK(table.find("unmet.toml,unmet,") != std::string::npos);
  CHECK(table.find("100000") != std::string::npos);  // the vertex that is not there
  o = testing::weft(folder, {"batch", "jobs.toml", "--device", "cpu"});
  CHECK(o.prints("4 of 4 jobs have a result"));
  CHECK(o.status == 1);
  folder.write("broken.toml", kScene);
  o = testing::weft(folder, {"batch", "jobs.toml", "--device", "cpu", "--retry"});
  CHECK(o.prints("2 ok, 1 unmet"));
  CHECK(count(read_file(folder / "jobs.batch/journal.jsonl"), "\"begin\"") == 6);
}

TEST_CASE("a job fails in words also where the shell that starts the batch ignores how processes end") {
  const Folder folder;
  folder.write("broken.toml", std::string(kScene) + "[[pin]]\nvertices = [100000]\n");
  folder.write("jobs.toml", "[[run]]\nscene = \"broken.toml\"\n");
  Program shell(folder, "/bin/sh",
                {"-c", "trap '' CHLD; exec \"$0\" batch jobs.toml --device cpu", WEFT_PROGRAM});
  const Outcome o = shell.wait();
  CHECK(o.status == 1);
  CHECK(o.prints("1 failed"));
}

TEST_CASE("a job whose scene, body or plug-in is another file is another job") {
  const Folder folder;
  folder.write("a.toml", kScene);
  const std::string file = folder.write("jobs.toml", "[[run]]\nscene = \"a.toml\"\n");
  const std::string before = read_batch(file)[0].id;
  CHECK(read_batch(file)[0].id == before);
  folder.write("a.toml", std::string(kScene) + "# changed\n");
  CHECK(read_batch(file)[0].id != before);
}

TEST_CASE("what a job had counts no more once it has begun again") {
  const Folder folder;
  BatchResult result;
  result.id = "a-1", result.verdict = "ok";
  {
    BatchJournal journal(folder / "out");
    journal.begun("a-1");
    journal.ended(result);
    CHECK(journal.results().count("a-1") == 1);
    journal.begun("a-1");
    CHECK(journal.results().empty());
  }
  CHECK(BatchJournal(folder / "out").results().empty());
}

TEST_CASE("the state of a job is that of the command line") {
  const Folder folder;
  folder.write("good.toml", kScene);
  folder.write("jobs.toml", "[[run]]\nscene = \"good.toml\"\nset = {\"step.dt\" = 0.005}\nkeep = true\n");
  const Outcome o = testing::weft(folder, {"batch", "jobs.toml", "--device", "cpu"});
  CHECK(o.status == 0);
  const Outcome alone =
      testing::weft(folder, {"good.toml", "--headless", "--device", "cpu", "--set", "step.dt=0.005"});
  const std::string table = read_file(folder / "jobs.batch/results.csv");
  CHECK(table.find(alone.hash()) != std::string::npos);
  const std::string id = read_batch(folder / "jobs.toml")[0].id;
  CHECK(std::filesystem::exists(folder / ("jobs.batch/" + id + "/run.weftcache")));
}

TEST_CASE("a batch that was killed goes on and runs nothing twice but what was running") {
  const Folder folder;
  folder.write("good.toml", kScene);
  std::string values;
  for (int i = 0; i < 60; ++i) values += (i ? ", " : "") + std::to_string(0.1 + 0.001 * i);
  folder.write(
      "jobs.toml",
      "[[run]]\nscene = \"good.toml\"\ncheck = \"none\"\nvary = {\"contact.friction\" = [" + values + "]}\n");
  const std::string journal = folder / "jobs.batch/journal.jsonl";
  const std::vector<std::string> words = {"batch", "jobs.toml", "--device", "cpu", "--jobs", "2"};
  {
    Program first(folder, WEFT_PROGRAM, words);
    for (int i = 0; i < 3000 && count(read_file(journal), "\"end\"") < 20; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }  // killed
  const auto before = turns(read_file(journal));
  CHECK(before.size() < 60);
  const Outcome o = testing::weft(folder, words);
  CHECK(o.status == 0);
  CHECK(o.prints("| run1 | 60 | 60 ok |"));
  int twice = 0;
  for (const auto& [id, turn] : turns(read_file(journal))) {
    const auto earlier = before.find(id);
    if (earlier != before.end() && earlier->second.second == 1) CHECK(turn.first == 1);
    twice += turn.first > 1;
    CHECK(turn.second == 1);
  }
  CHECK(twice <= 2);
}

TEST_CASE("two batches do not work in one folder and an unfinished line of the journal is passed over") {
  const Folder folder;
  const std::string out = folder / "out";
  {
    BatchJournal journal(out);
    CHECK_THROWS_WITH_AS(BatchJournal second(out), doctest::Contains("another batch"), Error);
    BatchResult result;
    result.id = "a", result.verdict = "ok";
    journal.ended(result);
  }
  std::ofstream(out + "/journal.jsonl", std::ios::app) << "{\"end\":\"b\",\"verd";
  {
    BatchJournal journal(out);
    CHECK(journal.results().size() == 1);
    BatchResult result;
    result.id = "c", result.verdict = "unmet", result.reason = "\"quoted\"\n";
    journal.ended(result);
  }
  BatchJournal journal(out);
  CHECK(journal.results().size() == 2);
  CHECK(journal.results().at("c").reason == "\"quoted\"\n");
}

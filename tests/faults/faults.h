// What the tests of faults share: faults that are asked for, and disks that are full.
#pragma once
#include <sys/mount.h>

#include <string>

#include "sim/base/inject.h"
#include "sim/scene/scene.h"
#include "test_paths.h"
#include "tests/support/program.h"

namespace weft::testing {

/// Asks for faults in this process while it lives.
class Injected {
 public:
  explicit Injected(const std::string& faults) { set_injected_faults(faults); }
  ~Injected() { set_injected_faults(""); }
  Injected(const Injected&) = delete;
};

/// Pairs of solver and collision method that faults are tried with.
struct Methods {
  const char *solver, *collision;
  /// For scene files and scenes.
  std::string table() const {
    return std::string("[step]\nsolver = \"") + solver + "\"\ncollision = \"" + collision + "\"\n";
  }
  Scene applied_to(Scene scene) const {
    scene.set("step.solver", solver), scene.set("step.collision", collision);
    return scene;
  }
};
constexpr Methods kMethods[] = {{"descent", "bodies"}, {"descent", "two_way"}, {"newton", "two_way"}};

/// A disk of a few KB. Where mounting one is not permitted, a limit on the size of files stands in for it.
class TinyDisk {
 public:
  explicit TinyDisk(size_t kilobytes) : kilobytes_(kilobytes) {
    const std::string size = "size=" + std::to_string(kilobytes) + "k";
    mounted_ = mount("tmpfs", mount_.path().c_str(), "tmpfs", 0, size.c_str()) == 0;
    if (!mounted_)
      MESSAGE("a disk cannot be mounted here: files are limited to " << kilobytes << " KB instead");
  }
  ~TinyDisk() {
    if (mounted_) umount2(mount_.path().c_str(), MNT_DETACH);
  }
  TinyDisk(const TinyDisk&) = delete;
  std::string operator/(const std::string& name) const { return mount_ / name; }
  bool mounted() const { return mounted_; }

  /// Runs weft, which writes to this disk, with `folder` as its working folder.
  Outcome weft(const Folder& folder, std::vector<std::string> arguments,
               const Environment& changes = {}) const {
    if (mounted_) return testing::weft(folder, arguments, changes);
    // Blocks of ulimit -f are 512 bytes in sh. An ignored signal stays ignored in the program that follows.
    arguments.insert(
        arguments.begin(),
        {"-c", "trap '' XFSZ; ulimit -f " + std::to_string(2 * kilobytes_) + "; exec \"$0\" \"$@\"",
         WEFT_PROGRAM});
    return Program(folder, "/bin/sh", arguments, changes).wait();
  }

 private:
  Folder mount_;
  size_t kilobytes_;
  bool mounted_ = false;
};

}  // namespace weft::testing

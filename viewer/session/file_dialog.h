// The desktop's own dialog for opening a file, without waiting for it.
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>

namespace weft {

/// Asks through the program of the desktop that is installed: zenity (GNOME, Xfce), kdialog (KDE), or yad.
class FileDialog {
 public:
  /// Seeks the program on PATH.
  FileDialog();
  /// Closes a dialog that is open.
  ~FileDialog();
  FileDialog(const FileDialog&) = delete;

  /// Why there is no dialog, in words that name what to install; empty where there is one.
  const std::string& why_not() const { return why_not_; }
  bool open() const { return process_ > 0; }
  /// Shows the dialog in `folder`. Does nothing while one is open. Throws Error where it cannot be started.
  void ask(const std::string& folder);
  /// The path that was chosen since the last call; never waits. Empty too where the dialog was cancelled.
  std::optional<std::string> chosen();

 private:
  std::string why_not_;
  pid_t process_ = -1;
  int answer_ = -1;  // the reading end of the program's output
  std::string text_;
};

}  // namespace weft

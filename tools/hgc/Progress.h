//===- Progress.h - what a long compilation is doing ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_PROGRESS_H
#define HGC_TOOLS_PROGRESS_H

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace hgc::driver {

/// One line of the terminal that says for how long a command has been compiling
/// and at what it is. It is for standard error: other files never see it.
class Progress {
public:
  Progress() : stream(*this) {}
  ~Progress() { stop(); }

  /// Shows the line from two seconds on, if standard error is a terminal.
  void start();
  /// Changes what the line says; any thread may call it.
  void tell(llvm::StringRef activity);
  /// Erases the line for good.
  void stop();

  /// Standard error, for messages while the line may be there: they replace it.
  llvm::raw_ostream &errs() { return stream; }

private:
  using Clock = std::chrono::steady_clock;

  class Stream : public llvm::raw_ostream {
  public:
    explicit Stream(Progress &progress) : raw_ostream(/*unbuffered=*/true), progress(progress) { enable_colors(true); }
    bool is_displayed() const override { return llvm::errs().is_displayed(); }
    bool has_colors() const override { return llvm::errs().has_colors(); }

  private:
    void write_impl(const char *data, size_t size) override;
    uint64_t current_pos() const override { return 0; }

    Progress &progress;
  };

  // These need the mutex.
  void draw();
  void erase();

  Stream stream;
  std::mutex mutex;
  std::condition_variable wake;
  std::thread clock;
  bool isRunning = false;
  /// A message has begun whose line has not ended.
  bool isInMessage = false;
  std::string activity;
  Clock::time_point begin;
  size_t shown = 0;
};

} // namespace hgc::driver

#endif // HGC_TOOLS_PROGRESS_H

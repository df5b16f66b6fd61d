//===- Progress.cpp - what a long compilation is doing --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include "Session.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace hgc::driver;

/// Nobody asks what takes less.
static constexpr std::chrono::seconds kPatience(2);

void Session::showProgress(const ArgParser &parser, CompileOptions &options) {
  progress.tell("importing the model");
  // What MLIR prints on request would not end the line first.
  if (parser.mlirArgs().empty())
    progress.start();
  options.progress = [this](llvm::StringRef activity) { progress.tell(activity); };
}

void Progress::start() {
  if (isRunning || !llvm::errs().is_displayed())
    return;
  isRunning = true;
  begin = Clock::now();
  clock = std::thread([this] {
    std::unique_lock<std::mutex> lock(mutex);
    while (isRunning) {
      wake.wait_for(lock, std::chrono::seconds(1));
      draw();
    }
  });
}

void Progress::tell(llvm::StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  activity = text.str();
  draw();
}

void Progress::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isRunning = false;
    erase();
  }
  wake.notify_all();
  if (clock.joinable())
    clock.join();
}

void Progress::draw() {
  Clock::duration elapsed = Clock::now() - begin;
  if (!isRunning || isInMessage || elapsed < kPatience)
    return;
  std::string text =
      llvm::formatv("{0} s  {1}", std::chrono::duration_cast<std::chrono::seconds>(elapsed).count(), activity);
  // A line that wraps could not be erased.
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  text.resize(std::min<size_t>(text.size(), (columns ? columns : 80) - 1));
  erase();
  llvm::errs() << text;
  shown = text.size();
}

void Progress::erase() {
  if (shown)
    llvm::errs() << "\r" << std::string(shown, ' ') << "\r";
  shown = 0;
}

void Progress::Stream::write_impl(const char *data, size_t size) {
  std::lock_guard<std::mutex> lock(progress.mutex);
  progress.erase();
  llvm::errs().write(data, size);
  if (size)
    progress.isInMessage = data[size - 1] != '\n';
}

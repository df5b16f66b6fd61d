//===- Driver.cpp - errors, exit codes, crash reports ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace hgc::driver;

namespace {

/// Carries the hint and the exit code along with the message.
class DriverError final : public llvm::ErrorInfo<DriverError> {
public:
  static char ID;
  DriverError(std::string message, std::string hint, int code)
      : message(std::move(message)), hint(std::move(hint)), code(code) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  std::string message, hint;
  int code;
};
char DriverError::ID = 0;

/// Text of the crash report, prepared while memory is still sane.
struct CrashReport {
  std::string path, commandLine, input;
};
CrashReport &crashReport() {
  static CrashReport report;
  return report;
}

void writeAll(int file, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t done = ::write(file, text.data(), text.size());
    if (done <= 0)
      return;
    text = text.drop_front(done);
  }
}

/// Async-signal-safe: only open, write and _exit.
[[noreturn]] void giveUp(llvm::StringRef reason) {
  const CrashReport &report = crashReport();
  int file = ::open(report.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0) {
    writeAll(file, "// hgc " HGC_VERSION_STRING " failed: ");
    writeAll(file, reason);
    writeAll(file, "\n// command:");
    writeAll(file, report.commandLine);
    writeAll(file, "\n");
    writeAll(file, report.input);
    ::close(file);
  }
  writeAll(2, "hgc: internal error: ");
  writeAll(2, reason);
  writeAll(2, "\nhint: this is a bug in hgc, not in your model; please report it with the file '");
  writeAll(2, file >= 0 ? report.path : "(could not be written)");
  writeAll(2, "' (it holds no weights)\n");
  ::_exit(kInternal);
}

void onFatalError(void *, const char *reason, bool) { giveUp(reason); }

void onSignal(int number) {
  switch (number) {
  case SIGSEGV:
    giveUp("segmentation fault");
  case SIGABRT:
    giveUp("aborted");
  case SIGFPE:
    giveUp("arithmetic exception");
  default:
    giveUp("illegal instruction or bus error");
  }
}

} // namespace

llvm::Error hgc::driver::usageError(const llvm::Twine &message, const llvm::Twine &hint) {
  return llvm::make_error<DriverError>(message.str(), hint.str(), kUsage);
}

llvm::Error hgc::driver::alreadyReported() {
  return llvm::make_error<DriverError>("", "", kUserError);
}

int hgc::driver::report(llvm::Error error) {
  int code = kDone;
  auto print = [&](llvm::StringRef message, llvm::StringRef hint) {
    if (message.empty())
      return;
    llvm::errs() << "hgc: error: " << message << "\n";
    if (!hint.empty())
      llvm::errs() << "hint: " << hint << "\n";
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const DriverError &e) {
        code = e.code;
        print(e.message, e.hint);
      },
      [&](const HintedError &e) {
        code = kUserError;
        print(e.getMessage(), e.getHint());
      },
      [&](const llvm::ErrorInfoBase &e) {
        code = kUserError;
        print(e.message(), "");
      });
  return code;
}

void hgc::driver::installCrashHandler(llvm::ArrayRef<const char *> commandLine) {
  CrashReport &report = crashReport();
  report.path = "hgc-reproducer-" + std::to_string(::getpid()) + ".mlir";
  for (const char *argument : commandLine)
    report.commandLine += std::string(" ") + argument;
  llvm::install_fatal_error_handler(onFatalError);
  for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    std::signal(number, onSignal);
}

void hgc::driver::setCrashInput(std::string text) { crashReport().input = std::move(text); }

void hgc::driver::injectFault(llvm::StringRef kind) {
  if (kind == "fatal")
    llvm::report_fatal_error("injected fault");
  if (kind == "signal")
    std::raise(SIGSEGV);
}

//===- Driver.cpp - errors, exit codes, crash reports ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <fcntl.h>
#include <new>
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
  llvm::sys::RunInterruptHandlers(); // removes unfinished outputs
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
  writeAll(2, "\nhint: this is a bug in hgc, not in your model; please report it with ");
  if (file >= 0) {
    writeAll(2, "the file '");
    writeAll(2, report.path);
    writeAll(2, "' (it holds no weights)\n");
  } else {
    writeAll(2, "the model; no reproducer could be written to this folder\n");
  }
  ::_exit(kInternal);
}

/// A model may ask for more than the machine has; that is no bug of hgc.
[[noreturn]] void onOutOfMemory() {
  llvm::sys::RunInterruptHandlers();
  writeAll(2, "hgc: error: out of memory\nhint: the model's tensors do not fit into memory; use smaller extents, "
              "or a machine with more memory\n");
  ::_exit(kUserError);
}
void onBadAlloc(void *, const char *, bool) { onOutOfMemory(); }

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

/// Calls itself until the stack is used up.
int overflowStack(int depth) {
  volatile char frame[4096] = {};
  frame[depth % 4096] = 1;
  return depth ? overflowStack(depth + 1) + frame[0] : 0;
}

} // namespace

llvm::Error hgc::driver::usageError(const llvm::Twine &message, const llvm::Twine &hint) {
  return llvm::make_error<DriverError>(message.str(), hint.str(), kUsage);
}

llvm::Error hgc::driver::alreadyReported() { return llvm::make_error<DriverError>("", "", kUserError); }

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

int hgc::driver::finishOutput(int code) {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return code;
  std::string reason = llvm::outs().error().message();
  llvm::outs().clear_error();
  int failed = report(makeError("cannot write the standard output: " + reason,
                                "check the free space, and that what reads the pipe reads all of it"));
  return code ? code : failed;
}

void hgc::driver::installCrashHandler(llvm::ArrayRef<const char *> commandLine) {
  CrashReport &report = crashReport();
  report.path = "hgc-reproducer-" + std::to_string(::getpid()) + ".mlir";
  for (const char *argument : commandLine)
    report.commandLine += std::string(" ") + argument;
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(onOutOfMemory);
  // LLVM's handlers first: they remove unfinished outputs when a user
  // interrupts, and bring the second stack that a stack overflow needs.
  llvm::sys::SetInterruptFunction(nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    ::sigaction(number, &action, nullptr);
  // A file that grows over its limit is then a failed write like any other.
  std::signal(SIGXFSZ, SIG_IGN);
}

void hgc::driver::setCrashInput(std::string text) { crashReport().input = std::move(text); }

void hgc::driver::injectFault(llvm::StringRef kind) {
  if (kind == "fatal")
    llvm::report_fatal_error("injected fault");
  if (kind == "signal")
    std::raise(SIGSEGV);
  if (kind == "abort")
    std::abort();
  if (kind == "stack")
    overflowStack(1);
  if (kind == "memory")
    crashReport().input.resize(std::size_t(1) << 61);
}

//===- Driver.h - what all commands of hgc share ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_DRIVER_H
#define HGC_TOOLS_DRIVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace hgc::driver {

/// Exit codes of the tool.
enum Exit { kDone = 0, kUserError = 1, kUsage = 2, kInternal = 70 };

/// A mistake in the command line (exit code 2).
llvm::Error usageError(const llvm::Twine &message, const llvm::Twine &hint);

/// A failure whose diagnostics were printed already (exit code 1).
llvm::Error alreadyReported();

/// Prints `hgc: error: ...` and its `hint: ...`; returns the exit code. Mistakes
/// in inputs are hgc::makeError (exit code 1).
int report(llvm::Error error);

/// Flushes the standard output; a failure to do so is an error of its own.
int finishOutput(int code);

/// A file that explains an internal error: its text is written when LLVM gives
/// up or the process crashes, then the process ends with exit code 70.
void installCrashHandler(llvm::ArrayRef<const char *> commandLine);
/// Input the reproducer shows; without weights.
void setCrashInput(std::string text);
/// Provokes a failure, to test the handler: "fatal", "signal", "abort", "stack"
/// or "memory".
void injectFault(llvm::StringRef kind);

/// A command of the tool; `run` returns the exit code.
struct Command {
  llvm::StringRef name, summary;
  int (*run)(llvm::ArrayRef<const char *>);
};

/// All commands, in the order of the help.
llvm::ArrayRef<Command> getCommands();

// One function a command; each returns the exit code.
int runCompile(llvm::ArrayRef<const char *> args);
int runRun(llvm::ArrayRef<const char *> args);
int runEval(llvm::ArrayRef<const char *> args);
int runTrain(llvm::ArrayRef<const char *> args);
int runBench(llvm::ArrayRef<const char *> args);
int runInspect(llvm::ArrayRef<const char *> args);
int runExplain(llvm::ArrayRef<const char *> args);
int runDiff(llvm::ArrayRef<const char *> args);
int runCheck(llvm::ArrayRef<const char *> args);
int runCalibrate(llvm::ArrayRef<const char *> args);
int runDevices(llvm::ArrayRef<const char *> args);
int runDoctor(llvm::ArrayRef<const char *> args);
int runCompletion(llvm::ArrayRef<const char *> args);
int runManual(llvm::ArrayRef<const char *> args);
int runVersion(llvm::ArrayRef<const char *> args);

} // namespace hgc::driver

#endif // HGC_TOOLS_DRIVER_H

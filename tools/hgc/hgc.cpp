//===- hgc.cpp - the command line of hgc ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "llvm/Support/raw_ostream.h"

using namespace hgc::driver;

namespace {

const Command kCommands[] = {
    {"compile", "turn a model into a shared library and its C header", runCompile},
    {"run", "run a model or a compiled library on given or random inputs", runRun},
    {"eval", "run a model in the reference evaluator", runEval},
    {"train", "train a library compiled with --train on data in files", runTrain},
    {"bench", "time a model: warm-up, percentiles, time per kernel", runBench},
    {"inspect", "say what a model or a compiled library holds", runInspect},
    {"explain", "say which op runs where, what it costs, and why", runExplain},
    {"diff", "say what changed between two plans", runDiff},
    {"check", "fail when a plan exceeds a limit: a gate for a CI", runCheck},
    {"calibrate", "measure this machine and write its device table", runCalibrate},
    {"devices", "list the devices hgc knows and sees", runDevices},
    {"doctor", "check this machine: what works, what is missing, how to get it", runDoctor},
    {"completion", "print the completion script of a shell", runCompletion},
    {"manual", "print the manual page", runManual},
    {"version", "print versions of hgc and LLVM", runVersion},
};

void printUsage(llvm::raw_ostream &os) {
  os << "hgc - ahead-of-time compiler for model graphs\n\n"
     << "usage: hgc COMMAND [options]\n\ncommands:\n";
  for (const Command &command : kCommands)
    os << "  " << llvm::left_justify(command.name, 12) << command.summary << "\n";
  os << "\nexamples:\n"
     << "  hgc compile model.mlir -o model.so      # writes model.so, model.h, model.hpp, model.plan.json\n"
     << "  hgc explain model.mlir --gpu a100       # which op runs where, and why\n"
     << "  hgc run model.so --input x=@x.npy       # call it without writing a program\n"
     << "  hgc compile --help                      # options of a command\n";
}

} // namespace

llvm::ArrayRef<Command> hgc::driver::getCommands() { return kCommands; }

static int runCommand(llvm::ArrayRef<const char *> args) {
  if (args.size() < 2) {
    printUsage(llvm::errs());
    return kUsage;
  }
  llvm::StringRef name = args[1];
  if (name == "--help" || name == "-h" || name == "help") {
    printUsage(llvm::outs());
    return kDone;
  }
  if (name == "--version")
    name = "version";
  for (const Command &command : kCommands)
    if (command.name == name)
      return command.run(args.drop_front(2));

  const Command *best = nullptr;
  unsigned distance = 4;
  for (const Command &command : kCommands) {
    unsigned d = name.edit_distance(command.name, true, distance);
    if (d < distance) {
      distance = d;
      best = &command;
    }
  }
  return report(usageError("unknown command '" + name + "'",
                           best ? "did you mean 'hgc " + best->name + "'?" : "'hgc --help' lists the commands"));
}

int main(int argc, char **argv) {
  llvm::ArrayRef<const char *> args(argv, argc);
  installCrashHandler(args);
  return finishOutput(runCommand(args));
}

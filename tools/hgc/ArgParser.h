//===- ArgParser.h - command-line options of one command --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table per command gives parsing, `--help` and suggestions for misspelt
// options. MLIR's own flags (--mlir-...) are collected and handed to MLIR.
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_ARGPARSER_H
#define HGC_TOOLS_ARGPARSER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>
#include <vector>

namespace hgc::driver {

/// Parses the arguments of one command.
class ArgParser {
public:
  /// `usage` follows the command's name; `examples` ends the help text.
  ArgParser(llvm::StringRef command, llvm::StringRef summary, llvm::StringRef usage, llvm::StringRef examples);

  /// `--name`: sets `target`.
  void flag(llvm::StringRef name, bool &target, llvm::StringRef help);
  /// `--name=VALUE` or `--name VALUE`.
  void value(llvm::StringRef name, llvm::StringRef metavar, std::string &target, llvm::StringRef help);
  void number(llvm::StringRef name, llvm::StringRef metavar, int64_t &target, llvm::StringRef help);
  void real(llvm::StringRef name, llvm::StringRef metavar, double &target, llvm::StringRef help);
  /// May be given several times.
  void list(llvm::StringRef name, llvm::StringRef metavar, std::vector<std::string> &target, llvm::StringRef help);
  /// One of `choices`.
  void choice(llvm::StringRef name, std::vector<std::string> choices, std::string &target, llvm::StringRef help);
  /// `-O2`: a prefix followed at once by its value.
  void prefix(llvm::StringRef name, llvm::StringRef metavar, std::string &target, llvm::StringRef help);
  /// Not shown in the help: for tests of the driver itself.
  void hidden(llvm::StringRef name, std::string &target);
  /// Arguments that are not options, in order.
  void positional(std::vector<std::string> &target) { positionals = &target; }

  /// Returns false when help was asked for and printed.
  llvm::Expected<bool> parse(llvm::ArrayRef<const char *> args);
  void printHelp(llvm::raw_ostream &os) const;
  /// A line `COMMAND<tab>OPTION<tab>VALUES<tab>HELP` for each option, for shells; `--help-table` prints it.
  void printTable(llvm::raw_ostream &os) const;
  /// A section of the manual, as roff; `--help-manual` prints it.
  void printManual(llvm::raw_ostream &os) const;

  /// Arguments meant for MLIR, for llvm::cl.
  llvm::ArrayRef<std::string> mlirArgs() const { return forwarded; }

private:
  enum class Kind { Flag, Value, Prefix };
  struct Option {
    std::string name, metavar, help;
    Kind kind;
    std::function<llvm::Error(llvm::StringRef)> set;
    bool isHidden = false;
  };

  std::string spelled(const Option &option) const;
  const Option *find(llvm::StringRef name) const;
  llvm::Error unknown(llvm::StringRef argument) const;
  llvm::Error parseOption(llvm::StringRef argument, llvm::ArrayRef<const char *> args, size_t &next);

  std::string command, summary, usage, examples;
  std::vector<Option> options;
  std::vector<std::string> *positionals = nullptr;
  std::vector<std::string> forwarded;
};

} // namespace hgc::driver

#endif // HGC_TOOLS_ARGPARSER_H

//===- ArgParser.cpp - command-line options of one command ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ArgParser.h"

#include "Driver.h"

#include "llvm/ADT/StringExtras.h"

using namespace hgc::driver;
using llvm::Error;
using llvm::StringRef;

ArgParser::ArgParser(StringRef command, StringRef summary, StringRef usage, StringRef examples)
    : command(command), summary(summary), usage(usage), examples(examples) {}

void ArgParser::flag(StringRef name, bool &target, StringRef help) {
  options.push_back({name.str(), "", help.str(), Kind::Flag, [&target](StringRef) {
                       target = true;
                       return Error::success();
                     }});
}

void ArgParser::value(StringRef name, StringRef metavar, std::string &target, StringRef help) {
  options.push_back({name.str(), metavar.str(), help.str(), Kind::Value, [&target](StringRef text) {
                       target = text.str();
                       return Error::success();
                     }});
}

void ArgParser::number(StringRef name, StringRef metavar, int64_t &target, StringRef help) {
  std::string option = name.str();
  options.push_back({option, metavar.str(), help.str(), Kind::Value, [&target, option](StringRef text) -> Error {
                       if (!text.getAsInteger(10, target) && target >= 0)
                         return Error::success();
                       return usageError("'--" + option + "' needs a whole number, got '" + text + "'",
                                         "write for example --" + option + "=2");
                     }});
}

void ArgParser::real(StringRef name, StringRef metavar, double &target, StringRef help) {
  std::string option = name.str();
  options.push_back({option, metavar.str(), help.str(), Kind::Value, [&target, option](StringRef text) -> Error {
                       if (!text.getAsDouble(target) && target >= 0)
                         return Error::success();
                       return usageError("'--" + option + "' needs a number that is not negative, got '" + text + "'",
                                         "write for example --" + option + "=1e-5");
                     }});
}

void ArgParser::list(StringRef name, StringRef metavar, std::vector<std::string> &target, StringRef help) {
  options.push_back({name.str(), metavar.str(), help.str(), Kind::Value, [&target](StringRef text) {
                       target.push_back(text.str());
                       return Error::success();
                     }});
}

void ArgParser::choice(StringRef name, std::vector<std::string> choices, std::string &target, StringRef help) {
  std::string option = name.str(), all = llvm::join(choices, "|");
  auto set = [&target, choices = std::move(choices), option, all](StringRef text) -> Error {
    if (llvm::is_contained(choices, text.str())) {
      target = text.str();
      return Error::success();
    }
    return usageError("'--" + option + "' does not know '" + text + "'", "choose one of " + all);
  };
  options.push_back({option, all, help.str(), Kind::Value, std::move(set)});
}

void ArgParser::prefix(StringRef name, StringRef metavar, std::string &target, StringRef help) {
  value(name, metavar, target, help);
  options.back().kind = Kind::Prefix;
}

void ArgParser::hidden(StringRef name, std::string &target) {
  value(name, "", target, "");
  options.back().isHidden = true;
}

std::string ArgParser::spelled(const Option &option) const {
  bool isShort = option.name.size() == 1 || option.name == "MD";
  std::string text = (isShort ? "-" : "--") + option.name;
  if (option.kind == Kind::Value)
    text += (isShort ? " " : "=") + option.metavar;
  else if (option.kind == Kind::Prefix)
    text += option.metavar;
  return text;
}

const ArgParser::Option *ArgParser::find(StringRef name) const {
  for (const Option &option : options)
    if (option.name == name && option.kind != Kind::Prefix)
      return &option;
  for (const Option &option : options)
    if (option.kind == Kind::Prefix && name.starts_with(option.name))
      return &option;
  return nullptr;
}

Error ArgParser::unknown(StringRef argument) const {
  StringRef name = argument.ltrim('-').split('=').first;
  const Option *best = nullptr;
  unsigned distance = 4;
  for (const Option &option : options) {
    if (option.isHidden)
      continue;
    unsigned d = name.edit_distance(option.name, true, distance);
    if (d < distance) {
      distance = d;
      best = &option;
    }
  }
  std::string hint = best ? "did you mean '" + spelled(*best) + "'?" : "'hgc " + command + " --help' lists the options";
  return usageError("unknown option '" + argument + "'", hint);
}

Error ArgParser::parseOption(StringRef argument, llvm::ArrayRef<const char *> args, size_t &next) {
  auto [name, text] = argument.ltrim('-').split('=');
  bool hasText = argument.contains('=');
  const Option *option = find(name);
  if (!option)
    return unknown(argument);
  switch (option->kind) {
  case Kind::Flag:
    if (hasText)
      return usageError("option '" + argument + "' takes no value", "write " + spelled(*option));
    return option->set("");
  case Kind::Prefix:
    return option->set(argument.ltrim('-').drop_front(option->name.size()));
  case Kind::Value:
    if (hasText)
      return option->set(text);
    if (next >= args.size())
      return usageError("option '" + argument + "' needs a value", "write " + spelled(*option));
    return option->set(args[next++]);
  }
  llvm_unreachable("covered switch");
}

llvm::Expected<bool> ArgParser::parse(llvm::ArrayRef<const char *> args) {
  for (size_t next = 0; next < args.size();) {
    StringRef argument = args[next++];
    if (argument == "--help" || argument == "-h") {
      printHelp(llvm::outs());
      return false;
    }
    if (argument == "--help-table" || argument == "--help-manual") {
      argument == "--help-table" ? printTable(llvm::outs()) : printManual(llvm::outs());
      return false;
    }
    if (argument.starts_with("--mlir-")) {
      forwarded.push_back(argument.str());
    } else if (argument.size() > 1 && argument.starts_with("-")) {
      if (Error error = parseOption(argument, args, next))
        return std::move(error);
    } else if (positionals) {
      positionals->push_back(argument.str());
    } else {
      return usageError("unexpected argument '" + argument + "'", "'hgc " + command + " --help' shows the usage");
    }
  }
  return true;
}

void ArgParser::printHelp(llvm::raw_ostream &os) const {
  os << "hgc " << command << " - " << summary << "\n\nusage: hgc " << command << " " << usage << "\n\noptions:\n";
  for (const Option &option : options) {
    if (option.isHidden)
      continue;
    std::string left = "  " + spelled(option);
    os << left;
    if (left.size() > 30)
      os << "\n" << std::string(32, ' ');
    else
      os << std::string(32 - left.size(), ' ');
    os << option.help << "\n";
  }
  os << "  --mlir-...                    MLIR's own flags, such as --mlir-print-ir-after-all, --mlir-timing\n"
     << "  --help                        this text\n\nexamples:\n"
     << examples;
}

void ArgParser::printTable(llvm::raw_ostream &os) const {
  for (const Option &option : options) {
    if (option.isHidden)
      continue;
    std::string text = spelled(option);
    StringRef spelling = text;
    // What a value is glued to stays on the word.
    bool isGlued = option.kind == Kind::Value && spelling.contains('=');
    std::string name = option.kind == Kind::Value
                           ? (isGlued ? spelling.split('=').first.str() + "=" : "-" + option.name)
                           : (spelling.starts_with("--") ? "--" : "-") + option.name;
    os << command << "\t" << name << "\t" << (option.metavar.empty() ? "-" : option.metavar) << "\t" << option.help
       << "\n";
  }
  os << command << "\t--help\t-\tits options and examples\n";
}

/// Text that roff takes as it is.
static std::string escapeRoff(StringRef text) {
  std::string escaped;
  for (StringRef rest = text; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    if (line.starts_with(".") || line.starts_with("'"))
      escaped += "\\&";
    for (char c : line)
      escaped += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    escaped += rest.contains('\n') ? "\n" : "";
    rest = tail;
  }
  return escaped;
}

void ArgParser::printManual(llvm::raw_ostream &os) const {
  os << ".SS hgc " << command << "\n"
     << escapeRoff(summary) << ".\n.PP\n.B hgc " << command << "\n"
     << escapeRoff(usage) << "\n";
  for (const Option &option : options)
    if (!option.isHidden)
      os << ".TP\n.B " << escapeRoff(spelled(option)) << "\n" << escapeRoff(option.help) << "\n";
  os << ".PP\nExamples:\n.PP\n.nf\n" << escapeRoff(examples) << ".fi\n";
}

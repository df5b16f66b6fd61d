//===- Spec.cpp - `name:key=value,...` as a user writes it ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Spec.h"

#include "dialects/Graph/GraphOps.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::training;

namespace {

struct Parser {
  Location loc;
  StringRef what;
  Settings settings;

  template <typename Range> static std::string join(const Range &items) {
    return llvm::join(llvm::map_range(items, [](const auto &item) { return item.name.str(); }), ", ");
  }

  LogicalResult readArgument(const Kind &kind, StringRef text) {
    StringRef key = text.split('=').first.trim(), value = text.split('=').second.trim();
    const auto *argument = llvm::find_if(kind.arguments, [&](const Argument &a) { return a.name == key; });
    if (argument == kind.arguments.end())
      return graph::emitWithHint(loc, what + " '" + kind.name + "' has no argument '" + key + "'",
                                 kind.arguments.empty() ? Twine("it takes none")
                                                        : "its arguments are " + join(kind.arguments));
    double number = 1;
    bool isNumber = !text.contains('=') || value == "true" || !value.getAsDouble(number);
    if (value == "false") {
      number = 0;
      isNumber = true;
    }
    if (!isNumber || !std::isfinite(number))
      return graph::emitWithHint(
          loc, "argument '" + key + "' of " + what + " '" + kind.name + "' is '" + value + "', which is no number",
          "write it as in " + kind.name + ":" + key + "=" + Twine(llvm::formatv("{0}", argument->value).str()));
    if (number < argument->least || number > argument->most)
      return graph::emitWithHint(
          loc, "argument '" + key + "' of " + what + " '" + kind.name + "' is '" + value + "', which is out of range",
          argument->most < std::numeric_limits<double>::max()
              ? Twine(llvm::formatv("use a value from {0} to {1}", argument->least, argument->most).str())
              : Twine(llvm::formatv("use a value of at least {0}", argument->least).str()));
    settings.set(key, number);
    return success();
  }

  LogicalResult read(StringRef text, ArrayRef<Kind> kinds) {
    StringRef name = text.split(':').first.trim(), rest = text.split(':').second;
    const auto *kind = llvm::find_if(kinds, [&](const Kind &k) { return k.name == name; });
    if (kind == kinds.end())
      return graph::emitWithHint(loc, "unknown " + what + " '" + name + "'", "the known ones are " + join(kinds));
    settings.id = kind->id;
    settings.name = name.str();
    for (const Argument &argument : kind->arguments)
      settings.set(argument.name, argument.value);
    SmallVector<StringRef> items;
    rest.split(items, ',', -1, /*KeepEmpty=*/false);
    for (StringRef item : items)
      if (failed(readArgument(*kind, item)))
        return failure();
    return success();
  }
};

} // namespace

FailureOr<Settings> training::parseSpec(Location loc, StringRef what, StringRef text, ArrayRef<Kind> kinds) {
  Parser parser{loc, what, {}};
  if (failed(parser.read(text, kinds)))
    return failure();
  return std::move(parser.settings);
}

//===- PlaceRules.h - pins given by name ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PLACERULES_H
#define HGC_PLACEMENT_PLACERULES_H

#include "dialects/Graph/GraphOps.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"
#include <vector>

namespace hgc {

/// Rules such as `gpu(encoder.*); gpu:1(=logits); cpu(.*)`: a device and a
/// regular expression that the whole name of an op must match, or `=` and the
/// name itself. The first rule that matches decides. Rules end with `;` or the
/// line; a line that starts with `#` is a comment.
class PlaceRules {
public:
  static llvm::Expected<PlaceRules> parse(llvm::StringRef text, mlir::MLIRContext *context);

  /// The device the rules give to an op of that name; null if none matches.
  graph::DeviceAttr find(llvm::StringRef name) const;

  /// Rules, as written, whose pattern none of `names` matches.
  std::vector<llvm::StringRef> findUnmatched(llvm::ArrayRef<llvm::StringRef> names) const;

private:
  struct Rule {
    std::string text;
    graph::DeviceAttr device;
    llvm::Regex pattern;
  };
  std::vector<Rule> rules;
};

} // namespace hgc

#endif // HGC_PLACEMENT_PLACERULES_H

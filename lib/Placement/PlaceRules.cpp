//===- PlaceRules.cpp - pins given by name --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/PlaceRules.h"

#include "hgc/Placement/Devices.h"
#include "hgc/Support/Error.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static constexpr StringLiteral kHint = "write rules such as 'gpu(encoder.*); cpu(=probs)'";

/// Length of the rule `text` starts with: up to the end of the line, or the `;`
/// outside parentheses.
static size_t findEnd(StringRef text) {
  int depth = 0;
  bool isComment = text.ltrim(" \t").starts_with("#");
  for (auto [i, c] : llvm::enumerate(text)) {
    depth += (c == '(') - (c == ')');
    if (c == '\n' || (c == ';' && depth <= 0 && !isComment))
      return i;
  }
  return text.size();
}

llvm::Expected<PlaceRules> PlaceRules::parse(StringRef text, MLIRContext *context) {
  PlaceRules result;
  while (!text.trim().empty()) {
    size_t end = findEnd(text);
    StringRef rule = text.take_front(end).trim();
    text = text.drop_front(std::min(end + 1, text.size()));
    if (rule.empty() || rule.starts_with("#"))
      continue;
    auto [name, pattern] = rule.split('(');
    DeviceAttr device = parseDevice(name.trim(), context);
    if (!device || !pattern.consume_back(")") || pattern.empty())
      return makeError("placement rule '" + rule + "' is not of the form device(pattern)", kHint);
    bool isExact = pattern.consume_front("=");
    llvm::Regex regex("^(" + (isExact ? llvm::Regex::escape(pattern) : pattern.str()) + ")$");
    std::string problem;
    if (!regex.isValid(problem))
      return makeError("placement rule '" + rule + "' has a bad regular expression: " + problem, kHint);
    result.rules.push_back({rule.str(), device, std::move(regex)});
  }
  return result;
}

DeviceAttr PlaceRules::find(StringRef name) const {
  for (const Rule &rule : rules)
    if (rule.pattern.match(name))
      return rule.device;
  return {};
}

std::vector<StringRef> PlaceRules::findUnmatched(ArrayRef<StringRef> names) const {
  std::vector<StringRef> result;
  for (const Rule &rule : rules)
    if (llvm::none_of(names, [&](StringRef name) { return rule.pattern.match(name); }))
      result.push_back(rule.text);
  return result;
}

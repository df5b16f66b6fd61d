//===- Resources.cpp - data of a module's attributes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Resources.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

#include <functional>

using namespace mlir;

/// Whether a literal's data lies within that of `owner`, as that of a reshape does.
static bool isView(ArrayRef<char> data, ArrayRef<char> owner) {
  std::less<const char *> isBefore;
  return !data.empty() && !isBefore(data.data(), owner.begin()) && isBefore(data.data(), owner.end());
}

void hgc::dropUnusedResources(ModuleOp module) {
  llvm::StringSet<> used;
  SmallVector<ArrayRef<char>> needed;
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr attr) {
      AsmResourceBlob *blob = attr.getRawHandle().getBlob();
      if (used.insert(attr.getRawHandle().getKey()).second && blob)
        needed.push_back(blob->getData());
    });
  });
  DialectResourceBlobManager &blobs =
      DenseResourceElementsHandle::getManagerInterface(module.getContext()).getBlobManager();
  SmallVector<std::string> unused;
  blobs.getBlobMap([&](const auto &entries) {
    for (const auto &entry : entries) {
      const AsmResourceBlob *blob = entry.getValue().getBlob();
      auto isInside = [&](ArrayRef<char> data) { return isView(data, blob->getData()); };
      if (blob && !used.contains(entry.getKey()) && llvm::none_of(needed, isInside))
        unused.push_back(entry.getKey().str());
    }
  });
  for (const std::string &key : unused)
    blobs.update(key, AsmResourceBlob());
}

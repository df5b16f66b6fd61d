//===- Resources.cpp - data of a module's attributes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Resources.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

void hgc::dropUnusedResources(ModuleOp module) {
  llvm::StringSet<> used;
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr attr) { used.insert(attr.getRawHandle().getKey()); });
  });
  DialectResourceBlobManager &blobs =
      DenseResourceElementsHandle::getManagerInterface(module.getContext()).getBlobManager();
  SmallVector<std::string> unused;
  blobs.getBlobMap([&](const auto &entries) {
    for (const auto &entry : entries)
      if (entry.getValue().getBlob() && !used.contains(entry.getKey()))
        unused.push_back(entry.getKey().str());
  });
  for (const std::string &key : unused)
    blobs.update(key, AsmResourceBlob());
}

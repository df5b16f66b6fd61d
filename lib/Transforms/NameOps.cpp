//===- NameOps.cpp - move names into locations ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Given names are settled before any is made up, so that an unnamed op never
// takes the name a later op asks for.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/OpNames.h"
#include "hgc/Transforms/Passes.h"

#include "llvm/ADT/StringMap.h"

namespace hgc {
#define GEN_PASS_DEF_NAMEOPS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using graph::HGCDialect;

namespace {

/// Hands out distinct names within one function.
class NameScope {
public:
  /// Gives `op` the name it asks for, or that name with a suffix.
  void give(Operation *op, StringRef wanted) {
    auto [entry, fresh] = owners.try_emplace(wanted, op);
    if (fresh)
      return setName(op, wanted);
    std::string name = makeFresh(wanted, 1);
    InFlightDiagnostic diag = op->emitRemark() << "name '" << wanted << "' is taken; the op is called '" << name << "'";
    diag.attachNote(entry->second->getLoc()) << "the first op of that name is here";
    owners.try_emplace(name, op);
    setName(op, name);
  }

  /// Reserves the name an op already carries.
  void keep(Operation *op) { owners.try_emplace(hgc::getOpName(op), op); }

  /// Gives `op` a name made from its kind.
  void invent(Operation *op) {
    StringRef kind = op->getName().stripDialect();
    std::string name = makeFresh(kind, counters[kind]);
    owners.try_emplace(name, op);
    setName(op, name);
  }

private:
  std::string makeFresh(StringRef stem, int64_t from) {
    for (int64_t n = from;; ++n) {
      std::string name = (stem + "_" + Twine(n)).str();
      if (owners.contains(name))
        continue;
      counters[stem] = n + 1;
      return name;
    }
  }

  void setName(Operation *op, StringRef name) {
    op->removeAttr(HGCDialect::kName);
    op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
  }

  llvm::StringMap<Operation *> owners;
  llvm::StringMap<int64_t> counters;
};

bool takesName(Operation *op) { return isa<HGCDialect>(op->getDialect()) && !op->hasTrait<OpTrait::IsTerminator>(); }

struct NameOps final : hgc::impl::NameOpsBase<NameOps> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      NameScope scope;
      SmallVector<Operation *> unnamed;
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!takesName(op))
          return;
        if (auto name = op->getAttrOfType<StringAttr>(HGCDialect::kName))
          scope.give(op, name.getValue());
        else if (hgc::getOpName(op).empty())
          unnamed.push_back(op);
        else
          scope.keep(op);
      });
      for (Operation *op : unnamed)
        scope.invent(op);
    }
    markAllAnalysesPreserved();
  }
};

} // namespace

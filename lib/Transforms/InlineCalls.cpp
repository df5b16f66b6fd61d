//===- InlineCalls.cpp - replace calls by bodies --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callees are flattened before their callers, so that a body is complete when it
// is copied and a call chain of depth n costs n copies.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace hgc {
#define GEN_PASS_DEF_INLINECALLS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using graph::HGCDialect;

/// Ops that copies may add to a module, and the longest chain of calls: a few
/// lines of calls can stand for more ops than fit in memory.
static constexpr int64_t kMaxCopies = int64_t(1) << 20;
static constexpr int64_t kMaxDepth = 1000;

namespace {

struct InlineCalls final : hgc::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    states.clear();
    called.clear();
    copies = depth = 0;
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(flatten(function, symbols)))
        return signalPassFailure();
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (!function->hasAttr(HGCDialect::kEntry) && (function.isPrivate() || called.contains(function)))
        function.erase();
  }

private:
  enum class State { Active, Done };

  LogicalResult flatten(func::FuncOp function, SymbolTable &symbols) {
    if (!states.try_emplace(function, State::Active).second)
      return success();
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      FailureOr<func::FuncOp> callee = resolve(call, symbols);
      if (failed(callee))
        return failure();
      if (++depth > kMaxDepth)
        return refuse(call, "chain of calls is longer than " + Twine(kMaxDepth), "call functions less deeply");
      if (failed(flatten(*callee, symbols)))
        return failure();
      --depth;
      if (copyBody(call, *callee); copies > kMaxCopies)
        return refuse(*callee, "calls stand for more than " + Twine(kMaxCopies) + " ops",
                      "use hgc.while or hgc.scan for repetition");
      called.insert(*callee);
    }
    states[function] = State::Done;
    return success();
  }

  static LogicalResult refuse(Operation *op, const Twine &message, const Twine &hint) {
    InFlightDiagnostic diag = op->emitError(message);
    diag.attachNote() << "hint: " << hint;
    return diag;
  }

  /// The function a call refers to, if its body can be copied.
  FailureOr<func::FuncOp> resolve(func::CallOp call, SymbolTable &symbols) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock()) {
      InFlightDiagnostic diag = call.emitOpError()
                                << "calls '" << call.getCallee() << "', which has no body of one block";
      diag.attachNote() << "hint: define the function in this module, without branches";
      return diag;
    }
    auto state = states.find(callee);
    if (state != states.end() && state->second == State::Active) {
      InFlightDiagnostic diag = call.emitOpError() << "calls '" << call.getCallee() << "' recursively";
      diag.attachNote(callee.getLoc()) << "the function is here";
      diag.attachNote() << "hint: use hgc.while or hgc.scan for repetition";
      return diag;
    }
    return callee;
  }

  void copyBody(func::CallOp call, func::FuncOp callee) {
    OpBuilder builder(call);
    IRMapping map;
    Block &body = callee.getBody().front();
    map.map(body.getArguments(), call.getOperands());
    Attribute pin = call->getAttr(HGCDialect::kDevice);
    if (!pin)
      pin = callee->getAttr(HGCDialect::kDevice);
    for (Operation &op : body.without_terminator()) {
      Operation *copy = builder.clone(op, map);
      copy->walk([&](Operation *) { ++copies; });
      if (pin && !copy->hasAttr(HGCDialect::kDevice))
        copy->setAttr(HGCDialect::kDevice, pin);
    }
    for (auto [result, value] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(map.lookupOrDefault(value));
    call.erase();
  }

  llvm::DenseMap<Operation *, State> states;
  llvm::DenseSet<Operation *> called;
  int64_t copies = 0, depth = 0;
};

} // namespace

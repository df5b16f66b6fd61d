//===- ExpOfDifference.cpp - the exponentials of a softmax ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ExpOfDifference.h"

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Lanes of the registers of AVX-512.
static constexpr int64_t kWideLanes = 16;

/// Whether p 2^n is one instruction for vectors of so many f32.
static bool canScale(const DeviceTable &target, int64_t lanes) {
  return StringRef(target.triple).starts_with("x86") && target.vectorBytes == 64 && lanes % kWideLanes == 0;
}

/// p 2^n for vectors of f32, a register at a time.
static Value emitScale(OpBuilder &b, Location loc, Value p, Value n) {
  auto part = cast<VectorType>(getLaneType(b.getF32Type(), kWideLanes));
  auto name = b.getStringAttr("llvm.x86.avx512.mask.scalef.ps.512");
  Value all = arith::ConstantOp::create(b, loc, b.getI16IntegerAttr(-1));
  Value rounding = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(4));
  Value result = p;
  for (int64_t lane = 0; lane < getLanes(p); lane += kWideLanes) {
    Value number = slice(b, loc, p, lane, kWideLanes), power = slice(b, loc, n, lane, kWideLanes);
    Value scaled = LLVM::CallIntrinsicOp::create(b, loc, part, name, ValueRange{number, power, number, all, rounding})
                       .getResult(0);
    result =
        vector::InsertStridedSliceOp::create(b, loc, scaled, result, ArrayRef<int64_t>{lane}, ArrayRef<int64_t>{1});
  }
  return result;
}

Value cpu::emitExpOfDifference(KernelContext &context, Value x, double factor) {
  OpBuilder &b = context.builder;
  if (!canScale(context.target, getLanes(x)))
    return codegen::createExpOfDifference(b, context.loc, x, factor);
  return codegen::createExpOfDifference(b, context.loc, x, factor,
                                        [&](Value p, Value n) { return emitScale(b, context.loc, p, n); });
}

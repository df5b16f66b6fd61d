//===- WinogradTransforms.cpp - between pixels and points of squares ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrices of dialects/Graph/Winograd.h with shared terms computed once.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {
/// Arithmetic on vectors in few words.
struct Terms {
  IndexBuilder &index;

  Value add(Value a, Value b) const { return arith::AddFOp::create(index.builder, index.loc, a, b); }
  Value sub(Value a, Value b) const { return arith::SubFOp::create(index.builder, index.loc, a, b); }
  Value mul(double factor, Value a) const {
    return arith::MulFOp::create(index.builder, index.loc,
                                 createConstant(index.builder, index.loc, a.getType(), factor), a);
  }
  /// factor * a + b
  Value fma(double factor, Value a, Value b) const {
    return emitMultiplyAdd(index, createConstant(index.builder, index.loc, a.getType(), factor), a, b);
  }
};
} // namespace

SmallVector<Value> cpu::transformData(IndexBuilder &index, int64_t tile, ArrayRef<Value> d) {
  Terms t{index};
  if (tile == 2)
    return {t.sub(d[0], d[2]), t.add(d[1], d[2]), t.sub(d[2], d[1]), t.sub(d[1], d[3])};
  Value even = t.fma(-4, d[2], d[4]), odd = t.fma(-4, d[1], d[3]);
  Value outer = t.sub(d[4], d[2]), inner = t.sub(d[3], d[1]);
  return {t.fma(4, d[0], t.fma(-5, d[2], d[4])),
          t.add(even, odd),
          t.sub(even, odd),
          t.fma(2, inner, outer),
          t.fma(-2, inner, outer),
          t.fma(4, d[1], t.fma(-5, d[3], d[5]))};
}

SmallVector<Value> cpu::transformFilter(IndexBuilder &index, int64_t tile, ArrayRef<Value> g) {
  Terms t{index};
  Value outer = t.add(g[0], g[2]);
  if (tile == 2)
    return {g[0], t.add(outer, g[1]), t.sub(outer, g[1]), g[2]};
  Value far = t.fma(4, g[2], g[0]);
  return {g[0], t.add(outer, g[1]), t.sub(outer, g[1]), t.fma(2, g[1], far), t.fma(-2, g[1], far), g[2]};
}

SmallVector<Value> cpu::transformSums(IndexBuilder &index, int64_t tile, ArrayRef<Value> m) {
  Terms t{index};
  Value sum = t.add(m[1], m[2]), difference = t.sub(m[1], m[2]);
  if (tile == 2)
    return {t.fma(0.5, sum, m[0]), t.sub(t.mul(0.5, difference), m[3])};
  Value farSum = t.add(m[3], m[4]), farDifference = t.sub(m[3], m[4]);
  Value even = t.mul(-1. / 6, sum), odd = t.mul(-1. / 6, difference);
  return {t.fma(1. / 4, m[0], t.fma(1. / 24, farSum, even)), t.fma(1. / 12, farDifference, odd),
          t.fma(1. / 6, farSum, even), t.fma(1. / 3, farDifference, t.add(odd, m[5]))};
}

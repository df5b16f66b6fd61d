//===- ReduceElements.cpp - element types of a reduction ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/ReduceElements.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace hgc::codegen {

static Type getElement(graph::ReduceOp reduce) {
  return cast<RankedTensorType>(reduce.getInput().getType()).getElementType();
}

Type getCombineType(graph::ReduceOp reduce) {
  Type compute = graph::getComputeType(getElement(reduce));
  Builder builder(reduce.getContext());
  if (reduce.getKind() == graph::ReduceKind::Prod && compute.isF32())
    return builder.getF64Type();
  if (reduce.getKind() == graph::ReduceKind::Mean && isa<IntegerType>(compute))
    return builder.getI64Type();
  return compute;
}

Value widen(OpBuilder &b, Location loc, Value value, Type type, bool isUnsigned) {
  if (!isa<IntegerType>(type))
    return convertFloat(b, loc, value, type);
  Type wide = getLaneType(type, getLanes(value));
  if (value.getType() == wide)
    return value;
  return isUnsigned ? Value(arith::ExtUIOp::create(b, loc, wide, value))
                    : Value(arith::ExtSIOp::create(b, loc, wide, value));
}

Value finishReduce(OpBuilder &b, Location loc, graph::ReduceOp reduce, Value value, int64_t count) {
  bool isUnsigned = graph::isUnsigned(getElement(reduce));
  Type compute = graph::getComputeType(getElement(reduce));
  if (reduce.getKind() == graph::ReduceKind::Mean) {
    Value divisor = createConstant(b, loc, value.getType(), static_cast<double>(count));
    if (isa<FloatType>(compute))
      value = arith::DivFOp::create(b, loc, value, divisor);
    else if (count > 0)
      value = isUnsigned ? Value(arith::DivUIOp::create(b, loc, value, divisor))
                         : Value(arith::DivSIOp::create(b, loc, value, divisor));
  }
  Type type = getLaneType(compute, getLanes(value));
  if (isa<IntegerType>(compute) && value.getType() != type)
    return arith::TruncIOp::create(b, loc, type, value);
  return convertFloat(b, loc, value, compute);
}

} // namespace hgc::codegen

//===- Random.cpp - random numbers and what they are for ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"
#include "dialects/Graph/Philox.h"
#include "dialects/Graph/PointwiseBuilder.h"

using namespace mlir;
using namespace hgc::graph;

LogicalResult RandomOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return inferBroadcast(loc, adaptor.getOperands().getTypes(), {}, types);
}

namespace {

/// Philox on words that are kept in 64 bits, with the upper half zero: a product
/// of two of them is one instruction of every vector unit.
class PhiloxBuilder {
public:
  PhiloxBuilder(OpBuilder &builder, Location loc, Value like) : builder(builder), loc(loc), like(like) {}

  Value low(Value value) { return arith::AndIOp::create(builder, loc, value, constant(0xFFFFFFFF)); }
  Value high(Value value) { return arith::ShRUIOp::create(builder, loc, value, constant(32)); }

  /// The first two words of the block.
  Value build(Value counter, Value stream, Value key) {
    using C = hgc::PhiloxConstants;
    Value words[] = {low(counter), high(counter), low(stream), high(stream)};
    Value keys[] = {low(key), high(key)};
    for (int round = 0; round < C::kRounds; ++round) {
      Value even = multiply(words[0], C::kMultiplier0), odd = multiply(words[2], C::kMultiplier1);
      words[0] = mix(high(odd), words[1], keys[0]);
      words[2] = mix(high(even), words[3], keys[1]);
      words[1] = low(odd);
      words[3] = low(even);
      keys[0] = low(arith::AddIOp::create(builder, loc, keys[0], constant(C::kWeyl0)));
      keys[1] = low(arith::AddIOp::create(builder, loc, keys[1], constant(C::kWeyl1)));
    }
    Value upper = arith::ShLIOp::create(builder, loc, words[0], constant(32));
    return arith::OrIOp::create(builder, loc, upper, words[1]);
  }

private:
  Value constant(uint64_t value) { return splatInt(builder, loc, like, APInt(64, value)); }
  Value multiply(Value value, uint64_t by) { return arith::MulIOp::create(builder, loc, value, constant(by)); }
  Value mix(Value a, Value b, Value c) {
    return arith::XOrIOp::create(builder, loc, arith::XOrIOp::create(builder, loc, a, b), c);
  }

  OpBuilder &builder;
  Location loc;
  Value like;
};

} // namespace

Value RandomOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return PhiloxBuilder(builder, loc, operands[0]).build(operands[0], operands[1], operands[2]);
}

LogicalResult DropoutOp::verify() {
  double rate = getRate().convertToDouble();
  if (rate >= 0 && rate < 1)
    return success();
  return emitWithHint(getLoc(), "'rate' is not from 0 to less than 1", "use a rate such as 2.0e-01");
}

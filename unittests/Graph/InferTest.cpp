//===- InferTest.cpp - inference through builders -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GraphTest.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace hgc::graph;

namespace {

class InferTest : public GraphTest {
protected:
  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element) { return RankedTensorType::get(shape, element); }
  RankedTensorType f32(ArrayRef<int64_t> shape) { return tensor(shape, Float32Type::get(&context)); }

  static constexpr int64_t dyn = ShapedType::kDynamic;
};

TEST_F(InferTest, BuildersInferTheResult) {
  parse("%a: tensor<2x?xf16>, %b: tensor<3xf16>", "");
  auto function = *module->getOps<func::FuncOp>().begin();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Value a = function.getArgument(0), b = function.getArgument(1);
  Location loc = builder.getUnknownLoc();
  EXPECT_EQ(AddOp::create(builder, loc, a, b).getType(), tensor({2, 3}, getElementTypeOrSelf(a.getType())));
  auto transposed = TransposeOp::create(builder, loc, a, ArrayRef<int64_t>{1, 0});
  EXPECT_EQ(transposed.getType().getShape(), (ArrayRef<int64_t>{dyn, 2}));
}

TEST_F(InferTest, AFailedTrySaysNothing) {
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diag) {
    ADD_FAILURE() << diag.str();
    return success();
  });
  SmallVector<Type> types;
  EXPECT_TRUE(failed(inferBroadcast(std::nullopt, {f32({2}), f32({3})}, {}, types)));
  EXPECT_TRUE(failed(emitWithHint(std::nullopt, "message", "hint")));
}

TEST_F(InferTest, HintsFollowMessages) {
  std::vector<std::string> seen;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    seen.push_back(diag.str());
    for (Diagnostic &note : diag.getNotes())
      seen.push_back(note.str());
    return success();
  });
  EXPECT_TRUE(failed(emitWithHint(UnknownLoc::get(&context), "no such axis", "use 0")));
  EXPECT_EQ(seen, (std::vector<std::string>{"no such axis", "hint: use 0"}));
}

TEST_F(InferTest, CompatibleTypesAgreeWhereStatic) {
  EXPECT_TRUE(areCompatible(TypeRange{f32({2, dyn})}, TypeRange{f32({dyn, 3})}));
  EXPECT_FALSE(areCompatible(TypeRange{f32({2})}, TypeRange{f32({3})}));
  EXPECT_FALSE(areCompatible(TypeRange{f32({2})}, TypeRange{f32({2, 1})}));
  EXPECT_FALSE(areCompatible(TypeRange{f32({2})}, TypeRange{tensor({2}, Float16Type::get(&context))}));
  EXPECT_FALSE(areCompatible(TypeRange{f32({2})}, TypeRange{}));
}

TEST_F(InferTest, ShapesResolve) {
  Builder builder(&context);
  auto resolve = [&](ArrayRef<Attribute> entries, std::optional<int64_t> elements) {
    return resolveShape(std::nullopt, builder.getArrayAttr(entries), elements);
  };
  Attribute open = builder.getI64IntegerAttr(-1), four = builder.getI64IntegerAttr(4);
  Attribute name = builder.getStringAttr("batch");
  EXPECT_EQ(*resolve({open, four}, 24), (SmallVector<int64_t>{6, 4}));
  EXPECT_EQ(*resolve({open, four}, dyn), (SmallVector<int64_t>{dyn, 4}));
  EXPECT_EQ(*resolve({name, open}, 24), (SmallVector<int64_t>{dyn, dyn}));
  EXPECT_TRUE(failed(resolve({open, four}, 23)));
  EXPECT_TRUE(failed(resolve({open}, std::nullopt)));
}

TEST_F(InferTest, ElementTypesInMemoryAndRegisters) {
  Builder builder(&context);
  Type i1 = builder.getI1Type(), ui16 = builder.getIntegerType(16, false), f16 = builder.getF16Type();
  EXPECT_EQ(getStorageType(i1), builder.getI8Type());
  EXPECT_EQ(getStorageType(ui16), builder.getI16Type());
  EXPECT_EQ(getStorageType(f16), f16);
  EXPECT_EQ(getComputeType(i1), i1);
  EXPECT_EQ(getComputeType(ui16), builder.getI16Type());
  EXPECT_EQ(getComputeType(f16), builder.getF32Type());
  EXPECT_EQ(getElementBytes(i1), 1);
  EXPECT_EQ(getTensorBytes(tensor({3, 5}, ui16)), 30);
  EXPECT_TRUE(isUnsigned(i1) && isUnsigned(ui16) && !isUnsigned(builder.getI8Type()) && !isUnsigned(f16));
  EXPECT_EQ(getAccumulatorType(builder.getI8Type()), builder.getI32Type());
  EXPECT_EQ(getAccumulatorType(builder.getBF16Type()), builder.getF32Type());
  EXPECT_EQ(getAccumulatorType(builder.getF64Type()), builder.getF64Type());
}

} // namespace

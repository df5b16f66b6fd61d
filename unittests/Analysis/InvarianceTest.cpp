//===- InvarianceTest.cpp - what is known at load time --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/Invariance.h"
#include "hgc/Analysis/OpNames.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace hgc;

namespace {

TEST(Invariance, FollowsParametersConstantsAndArguments) {
  MLIRContext context;
  context.loadDialect<graph::HGCDialect, func::FuncDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
    hgc.parameter @fixed : tensor<4xf32> = dense<1.0>
    hgc.parameter @state : tensor<4xf32> = dense<0.0>
    func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
      %0 = hgc.read @fixed : tensor<4xf32> loc("fixed")
      %1 = hgc.read @state : tensor<4xf32> loc("state")
      %2 = hgc.neg %0 : tensor<4xf32> loc("neg")
      %3 = hgc.add %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("sum")
      %4 = hgc.add %3, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("call")
      hgc.assign @state, %4 : tensor<4xf32>
      return %4 : tensor<4xf32>
    })mlir",
                                                             &context);
  ASSERT_TRUE(module);
  Invariance invariance(*module);
  llvm::StringMap<std::pair<bool, bool>> found;
  module->walk([&](Operation *op) {
    if (op->getNumResults() == 1)
      found[hgc::getOpName(op)] = {invariance.isLoadTime(op->getResult(0)), invariance.isInvariant(op->getResult(0))};
  });
  using Pair = std::pair<bool, bool>;
  EXPECT_EQ(found["fixed"], Pair(true, true));
  EXPECT_EQ(found["neg"], Pair(true, true));
  EXPECT_EQ(found["state"], Pair(true, false));
  EXPECT_EQ(found["sum"], Pair(true, false));
  EXPECT_EQ(found["call"], Pair(false, false));
  EXPECT_TRUE(invariance.isMutable(StringAttr::get(&context, "state")));
  EXPECT_FALSE(invariance.isMutable(StringAttr::get(&context, "fixed")));
}

TEST(OpNames, LooksIntoFusedLocations) {
  MLIRContext context;
  Location plain = UnknownLoc::get(&context);
  auto named = [&](StringRef name) -> Location { return NameLoc::get(StringAttr::get(&context, name), plain); };
  EXPECT_EQ(getOpName(plain), "");
  EXPECT_EQ(getOpName(named("a")), "a");
  EXPECT_EQ(getOpName(FusedLoc::get(&context, {named("a"), named("b"), plain})), "b");
}

} // namespace

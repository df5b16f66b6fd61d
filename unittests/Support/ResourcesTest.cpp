//===- ResourcesTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Resources.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace hgc;

namespace {

class ResourcesTest : public testing::Test {
protected:
  ResourcesTest() : builder(&context) {
    context.loadDialect<graph::HGCDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  /// A literal that notes when its data is freed.
  DenseResourceElementsAttr makeLiteral(ArrayRef<char> data, bool &isFreed) {
    AsmResourceBlob blob(
        data, alignof(float), [&isFreed](void *, size_t, size_t) { isFreed = true; },
        /*dataIsMutable=*/false);
    return DenseResourceElementsAttr::get(RankedTensorType::get({4}, builder.getF32Type()), "w", std::move(blob));
  }

  // Before the context, which frees what is left.
  bool isKeptFreed = false, isOtherFreed = false;
  char data[16] = {}, otherData[16] = {};
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ResourcesTest, DropsWhatTheModuleDoesNotHold) {
  DenseResourceElementsAttr kept = makeLiteral(data, isKeptFreed);
  DenseResourceElementsAttr other = makeLiteral(otherData, isOtherFreed);
  graph::ConstantOp::create(builder, builder.getUnknownLoc(), kept);
  dropUnusedResources(*module);
  EXPECT_FALSE(isKeptFreed);
  EXPECT_TRUE(isOtherFreed);
  EXPECT_EQ(kept.getRawHandle().getBlob()->getData().size(), sizeof(data));
  EXPECT_TRUE(other.getRawHandle().getBlob()->getData().empty());
}

TEST_F(ResourcesTest, KeepsWhatOthersAreViewsOf) {
  makeLiteral(data, isOtherFreed);
  graph::ConstantOp::create(builder, builder.getUnknownLoc(), makeLiteral(data, isKeptFreed));
  dropUnusedResources(*module);
  EXPECT_FALSE(isOtherFreed);
}

} // namespace

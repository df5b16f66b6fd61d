//===- GpuTableTest.cpp - tables of GPUs and their lookup -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/GpuTable.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace hgc;

namespace {

TEST(GpuTable, FindsTablesByNameAndCapability) {
  llvm::Expected<GpuTable> a100 = lookupGpu("a100"), sm80 = lookupGpu("sm_80");
  ASSERT_TRUE(a100 && sm80);
  EXPECT_EQ(a100->sm, 80);
  EXPECT_EQ(sm80->sms, a100->sms);
  EXPECT_EQ(sm80->name, "sm_80");
  // A capability without a table has the figures of the generation before.
  llvm::Expected<GpuTable> between = lookupGpu("sm_88");
  ASSERT_TRUE(static_cast<bool>(between));
  EXPECT_EQ(between->sm, 88);
  EXPECT_EQ(between->sms, llvm::cantFail(lookupGpu("orin")).sms);
}

TEST(GpuTable, RefusesWhatItDoesNotKnow) {
  for (const char *name : {"gtx580", "sm_70", "sm_", "sm_80x", "", "sm_9999"}) {
    llvm::Expected<GpuTable> table = lookupGpu(name);
    ASSERT_FALSE(static_cast<bool>(table)) << name;
    EXPECT_NE(llvm::toString(table.takeError()).find("known: sm_75 and later"), std::string::npos);
  }
}

TEST(GpuTable, OldestOfAListDecides) {
  llvm::Expected<std::vector<GpuTable>> tables = lookupGpus("h100, t4,a100");
  ASSERT_TRUE(static_cast<bool>(tables));
  ASSERT_EQ(tables->size(), 3u);
  EXPECT_EQ(tables->front().name, "t4");
  EXPECT_EQ(tables->back().name, "h100");

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  EXPECT_GE(getGpuTable(*module).sm, kOldestSm);
  (*module)->setAttr(kTargetGpuAttr, mlir::StringAttr::get(&context, "b200,l4"));
  EXPECT_EQ(getGpuTable(*module).sm, 89);
}

TEST(GpuTable, EveryTableIsPlausible) {
  for (llvm::StringRef name : listGpus()) {
    GpuTable table = llvm::cantFail(lookupGpu(name));
    EXPECT_GE(table.sm, kOldestSm) << name.str();
    EXPECT_GT(table.rate(graph::FlopClass::F32), 1e12) << name.str();
    EXPECT_GE(table.sharedBytesPerSm, table.sharedBytesPerBlock) << name.str();
    EXPECT_GT(table.memoryBandwidth, table.linkBandwidth) << name.str();
  }
}

TEST(GpuTable, OnlyOrinSharesItsMemory) {
  for (llvm::StringRef name : listGpus())
    EXPECT_EQ(llvm::cantFail(lookupGpu(name)).unifiedMemory, name == "orin") << name.str();
}

TEST(GpuTable, NamesTheKeyThatIsWrong) {
  auto messageOf = [](llvm::StringRef json) {
    llvm::Expected<GpuTable> table = parseGpuTable(json);
    return table ? std::string("no error") : llvm::toString(table.takeError());
  };
  EXPECT_NE(messageOf("{").find("not valid JSON"), std::string::npos);
  EXPECT_NE(messageOf("[]").find("must be a JSON object"), std::string::npos);
  EXPECT_NE(messageOf(R"({"name": "x"})").find("missing key 'kind' in GPU table 'x'"), std::string::npos);
}

} // namespace

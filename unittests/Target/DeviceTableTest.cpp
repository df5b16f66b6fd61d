//===- DeviceTableTest.cpp - tables, lookup, roofline ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/DeviceTable.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace hgc;

namespace {

const char *const kValid = R"json({
  "name": "toy", "kind": "cpu", "triple": "x86_64-unknown-linux-gnu",
  "llvm_cpu": "toy-cpu", "llvm_features": "+avx", "aliases": ["toy2"],
  "vector_bytes": 32, "vector_pipe_bytes": 16, "vector_registers": 16,
  "l1_bytes": 32768, "l2_bytes": 262144, "l3_bytes": 1048576, "stream_lines": 8, "cores": 2,
  "flops": {"f64": 1e9, "f32": 2e9, "f16": 3e9, "i8": 4e9, "int": 5e9, "transcendental": 6e9,
            "division": 7e9},
  "matrix_flops": 8e9, "memory_bandwidth": 1e10, "core_bandwidth": 2e9, "cache_bandwidth": {"l1": 5e10, "l2": 4e10, "l3": 3e10},
  "efficiency": {"pointwise": 0.25, "moving": 0.5, "copy": 1, "gemm": 0.75, "conv": 1, "depthwise": 1, "reduction": 1,
                 "columns": 1, "rows": 1, "pool": 1, "ordering": 1, "scatter": 1, "attention": 0.125},
  "launch_ps": 7, "tensor_ps": 9, "line_ps": 10, "fork_ps": 8
})json";

/// The valid table with `from` replaced by `to`.
std::string edit(llvm::StringRef from, llvm::StringRef to) {
  std::string text = kValid;
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to.str());
}

std::string messageOf(llvm::StringRef json) {
  llvm::Expected<DeviceTable> table = parseDeviceTable(json);
  return table ? "no error" : llvm::toString(table.takeError());
}

TEST(DeviceTable, ReadsEveryKey) {
  llvm::Expected<DeviceTable> table = parseDeviceTable(kValid);
  ASSERT_TRUE(static_cast<bool>(table)) << llvm::toString(table.takeError());
  EXPECT_EQ(table->name, "toy");
  EXPECT_EQ(table->llvmCpu, "toy-cpu");
  EXPECT_EQ(table->llvmFeatures, "+avx");
  EXPECT_EQ(table->aliases, std::vector<std::string>{"toy2"});
  EXPECT_EQ(table->vectorBytes, 32);
  EXPECT_EQ(table->vectorPipeBytes, 16);
  EXPECT_EQ(table->matrixFlops, 8e9);
  EXPECT_EQ(table->l3Bytes, 1048576);
  EXPECT_EQ(table->cores, 2);
  EXPECT_EQ(table->rate(graph::FlopClass::F64), 1e9);
  EXPECT_EQ(table->rate(graph::FlopClass::Transcendental), 6e9);
  EXPECT_EQ(table->coreBandwidth, 2e9);
  EXPECT_EQ(table->l3Bandwidth, 3e10);
  EXPECT_EQ(table->efficiency.front(), 0.25);
  EXPECT_EQ(table->efficiency.back(), 0.125);
  EXPECT_EQ(table->launchPs, 7);
  EXPECT_EQ(table->forkPs, 8);
  EXPECT_EQ(table->divisionRate, 7e9);
  EXPECT_EQ(table->tensorPs, 9);
  EXPECT_EQ(table->linePs, 10);
}

TEST(DeviceTable, ReadsWhatItPrints) {
  DeviceTable table = llvm::cantFail(parseDeviceTable(kValid));
  std::string text = printDeviceTable(table);
  DeviceTable again = llvm::cantFail(parseDeviceTable(text));
  EXPECT_EQ(printDeviceTable(again), text);
  EXPECT_EQ(again.efficiency, table.efficiency);
  EXPECT_EQ(again.flops, table.flops);
  EXPECT_EQ(again.aliases, table.aliases);
}

TEST(DeviceTable, AModuleMayBringItsOwn) {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  mlir::Builder builder(&context);
  (*module)->setAttr(kTargetCpuTableAttr, builder.getStringAttr(kValid));
  EXPECT_EQ(getCpuTable(*module).name, "toy");
  (*module)->setAttr(kTargetCpuTableAttr, builder.getStringAttr("no table"));
  EXPECT_EQ(getCpuTable(*module).name, "x86-64-v3");
}

TEST(DeviceTable, RefusesUnknownKeys) {
  EXPECT_EQ(messageOf(edit("\"conv\": 1,", "\"convv\": 1,")),
            "missing key 'conv' in key 'efficiency' of device table 'toy'");
  EXPECT_EQ(messageOf(edit("\"l1\": 5e10", "\"l1\": 0")),
            "key 'l1' of key 'cache_bandwidth' of device table 'toy' must be a number above 0");
  EXPECT_EQ(messageOf(edit("\"cores\": 2", "\"cores\": 2, \"coers\": 2")).substr(0, 45),
            "unknown key 'coers' in device table 'toy'; kn");
  EXPECT_EQ(messageOf(edit("\"i8\": 4e9", "\"i8\": 4e9, \"i4\": 1")).substr(0, 60),
            "unknown key 'i4' in key 'flops' of device table 'toy'; known");
}

TEST(DeviceTable, RefusesMissingKeys) {
  EXPECT_EQ(messageOf(edit("\"cores\": 2,", "")), "missing key 'cores' in device table 'toy'");
  EXPECT_EQ(messageOf(edit("\"matrix_flops\": 8e9", "\"matrix_flops\": -1")),
            "key 'matrix_flops' of device table 'toy' must be a number of at least 0");
  EXPECT_EQ(messageOf(edit("\"i8\": 4e9,", "")), "missing key 'i8' in key 'flops' of device table 'toy'");
}

TEST(DeviceTable, RefusesWrongTypes) {
  EXPECT_EQ(messageOf(edit("\"cores\": 2", "\"cores\": \"2\"")),
            "key 'cores' of device table 'toy' must be an integer of at least 1");
  EXPECT_EQ(messageOf(edit("\"cores\": 2", "\"cores\": 0")),
            "key 'cores' of device table 'toy' must be an integer of at least 1");
  EXPECT_EQ(messageOf(edit("\"llvm_cpu\": \"toy-cpu\"", "\"llvm_cpu\": 3")),
            "key 'llvm_cpu' of device table 'toy' must be a string");
  EXPECT_EQ(messageOf(edit("[\"toy2\"]", "[2]")), "key 'aliases' of device table 'toy' must be a list of strings");
  EXPECT_EQ(messageOf(edit("1e10", "-1")), "key 'memory_bandwidth' of device table 'toy' must be a number above 0");
  EXPECT_EQ(messageOf(edit("\"kind\": \"cpu\"", "\"kind\": \"tpu\"")),
            "key 'kind' of device table 'toy' is 'tpu', expected 'cpu'");
  EXPECT_EQ(messageOf(edit("\"flops\": {", "\"flops\": 3, \"more\": {")),
            "key 'flops' of device table 'toy' must be an object");
}

TEST(DeviceTable, RefusesOtherText) {
  EXPECT_EQ(messageOf("[]"), "device table must be a JSON object");
  EXPECT_NE(messageOf("{").find("device table is not valid JSON"), std::string::npos);
}

TEST(DeviceTable, FindsTablesByNameAndAlias) {
  llvm::Expected<const DeviceTable *> byName = lookupCpu("x86-64-v3");
  ASSERT_TRUE(static_cast<bool>(byName));
  EXPECT_EQ((*byName)->vectorBytes, 32);
  llvm::Expected<const DeviceTable *> byAlias = lookupCpu("haswell");
  ASSERT_TRUE(static_cast<bool>(byAlias));
  EXPECT_EQ((*byAlias)->llvmCpu, "haswell");
  EXPECT_EQ((*byAlias)->l2Bytes, (*byName)->l2Bytes);
}

TEST(DeviceTable, ListsTheDefaultFirst) {
  ASSERT_FALSE(listCpus().empty());
  EXPECT_EQ(listCpus().front(), "x86-64-v3");
}

TEST(DeviceTable, UnknownCpuListsTheKnownOnes) {
  llvm::Expected<const DeviceTable *> table = lookupCpu("z80");
  ASSERT_FALSE(static_cast<bool>(table));
  std::string message = llvm::toString(table.takeError());
  EXPECT_NE(message.find("unknown target cpu 'z80'; known: x86-64-v3, "), std::string::npos) << message;
}

TEST(DeviceTable, ModuleNamesItsTarget) {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  EXPECT_EQ(getCpuTable(*module).name, "x86-64-v3");
  module->getOperation()->setAttr(kTargetCpuAttr, mlir::StringAttr::get(&context, "x86-64-v4"));
  EXPECT_EQ(getCpuTable(*module).name, "x86-64-v4");
}

TEST(Roofline, TakesTheSlowerOfComputeAndMemory) {
  llvm::Expected<DeviceTable> table = parseDeviceTable(kValid);
  ASSERT_TRUE(static_cast<bool>(table));
  graph::OpCost cost;
  EXPECT_EQ(estimatePs(*table, cost), 0);
  cost[graph::FlopClass::F32] = 2000; // 1 us
  EXPECT_EQ(estimatePs(*table, cost), 1000000);
  cost.bytesRead = 15000;
  cost.bytesWritten = 5000; // 2 us
  EXPECT_EQ(estimatePs(*table, cost), 2000000);
  cost[graph::FlopClass::Int] = 10000; // 1 + 2 us
  EXPECT_EQ(estimatePs(*table, cost), 3000000);
}

TEST(Roofline, SaturatesInsteadOfOverflowing) {
  llvm::Expected<DeviceTable> table = parseDeviceTable(kValid);
  ASSERT_TRUE(static_cast<bool>(table));
  graph::OpCost cost;
  cost[graph::FlopClass::F32] = INT64_MAX;
  EXPECT_GT(estimatePs(*table, cost), int64_t(9e18));
}

} // namespace

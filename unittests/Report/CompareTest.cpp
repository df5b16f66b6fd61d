//===- CompareTest.cpp - plans against each other and against limits ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SamplePlan.h"

#include "hgc/Report/Compare.h"

#include "gtest/gtest.h"

using namespace hgc::plans;

namespace {

std::string diff(const Plan &a, const Plan &b) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool differs = printDiff(a, b, os);
  EXPECT_EQ(differs, !text.empty());
  return text;
}

TEST(Diff, EqualPlans) { EXPECT_EQ(diff(makeSample(), makeSample()), ""); }

TEST(Diff, MovedOp) {
  Plan other = makeSample();
  EntryPlan &entry = getEntry(other);
  entry.ops[0].device = "gpu:0";
  entry.transfers[0] = {"%tokens", "cpu", "gpu:0", "", 128, false};
  entry.serialCostPs = 35000000;
  other.variants[0].plans[1].memory[1].arenaBytes = 32768;
  EXPECT_EQ(diff(makeSample(), other), "predict (batch=32), gpu plan\n"
                                       "  moved   embed                    cpu (2 us) -> gpu:0 (9 us)\n"
                                       "    their bytes  6 KiB -> 2.1 KiB (-3.9 KiB, -64.6 %)\n"
                                       "  serial cost    28 us -> 35 us (+7 us, +25.0 %)\n"
                                       "memory (batch=32), gpu plan\n"
                                       "  gpu:0 peak     80.5 KiB -> 96.5 KiB (+16 KiB, +19.9 %)\n");
}

TEST(Diff, OtherModel) {
  Plan other = makeSample();
  other.modelHash = "0f";
  other.gpus = {"t4", "a100"};
  getEntry(other).ops.pop_back();
  getEntry(other).ops[1].pin.clear();
  EXPECT_EQ(diff(makeSample(), other), "plan\n"
                                       "  model          00112233445566778899aabbccddeeff -> 0f\n"
                                       "  gpus           a100 -> t4,a100\n"
                                       "predict (batch=32), gpu plan\n"
                                       "  pin of  fc                       gpu:0 -> none\n"
                                       "  gone    act (relu on gpu:0)\n");
}

TEST(Diff, OtherVariantsAndPlans) {
  Plan other = makeSample();
  other.variants.push_back({{{"batch", 64}}, other.variants[0].plans});
  other.variants[0].plans.pop_back();
  EXPECT_EQ(diff(makeSample(), other), "plan\n"
                                       "  the plan gpu (batch=32) is in the first plan only\n"
                                       "plan\n"
                                       "  variant batch=64 is in the second plan only\n");
}

TEST(Diff, WhatNumbersDoNotShow) {
  Plan other = makeSample();
  getEntry(other).ops[0].reason = "other words";
  EXPECT_EQ(diff(makeSample(), other),
            "plan\n  same devices, copies, memory and costs; reasons, prices or schedules differ\n");
}

TEST(Copies, CausedAndSaved) {
  Plan plan = makeSample();
  std::vector<OpCopies> copies = countCopies(getEntry(plan));
  // embed: tokens are here already, its result goes away.
  EXPECT_EQ(copies[0].caused, 1);
  EXPECT_EQ(copies[0].saved, 1);
  // fc: brings its input, keeps its result for act.
  EXPECT_EQ(copies[1].caused, 1);
  EXPECT_EQ(copies[1].saved, 1);
  // act: its result goes to the caller.
  EXPECT_EQ(copies[2].caused, 1);
  EXPECT_EQ(copies[2].saved, 1);
  TransferTotals totals = countTransfers(getEntry(plan));
  EXPECT_EQ(totals.calls, 2);
  EXPECT_EQ(totals.callBytes, 6144);
  EXPECT_EQ(totals.loads, 1);
  EXPECT_EQ(totals.loadBytes, 65536);
}

TEST(Copies, Residents) {
  Plan plan = makeResidentSample();
  std::vector<OpCopies> copies = countCopies(getEntry(plan));
  // embed: brings tokens from the GPU, its result goes back.
  EXPECT_EQ(copies[0].caused, 2);
  EXPECT_EQ(copies[0].saved, 0);
  // act: the caller wants its result here.
  EXPECT_EQ(copies[2].caused, 0);
  EXPECT_EQ(copies[2].saved, 2);
  EXPECT_EQ(diff(makeSample(), plan), "predict (batch=32), gpu plan\n"
                                      "  caller  probs                    the host -> gpu:0\n"
                                      "  caller  tokens                   the host -> gpu:0\n");
}

std::vector<std::string> check(const Gates &gates) { return llvm::cantFail(findViolations(makeSample(), gates)); }

TEST(Gates, Kept) {
  Gates gates;
  EXPECT_TRUE(gates.isEmpty());
  gates.maxTransfers = 2;
  gates.maxTransferBytes = 6144;
  gates.maxSerialPs = 28000000;
  gates.maxMakespanPs = 25000000;
  gates.maxPeak = {{"gpu", 82432}, {"cpu", 2 << 20}};
  gates.requireDevice = {"gpu(fc|act)", "cpu(=embed)"};
  EXPECT_FALSE(gates.isEmpty());
  EXPECT_EQ(check(gates), std::vector<std::string>{});
}

TEST(Gates, EachOneBroken) {
  Gates gates;
  gates.maxTransfers = 1;
  gates.maxTransferBytes = 6143;
  gates.maxSerialPs = 27999999;
  gates.maxMakespanPs = 1;
  gates.maxPeak = {{"gpu", 82431}};
  gates.requireDevice = {"gpu(e.*)"};
  EXPECT_EQ(
      check(gates),
      (std::vector<std::string>{
          "entry 'predict' with batch=32 makes 2 transfers a call, allowed are 1: embed to gpu:0 (4 KiB), act to "
          "cpu (2 KiB)",
          "entry 'predict' with batch=32 transfers 6 KiB a call, allowed are 6.0 KiB: embed to gpu:0 (4 KiB), act "
          "to cpu (2 KiB)",
          "entry 'predict' with batch=32 has a serial cost of 28 us, allowed are 28.0 us",
          "entry 'predict' with batch=32 has a makespan of 25 us, allowed are 1 ps",
          "the gpu plan for batch=32 needs 80.5 KiB on gpu:0, allowed are 80.5 KiB",
          "op 'embed' of entry 'predict' with batch=32 is on cpu, 'gpu(e.*)' asks for gpu:0"}));
}

/// A gate that looks at nothing would keep anything.
TEST(Gates, RuleWithoutOps) {
  Gates gates;
  gates.requireDevice = {"gpu(typo)"};
  EXPECT_EQ(check(gates), std::vector<std::string>{"'gpu(typo)' matches no op of the model"});
}

TEST(Gates, MissingFigure) {
  Plan plan = makeSample();
  getEntry(plan).makespanPs.reset();
  Gates gates;
  gates.maxMakespanPs = 1 << 30;
  EXPECT_EQ(llvm::cantFail(findViolations(plan, gates)),
            std::vector<std::string>{"entry 'predict' with batch=32 has no makespan in its plan"});
}

TEST(Gates, BadRule) {
  Gates gates;
  gates.requireDevice = {"gpu"};
  llvm::Expected<std::vector<std::string>> result = findViolations(makeSample(), gates);
  ASSERT_FALSE(result);
  EXPECT_TRUE(llvm::StringRef(llvm::toString(result.takeError())).contains("is not of the form device(pattern)"));
}

} // namespace

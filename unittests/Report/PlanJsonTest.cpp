//===- PlanJsonTest.cpp - plans as files ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SamplePlan.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace hgc::plans;

namespace {

/// The message about `text`, with its hint.
std::string readError(llvm::StringRef text) {
  llvm::Expected<Plan> plan = readJson(text);
  return plan ? "read" : llvm::toString(plan.takeError());
}

/// The sample with one piece of its text replaced.
std::string replaced(llvm::StringRef from, llvm::StringRef to) {
  std::string text = writeJson(makeSample());
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to.str());
}

TEST(PlanJson, RoundTrip) {
  std::string text = writeJson(makeSample());
  llvm::Expected<Plan> plan = readJson(text);
  ASSERT_TRUE(static_cast<bool>(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(writeJson(*plan), text);
  const EntryPlan &entry = plan->variants[0].plans[1].entries[0];
  EXPECT_EQ(entry.ops[1].pin, "gpu:0");
  EXPECT_EQ(entry.ops[2].switchPricePs, std::nullopt);
  EXPECT_TRUE(entry.transfers[2].isAtLoad);
  EXPECT_EQ(plan->variants[0].plans[1].memory[1].limit, 1 << 20);
  EXPECT_EQ(plan->variants[0].plans[1].memory[1].boundPs, 27000000);
  EXPECT_EQ(plan->variants[0].plans[1].memory[1].gapPs, 1000000);
  EXPECT_EQ(plan->variants[0].describeDims(), "batch=32");
  EXPECT_FALSE(entry.isUncertified);
}

TEST(PlanJson, Residents) {
  std::string text = writeJson(makeResidentSample());
  llvm::Expected<Plan> plan = readJson(text);
  ASSERT_TRUE(static_cast<bool>(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(writeJson(*plan), text);
  const EntryPlan &entry = getEntry(*plan);
  ASSERT_EQ(entry.residents.size(), 2u);
  EXPECT_EQ(entry.residents[0].value, "%tokens");
  EXPECT_TRUE(entry.residents[1].isOutput);
  size_t at = text.find("\"role\": \"input\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(llvm::StringRef(readError(text.replace(at, 15, "\"role\": \"state\""))).split('\n').first,
            "'variants[0].plans[1].entries[0].residents[0].role' is neither 'input' nor 'output'");
}

/// What is not certified has no bound, and files of before have no such key.
TEST(PlanJson, Certified) {
  Plan plan = makeSample();
  EXPECT_NE(writeJson(plan).find("\"certified\": true"), std::string::npos);
  getEntry(plan).boundPs.reset();
  EXPECT_EQ(writeJson(plan).find("certified"), std::string::npos);
  getEntry(plan).isUncertified = true;
  llvm::Expected<Plan> back = readJson(writeJson(plan));
  ASSERT_TRUE(static_cast<bool>(back)) << llvm::toString(back.takeError());
  EXPECT_TRUE(getEntry(*back).isUncertified);
  EXPECT_EQ(readError(replaced("\"certified\": true,", "")), "read");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"certified\": true", "\"certified\": 1"))).split('\n').first,
            "'variants[0].plans[1].entries[0].certified' is neither true nor false");
}

/// Equal plans are equal bytes only if keys have one order.
TEST(PlanJson, KeysAreSorted) {
  std::string text = writeJson(makeSample());
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  std::vector<std::vector<std::string>> open(1);
  int checked = 0;
  for (llvm::StringRef line : lines) {
    llvm::StringRef rest = line.ltrim();
    if (rest.starts_with("\"") && rest.contains("\":")) {
      std::string key = rest.drop_front().split('"').first.str();
      if (!open.back().empty()) {
        EXPECT_LT(open.back().back(), key);
        ++checked;
      }
      open.back().push_back(key);
    }
    if (rest.ends_with("{"))
      open.emplace_back();
    if (rest.starts_with("}"))
      open.pop_back();
  }
  EXPECT_GT(checked, 50);
}

TEST(PlanJson, GapFollowsFromCostAndBound) {
  Plan plan = makeSample();
  getEntry(plan).boundPs = 27000000;
  EXPECT_NE(writeJson(plan).find("\"gap_ps\": 1000000"), std::string::npos);
}

TEST(PlanJson, ErrorsNameThePlace) {
  EXPECT_EQ(readError(replaced("\"makespan_ps\"", "\"makespan\"")),
            "'variants[0].plans[1].entries[0].makespan' is not a key of this version\n"
            "hint: make the plan again with 'hgc compile MODEL --emit=plan'");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"value\": \"embed\",", ""))).split('\n').first,
            "'variants[0].plans[1].entries[0].transfers[0].value' is missing");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"bytes\": 4096", "\"bytes\": -1"))).split('\n').first,
            "'variants[0].plans[1].entries[0].ops[0].bytes' is not a whole number of at least 0");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"bytes\": 4096", "\"bytes\": 1.5"))).split('\n').first,
            "'variants[0].plans[1].entries[0].ops[0].bytes' is not a whole number of at least 0");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"switch_price_ps\": 5000000", "\"switch_price_ps\": \"x\"")))
                .split('\n')
                .first,
            "'variants[0].plans[1].entries[0].ops[0].switch_price_ps' is not a whole number");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"when\": \"load\"", "\"when\": \"now\""))).split('\n').first,
            "'variants[0].plans[1].entries[0].transfers[2].when' is neither 'load' nor 'call'");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"cpu\": \"x86-64-v3\"", "\"cpu\": 3"))).split('\n').first,
            "'target.cpu' is not a string");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"dims\": {", "\"dims\": 1, \"x\": {"))).split('\n').first,
            "'variants[0].dims' is not an object");
}

TEST(PlanJson, ImpossibleContents) {
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"name\": \"act\"", "\"name\": \"fc\""))).split('\n').first,
            "'variants[0].plans[1].entries[0].ops' has two ops named 'fc'");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"arena_bytes\": 16384", "\"arena_bytes\": 9000000000000000000")))
                .split('\n')
                .first,
            "'variants[0].plans[1].memory[1].arena_bytes' or another size is beyond any machine");
}

TEST(PlanJson, OtherFiles) {
  EXPECT_EQ(llvm::StringRef(readError("{\"a\": 1}")).split('\n').first, "it is no plan of hgc: it has no key 'schema'");
  EXPECT_EQ(llvm::StringRef(readError("[1]")).split('\n').first, "it is no plan of hgc: it has no key 'schema'");
  EXPECT_EQ(llvm::StringRef(readError(replaced("\"schema\": 1", "\"schema\": 2"))).split('\n').first,
            "it is a plan of another version: this hgc reads schema 1");
  EXPECT_TRUE(llvm::StringRef(readError("{")).starts_with("it is not JSON: "));
  EXPECT_TRUE(llvm::StringRef(readError("\"\xff\"")).starts_with("it is not JSON: "));
  EXPECT_EQ(llvm::StringRef(readError(std::string(100000, '['))).split('\n').first,
            "it is no plan of hgc: it is too large or too deep");
}

/// Brackets in names are not depth.
TEST(PlanJson, BracketsInNames) {
  Plan plan = makeSample();
  getEntry(plan).ops[0].name = std::string(100, '[') + "\"\\";
  std::string text = writeJson(plan);
  llvm::Expected<Plan> back = readJson(text);
  ASSERT_TRUE(static_cast<bool>(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(writeJson(*back), text);
}

/// Names may be any bytes; the file is valid all the same.
TEST(PlanJson, NamesThatAreNotText) {
  Plan plan = makeSample();
  getEntry(plan).ops[0].name = "caf\xe9";
  EXPECT_EQ(readError(writeJson(plan)), "read");
}

/// Whatever is done to a file, reading it ends with a plan or a sentence.
TEST(PlanJson, DamagedFiles) {
  std::string text = writeJson(makeSample());
  std::mt19937 random(7);
  int read = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = text;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      size_t at = random() % damaged.size();
      switch (random() % 4) {
      case 0:
        damaged[at] = static_cast<char>(random());
        break;
      case 1:
        damaged.erase(at, random() % 40);
        break;
      case 2:
        damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 60));
        break;
      case 3:
        damaged.replace(at, 1, std::to_string(random()));
        break;
      }
    }
    llvm::Expected<Plan> plan = readJson(damaged);
    ++(plan ? read : refused);
    if (plan)
      EXPECT_EQ(readError(writeJson(*plan)), "read");
    else
      EXPECT_TRUE(llvm::StringRef(llvm::toString(plan.takeError())).contains("\nhint: "));
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 1000);
}

} // namespace

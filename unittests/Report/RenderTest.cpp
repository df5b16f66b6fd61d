//===- RenderTest.cpp - plans for people ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SamplePlan.h"

#include "hgc/Report/Render.h"
#include "hgc/Report/Units.h"

#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

using namespace hgc::plans;

namespace {

std::string print(const Plan &plan, const TextOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(plan, options, os);
  return text;
}

TEST(Units, TimesAndSizes) {
  EXPECT_EQ(formatTime(0), "0 ps");
  EXPECT_EQ(formatTime(999), "999 ps");
  EXPECT_EQ(formatTime(999990000), "1.0 ms");
  EXPECT_EQ(formatTime(-1500), "-1.5 ns");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes(int64_t(3) << 40), "3 TiB");
}

TEST(Text, NoColoursUnlessAsked) {
  EXPECT_EQ(print(makeSample(), {}).find('\033'), std::string::npos);
  EXPECT_NE(print(makeSample(), {true, false, ""}).find("\033[32mgpu:0"), std::string::npos);
}

TEST(Text, LinesKeepToTheirWidth) {
  Plan plan = makeSample();
  getEntry(plan).ops[0].name = std::string(200, 'n');
  getEntry(plan).ops[1].reason =
      "a reason that goes on and on, because some decisions need more words than others, and "
      "a table with such a reason must still be readable";
  std::string text = print(plan, {false, true, ""});
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    EXPECT_LE(line.size(), kTextColumns) << line.str();
}

TEST(Text, Uncertified) {
  Plan plan = makeSample();
  EXPECT_EQ(print(plan, {}).find("certified"), std::string::npos);
  EXPECT_NE(print(makeResidentSample(), {}).find("arguments    tokens on gpu:0 in device memory"), std::string::npos);
  EXPECT_NE(print(makeResidentSample(), {}).find("results      probs on gpu:0 in device memory"), std::string::npos);
  EXPECT_NE(print(plan, {}).find("no plan within the limit costs less than 27 us, the gap is 1 us"),
            std::string::npos);
  getEntry(plan).boundPs.reset();
  getEntry(plan).isUncertified = true;
  std::string text = print(plan, {});
  EXPECT_NE(text.find("certified    no: the kernels cost something else"), std::string::npos);
  EXPECT_EQ(text.find("proven"), std::string::npos);
}

TEST(Text, ManyOps) {
  Plan plan = makeSample();
  OpPlan op = getEntry(plan).ops[2];
  for (int i = 0; i < 100; ++i) {
    op.name = "op" + std::to_string(i);
    getEntry(plan).ops.push_back(op);
  }
  std::string text = print(plan, {});
  // What costs most is shown, whatever its place.
  EXPECT_NE(text.find("embed"), std::string::npos);
  EXPECT_NE(text.find("53 cheaper or free ops are not shown; --all shows them"), std::string::npos);
  EXPECT_NE(print(plan, {false, true, ""}).find("op99"), std::string::npos);
}

TEST(Html, NamesCannotLeaveTheirPlace) {
  Plan plan = makeSample();
  getEntry(plan).ops[0].name = "</script><script>alert(1)</script>";
  std::string page = renderHtml(plan, "<b>&@DATA@");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("&lt;b>&amp;@DATA@"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
}

TEST(Html, NothingIsLoaded) {
  std::string page = renderHtml(makeSample(), "model");
  for (const char *text : {"http://", "https://", "@import", "src=", "url("}) {
    size_t at = page.find(text);
    // The namespace of SVG is a name, not an address.
    while (at != std::string::npos && llvm::StringRef(page).substr(at).starts_with("http://www.w3.org/2000/svg"))
      at = page.find(text, at + 1);
    EXPECT_EQ(at, std::string::npos) << text;
  }
}

} // namespace

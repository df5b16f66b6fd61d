//===- AttentionTest.cpp - scaled dot-product attention -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

namespace {
struct AttentionTest : EvalFixture {
  /// Two queries, two keys of two features, values of one.
  std::string attend(llvm::StringRef options, const std::vector<std::string> &mask = {}) {
    std::vector<std::string> inputs = {"2x2xf64=1,0,0,0", "2x2xf64=1,0,0,0", "2x1xf64=1,3"};
    std::string type = mask.empty() ? "" : ", tensor<" + mask.front().substr(0, mask.front().find('=')) + ">";
    inputs.insert(inputs.end(), mask.begin(), mask.end());
    return op("attention %a0, %a1, %a2 " + options.str() + " : (tensor<2x2xf64>, tensor<2x2xf64>, tensor<2x1xf64>" +
                  type + ") -> tensor<2x1xf64>",
              inputs, "tensor<2x1xf64>");
  }
};
} // namespace

TEST_F(AttentionTest, Scale) {
  // Scores of the first query are ln 3 and 0: weights 3/4 and 1/4.
  EXPECT_EQ(attend("scale = 1.0986122886681098"), "2x1xf64=1.5,2");
  // The default divides by the root of two features; no score, no weight.
  EXPECT_EQ(attend("scale = 0.0"), "2x1xf64=2,2");
  EXPECT_EQ(attend(""), attend("scale = 0.70710678118654752"));
}

TEST_F(AttentionTest, Masks) {
  EXPECT_EQ(attend("causal"), "2x1xf64=1,2");
  EXPECT_EQ(attend("mask %a3", {"2x2xi1=0,1,1,0"}), "2x1xf64=3,1");
  EXPECT_EQ(attend("mask %a3 scale = 0.0", {"2xf64=1.0986122886681098,0"}), "2x1xf64=1.5,1.5");
  // A mask of one column broadcasts; a query that sees no key has no result.
  std::string unseen = attend("mask %a3 scale = 0.0", {"2x1xi1=0,1"});
  EXPECT_TRUE(unseen == "2x1xf64=nan,2" || unseen == "2x1xf64=-nan,2") << unseen;
}

TEST_F(AttentionTest, HeadsBroadcast) {
  EXPECT_EQ(op("attention %a0, %a1, %a2 causal"
               " : (tensor<2x1x1x1xf32>, tensor<2x2x1xf32>, tensor<2x1xf32>) -> tensor<2x2x1x1xf32>",
               {"2x1x1x1xf32=1,1", "2x2x1xf32=1,1,1,1", "2x1xf32=5,7"}, "tensor<2x2x1x1xf32>"),
            "2x2x1x1xf32=5,5,5,5");
}

//===- ContractionCases.cpp - gradients of products and convolutions ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradCases.h"

using namespace hgc;

static void addMatmul(GradCases &cases, const std::string &lhs, const std::string &rhs, const std::string &result,
                      const std::string &flags = "") {
  cases.push_back({{lhs, rhs},
                   "%y = hgc.matmul %a0, %a1 " + flags + " : (" + f64(lhs) + ", " + f64(rhs) + ") -> " + f64(result),
                   result});
}

/// The convolution with these attributes, its transpose and its filter gradient.
static void addConvs(GradCases &cases, const std::string &image, const std::string &filter, const std::string &data,
                     const std::string &extents, const std::string &window, const std::string &attrs) {
  std::string types = " : (" + f64(image) + ", " + f64(filter) + ") -> " + f64(data);
  cases.push_back({{image, filter}, "%y = hgc.conv %a0, %a1 " + attrs + types, data});
  types = " : (" + f64(data) + ", " + f64(filter) + ") -> " + f64(image);
  cases.push_back(
      {{data, filter}, "%y = hgc.conv_transpose %a0, %a1 extents = " + extents + " " + attrs + types, image});
  types = " : (" + f64(image) + ", " + f64(data) + ") -> " + f64(filter);
  cases.push_back(
      {{image, data}, "%y = hgc.conv_filter_grad %a0, %a1 window = " + window + " " + attrs + types, filter});
}

void hgc::addContractionCases(GradCases &cases) {
  for (const char *flags : {"", "transpose_lhs", "transpose_rhs", "transpose_lhs transpose_rhs"}) {
    bool left = std::string(flags).find("lhs") != std::string::npos;
    bool right = std::string(flags).find("rhs") != std::string::npos;
    std::string lhs = left ? "4x3" : "3x4", rhs = right ? "5x4" : "4x5";
    addMatmul(cases, lhs, rhs, "3x5", flags);
    addMatmul(cases, "2x" + lhs, rhs, "2x3x5", flags);
    addMatmul(cases, lhs, "2x" + rhs, "2x3x5", flags);
    addMatmul(cases, "3x1x" + lhs, "2x" + rhs, "3x2x3x5", flags);
    addMatmul(cases, "2x" + lhs, "1x" + rhs, "2x3x5", flags);
    addMatmul(cases, "1x" + lhs, "1x1x" + rhs, "1x1x3x5", flags);
  }
  addConvs(cases, "2x5x6x3", "3x2x3x4", "2x5x5x4", "[5, 6]", "[3, 2]", "pads = [1, 0, 1, 0] channels_last hwio");
  addConvs(cases, "1x7x6x2", "3x3x2x3", "1x3x2x3", "[7, 6]", "[3, 3]", "strides = [2, 2] channels_last hwio");
  addConvs(cases, "1x4x7x6", "6x2x3x3", "1x6x3x2", "[7, 6]", "[3, 3]",
           "strides = [2, 3] pads = [0, 1, 0, 0] groups = 2 channels_first oihw");
  addConvs(cases, "2x4x9", "4x1x3", "2x4x5", "[9]", "[3]", "dilations = [2] groups = 4 channels_first oihw");
  addConvs(cases, "1x4x3x4x2", "2x2x2x2x1", "1x3x2x3x1", "[4, 3, 4]", "[2, 2, 2]", "channels_last hwio");
  // More image than the windows reach, by more than a stride.
  cases.push_back({{"1x4x2", "2x3x2"},
                   "%y = hgc.conv_transpose %a0, %a1 extents = [8] dilations = [3] channels_last hwio"
                   " : (tensor<1x4x2xf64>, tensor<2x3x2xf64>) -> tensor<1x8x3xf64>",
                   "1x8x3"});

  // Attention: leading dims, one mask of each kind, a scale, causal.
  cases.push_back({{"2x3x4", "2x5x4", "2x5x3"},
                   "%y = hgc.attention %a0, %a1, %a2"
                   " : (tensor<2x3x4xf64>, tensor<2x5x4xf64>, tensor<2x5x3xf64>) -> tensor<2x3x3xf64>",
                   "2x3x3"});
  cases.push_back({{"3x4", "2x3x4", "2x3x2"},
                   "%y = hgc.attention %a0, %a1, %a2 scale = 0.7 causal"
                   " : (tensor<3x4xf64>, tensor<2x3x4xf64>, tensor<2x3x2xf64>) -> tensor<2x3x2xf64>",
                   "2x3x2"});
  cases.push_back({{"2x2x4", "3x4", "3x2", "1x3"},
                   "%y = hgc.attention %a0, %a1, %a2 mask %a3"
                   " : (tensor<2x2x4xf64>, tensor<3x4xf64>, tensor<3x2xf64>, tensor<1x3xf64>) -> tensor<2x2x2xf64>",
                   "2x2x2"});
  cases.push_back({{"2x4", "3x4", "3x2", "2x3xi1=1,0,1,0,1,1"},
                   "%y = hgc.attention %a0, %a1, %a2 mask %a3"
                   " : (tensor<2x4xf64>, tensor<3x4xf64>, tensor<3x2xf64>, tensor<2x3xi1>) -> tensor<2x2xf64>",
                   "2x2"});
}

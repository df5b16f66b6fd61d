//===- ReductionCases.cpp - gradients of reductions, pools, norms ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradCases.h"

using namespace hgc;

static void addPool(GradCases &cases, const std::string &input, const std::string &result, const std::string &attrs) {
  for (const char *kind : {"max", "avg", "sum"})
    cases.push_back(
        {{input},
         std::string("%y = hgc.pool ") + kind + " %a0 " + attrs + " : (" + f64(input) + ") -> " + f64(result),
         result});
}

static void addPools(GradCases &cases) {
  // Windows side by side, with elements left over or missing at the end.
  addPool(cases, "1x6x4x2", "1x3x2x2", "window = [2, 2] strides = [2, 2] channels_last");
  addPool(cases, "1x7x5x2", "1x3x2x2", "window = [2, 2] strides = [2, 2] channels_last");
  addPool(cases, "1x5x5x1", "1x3x3x1", "window = [2, 2] strides = [2, 2] pads = [0, 1, 1, 0] channels_last");
  addPool(cases, "1x9x8x2", "1x2x2x2", "window = [4, 4] strides = [4, 4] channels_last");
  addPool(cases, "1x2x5x4", "1x2x2x2", "window = [2, 2] strides = [2, 2] channels_first");
  addPool(cases, "2x3x7", "2x3x2", "window = [2] strides = [4] channels_first");
  // Windows that overlap, in all ways.
  addPool(cases, "1x6x7x2", "1x3x4x2", "window = [3, 3] strides = [2, 2] pads = [1, 1, 0, 1] channels_last");
  addPool(cases, "1x2x5x6", "1x2x3x5", "window = [3, 2] channels_first");
  addPool(cases, "1x9x2", "1x5x2", "window = [3] dilations = [2] channels_last");
  addPool(cases, "1x9x2", "1x4x2", "window = [3] strides = [2] pads = [1, 1] dilations = [2] channels_last");
  addPool(cases, "1x4x3x4x1", "1x2x2x3x1", "window = [2, 2, 2] strides = [2, 1, 1] channels_last");
  // One window only.
  addPool(cases, "2x3x4x2", "2x1x1x2", "window = [3, 4] channels_last");
  addPool(cases, "2x2x3x4", "2x2x1x1", "window = [3, 4] strides = [3, 4] channels_first");
  addPool(cases, "1x5x2", "1x1x2", "window = [4] strides = [2] channels_last");
  cases.push_back({{"1x5x4x2"},
                   "%y = hgc.pool avg %a0 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] count_include_pad"
                   " channels_last : (tensor<1x5x4x2xf64>) -> tensor<1x3x2x2xf64>",
                   "1x3x2x2"});
}

static void addNorms(GradCases &cases) {
  for (const char *op : {"softmax", "log_softmax"})
    for (const char *axis : {"0", "1", "2"})
      cases.push_back(
          {{"3x4x2"}, std::string("%y = hgc.") + op + " %a0 axis " + axis + " : tensor<3x4x2xf64>", "3x4x2"});
  cases.push_back({{"3x5", "5", "5"},
                   "%y = hgc.layer_norm %a0, %a1, %a2 axis 1 epsilon 1.0e-05"
                   " : (tensor<3x5xf64>, tensor<5xf64>, tensor<5xf64>) -> tensor<3x5xf64>",
                   "3x5"});
  cases.push_back({{"2x3x4", "3x4", "3x4"},
                   "%y = hgc.layer_norm %a0, %a1, %a2 axis 1 epsilon 1.0e-02"
                   " : (tensor<2x3x4xf64>, tensor<3x4xf64>, tensor<3x4xf64>) -> tensor<2x3x4xf64>",
                   "2x3x4"});
  cases.push_back({{"7", "7", "7"},
                   "%y = hgc.layer_norm %a0, %a1, %a2 axis 0 epsilon 1.0e-03"
                   " : (tensor<7xf64>, tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>",
                   "7"});
  for (const char *axis : {"0", "1", "2"})
    cases.push_back({{"3x3x3", "3", "3", "3", "3"},
                     std::string("%y = hgc.batch_norm %a0, %a1, %a2, %a3, %a4 axis ") + axis +
                         " epsilon 1.0e-03 : (tensor<3x3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>,"
                         " tensor<3xf64>) -> tensor<3x3x3xf64>",
                     "3x3x3",
                     0.2,
                     1.7});
}

void hgc::addReductionCases(GradCases &cases) {
  for (const char *kind : {"sum", "mean", "prod", "max", "min"}) {
    const char *forms[][2] = {
        {"[0]", "4x2"}, {"[1] keepdims", "3x1x2"}, {"[0, 2]", "4"}, {"[0, 1, 2]", ""}, {"[]", "3x4x2"}};
    for (auto &[axes, result] : forms)
      cases.push_back(
          {{"3x4x2"},
           std::string("%y = hgc.reduce ") + kind + " %a0 axes = " + axes + " : (tensor<3x4x2xf64>) -> " + f64(result),
           result});
  }
  // The slope at a factor of zero: alone in its product, and beside another one.
  cases.push_back({{"2x1", "2x3xf64=2,3,4,5,0,6"},
                   "%x = hgc.concat %a0, %a1 axis 1 : (tensor<2x1xf64>, tensor<2x3xf64>) -> tensor<2x4xf64>\n"
                   "%y = hgc.reduce prod %x axes = [1] : (tensor<2x4xf64>) -> tensor<2xf64>",
                   "2",
                   0,
                   0});
  addPools(cases);
  addNorms(cases);
}

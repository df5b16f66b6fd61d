//===- MovementCases.cpp - gradients of data movement ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradCases.h"

using namespace hgc;

static void addSlice(GradCases &cases, const std::string &input, const std::string &result, const std::string &attrs) {
  cases.push_back({{input}, "%y = hgc.slice %a0 " + attrs + " : (" + f64(input) + ") -> " + f64(result), result});
}

static void addBoxes(GradCases &cases) {
  addSlice(cases, "4x5", "2x3", "starts = [1, 2] sizes = [2, 3]");
  addSlice(cases, "4x5", "2x2", "starts = [0, 1] sizes = [2, 2] strides = [3, 2]");
  addSlice(cases, "7x2", "3x2", "starts = [6, 1] sizes = [3, 2] strides = [-2, -1]");
  addSlice(cases, "6", "1", "starts = [5] sizes = [1] strides = [4]");
  for (const char *starts : {"2xi64=1,2", "2xi64=3,-4"})
    cases.push_back({{"4x6", starts},
                     "%y = hgc.slice %a0 at %a1 sizes = [2, 3] : (tensor<4x6xf64>, tensor<2xi64>) -> tensor<2x3xf64>",
                     "2x3"});
  cases.push_back({{"4x6", "2xi32=2,5"},
                   "%y = hgc.slice %a0 at %a1 sizes = [4, 2] strides = [1, -2]"
                   " : (tensor<4x6xf64>, tensor<2xi32>) -> tensor<4x2xf64>",
                   "4x2"});
  for (const char *mode : {"constant", "edge", "reflect", "wrap"})
    for (const char *amounts :
         {"low = [1, 2] high = [0, 1]", "low = [2, -1] high = [1, 0]", "low = [-1, 0] high = [0, -1]"}) {
      std::string shape = amounts[7] == '1' ? "4x7" : amounts[7] == '2' ? "6x3" : "2x3";
      cases.push_back({{"3x4", ""},
                       std::string("%y = hgc.pad ") + mode + " %a0, %a1 " + amounts +
                           " : (tensor<3x4xf64>, tensor<f64>) -> " + f64(shape),
                       shape});
    }
  // As much as the modes allow.
  for (const char *amounts : {"reflect %a0, %a1 low = [2] high = [2]", "wrap %a0, %a1 low = [2] high = [2]"})
    cases.push_back(
        {{"3", ""}, std::string("%y = hgc.pad ") + amounts + " : (tensor<3xf64>, tensor<f64>) -> tensor<7xf64>", "7"});
}

static void addIndexed(GradCases &cases) {
  // Indices that repeat, count from the end and are out of range.
  cases.push_back({{"4x3", "2x3xi64=0,2,2,-1,9,0"},
                   "%y = hgc.gather %a0, %a1 axis 0 : (tensor<4x3xf64>, tensor<2x3xi64>) -> tensor<2x3x3xf64>",
                   "2x3x3"});
  cases.push_back({{"2x4x3", "2xi32=3,1"},
                   "%y = hgc.gather %a0, %a1 axis 1 : (tensor<2x4x3xf64>, tensor<2xi32>) -> tensor<2x2x3xf64>",
                   "2x2x3"});
  cases.push_back({{"2x4", "2x3xi64=0,0,3,-1,1,1"},
                   "%y = hgc.gather_along %a0, %a1 axis 1 : (tensor<2x4xf64>, tensor<2x3xi64>) -> tensor<2x3xf64>",
                   "2x3"});
  // The three largest, sorted.
  cases.push_back({{"2x5"},
                   "%i = hgc.arg_sort %a0 axis 1 descending k = 3 : (tensor<2x5xf64>) -> tensor<2x3xi64>\n"
                   "%y = hgc.gather_along %a0, %i axis 1 : (tensor<2x5xf64>, tensor<2x3xi64>) -> tensor<2x3xf64>",
                   "2x3"});
  for (const char *kind : {"set", "add", "mul", "max", "min"}) {
    cases.push_back({{"2x4", "2x3xi64=0,3,0,-1,1,9", "2x3"},
                     std::string("%y = hgc.scatter ") + kind +
                         " %a0, %a1, %a2 axis 1 : (tensor<2x4xf64>, tensor<2x3xi64>, tensor<2x3xf64>)"
                         " -> tensor<2x4xf64>",
                     "2x4"});
    cases.push_back({{"2x4x2", "2x2xi64=0,3,0,1", "2x2x2x2"},
                     std::string("%y = hgc.scatter ") + kind +
                         " %a0, %a1, %a2 axis 1 slices : (tensor<2x4x2xf64>, tensor<2x2xi64>, tensor<2x2x2x2xf64>)"
                         " -> tensor<2x4x2xf64>",
                     "2x4x2"});
  }
  // The slope at a factor of zero: alone in its product, and beside another one.
  cases.push_back({{"3xf64=2,3,4", "5xi64=0,1,0,1,1", "2", "3xf64=5,0,7"},
                   "%u = hgc.concat %a2, %a3 axis 0 : (tensor<2xf64>, tensor<3xf64>) -> tensor<5xf64>\n"
                   "%y = hgc.scatter mul %a0, %a1, %u axis 0"
                   " : (tensor<3xf64>, tensor<5xi64>, tensor<5xf64>) -> tensor<3xf64>",
                   "3",
                   0,
                   0});
}

void hgc::addMovementCases(GradCases &cases) {
  cases.push_back({{"2x6"}, "%y = hgc.reshape %a0 shape [3, 4] : (tensor<2x6xf64>) -> tensor<3x4xf64>", "3x4"});
  cases.push_back({{"1"}, "%y = hgc.reshape %a0 shape [] : (tensor<1xf64>) -> tensor<f64>", ""});
  cases.push_back({{"2x3x4"},
                   "%y = hgc.transpose %a0 permutation = [2, 0, 1] : (tensor<2x3x4xf64>) -> tensor<4x2x3xf64>",
                   "4x2x3"});
  cases.push_back(
      {{"3x1"}, "%y = hgc.broadcast %a0 shape [2, 3, 4] : (tensor<3x1xf64>) -> tensor<2x3x4xf64>", "2x3x4"});
  cases.push_back({{""}, "%y = hgc.broadcast %a0 shape [2, 1] : (tensor<f64>) -> tensor<2x1xf64>", "2x1"});
  cases.push_back({{"2x3", "2x1", "2x2"},
                   "%y = hgc.concat %a0, %a1, %a2, %a1 axis 1"
                   " : (tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x7xf64>",
                   "2x7"});
  addBoxes(cases);
  addIndexed(cases);
}

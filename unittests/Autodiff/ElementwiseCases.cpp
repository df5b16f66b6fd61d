//===- ElementwiseCases.cpp - gradients of elementwise ops ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradCases.h"

using namespace hgc;

/// The op of one operand on awkward shapes.
static void addUnary(GradCases &cases, const std::string &op, double low, double high) {
  for (const char *shape : {"", "7", "2x1x3"})
    cases.push_back({{shape}, "%y = hgc." + op + " %a0 : " + f64(shape), shape, low, high});
}

/// The op of two operands under all kinds of broadcasting.
static void addBinary(GradCases &cases, const std::string &op, double low, double high) {
  const char *shapes[][3] = {
      {"5", "5", "5"}, {"3x4", "4", "3x4"}, {"3x1", "2x1x4", "2x3x4"}, {"", "2x3", "2x3"}, {"1x4", "1", "1x4"}};
  for (auto &[lhs, rhs, result] : shapes)
    cases.push_back({{lhs, rhs},
                     "%y = hgc." + op + " %a0, %a1 : (" + f64(lhs) + ", " + f64(rhs) + ") -> " + f64(result),
                     result,
                     low,
                     high});
}

void hgc::addElementwiseCases(GradCases &cases) {
  for (const char *op :
       {"abs", "neg",  "exp",     "expm1", "sin",  "cos",       "tan",  "atan",  "sinh", "cosh",  "tanh", "asinh",
        "erf", "relu", "sigmoid", "silu",  "gelu", "gelu_tanh", "sign", "floor", "ceil", "round", "trunc"})
    addUnary(cases, op, -1.45, 1.45);
  for (const char *op : {"log", "log1p", "sqrt", "rsqrt"})
    addUnary(cases, op, 0.3, 2.5);
  for (const char *op : {"asin", "acos", "atanh"})
    addUnary(cases, op, -0.9, 0.9);
  addUnary(cases, "acosh", 1.1, 3);
  // Where 1 - y and similar terms cancel.
  addUnary(cases, "gelu", -6, 6);
  addUnary(cases, "gelu_tanh", -6, 6);
  addUnary(cases, "sigmoid", -9, 9);
  addUnary(cases, "silu", -9, 9);

  for (const char *op : {"add", "sub", "mul", "max", "min", "atan2"})
    addBinary(cases, op, -2, 2);
  for (const char *op : {"div", "pow", "rem"})
    addBinary(cases, op, 0.4, 2.7);
  addBinary(cases, "rem", -2.7, -0.4);

  // Exponents that are known get shorter forms.
  for (const char *exponent : {"0.0", "1.0", "2.0", "3.0", "-1.0", "0.5"})
    cases.push_back({{"2x3"},
                     std::string("%c = hgc.constant dense<") + exponent +
                         "> : tensor<f64>\n%y = hgc.pow %a0, %c : (tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>",
                     "2x3",
                     0.3,
                     2});
  // A product with itself: two contributions to one value.
  cases.push_back({{"4"}, "%y = hgc.mul %a0, %a0 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>", "4"});
  cases.push_back(
      {{"3x4xi1=1,0,1,1,0,0,1,0,1,0,1,1", "3x4", "4"},
       "%y = hgc.select %a0, %a1, %a2 : (tensor<3x4xi1>, tensor<3x4xf64>, tensor<4xf64>) -> tensor<3x4xf64>",
       "3x4"});
  cases.push_back(
      {{"3x1xi1=1,0,1", "", "2x1x4"},
       "%y = hgc.select %a0, %a1, %a2 : (tensor<3x1xi1>, tensor<f64>, tensor<2x1x4xf64>) -> tensor<2x3x4xf64>",
       "2x3x4"});
  cases.push_back({{"5"}, "%y = hgc.dropout %a0 rate 5.0e-01 : tensor<5xf64>", "5"});
  cases.push_back({{"5"}, "%y = hgc.cast %a0 to f64 : (tensor<5xf64>) -> tensor<5xf64>", "5"});
}

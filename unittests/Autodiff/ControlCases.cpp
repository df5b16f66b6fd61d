//===- ControlCases.cpp - gradients of control flow -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradCases.h"

using namespace hgc;

static void addIfs(GradCases &cases) {
  // One branch hands a value on, the other computes from two; %a2 is used outside, too.
  for (const char *condition : {"xi1=1", "xi1=0"})
    cases.push_back({{std::string(condition).substr(1), "3", "3"},
                     R"(
    %b, %c = hgc.if %a0 : tensor<i1> -> (tensor<3xf64>, tensor<3xf64>) {
      %0 = hgc.mul %a1, %a2 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %1 = hgc.exp %0 : tensor<3xf64>
      hgc.yield %1, %a1 : tensor<3xf64>, tensor<3xf64>
    } else {
      hgc.yield %a2, %a2 : tensor<3xf64>, tensor<3xf64>
    }
    %d = hgc.mul %b, %c : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %y = hgc.add %d, %a2 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>)",
                     "3"});
}

/// A recurrent cell: captured weights, a carried state, stacked results.
static std::string cell(const std::string &direction) {
  return R"(
    %h, %ys = hgc.scan init(%a0 : tensor<2x3xf64>) over(%a1 : tensor<4x2x3xf64>) )" +
         direction + R"( -> (tensor<2x3xf64>, tensor<4x2x3xf64>) {
    ^bb0(%s: tensor<2x3xf64>, %x: tensor<2x3xf64>):
      %0 = hgc.matmul %s, %a2 : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
      %1 = hgc.add %0, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      %2 = hgc.tanh %1 : tensor<2x3xf64>
      %3 = hgc.mul %2, %s : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      hgc.yield %2, %3 : tensor<2x3xf64>, tensor<2x3xf64>
    })";
}

static void addScans(GradCases &cases) {
  for (const char *direction : {"", "reverse"}) {
    // The final state, the stacked results, and both.
    cases.push_back({{"2x3", "4x2x3", "3x3"}, cell(direction) + "\n%y = hgc.neg %h : tensor<2x3xf64>", "2x3"});
    cases.push_back({{"2x3", "4x2x3", "3x3"}, cell(direction) + "\n%y = hgc.neg %ys : tensor<4x2x3xf64>", "4x2x3"});
    cases.push_back(
        {{"2x3", "4x2x3", "3x3"},
         cell(direction) + "\n%y = hgc.mul %ys, %h : (tensor<4x2x3xf64>, tensor<2x3xf64>) -> tensor<4x2x3xf64>",
         "4x2x3"});
  }
}

/// States of other kinds.
static void addStates(GradCases &cases) {
  // A running sum needs no states; a counter has no gradient, but the body reads it.
  cases.push_back({{"3", "5x3"},
                   R"(
    %h, %y = hgc.scan init(%a0 : tensor<3xf64>) over(%a1 : tensor<5x3xf64>) -> (tensor<3xf64>, tensor<5x3xf64>) {
    ^bb0(%s: tensor<3xf64>, %x: tensor<3xf64>):
      %0 = hgc.add %s, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      hgc.yield %0, %0 : tensor<3xf64>, tensor<3xf64>
    })",
                   "5x3"});
  cases.push_back({{"3xi64=0,0,0", "3", "5x3"},
                   R"(
    %one = hgc.constant dense<1> : tensor<3xi64>
    %n, %h, %y = hgc.scan init(%a0, %a1 : tensor<3xi64>, tensor<3xf64>) over(%a2 : tensor<5x3xf64>)
        -> (tensor<3xi64>, tensor<3xf64>, tensor<5x3xf64>) {
    ^bb0(%i: tensor<3xi64>, %s: tensor<3xf64>, %x: tensor<3xf64>):
      %j = hgc.add %i, %one : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
      %f = hgc.cast %j to f64 : (tensor<3xi64>) -> tensor<3xf64>
      %0 = hgc.mul %s, %x : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %1 = hgc.add %0, %f : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      hgc.yield %j, %1, %0 : tensor<3xi64>, tensor<3xf64>, tensor<3xf64>
    })",
                   "5x3"});
}

/// Control flow in the body of a scan.
static void addNested(GradCases &cases) {
  // A state that becomes active in the second step only, and control flow in a body.
  cases.push_back({{"3xf64=1,2,3", "3xf64=0.5,0.5,0.5", "4x3", ""},
                   R"(
    %p, %q = hgc.scan init(%a0, %a1 : tensor<3xf64>, tensor<3xf64>) over(%a2 : tensor<4x3xf64>)
        -> (tensor<3xf64>, tensor<3xf64>) {
    ^bb0(%s: tensor<3xf64>, %t: tensor<3xf64>, %x: tensor<3xf64>):
      %m = hgc.reduce max %x axes = [0] : (tensor<3xf64>) -> tensor<f64>
      %z = hgc.constant dense<0.5> : tensor<f64>
      %c = hgc.compare gt %m, %z : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %0 = hgc.if %c : tensor<i1> -> (tensor<3xf64>) {
        %1 = hgc.mul %x, %a3 : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
        hgc.yield %1 : tensor<3xf64>
      } else {
        %1 = hgc.sin %x : tensor<3xf64>
        hgc.yield %1 : tensor<3xf64>
      }
      %2 = hgc.mul %s, %t : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      hgc.yield %0, %2 : tensor<3xf64>, tensor<3xf64>
    }
    %y = hgc.mul %p, %q : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>)",
                   "3"});
  // A scan in a scan, whose inner one captures the outer state.
  cases.push_back({{"2", "3x2x2"},
                   R"(
    %y = hgc.scan init(%a0 : tensor<2xf64>) over(%a1 : tensor<3x2x2xf64>) -> (tensor<2xf64>) {
    ^bb0(%s: tensor<2xf64>, %rows: tensor<2x2xf64>):
      %t = hgc.scan init(%s : tensor<2xf64>) over(%rows : tensor<2x2xf64>) reverse -> (tensor<2xf64>) {
      ^bb0(%u: tensor<2xf64>, %r: tensor<2xf64>):
        %0 = hgc.mul %u, %r : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
        %1 = hgc.add %0, %s : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
        hgc.yield %1 : tensor<2xf64>
      }
      hgc.yield %t : tensor<2xf64>
    })",
                   "2"});
}

void hgc::addControlCases(GradCases &cases) {
  addIfs(cases);
  addScans(cases);
  addStates(cases);
  addNested(cases);
}

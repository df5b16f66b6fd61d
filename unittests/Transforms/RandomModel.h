//===- RandomModel.h - small models by seed ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of GPU-plan entries with at most a given number of ops: values that
// several ops read, views, weights, state, pins, branches and loops, arguments
// and results that are resident on the GPU. Extents are drawn such that neither
// device is always the better one.
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_TRANSFORMS_RANDOMMODEL_H
#define HGC_UNITTESTS_TRANSFORMS_RANDOMMODEL_H

#include <random>
#include <string>
#include <vector>

namespace hgc {

class RandomModel {
public:
  RandomModel(unsigned seed, unsigned ops) : engine(seed), callers(seed), left(ops) {
    const unsigned sizes[] = {16, 64, 256, 512, 1024, 2048};
    extent = std::to_string(sizes[engine() % 6]);
    elements = std::to_string(std::stoull(extent) * std::stoull(extent));
    matrix = "tensor<" + extent + "x" + extent + "xf32>";
    row = "tensor<" + extent + "xf32>";
    flat = "tensor<" + elements + "xf32>";
  }

  std::string write() {
    std::vector<std::string> values{"%x", "%y"};
    while (left > 0)
      addOp(values, /*depth=*/0);
    std::string last = values.back(), other = pick(values);
    std::string text = "module attributes {hgc.target_gpu = \"" + std::string(chance(2) ? "a100" : "t4") + "\"} {\n";
    text += "hgc.parameter @w : " + matrix + " = #hgc.init<ones>\n";
    text += "hgc.parameter @s : " + matrix + " = #hgc.init<zeros>\n";
    text += "func.func @f(%x: " + matrix + residence() + ", %y: " + matrix + residence() + ", %r: " + row +
            residence() + ", %p: tensor<i1>" + residence() + ", %q: tensor<3x" + extent + "x" + extent + "xf32>" +
            residence() + ") -> (" + matrix + residence() + ", " + matrix + residence() +
            ") attributes {hgc.entry, hgc.plan = \"gpu\"} {\n" + body;
    if (usesState)
      text += "hgc.assign @s, " + pick(values) + " : " + matrix + "\n";
    return text + "return " + last + ", " + other + " : " + matrix + ", " + matrix + "\n}\n}\n";
  }

private:
  bool chance(unsigned n) { return engine() % n == 0; }
  std::string pick(const std::vector<std::string> &values) {
    // Recent values, so that chains arise.
    size_t back = engine() % std::min<size_t>(values.size(), 4);
    return values[values.size() - 1 - back];
  }
  std::string fresh() { return "%v" + std::to_string(count++); }
  std::string pin() {
    if (!chance(8))
      return "";
    return chance(2) ? " {hgc.pin = #hgc.device<cpu>}" : " {hgc.pin = #hgc.device<gpu>}";
  }
  std::string residence() { return callers() % 3 ? "" : " {hgc.device = #hgc.device<gpu>}"; }
  void line(const std::string &text) { body += text + "\n"; }
  std::string two(const std::string &a, const std::string &b) {
    return pin() + " : (" + a + ", " + b + ") -> " + matrix;
  }

  /// Adds one op, sometimes two, and its result to `values`.
  void addOp(std::vector<std::string> &values, int depth) {
    std::string a = pick(values), b = pick(values), result = fresh();
    --left;
    switch (engine() % 16) {
    case 0:
    case 1:
      line(result + " = hgc.matmul " + a + ", " + b + two(matrix, matrix));
      break;
    case 2:
      line(result + " = hgc.matmul " + a + ", " + readWeight() + two(matrix, matrix));
      break;
    case 3:
      line(result + " = hgc.softmax " + a + " axis 1" + pin() + " : " + matrix);
      break;
    case 4:
      line(result + " = hgc.add " + a + ", %r" + two(matrix, row));
      break;
    case 5:
    case 6:
      line(result + " = hgc.add " + a + ", " + b + two(matrix, matrix));
      break;
    case 7:
      line(result + " = hgc.transpose " + a + " permutation = [1, 0]" + pin() + " : (" + matrix + ") -> " + matrix);
      break;
    case 8:
      addReduction(a, result);
      break;
    case 9:
      addView(a, result);
      break;
    case 10:
      usesState = true;
      line(result + " = hgc.read @s : " + matrix);
      break;
    case 11:
      depth == 0 && left > 0 ? addBranch(values, result) : line(result + " = hgc.neg " + a + " : " + matrix);
      break;
    case 12:
      depth == 0 && left > 0 ? addScan(values, result) : line(result + " = hgc.exp " + a + " : " + matrix);
      break;
    default:
      line(result + " = hgc." + (chance(2) ? "tanh " : "relu ") + a + pin() + " : " + matrix);
    }
    values.push_back(result);
  }

  std::string readWeight() {
    std::string weight = fresh();
    line(weight + " = hgc.read @w : " + matrix);
    return weight;
  }

  void addReduction(const std::string &a, const std::string &result) {
    std::string sums = fresh();
    line(sums + " = hgc.reduce sum " + a + " axes = [1]" + pin() + " : (" + matrix + ") -> " + row);
    line(result + " = hgc.mul " + a + ", " + sums + two(matrix, row));
    left -= left > 0;
  }

  void addView(const std::string &a, const std::string &result) {
    std::string view = fresh(), mapped = fresh();
    line(view + " = hgc.reshape " + a + " shape [" + elements + "] : (" + matrix + ") -> " + flat);
    line(mapped + " = hgc.sqrt " + view + pin() + " : " + flat);
    line(result + " = hgc.reshape " + mapped + " shape [" + extent + ", " + extent + "] : (" + flat + ") -> " + matrix);
  }

  /// Ops of a region that sees `values` and yields its last value.
  std::string addRegion(std::vector<std::string> values) {
    for (unsigned n = 1 + engine() % 2; n > 0 && left > 0; --n)
      addOp(values, /*depth=*/1);
    return values.back();
  }

  void addBranch(const std::vector<std::string> &values, const std::string &result) {
    line(result + " = hgc.if %p : tensor<i1> -> (" + matrix + ") {");
    line("hgc.yield " + addRegion(values) + " : " + matrix);
    line("} else {");
    line("hgc.yield " + pick(values) + " : " + matrix + "\n}");
  }

  void addScan(std::vector<std::string> values, const std::string &result) {
    std::string state = fresh(), slice = fresh();
    line(result + " = hgc.scan init(" + pick(values) + " : " + matrix + ") over(%q : tensor<3x" + extent + "x" +
         extent + "xf32>) -> (" + matrix + ") {\n^bb0(" + state + ": " + matrix + ", " + slice + ": " + matrix + "):");
    values.push_back(slice);
    values.push_back(state);
    line("hgc.yield " + addRegion(values) + " : " + matrix + "\n}");
  }

  /// The second draws where the caller has values.
  std::mt19937 engine, callers;
  unsigned left;
  int count = 0;
  bool usesState = false;
  std::string extent, elements, matrix, row, flat, body;
};

} // namespace hgc

#endif // HGC_UNITTESTS_TRANSFORMS_RANDOMMODEL_H

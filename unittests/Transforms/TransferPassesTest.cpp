//===- TransferPassesTest.cpp - what all passes over transfers keep -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On random graphs with devices drawn at random: no pass makes more bytes travel,
// moves a pinned op, leaves an operand on the wrong device or changes a result.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/Evaluator.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Support/Parameters.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Writes entries of a GPU plan: values are matrices of 256 columns or vectors.
class Generator {
public:
  explicit Generator(unsigned seed) : rng(seed) {}

  std::string generate(int ops) {
    values = {{"%x", 256, "cpu"}, {"%y", 8, "cpu"}};
    for (int i = 0; i < ops; ++i)
      addOp();
    std::string types, results;
    int outputs = 0;
    for (size_t i = values.size(); i-- > 2 && outputs < 3; ++outputs) {
      results += (outputs ? ", " : "") + values[i].name;
      types += (outputs ? ", " : "") + type(values[i].rows);
    }
    return "module attributes {hgc.target_gpu = \"a100\"} {\n"
           "hgc.parameter @w : tensor<256xf32> = #hgc.init<uniform, seed = 1>\n"
           "func.func @f(%x: tensor<256x256xf32>, %y: tensor<8x256xf32>) -> (" +
           types + ") attributes {hgc.entry, hgc.plan = \"gpu\"} {\n" + body + "return " + results + " : " + types +
           "\n}\n}\n";
  }

private:
  struct Value {
    std::string name;
    int rows;
    std::string device;
  };

  int draw(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(rng); }
  static std::string type(int rows) { return "tensor<" + std::to_string(rows) + "x256xf32>"; }

  std::string attributes(const std::string &device) {
    std::string text = " {hgc.device = #hgc.device<" + device + ">";
    if (draw(4) == 0)
      text += ", hgc.pin = #hgc.device<" + device + ">";
    return text + "}";
  }

  void add(const std::string &op, int rows, const std::string &device) {
    std::string name = "%v" + std::to_string(values.size());
    body += name + " = " + op + "\n";
    values.push_back({name, rows, device});
  }

  void addOp() {
    Value a = values[draw(values.size())];
    std::string device = draw(2) ? "gpu" : "cpu", in = " : (" + type(a.rows) + ") -> ";
    std::string rows = std::to_string(a.rows);
    switch (draw(9)) {
    case 0:
      return add("hgc.exp " + a.name + attributes(device) + " : " + type(a.rows), a.rows, device);
    case 1:
      return add("hgc.reduce mean " + a.name + " axes = [0] keepdims" + attributes(device) + in + type(1), 1, device);
    case 2: {
      int count = a.rows > 1 ? a.rows / 2 : 1;
      return add("hgc.slice " + a.name + " starts = [0, 0] sizes = [" + std::to_string(count) + ", 256]" +
                     attributes(device) + in + type(count),
                 count, device);
    }
    case 3:
      return add("hgc.iota shape [" + rows + ", 256] axis 1 of f32" + attributes(device) + " : " + type(a.rows), a.rows,
                 device);
    case 4:
      return add("hgc.reshape " + a.name + " shape [" + rows + ", 256] {hgc.device = #hgc.device<" + a.device + ">}" +
                     in + type(a.rows),
                 a.rows, a.device);
    case 5: {
      std::string w = "%w" + std::to_string(values.size());
      body += w + " = hgc.read @w {hgc.device = #hgc.device<" + device + ">} : tensor<256xf32>\n";
      return add("hgc.mul " + a.name + ", " + w + attributes(device) + " : (" + type(a.rows) +
                     ", tensor<256xf32>) -> " + type(a.rows),
                 a.rows, device);
    }
    case 6: {
      // As someone might write it by hand: whatever was copied before.
      std::string other = a.device == "cpu" ? "gpu" : "cpu";
      return add("hgc.transfer " + a.name + " from <" + a.device + "> to <" + other + "> {hgc.device = #hgc.device<" +
                     other + ">} : " + type(a.rows),
                 a.rows, other);
    }
    case 7:
      if (a.rows == 1)
        return add("hgc.broadcast " + a.name + " shape [256, 256]" + attributes(device) + in + type(256), 256, device);
      [[fallthrough]];
    default: {
      Value b = values[draw(values.size())];
      if (b.rows != a.rows && b.rows != 1)
        b = a;
      return add("hgc.add " + a.name + ", " + b.name + attributes(device) + " : (" + type(a.rows) + ", " +
                     type(b.rows) + ") -> " + type(a.rows),
                 a.rows, device);
    }
    }
  }

  std::mt19937 rng;
  std::vector<Value> values;
  std::string body;
};

class TransferPassesTest : public ::testing::Test {
protected:
  TransferPassesTest() {
    DialectRegistry registry;
    registry.insert<HGCDialect, func::FuncDialect>();
    registerEvalModels(registry);
    context.appendDialectRegistry(registry);
  }

  static int64_t countBytes(ModuleOp module) {
    int64_t bytes = 0;
    module.walk([&](TransferOp op) {
      int64_t trips = 1;
      if (auto scan = op->getParentOfType<ScanOp>())
        trips = scan.getTripCount();
      bytes += trips * getTensorBytes(op.getType());
    });
    return bytes;
  }

  static std::string findMisplaced(ModuleOp module) {
    std::string found;
    module.walk([&](Operation *op) {
      auto pin = op->getAttrOfType<DeviceAttr>("hgc.pin");
      if (pin && getDevice(op) != pin)
        found = "a pinned op moved";
      for (OpOperand &use : op->getOpOperands())
        if (getDevice(use.get()) != getRequiredDevice(use))
          found = "an operand of " + op->getName().getStringRef().str() + " is elsewhere";
    });
    return found;
  }

  static SmallVector<HostTensor> evaluate(ModuleOp module) {
    auto entry = *module.getOps<func::FuncOp>().begin();
    SmallVector<HostTensor> inputs;
    for (Type type : entry.getArgumentTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      std::vector<double> numbers(tensor.getNumElements());
      for (auto [i, number] : llvm::enumerate(numbers))
        number = static_cast<double>(i % 31) / 31 - 0.5;
      inputs.push_back(HostTensor::fromDoubles(tensor.getElementType(), tensor.getShape(), numbers));
    }
    ParameterValues parameters;
    EXPECT_TRUE(succeeded(ParameterLoader(".").loadAll(module, parameters)));
    FailureOr<EvalResult> result = evaluateEntry(entry, inputs, parameters);
    EXPECT_TRUE(succeeded(result));
    return succeeded(result) ? result->outputs : SmallVector<HostTensor>();
  }

  void run(ModuleOp module, std::unique_ptr<Pass> pass) {
    PassManager pm(&context);
    pm.addPass(std::move(pass));
    EXPECT_TRUE(succeeded(pm.run(module)));
  }

  MLIRContext context;
};

TEST_F(TransferPassesTest, RandomGraphs) {
  using Make = std::unique_ptr<Pass> (*)();
  const std::pair<const char *, Make> passes[] = {
      {"share", [] { return createShareTransfers(); }},   {"cancel", [] { return createCancelRoundTrips(); }},
      {"narrow", [] { return createNarrowTransfers(); }}, {"recompute", [] { return createRecompute(); }},
      {"share", [] { return createShareTransfers(); }},   {"batch", [] { return createBatchTransfers(); }},
      {"split", [] { return createSplitTransfers(); }},
  };
  std::map<std::string, int> changes;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string text = Generator(seed).generate(12);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    run(*module, createMaterializeTransfers());
    ASSERT_EQ(findMisplaced(*module), "") << text;
    OwningOpRef<ModuleOp> original = module->clone();
    for (auto [name, make] : passes) {
      int64_t bytes = countBytes(*module);
      OperationFingerPrint before(*module);
      run(*module, make());
      ASSERT_TRUE(succeeded(verify(*module))) << text;
      ASSERT_LE(countBytes(*module), bytes) << name << "\n" << text;
      ASSERT_EQ(findMisplaced(*module), "") << name << "\n" << text;
      changes[name] += OperationFingerPrint(*module) != before;
    }
    // Evaluating is slow; the passes are deterministic.
    if (seed % 8 != 0)
      continue;
    SmallVector<HostTensor> expected = evaluate(*original), actual = evaluate(*module);
    ASSERT_EQ(actual.size(), expected.size());
    for (auto [a, e] : llvm::zip(actual, expected))
      EXPECT_EQ(a.str(), e.str()) << text;
  }
  // Every pass had something to do; these tensors are too small to be split.
  changes.erase("split");
  for (auto [name, count] : changes)
    EXPECT_GT(count, 3) << name;
}

} // namespace

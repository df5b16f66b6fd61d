//===- TuneTasks.cpp - kernels that can be measured alone -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TuneTasks.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Support/Version.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Target/MatrixUnit.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include <map>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::tuning;

/// Number of a contraction, while the module is fused for a look.
static constexpr llvm::StringLiteral kNumberAttr = "hgc.tune_number";
static constexpr llvm::StringLiteral kWeightName = "w";

static bool isContraction(Operation *op) { return isa<MatmulOp, ConvOp>(op); }

template <typename T> static std::string print(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

Operation *hgc::tuning::findContraction(ModuleOp model) {
  Operation *found = nullptr;
  model.walk([&](Operation *op) {
    // Transforms of filters are products, too.
    if (isContraction(op) && op->hasAttr(kNumberAttr))
      found = op;
  });
  return found;
}

namespace {

/// Finds the tasks of one module.
class Collector {
public:
  Collector(ModuleOp module, const CompileOptions &options)
      : module(module), options(options), invariance(module), pricing(module) {
    DeviceTable table = getCpuTable(module);
    machine = "hgc " HGC_VERSION_STRING "; " + llvm::sys::getHostCPUName().str() + " " +
              llvm::utohexstr(llvm::xxh3_64bits(printDeviceTable(table)), /*LowerCase=*/true) + ", " +
              (options.numThreads == 1   ? "1 thread"
               : options.numThreads == 0 ? "all threads"
                                         : std::to_string(options.numThreads) + " threads") +
              ", -O" + std::to_string(options.optLevel) + "; ";
  }

  std::vector<Task> run() {
    module.walk([&](Operation *op) {
      if (isContraction(op))
        contractions.push_back(op);
    });
    OwningOpRef<ModuleOp> copy = module.clone();
    Builder builder(module.getContext());
    int64_t number = 0;
    copy->walk([&](Operation *op) {
      if (isContraction(op))
        op->setAttr(kNumberAttr, builder.getI64IntegerAttr(number++));
    });
    {
      // The compilation itself says it all, also what is wrong.
      ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) { return success(); });
      if (failed(fuseForTuning(*copy, options)))
        return {};
    }
    copy->walk([&](KernelOp kernel) { addKernel(kernel); });
    std::vector<Task> tasks;
    for (auto &[key, task] : byKey)
      tasks.push_back(std::move(task));
    llvm::sort(tasks,
               [](const Task &a, const Task &b) { return std::tie(b.totalPs, a.key) < std::tie(a.totalPs, b.key); });
    return tasks;
  }

private:
  /// Whether the kernel is the CPU's and its contraction one of the module's.
  Operation *findOriginal(KernelOp kernel) {
    Operation *root = kernel.getRoot();
    if (!root || isGpu(getDevice(kernel.getOperation())))
      return nullptr;
    auto number = root->getAttrOfType<IntegerAttr>(kNumberAttr);
    return number ? contractions[number.getInt()] : nullptr;
  }

  void addKernel(KernelOp kernel) {
    Operation *original = findOriginal(kernel);
    if (!original)
      return;
    Value weight = original->getOperand(1);
    bool isInvariant = invariance.isInvariant(weight);
    // What a step assigns is packed by a kernel of its own, which a model of this one would not have. Random
    // numbers are no indices.
    bool hasIndices =
        llvm::any_of(kernel.getBody().getOps(), [](Operation &op) { return isa<GatherOp, GatherAlongOp>(op); });
    if (hasIndices || (!isInvariant && invariance.isLoadTime(weight)) ||
        (isInvariant && !isa<BlockArgument>(kernel.getRoot()->getOperand(1))))
      return;
    std::vector<std::string> forms = listForms(original, isInvariant);
    std::string key = machine + describe(kernel, isInvariant, forms);
    auto [it, isNew] = byKey.try_emplace(key);
    Task &task = it->second;
    if (isNew) {
      task.key = key;
      task.forms = forms;
      task.model = makeModel(kernel, isInvariant);
      task.modelledPs = pricing.priceBody(kernel, getHost(module.getContext()));
    }
    task.ops.push_back(original);
    task.totalPs += static_cast<double>(task.modelledPs) * static_cast<double>(getTripWeight(kernel));
  }

  std::vector<std::string> listForms(Operation *op, bool isInvariant) const {
    bool mayUseUnit = isInvariant && options.getMatrixUnit() == "auto";
    auto conv = dyn_cast<ConvOp>(op);
    if (!conv) {
      auto matmul = dyn_cast<MatmulOp>(op);
      std::vector<std::string> forms = {usesMatrixUnit(op) ? kMatrixForm.str() : ""};
      if (mayUseUnit && matmul && canUseMatrixUnit(matmul))
        forms.push_back(usesMatrixUnit(op) ? "" : kMatrixForm.str());
      return forms;
    }
    ConvForm chosen = getConvForm(conv);
    std::vector<std::string> forms = {stringify(chosen).str()};
    // Other forms read other weights, which a GPU plan would not share.
    if (!options.forceConv.empty() || !options.gpu.empty() || chosen == ConvForm::Generic)
      return forms;
    bool isExact = !options.choosesConvForms() || !isInvariant ||
                   op->getParentOfType<func::FuncOp>()->hasAttr(kDifferentiatedAttr);
    for (ConvForm form :
         {ConvForm::Gemm, ConvForm::Depthwise, ConvForm::Direct, ConvForm::Winograd2, ConvForm::Winograd4,
          ConvForm::Winograd2Compact, ConvForm::Winograd4Compact, ConvForm::Matrix})
      if (form != chosen && canHaveForm(conv, form) && !(isExact && getWinogradTile(form)) &&
          (mayUseUnit || form != ConvForm::Matrix))
        forms.push_back(stringify(form).str());
    return forms;
  }

  /// What makes kernels of one machine alike: values of constants do not.
  static std::string describe(KernelOp kernel, bool isInvariant, ArrayRef<std::string> forms) {
    Operation *root = kernel.getRoot();
    std::string text = root->getName().stripDialect().str();
    for (Type type : root->getOperandTypes())
      text += " " + print(type);
    text += " -> " + print(root->getResult(0).getType()) + (isInvariant ? " of a weight" : "");
    for (NamedAttribute attr : root->getAttrs())
      if (!attr.getName().getValue().starts_with("hgc."))
        text += ", " + attr.getName().str() + " " + print(attr.getValue());
    text += "; with";
    Type last = root->getResult(0).getType();
    for (Operation &op : kernel.getBody().getOps()) {
      if (&op == root || isa<ConstantOp, YieldOp>(op))
        continue;
      text += " " + op.getName().stripDialect().str();
      if (Type type = op.getResult(0).getType(); type != last)
        text += ":" + print(type);
    }
    return text + "; as " + llvm::join(forms, "|");
  }

  /// The kernel's ops as an entry. The weight is a parameter, all else are arguments.
  static OwningOpRef<ModuleOp> makeModel(KernelOp kernel, bool isInvariant) {
    MLIRContext *context = kernel.getContext();
    Location loc = UnknownLoc::get(context);
    OwningOpRef<ModuleOp> model(ModuleOp::create(loc, "probe"));
    OpBuilder builder = OpBuilder::atBlockBegin(model->getBody());
    auto weight = isInvariant ? cast<BlockArgument>(kernel.getRoot()->getOperand(1)) : BlockArgument();
    SmallVector<Type> types;
    for (BlockArgument argument : kernel.getBody().getArguments())
      if (argument != weight)
        types.push_back(argument.getType());
    if (weight) {
      bool isFloat = isa<FloatType>(getElementTypeOrSelf(weight.getType()));
      ParameterOp::create(builder, loc, builder.getStringAttr(kWeightName), TypeAttr::get(weight.getType()),
                          InitAttr::get(context, isFloat ? InitKind::Uniform : InitKind::Ones, 1));
    }
    auto entry = func::FuncOp::create(builder, loc, "run", builder.getFunctionType(types, kernel.getType()));
    entry->setAttr(HGCDialect::kEntry, builder.getUnitAttr());
    Block *body = entry.addEntryBlock();
    builder.setInsertionPointToStart(body);
    IRMapping map;
    unsigned next = 0;
    for (BlockArgument argument : kernel.getBody().getArguments()) {
      if (argument == weight)
        map.map(argument, ReadOp::create(builder, loc, weight.getType(), kWeightName).getResult());
      else
        map.map(argument, body->getArgument(next++));
    }
    for (Operation &op : kernel.getBody().front().without_terminator())
      builder.clone(op, map);
    // The form is an option of the compilation.
    if (Operation *root = findContraction(*model))
      root->removeAttr(kConvFormAttr);
    func::ReturnOp::create(builder, loc, map.lookup(kernel.getYielded()));
    return model;
  }

  ModuleOp module;
  const CompileOptions &options;
  Invariance invariance;
  Pricing pricing;
  std::string machine;
  std::vector<Operation *> contractions;
  std::map<std::string, Task> byKey;
};

} // namespace

std::vector<Task> hgc::tuning::collectTasks(ModuleOp module, const CompileOptions &options) {
  return Collector(module, options).run();
}

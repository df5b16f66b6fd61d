//===- SplitKernels.cpp - kernels in modules of their own -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SplitKernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace hgc;
using namespace hgc::cpu;

/// Instructions a part should have: some 50 ms of LLVM's work, against which its
/// fixed costs of a few ms are small.
static constexpr size_t kPartInstructions = 2500;
/// More parts than most machines have cores, so that none waits for long.
static constexpr size_t kMaxParts = 32;

namespace {

/// Global values in the order in which they were found.
using Globals = llvm::SetVector<llvm::GlobalValue *>;

/// A function that can be compiled apart, with what it takes along.
struct Movable {
  llvm::Function *function;
  Globals reached;
  size_t size = 0;
};

} // namespace

/// Adds the global values that `constant` names.
static void addGlobals(llvm::Constant &constant, Globals &globals) {
  if (auto *global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
    globals.insert(global);
    return;
  }
  for (llvm::Value *operand : constant.operands())
    if (auto *inner = llvm::dyn_cast<llvm::Constant>(operand))
      addGlobals(*inner, globals);
}

/// Adds the global values that the definition of `global` names.
static void addOperands(llvm::GlobalValue &global, Globals &globals) {
  for (llvm::Value *operand : llvm::cast<llvm::User>(global).operands())
    addGlobals(*llvm::cast<llvm::Constant>(operand), globals);
  if (auto *function = llvm::dyn_cast<llvm::Function>(&global))
    for (llvm::Instruction &instruction : llvm::instructions(*function))
      for (llvm::Value *operand : instruction.operands())
        if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
          addGlobals(*constant, globals);
}

/// Whether nobody can tell if parts have copies of `global`.
static bool canCopy(const llvm::GlobalValue &global) {
  if (global.isDeclaration())
    return true;
  if (!global.hasLocalLinkage() || global.hasComdat())
    return false;
  if (auto *function = llvm::dyn_cast<llvm::Function>(&global))
    return !function->hasAddressTaken();
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
  return variable && variable->isConstant();
}

/// Functions that are known by their address, as kernels are by their descriptors,
/// and need nothing that others share with them.
static std::vector<Movable> findMovable(llvm::Module &module) {
  std::vector<Movable> found;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage() || function.hasComdat() || !function.hasAddressTaken())
      continue;
    Movable movable{&function, {}, 0};
    movable.reached.insert(&function);
    bool isMovable = true;
    for (size_t i = 0; isMovable && i < movable.reached.size(); ++i) {
      llvm::GlobalValue &global = *movable.reached[i];
      isMovable = i == 0 || canCopy(global);
      if (!isMovable || global.isDeclaration())
        continue;
      addOperands(global, movable.reached);
      if (auto *inner = llvm::dyn_cast<llvm::Function>(&global))
        movable.size += inner->getInstructionCount();
    }
    if (isMovable)
      found.push_back(std::move(movable));
  }
  return found;
}

/// Shares functions out, the largest first, each to the part with the least to do.
static std::vector<std::vector<Movable *>> shareOut(std::vector<Movable> &movables, size_t count) {
  std::vector<Movable *> order;
  for (Movable &movable : movables)
    order.push_back(&movable);
  // Among equals the order of the module decides.
  llvm::sort(order, [](const Movable *a, const Movable *b) { return a->size != b->size ? a->size > b->size : a < b; });
  std::vector<std::vector<Movable *>> parts(count);
  std::vector<size_t> sizes(count);
  for (Movable *movable : order) {
    size_t least = std::min_element(sizes.begin(), sizes.end()) - sizes.begin();
    sizes[least] += movable->size;
    parts[least].push_back(movable);
  }
  return parts;
}

static KernelPart clonePart(const llvm::Module &module, llvm::ArrayRef<Movable *> movables) {
  llvm::DenseSet<const llvm::GlobalValue *> defined;
  for (Movable *movable : movables)
    defined.insert(movable->reached.begin(), movable->reached.end());
  llvm::ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> clone =
      llvm::CloneModule(module, map, [&](const llvm::GlobalValue *global) { return defined.contains(global); });
  // CloneModule declares all the rest.
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(clone->globals()))
    if (variable.isDeclaration() && variable.use_empty())
      variable.eraseFromParent();
  for (llvm::Function &function : llvm::make_early_inc_range(*clone))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  KernelPart part;
  part.kernels = movables.size();
  llvm::raw_svector_ostream stream(part.bitcode);
  llvm::WriteBitcodeToFile(*clone, stream);
  return part;
}

/// Erases what only functions that have moved needed.
static void eraseUnused(llvm::ArrayRef<Movable> movables) {
  Globals globals;
  for (const Movable &movable : movables)
    globals.insert(movable.reached.begin(), movable.reached.end());
  for (bool changed = true; changed;) {
    changed = globals.remove_if([](llvm::GlobalValue *global) {
      bool isUnused = global->use_empty();
      if (isUnused)
        global->eraseFromParent();
      return isUnused;
    });
  }
}

std::vector<KernelPart> cpu::splitKernels(llvm::Module &module) {
  std::vector<Movable> movables = findMovable(module);
  size_t total = 0;
  for (const Movable &movable : movables)
    total += movable.size;
  size_t count = std::min({total / kPartInstructions, movables.size(), kMaxParts});
  // The rest of the module is a part, too.
  if (count < 2)
    return {};
  for (Movable &movable : movables) {
    movable.function->setLinkage(llvm::GlobalValue::ExternalLinkage);
    movable.function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    movable.function->setDSOLocal(true);
  }
  std::vector<KernelPart> parts;
  for (const std::vector<Movable *> &members : shareOut(movables, count))
    parts.push_back(clonePart(module, members));
  for (Movable &movable : movables) {
    movable.function->deleteBody();
    // deleteBody makes it an ordinary external function.
    movable.function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
  eraseUnused(movables);
  return parts;
}

//===- InitEntry.cpp - new initial values ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter that was declared with a distribution is drawn from it, one with a
// literal of equal elements gets those again. Other values were learnt somewhere:
// such weights get Keras' default, a Glorot uniform; vectors become zeros, or ones
// where they scale.
//===----------------------------------------------------------------------===//

#include "Entries.h"
#include "RandomValues.h"
#include "TrainingMode.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

/// What an entry does with a parameter, as far as its start depends on it.
namespace {
struct Role {
  bool isScale = false, isOutputFirst = false;
};
} // namespace

static Role findRole(func::FuncOp variant, StringRef name) {
  Role role;
  variant.walk([&](ReadOp read) {
    if (read.getParameter() != name)
      return;
    for (OpOperand &use : read->getUses()) {
      Operation *user = use.getOwner();
      unsigned number = use.getOperandNumber();
      // The variance starts as one, too.
      if (isa<BatchNormOp>(user))
        role.isScale |= number == 1 || number == 4;
      if (isa<LayerNormOp>(user))
        role.isScale |= number == 1;
      if (auto conv = dyn_cast<ConvOp>(user))
        role.isOutputFirst |= number == 1 && conv.getFilterLayout() == FilterLayout::OIHW;
      if (auto matmul = dyn_cast<MatmulOp>(user))
        role.isOutputFirst |= number == 1 && matmul.getTransposeRhs();
    }
  });
  return role;
}

static Fans findFans(Ints shape, const Role &role) {
  if (!role.isOutputFirst || shape.size() < 2)
    return computeFans(shape);
  // `[out, in, spatial...]`
  SmallVector<int64_t> turned(shape.drop_front(2));
  turned.append({shape[1], shape[0]});
  return computeFans(turned);
}

static Value makeStart(const GradBuilder &b, ParameterOp parameter, const Role &role, uint64_t number, Value key) {
  RankedTensorType type = parameter.getTensorType();
  Fans fans = findFans(type.getShape(), role);
  if (auto init = dyn_cast<InitAttr>(parameter.getValue()))
    return makeInitial(b, init.getKind(), init.getScale(), computeFans(type.getShape()), type, number, key);
  auto splat = dyn_cast<SplatElementsAttr>(parameter.getValue());
  if (splat)
    return b.broadcast(b.scalar(type.getElementType(), splat.getSplatValue<APFloat>().convertToDouble()),
                       type.getShape());
  InitKind kind = type.getRank() > 1 ? InitKind::GlorotUniform : role.isScale ? InitKind::Ones : InitKind::Zeros;
  return makeInitial(b, kind, 1, fans, type, number, key);
}

func::FuncOp training::addInit(const Method &method, func::FuncOp variant, Operation *after) {
  OpBuilder builder(variant.getContext());
  builder.setInsertionPointAfter(after);
  auto number = RankedTensorType::get({}, builder.getI64Type());
  auto function = createEntry(builder, variant.getLoc(), "init", "init", {}, builder.getFunctionType({number}, {}));
  function.setArgAttr(0, HGCDialect::kName, builder.getStringAttr("seed"));
  builder.setInsertionPointToStart(&function.front());
  Value seed = function.getArgument(0);
  auto named = [&](const Twine &name) { return NameLoc::get(builder.getStringAttr(name), variant.getLoc()); };
  Value key = GradBuilder(builder, named("seed")).cast(seed, builder.getIntegerType(64, /*isSigned=*/false));

  SmallVector<ParameterOp> starts(method.trainable);
  auto module = variant->getParentOfType<ModuleOp>();
  for (StringAttr name : findStatistics(variant)) {
    auto parameter = module.lookupSymbol<ParameterOp>(name);
    if (!parameter->hasAttr(HGCDialect::kFrozen))
      starts.push_back(parameter);
  }
  for (auto [i, parameter] : llvm::enumerate(starts)) {
    StringRef name = parameter.getSymName();
    GradBuilder b(builder, named(name + ".init"));
    Value start = makeStart(b, parameter, findRole(variant, name), i, key);
    AssignOp::create(builder, b.getLoc(), name, start);
  }
  for (ParameterOp parameter : method.trainable)
    for (const Slot &slot : method.optimizer.getSlots()) {
      std::string name = getSlotName(parameter, slot);
      GradBuilder b(builder, named(name + ".init"));
      Type element = getComputeType(parameter.getTensorType().getElementType());
      Value start = b.broadcast(b.scalar(element, slot.start), parameter.getTensorType().getShape());
      AssignOp::create(builder, b.getLoc(), name, start);
    }
  if (module.lookupSymbol(kSeedParameter))
    AssignOp::create(builder, named("seed"), kSeedParameter, seed);
  func::ReturnOp::create(builder, variant.getLoc());
  return function;
}

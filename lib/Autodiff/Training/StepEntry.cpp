//===- StepEntry.cpp - train_step and evaluate ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Entries.h"
#include "TrainingMode.h"

#include "hgc/Autodiff/Gradients.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

func::FuncOp training::createEntry(OpBuilder &builder, Location loc, StringRef name, StringRef of, DictionaryAttr dims,
                                   FunctionType type) {
  auto function = func::FuncOp::create(builder, loc, name, type);
  function->setAttr(HGCDialect::kEntry, builder.getUnitAttr());
  function->setAttr(HGCDialect::kVariantOf, builder.getStringAttr(of));
  function->setAttr(HGCDialect::kVariantDims, dims ? dims : builder.getDictionaryAttr({}));
  function.addEntryBlock();
  return function;
}

std::string training::getSlotName(ParameterOp parameter, const Slot &slot) {
  return (parameter.getSymName() + "." + slot.suffix).str();
}

void training::addState(const Method &method, func::FuncOp variant) {
  OpBuilder builder(variant.getContext());
  for (ParameterOp parameter : method.trainable) {
    builder.setInsertionPointAfter(parameter);
    Type element = getComputeType(parameter.getTensorType().getElementType());
    auto type = withElement(parameter.getTensorType(), element);
    for (const Slot &slot : method.optimizer.getSlots()) {
      Attribute start = slot.start == 0 ? Attribute(InitAttr::get(variant.getContext(), InitKind::Zeros))
                                        : DenseElementsAttr::get(type, builder.getFloatAttr(element, slot.start));
      ParameterOp::create(builder, parameter.getLoc(), getSlotName(parameter, slot), type, start);
    }
  }
  if (!hasDropout(variant))
    return;
  builder.setInsertionPointAfter(method.trainable.back());
  auto type = RankedTensorType::get({}, builder.getI64Type());
  ParameterOp::create(builder, variant.getLoc(), kSeedParameter, type,
                      DenseElementsAttr::get(type, builder.getI64IntegerAttr(0)));
}

namespace {

/// Builds one entry from a variant.
class StepBuilder {
public:
  StepBuilder(const Method &method, func::FuncOp variant, bool trains)
      : method(method), variant(variant), builder(variant.getContext()), trains(trains) {}

  FailureOr<func::FuncOp> build(Operation *after);

private:
  Location named(const Twine &name) { return NameLoc::get(builder.getStringAttr(name), variant.getLoc()); }

  LogicalResult createFunction(Operation *after);
  void nameArgument(unsigned number, StringRef name, Attribute shape);
  void cloneBody();
  void shareReads();
  void addChecks(const Rows &rows, Value labels, int64_t classes);
  Value addPenalty(const GradBuilder &b, Value loss);
  LogicalResult addUpdates(Value loss);

  const Method &method;
  func::FuncOp variant, function;
  OpBuilder builder;
  bool trains;
  RankedTensorType labelsType;
  SmallVector<Value> reads;
  Value step;
};

} // namespace

void StepBuilder::nameArgument(unsigned number, StringRef name, Attribute shape) {
  function.setArgAttr(number, HGCDialect::kName, builder.getStringAttr(name));
  if (shape)
    function.setArgAttr(number, HGCDialect::kShape, shape);
}

/// The model's arguments, then `labels`, `step` and `valid_rows`.
LogicalResult StepBuilder::createFunction(Operation *after) {
  auto output = cast<RankedTensorType>(variant.getResultTypes()[0]);
  FailureOr<RankedTensorType> labels = method.loss.getLabelsType(variant.getLoc(), output);
  if (failed(labels))
    return failure();
  labelsType = *labels;
  for (const Metric &metric : method.metrics)
    if (failed(metric.check(variant.getLoc(), method.loss, output)))
      return failure();

  auto number = RankedTensorType::get({}, builder.getI64Type());
  SmallVector<Type> inputs(variant.getArgumentTypes()), results;
  inputs.push_back(labelsType);
  inputs.append(trains ? 2 : 1, number);
  results.append(1 + method.metrics.size(), RankedTensorType::get({}, builder.getF32Type()));

  StringRef entry = trains ? "train_step" : "evaluate";
  auto original = variant->getAttrOfType<StringAttr>(HGCDialect::kVariantOf);
  StringRef of = original ? original.getValue() : variant.getName();
  StringRef suffix = variant.getName().drop_front(std::min(of.size(), variant.getName().size()));
  builder.setInsertionPointAfter(after);
  function = createEntry(builder, variant.getLoc(), (entry + suffix).str(), entry,
                         variant->getAttrOfType<DictionaryAttr>(HGCDialect::kVariantDims),
                         builder.getFunctionType(inputs, results));
  unsigned count = variant.getNumArguments();
  for (unsigned i = 0; i < count; ++i)
    function.setArgAttrs(i, function_interface_impl::getArgAttrs(variant, i));
  auto shape = variant.getResultAttrOfType<ArrayAttr>(0, HGCDialect::kShape);
  if (shape && method.loss.isSparse())
    shape = builder.getArrayAttr(shape.getValue().drop_back());
  nameArgument(count, "labels", shape);
  if (trains)
    nameArgument(count + 1, "step", {});
  nameArgument(count + 1 + trains, "valid_rows", {});
  function.setResultAttr(0, HGCDialect::kName, builder.getStringAttr("loss"));
  for (auto [i, metric] : llvm::enumerate(method.metrics))
    function.setResultAttr(i + 1, HGCDialect::kName, builder.getStringAttr(metric.getName()));
  return success();
}

void StepBuilder::cloneBody() {
  IRMapping mapping;
  mapping.map(variant.getArguments(), function.getArguments().take_front(variant.getNumArguments()));
  builder.setInsertionPointToStart(&function.front());
  for (Operation &op : variant.front())
    builder.clone(op, mapping);
}

/// One read of each trained parameter, in front: what gradients are asked for.
void StepBuilder::shareReads() {
  for (ParameterOp parameter : method.trainable) {
    if (reads.empty())
      builder.setInsertionPointToStart(&function.front());
    else
      builder.setInsertionPointAfterValue(reads.back());
    Value shared = ReadOp::create(builder, parameter.getLoc(), parameter.getTensorType(), parameter.getSymName());
    SmallVector<ReadOp> others;
    function.walk([&](ReadOp read) {
      if (read.getResult() != shared && read.getParameter() == parameter.getSymName())
        others.push_back(read);
    });
    for (ReadOp read : others) {
      read.getResult().replaceAllUsesWith(shared);
      read.erase();
    }
    reads.push_back(shared);
  }
}

/// What would otherwise be silently wrong.
void StepBuilder::addChecks(const Rows &rows, Value labels, int64_t classes) {
  Value valid = function.getArguments().back();
  GradBuilder b(builder, named("valid_rows"));
  Type i64 = builder.getI64Type();
  Value isEnough = b.compare(ComparePredicate::GE, valid, b.scalar(i64, 1));
  Value fits = b.both(isEnough, b.compare(ComparePredicate::LE, valid, b.scalar(i64, rows.size())));
  CheckOp::create(builder, b.getLoc(), fits,
                  "valid_rows is not from 1 to " + std::to_string(rows.size()) +
                      "\nhint: pass how many rows of the batch hold data");
  if (!method.loss.isSparse())
    return;
  GradBuilder l(builder, named("labels"));
  Type element = elementOf(labels);
  Value isClass = l.both(l.compare(ComparePredicate::GE, labels, l.scalar(element, 0)),
                         l.compare(ComparePredicate::LT, labels, l.scalar(element, classes)));
  Value isUnused = l.unary<NotOp>(rows.spreadMask(l, typeOf(labels).getRank()));
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(labels).getRank()));
  Value all = l.reduce(ReduceKind::All, l.make<OrOp>(isClass, isUnused), axes, /*keepdims=*/false);
  CheckOp::create(builder, l.getLoc(), all,
                  "a label is not from 0 to " + std::to_string(classes - 1) +
                      "\nhint: labels of a sparse loss are numbers of classes, from 0 on");
}

Value StepBuilder::addPenalty(const GradBuilder &b, Value loss) {
  auto add = [&](Value terms, double factor) {
    auto axes = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(terms).getRank()));
    loss = b.add(loss, b.cast(b.mul(b.sum(terms, axes, /*keepdims=*/false), factor), elementOf(loss)));
  };
  for (Value read : reads) {
    if (typeOf(read).getRank() < 2)
      continue;
    if (method.l1 != 0)
      add(b.unary<AbsOp>(b.widen(read)), method.l1);
    if (method.l2 != 0)
      add(b.square(b.widen(read)), method.l2);
  }
  return loss;
}

/// Gradients, then the optimiser; the ops stand before the return.
LogicalResult StepBuilder::addUpdates(Value loss) {
  FailureOr<SmallVector<Value>> gradients = buildGradients(builder, loss, reads);
  if (failed(gradients))
    return failure();
  GradBuilder b(builder, named("optimizer"));
  method.optimizer.clip(b, *gradients);
  Optimizer::StepNumbers numbers = method.optimizer.buildStep(b, method.schedule, step);
  for (auto [parameter, read, gradient] : llvm::zip_equal(method.trainable, reads, *gradients)) {
    ParameterOp owner = parameter;
    GradBuilder u(builder, named(owner.getSymName() + ".update"));
    Type element = getComputeType(owner.getTensorType().getElementType());
    auto type = withElement(owner.getTensorType(), element);
    SmallVector<std::string> names;
    SmallVector<Value> slots;
    for (const Slot &slot : method.optimizer.getSlots()) {
      names.push_back(getSlotName(owner, slot));
      slots.push_back(ReadOp::create(builder, u.getLoc(), type, names.back()));
    }
    Value next = method.optimizer.update(u, numbers, read, gradient, slots);
    for (auto [name, value] : llvm::zip_equal(names, slots))
      AssignOp::create(builder, u.getLoc(), name, value);
    AssignOp::create(builder, u.getLoc(), owner.getSymName(), next);
  }
  return success();
}

FailureOr<func::FuncOp> StepBuilder::build(Operation *after) {
  if (failed(createFunction(after)))
    return failure();
  unsigned count = variant.getNumArguments();
  Value labels = function.getArgument(count), valid = function.getArguments().back();
  step = trains ? function.getArgument(count + 1) : Value();
  cloneBody();
  shareReads();
  // In front of all that depends on them.
  builder.setInsertionPointToStart(&function.front());
  GradBuilder r(builder, named("rows"));
  auto output = cast<RankedTensorType>(variant.getResultTypes()[0]);
  Value positions = r.iota({output.getShape()[0]}, 0, builder.getI64Type());
  Rows rows{r.compare(ComparePredicate::LT, positions, valid), r.cast(valid, builder.getF32Type())};
  addChecks(rows, labels, output.getShape().back());
  if (trains)
    enterTrainingMode(function, rows, step);

  Operation *end = function.front().getTerminator();
  builder.setInsertionPoint(end);
  GradBuilder b(builder, named("loss"));
  Value prediction = end->getOperand(0);
  Value loss = addPenalty(b, rows.mean(b, method.loss.build(b, prediction, labels)));
  SmallVector<Value> results{b.cast(loss, builder.getF32Type())};
  for (const Metric &metric : method.metrics) {
    GradBuilder m(builder, named(metric.getName()));
    Value mean = rows.mean(m, metric.build(m, method.loss, prediction, labels));
    results.push_back(m.cast(mean, builder.getF32Type()));
  }
  end->setOperands(results);
  if (trains && failed(addUpdates(loss)))
    return failure();
  return function;
}

FailureOr<func::FuncOp> training::addStep(const Method &method, func::FuncOp variant, bool trains, Operation *after) {
  return StepBuilder(method, variant, trains).build(after);
}

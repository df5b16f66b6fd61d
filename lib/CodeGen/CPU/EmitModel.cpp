//===- EmitModel.cpp - descriptor and C functions of the library ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed functions only gather their arguments in arrays; checks, variants
// and threads are the runtime's. All constants follow hgc_rt_abi.h.
//===----------------------------------------------------------------------===//

#include "EmitModelConstants.h"
#include "EmitModelGpu.h"

#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "hgc/CodeGen/CPU/Passes.h"
#include "hgc/CodeGen/CPU/TargetSpec.h"
#include "hgc/CodeGen/CPU/WeightsImage.h"
#include "runtime/include/hgc_rt_abi.h"

namespace hgc {
#define GEN_PASS_DEF_EMITMODEL
#include "hgc/CodeGen/CPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

struct EmitModel final : hgc::impl::EmitModelBase<EmitModel> {
  using EmitModelBase::EmitModelBase;
  void runOnOperation() override;
};

/// Writes the constants and functions of one model.
class ModelEmitter {
public:
  ModelEmitter(ModuleOp module, const ModelInfo &info, const TargetSpec &target, const WeightsImage &weights)
      : module(module), info(info), target(target), weights(weights), constants(module), builder(module.getContext()),
        loc(module.getLoc()) {}

  void emit(const EmitModelOptions &options);

private:
  Fields tensorFields(StringRef name, Type element, ArrayRef<int64_t> dims);
  Field tensorTable(StringRef name, ArrayRef<TensorInfo> tensors);
  Field shapeOutputs(const EntryInfo &entry);
  Fields entryFields(const EntryInfo &entry);
  Fields paramFields(const ParamInfo &param);
  void appendWeights(Fields &fields, bool external);
  std::string emitDescriptor(const EmitModelOptions &options);
  void emitExport(StringRef symbol, StringRef descriptor);
  void emitEntry(const EntryInfo &entry, int64_t index, bool start);
  /// A public function `name` that returns the result of `body`.
  void emitFunction(const Twine &name, Type result, ArrayRef<Type> arguments, llvm::function_ref<Value(Block *)> body);
  Value call(StringRef name, Type result, ValueRange arguments);
  Value addressOf(StringRef symbol);
  Value storeArray(ValueRange values, Type element);

  ModuleOp module;
  const ModelInfo &info;
  const TargetSpec &target;
  const WeightsImage &weights;
  ConstantBuilder constants;
  OpBuilder builder;
  Location loc;
};

} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Fields ModelEmitter::tensorFields(StringRef name, Type element, ArrayRef<int64_t> dims) {
  return {constants.textField(name), constants.numbers("hgc_dims", dims), Field::i32(getRuntimeDtype(element)),
          Field::i32(dims.size())};
}

Field ModelEmitter::tensorTable(StringRef name, ArrayRef<TensorInfo> tensors) {
  SmallVector<Fields, 0> rows;
  for (const TensorInfo &tensor : tensors)
    rows.push_back(tensorFields(tensor.name, tensor.element, tensor.dims));
  return constants.table(name, rows);
}

/// By output: the output with its actual shape, or -1; null when all are -1.
Field ModelEmitter::shapeOutputs(const EntryInfo &entry) {
  SmallVector<int64_t> numbers;
  for (const TensorInfo &output : entry.outputs)
    numbers.push_back(output.shapeOutput ? static_cast<int64_t>(*output.shapeOutput) : -1);
  bool any = llvm::any_of(numbers, [](int64_t number) { return number >= 0; });
  return any ? constants.numbers("hgc_shape_outputs", numbers) : Field::null();
}

Fields ModelEmitter::entryFields(const EntryInfo &entry) {
  SmallVector<Fields, 0> variants, dimNames;
  SmallVector<int64_t> dims;
  for (auto [i, variant] : llvm::enumerate(entry.variants)) {
    exec::ProgramOp program = variant;
    variants.push_back(
        {Field::pointer(getProgramSymbol(program)), Field::i64(getArenaBytes(entry, i)),
         entry.gpuVariants.empty() ? Field::null() : Field::pointer(getProgramSymbol(entry.gpuVariants[i]))});
    llvm::append_range(dims, program.getDims());
  }
  for (const std::string &dim : entry.dimNames)
    dimNames.push_back({constants.textField(dim)});
  return {constants.textField(entry.name),
          Field::i32(entry.dimNames.size()),
          Field::i32(entry.inputs.size()),
          Field::i32(entry.outputs.size()),
          Field::i32(entry.variants.size()),
          constants.table("hgc_dim_names", dimNames),
          tensorTable("hgc_inputs", entry.inputs),
          tensorTable("hgc_outputs", entry.outputs),
          constants.numbers("hgc_variant_dims", dims),
          constants.table("hgc_variants", variants),
          shapeOutputs(entry)};
}

Fields ModelEmitter::paramFields(const ParamInfo &param) {
  exec::BlobOp blob = param.blob;
  bool isMutable = blob.getIsMutable();
  uint32_t flags = 0;
  if (isMutable)
    flags |= HGC_RT_PARAM_MUTABLE;
  if (blob.getPacked())
    flags |= HGC_RT_PARAM_PACKED;
  Fields fields = tensorFields(param.name, param.type.getElementType(), param.type.getShape());
  fields.append({Field::i32(flags), Field::i32(0), Field::i64(graph::getTensorBytes(param.type)),
                 Field::i64(*blob.getOffset()), Field::i64(blob.getInitOffset().value_or(-1))});
  return fields;
}

/// From `weights` to `weights_header_hash`.
void ModelEmitter::appendWeights(Fields &fields, bool external) {
  bool none = weights.getByteSize() == 0;
  if (none || !external) {
    std::string symbol = getWeightsSymbol(info);
    if (!none) {
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), weights.getByteSize());
      builder.setInsertionPointToEnd(module.getBody());
      auto global =
          LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::External, symbol, Attribute());
      global.setVisibility_(LLVM::Visibility::Hidden);
      global.setDsoLocal(true);
    }
    fields.append({none ? Field::null() : Field::pointer(symbol), Field::null(), Field::i64(0), Field::i64(0),
                   Field::i64(0), Field::i64(0)});
    return;
  }
  WeightsFileInfo file = weights.describeFile();
  int64_t offset = file.header.size();
  fields.append({Field::null(), constants.textField(WeightsImage::getFileName(info.name)),
                 Field::i64(offset + weights.getByteSize()), Field::i64(offset),
                 Field::i64(static_cast<int64_t>(file.dataHash)), Field::i64(static_cast<int64_t>(file.headerHash))});
}

std::string ModelEmitter::emitDescriptor(const EmitModelOptions &options) {
  SmallVector<Fields, 0> entries, params;
  for (const EntryInfo &entry : info.entries)
    entries.push_back(entryFields(entry));
  for (const ParamInfo &param : info.params)
    params.push_back(paramFields(param));
  auto guarded = module->getAttrOfType<DenseI64ArrayAttr>(kGuardedSizesAttr);
  auto extents = module->getAttrOfType<IntegerAttr>(kExtentsAttr);
  ArrayRef<int64_t> guardedSizes = guarded ? guarded.asArrayRef() : ArrayRef<int64_t>();
  Fields fields = {Field::i32(sizeof(hgc_rt_model_desc)),
                   Field::i32(HGC_RT_ABI_VERSION),
                   constants.textField(info.name),
                   constants.textField(HGC_VERSION),
                   constants.textField(target.cpu),
                   Field::i64(static_cast<int64_t>(target.runtimeFeatures)),
                   constants.table("hgc_entries", entries),
                   constants.table("hgc_params", params),
                   Field::i32(entries.size()),
                   Field::i32(params.size()),
                   Field::i64(info.arenaBytes),
                   Field::i64(info.scratchBytes),
                   Field::i64(info.stateBytes),
                   Field::i64(weights.getByteSize())};
  appendWeights(fields, options.externalWeights);
  fields.append({constants.numbers("hgc_guarded_sizes", guardedSizes), Field::i32(guardedSizes.size()),
                 Field::i32(options.strict && !info.gpus.empty() ? HGC_RT_STRICT_PLACEMENT : 0),
                 Field::i64(extents ? extents.getInt() : 0), emitGpuKernelList(module, constants),
                 Field::i32(options.numThreads), Field::i32(0), emitGpuPlan(module, info, constants)});
  return constants.structs("hgc_model_desc", fields);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value ModelEmitter::addressOf(StringRef symbol) {
  return LLVM::AddressOfOp::create(builder, loc, constants.pointerType(), symbol);
}

Value ModelEmitter::call(StringRef name, Type result, ValueRange arguments) {
  LLVM::LLVMFuncOp callee = constants.declare(name, result, SmallVector<Type>(arguments.getTypes()));
  auto op = LLVM::CallOp::create(builder, loc, callee, arguments);
  return op.getNumResults() ? op.getResult() : Value();
}

Value ModelEmitter::storeArray(ValueRange values, Type element) {
  Type pointer = constants.pointerType();
  if (values.empty())
    return LLVM::ZeroOp::create(builder, loc, pointer);
  Value count = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), static_cast<int64_t>(values.size()));
  Value array = LLVM::AllocaOp::create(builder, loc, pointer, element, count);
  for (auto [i, value] : llvm::enumerate(values)) {
    Value place =
        LLVM::GEPOp::create(builder, loc, pointer, element, array, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, loc, value, place);
  }
  return array;
}

void ModelEmitter::emitFunction(const Twine &name, Type result, ArrayRef<Type> arguments,
                                llvm::function_ref<Value(Block *)> body) {
  std::string symbol = name.str();
  constants.makeRoom(symbol);
  LLVM::LLVMFuncOp function = constants.declare(symbol, result, arguments);
  // The export function of a library is not one of its runtime.
  function.setVisibility_(LLVM::Visibility::Default);
  function.setDsoLocal(false);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  Value value = body(entry);
  LLVM::ReturnOp::create(builder, loc, value ? ValueRange(value) : ValueRange());
}

void ModelEmitter::emitExport(StringRef symbol, StringRef descriptor) {
  Type pointer = constants.pointerType(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  constants.declare("hgc_rt_export_create", i32, {pointer, pointer, pointer});
  constants.declare("hgc_rt_export_describe", i64, {pointer, pointer, i64});
  constants.declare("hgc_rt_last_error", pointer, {});
  Fields fields = {Field::i32(sizeof(hgc_rt_model_export)), Field::i32(HGC_RT_VERSION),
                   constants.textField(info.name),          Field::pointer(descriptor),
                   Field::pointer("hgc_rt_export_create"),  Field::pointer("hgc_rt_export_describe"),
                   Field::pointer("hgc_rt_last_error")};
  std::string table = constants.structs("hgc_model_export", fields);
  emitFunction(symbol, pointer, {}, [&](Block *) { return addressOf(table); });
}

void ModelEmitter::emitEntry(const EntryInfo &entry, int64_t index, bool start) {
  Type pointer = constants.pointerType(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  SmallVector<Type> types = {pointer};
  types.append(entry.dimNames.size(), i64);
  types.append(entry.inputs.size() + entry.outputs.size() + start, pointer);
  emitFunction(info.cName + "_" + entry.cName + (start ? "_start" : ""), i32, types, [&](Block *block) {
    auto arguments = ValueRange(block->getArguments()).drop_front();
    size_t dims = entry.dimNames.size();
    Value number = LLVM::ConstantOp::create(builder, loc, i32, index);
    SmallVector<Value> operands = {block->getArgument(0), number, storeArray(arguments.take_front(dims), i64),
                                   storeArray(arguments.drop_front(dims).drop_back(start), pointer)};
    if (start)
      operands.push_back(arguments.back());
    return call(start ? "hgc_rt_start" : "hgc_rt_call", i32, operands);
  });
}

void ModelEmitter::emit(const EmitModelOptions &options) {
  Type pointer = constants.pointerType(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Type none = LLVM::LLVMVoidType::get(builder.getContext());
  std::string descriptor = emitDescriptor(options);
  emitExport(getExportSymbol(info, options.staticLibrary), descriptor);
  emitFunction(info.cName + "_create", i32, {pointer, pointer}, [&](Block *block) {
    Value desc = addressOf(descriptor);
    return call("hgc_rt_create", i32, {desc, block->getArgument(0), block->getArgument(1)});
  });
  emitFunction(info.cName + "_destroy", none, {pointer},
               [&](Block *block) { return call("hgc_rt_destroy", none, {block->getArgument(0)}); });
  emitFunction(info.cName + "_wait", i32, {pointer, i64},
               [&](Block *block) { return call("hgc_rt_wait", i32, block->getArguments()); });
  emitFunction(info.cName + "_last_error", pointer, {},
               [&](Block *) { return call("hgc_rt_last_error", pointer, {}); });
  for (const char *name : {"save", "load"})
    if (info.hasState())
      emitFunction(info.cName + "_" + name, i32, {pointer, pointer}, [&](Block *block) {
        return call(std::string("hgc_rt_") + name, i32, block->getArguments());
      });
  for (auto [i, entry] : llvm::enumerate(info.entries))
    for (bool start : {false, true})
      emitEntry(entry, i, start);
}

void EmitModel::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<ModelInfo> info = getModelInfo(module);
  if (failed(info))
    return signalPassFailure();
  FailureOr<TargetSpec> target = TargetSpec::get(module);
  FailureOr<WeightsImage> weights = WeightsImage::create(module);
  if (failed(target) || failed(weights))
    return signalPassFailure();
  EmitModelOptions options{staticLibrary, strict, externalWeights, numThreads};
  ModelEmitter(module, *info, *target, *weights).emit(options);
}

//===- ModelInfo.cpp - a model as its callers see it ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ModelInfo.h"

#include "runtime/include/hgc_rt.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

std::string cpu::getProgramSymbol(exec::ProgramOp program) { return ("hgc_program_" + program.getSymName()).str(); }

std::string cpu::getExportSymbol(const ModelInfo &info, bool staticLibrary) {
  return staticLibrary ? info.cName + "_model_v1" : "hgc_model_v1";
}

std::string cpu::getWeightsSymbol(const ModelInfo &info) { return "hgc_weights_" + info.cName; }

int cpu::getRuntimeDtype(Type element) {
  if (element.isF32())
    return HGC_RT_F32;
  if (element.isF64())
    return HGC_RT_F64;
  if (element.isF16())
    return HGC_RT_F16;
  if (element.isBF16())
    return HGC_RT_BF16;
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return 0;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return HGC_RT_BOOL;
  case 8:
    return isUnsigned ? HGC_RT_U8 : HGC_RT_I8;
  case 16:
    return isUnsigned ? HGC_RT_U16 : HGC_RT_I16;
  case 32:
    return isUnsigned ? HGC_RT_U32 : HGC_RT_I32;
  case 64:
    return isUnsigned ? HGC_RT_U64 : HGC_RT_I64;
  default:
    return 0;
  }
}

StringRef cpu::getCType(Type element) {
  switch (getRuntimeDtype(element)) {
  case HGC_RT_F32:
    return "float";
  case HGC_RT_F64:
    return "double";
  case HGC_RT_F16:
  case HGC_RT_BF16:
  case HGC_RT_U16:
    return "uint16_t";
  case HGC_RT_BOOL:
  case HGC_RT_U8:
    return "uint8_t";
  case HGC_RT_I8:
    return "int8_t";
  case HGC_RT_I16:
    return "int16_t";
  case HGC_RT_I32:
    return "int32_t";
  case HGC_RT_I64:
    return "int64_t";
  case HGC_RT_U32:
    return "uint32_t";
  case HGC_RT_U64:
    return "uint64_t";
  default:
    return "void";
  }
}

namespace {

/// Reads the interface of one module.
class Reader {
public:
  explicit Reader(ModuleOp module) : module(module) {}
  FailureOr<ModelInfo> read();

private:
  LogicalResult addProgram(exec::ProgramOp program);
  LogicalResult readTensors(exec::ProgramOp program, EntryInfo &entry);
  FailureOr<TensorInfo> readTensor(exec::ProgramOp program, const EntryInfo &entry, unsigned index);
  LogicalResult unifyExtents(EntryInfo &entry);
  LogicalResult addBlob(exec::BlobOp blob);
  LogicalResult matchGpuPrograms();
  static void readResidents(exec::ProgramOp program, EntryInfo &entry);
  void readGpuMemory();
  void nameEntries();

  ModuleOp module;
  SmallVector<exec::ProgramOp> gpuPrograms;
  ModelInfo info;
};

} // namespace

FailureOr<TensorInfo> Reader::readTensor(exec::ProgramOp program, const EntryInfo &entry, unsigned index) {
  auto buffer = cast<MemRefType>(program.getBody().getArgument(index).getType());
  auto description = cast<DictionaryAttr>(program.getTensors()[index]);
  TensorInfo tensor;
  tensor.name = description.getAs<StringAttr>("name").str();
  tensor.element = buffer.getElementType();
  tensor.dims.assign(buffer.getShape().begin(), buffer.getShape().end());
  for (auto [dim, extent] : llvm::zip_equal(tensor.dims, description.getAs<ArrayAttr>("shape"))) {
    auto symbol = dyn_cast<StringAttr>(extent);
    if (!symbol)
      continue;
    auto it = llvm::find(entry.dimNames, symbol.getValue());
    if (it == entry.dimNames.end()) {
      InFlightDiagnostic diag = program.emitOpError() << "has a tensor '" << tensor.name << "' with dim '"
                                                      << symbol.getValue() << "', which is not in dim_names";
      diag.attachNote() << "hint: list the dim in dim_names and its extent in dims";
      return diag;
    }
    dim = -1 - (it - entry.dimNames.begin());
  }
  return tensor;
}

LogicalResult Reader::readTensors(exec::ProgramOp program, EntryInfo &entry) {
  // Parameters of the C functions that are not tensors.
  CNames names;
  names.reserve("model");
  names.reserve("ticket");
  for (const std::string &dim : entry.dimNames)
    entry.dimCNames.push_back(names.take(dim));
  for (unsigned i = 0; i < program.getBody().getNumArguments(); ++i) {
    FailureOr<TensorInfo> tensor = readTensor(program, entry, i);
    if (failed(tensor))
      return failure();
    tensor->cName = names.take(tensor->name);
    (i < program.getInputCount() ? entry.inputs : entry.outputs).push_back(std::move(*tensor));
  }
  for (auto [i, output] : llvm::enumerate(entry.outputs)) {
    auto description = cast<DictionaryAttr>(program.getTensors()[program.getInputCount() + i]);
    auto shape = description.getAs<StringAttr>("extents");
    for (unsigned k = 0; shape && k < entry.outputs.size(); ++k)
      if (entry.outputs[k].name == shape.getValue())
        output.shapeOutput = k;
  }
  return success();
}

LogicalResult Reader::addProgram(exec::ProgramOp program) {
  if (!program.getArenaBytes()) {
    InFlightDiagnostic diag = program.emitOpError("has no arena size");
    diag.attachNote() << "hint: run hgc-plan-memory first";
    return diag;
  }
  info.arenaBytes = std::max<int64_t>(info.arenaBytes, *program.getArenaBytes());
  if (program.getLoad()) {
    info.load = program;
    return success();
  }
  if (program.isInGpuPlan()) {
    gpuPrograms.push_back(program);
    return success();
  }
  auto same = llvm::find_if(info.entries, [&](const EntryInfo &e) { return e.name == program.getEntry(); });
  if (same != info.entries.end()) {
    same->variants.push_back(program);
    return success();
  }
  EntryInfo entry;
  entry.name = program.getEntry().str();
  for (Attribute dim : program.getDimNames())
    entry.dimNames.push_back(cast<StringAttr>(dim).str());
  entry.variants.push_back(program);
  if (failed(readTensors(program, entry)))
    return failure();
  info.entries.push_back(std::move(entry));
  return success();
}

/// The runtime picks a variant by its dims alone.
static LogicalResult checkVariants(const EntryInfo &entry) {
  for (size_t i = 0; i < entry.variants.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      exec::ProgramOp program = entry.variants[i], other = entry.variants[k];
      bool sameTensors = program.getBody().getNumArguments() == other.getBody().getNumArguments();
      if (sameTensors && program.getDimNames() == other.getDimNames() && program.getDims() != other.getDims())
        continue;
      InFlightDiagnostic diag = program.emitOpError() << "is a second program of entry '" << entry.name
                                                      << "' that its dims do not tell from the first";
      diag.attachNote(other.getLoc()) << "first program is here";
      diag.attachNote() << "hint: give each program of an entry the same dim_names and other dims";
      return diag;
    }
  return success();
}

void Reader::readResidents(exec::ProgramOp program, EntryInfo &entry) {
  for (BlockArgument buffer : program.getBody().getArguments()) {
    unsigned i = buffer.getArgNumber(), inputs = entry.inputs.size();
    (i < inputs ? entry.inputs[i] : entry.outputs[i - inputs]).gpu = exec::getGpu(buffer.getType());
  }
}

/// Each program of the CPU plan finds the one of the GPU plan for its dims.
LogicalResult Reader::matchGpuPrograms() {
  if (gpuPrograms.empty())
    return success();
  for (EntryInfo &entry : info.entries)
    for (exec::ProgramOp program : entry.variants) {
      auto *match = llvm::find_if(gpuPrograms, [&](exec::ProgramOp gpu) {
        return gpu.getEntry() == program.getEntry() && gpu.getDims() == program.getDims() &&
               gpu.getTensors() == program.getTensors();
      });
      if (match == gpuPrograms.end()) {
        InFlightDiagnostic diag = program.emitOpError("has no counterpart in the GPU plan");
        diag.attachNote() << "hint: give both plans a program for the same entry and dims";
        return diag;
      }
      entry.gpuVariants.push_back(*match);
      readResidents(*match, entry);
    }
  return success();
}

void Reader::readGpuMemory() {
  auto memory = module->getAttrOfType<DictionaryAttr>("exec.memory");
  auto totals = module->getAttrOfType<DictionaryAttr>(kGpuTotalsAttr);
  auto scratch = totals ? totals.getAs<DenseI64ArrayAttr>("scratch_bytes") : DenseI64ArrayAttr();
  size_t count = std::max<size_t>(1, scratch ? scratch.size() : 0);
  for (NamedAttribute entry : memory ? memory : DictionaryAttr::get(module.getContext())) {
    unsigned number = 0;
    if (StringRef name = entry.getName(); name.consume_front("gpu_") && !name.getAsInteger(10, number))
      count = std::max<size_t>(count, number + 1);
  }
  info.gpus.resize(count);
  for (auto [i, gpu] : llvm::enumerate(info.gpus)) {
    if (scratch && i < static_cast<size_t>(scratch.size()))
      gpu.scratchBytes = llvm::alignTo(scratch[i], exec::kGpuScratchAlignment);
    auto own = memory ? memory.getAs<DictionaryAttr>("gpu_" + std::to_string(i)) : DictionaryAttr();
    if (!own)
      continue;
    auto read = [&](StringRef name) { return own.getAs<IntegerAttr>(name).getInt(); };
    gpu.arenaBytes = read("arena_bytes");
    gpu.weightsBytes = read("weights_bytes");
    gpu.stateBytes = read("state_bytes");
    if (auto workspace = own.getAs<IntegerAttr>("workspace_bytes"))
      gpu.workspaceBytes = workspace.getInt() / exec::kLaunchStreams;
    if (auto slots = own.getAs<DenseI64ArrayAttr>("slots"))
      gpu.slots.assign(slots.asArrayRef().begin(), slots.asArrayRef().end());
  }
}

int64_t GpuMemoryInfo::getTotalBytes() const {
  int64_t bytes = arenaBytes + weightsBytes + stateBytes + exec::kLaunchStreams * (scratchBytes + workspaceBytes);
  // An empty buffer has an address of its own, too.
  for (int64_t slot : slots)
    bytes += std::max<int64_t>(slot, 1);
  return bytes;
}

int64_t cpu::getMaxBytes(const EntryInfo &entry, const TensorInfo &tensor) {
  int64_t bytes = graph::getElementBytes(tensor.element);
  for (int64_t dim : tensor.dims) {
    int64_t most = dim;
    for (exec::ProgramOp program : entry.variants)
      most = std::max(most, dim < 0 ? program.getDims()[-1 - dim] : 0);
    bytes *= most;
  }
  return bytes;
}

int64_t cpu::getArenaBytes(const EntryInfo &entry, size_t variant) {
  exec::ProgramOp program = entry.variants[variant];
  int64_t bytes = *program.getArenaBytes();
  if (entry.gpuVariants.empty())
    return bytes;
  exec::ProgramOp other = entry.gpuVariants[variant];
  return std::max<int64_t>(bytes, *other.getArenaBytes());
}

/// Extents of tensor `index` at `axis` in all programs of an entry.
static SmallVector<int64_t> getExtents(const EntryInfo &entry, unsigned index, unsigned axis) {
  SmallVector<int64_t> extents;
  for (exec::ProgramOp program : entry.variants)
    extents.push_back(cast<MemRefType>(program.getBody().getArgument(index).getType()).getDimSize(axis));
  return extents;
}

/// Results are not described by dims, but may vary with them: an extent that
/// differs between variants must follow one of the dims.
LogicalResult Reader::unifyExtents(EntryInfo &entry) {
  auto follows = [&](ArrayRef<int64_t> extents, unsigned dim) {
    return llvm::all_of(llvm::zip_equal(extents, entry.variants), [&](auto pair) {
      exec::ProgramOp program = std::get<1>(pair);
      return std::get<0>(pair) == program.getDims()[dim];
    });
  };
  for (unsigned i = 0, inputs = entry.inputs.size(); i < inputs + entry.outputs.size(); ++i) {
    TensorInfo &tensor = i < inputs ? entry.inputs[i] : entry.outputs[i - inputs];
    for (auto [axis, dim] : llvm::enumerate(tensor.dims)) {
      SmallVector<int64_t> extents = getExtents(entry, i, axis);
      if (dim < 0 || llvm::all_equal(extents))
        continue;
      for (unsigned k = 0; k < entry.dimNames.size() && dim >= 0; ++k)
        if (follows(extents, k))
          dim = -1 - static_cast<int64_t>(k);
      // Only the actual shape matters to the caller; there is room for all.
      if (dim >= 0 && tensor.shapeOutput)
        dim = *llvm::max_element(extents);
      if (dim < 0 || tensor.shapeOutput)
        continue;
      InFlightDiagnostic diag = entry.variants.front().emitOpError()
                                << "has a tensor '" << tensor.name << "' whose extent at axis " << axis
                                << " varies between variants but is no dim of the entry";
      diag.attachNote() << "hint: compile one variant only, e.g. --dim " << entry.dimNames.front() << "="
                        << entry.variants.front().getDims().front();
      return diag;
    }
  }
  return success();
}

LogicalResult Reader::addBlob(exec::BlobOp blob) {
  if (blob.getDeviceOnly())
    return success();
  if (!blob.getOffset()) {
    InFlightDiagnostic diag = blob.emitOpError("has no offset");
    diag.attachNote() << "hint: run hgc-plan-memory first";
    return diag;
  }
  if (blob.getIsMutable())
    info.stateBytes = std::max<int64_t>(info.stateBytes, *blob.getOffset() + blob.getByteSize());
  if (!blob.getIsMutable() && !blob.getParameter())
    return success();
  std::string name = (blob.getParameter() ? *blob.getParameter() : blob.getSymName()).str();
  // A parameter kept in several layouts is one parameter: the canonical copy.
  auto same = llvm::find_if(info.params, [&](const ParamInfo &p) { return p.name == name; });
  if (same == info.params.end())
    info.params.push_back({name, blob, blob.getBufferType()});
  else if (same->blob.getPacked() && !blob.getPacked())
    *same = {name, blob, blob.getBufferType()};
  return success();
}

/// `<entry>` and `<entry>_start` share a name space with create, wait, ...
void Reader::nameEntries() {
  CNames names;
  for (const char *name : {"create", "destroy", "wait", "last_error", "model_v1", "save", "load"})
    names.reserve(name);
  for (EntryInfo &entry : info.entries) {
    do
      entry.cName = names.take(entry.name);
    while (!names.reserve(entry.cName + "_start"));
  }
}

FailureOr<ModelInfo> Reader::read() {
  info.name = module.getSymName().value_or("model").str();
  info.cName = CNames().take(info.name);
  for (Operation &op : *module.getBody()) {
    if (auto program = dyn_cast<exec::ProgramOp>(op)) {
      if (failed(addProgram(program)))
        return failure();
    } else if (auto blob = dyn_cast<exec::BlobOp>(op)) {
      if (failed(addBlob(blob)))
        return failure();
    } else if (auto kernel = dyn_cast<exec::KernelOp>(op)) {
      if (!exec::getGpu(kernel.getBody().getArguments().back().getType()))
        info.scratchBytes = std::max<int64_t>(info.scratchBytes, kernel.getScratchBytes().value_or(0));
    }
  }
  if (auto scratch = module->getAttrOfType<IntegerAttr>(kScratchBytesAttr))
    info.scratchBytes = std::max(info.scratchBytes, scratch.getInt());
  for (EntryInfo &entry : info.entries)
    if (failed(checkVariants(entry)) || failed(unifyExtents(entry)))
      return failure();
  if (failed(matchGpuPrograms()))
    return failure();
  if (!gpuPrograms.empty())
    readGpuMemory();
  nameEntries();
  return info;
}

FailureOr<ModelInfo> cpu::getModelInfo(ModuleOp module) { return Reader(module).read(); }

//===- EmitModelGpu.cpp - the GPU plan's descriptor -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All constants follow hgc_rt_gpu_abi.h.
//===----------------------------------------------------------------------===//

#include "EmitModelGpu.h"

#include "runtime/include/hgc_rt_gpu_abi.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Code for the kernels; `oldest` becomes the lowest sm that PTX is there for.
static SmallVector<Fields, 0> emitImages(ModuleOp module, ConstantBuilder &constants, int64_t &oldest) {
  SmallVector<Fields, 0> rows;
  auto images = module->getAttrOfType<ArrayAttr>(kGpuImagesAttr);
  if (!images)
    return rows;
  for (auto image : images.getAsRange<DictionaryAttr>()) {
    bool isPtx = image.getAs<StringAttr>("kind") == "ptx";
    int64_t sm = image.getAs<IntegerAttr>("sm").getInt();
    std::string data = image.getAs<StringAttr>("data").str();
    if (isPtx) {
      data.push_back('\0');
      oldest = oldest ? std::min(oldest, sm) : sm;
    }
    rows.push_back({Field::pointer(constants.bytes("hgc_gpu_image", data)), Field::i64(data.size()),
                    Field::i32(isPtx ? HGC_RT_IMAGE_PTX : HGC_RT_IMAGE_CUBIN), Field::i32(sm)});
  }
  return rows;
}

static Field emitDevices(const ModelInfo &info, ConstantBuilder &constants) {
  SmallVector<Fields, 0> rows;
  for (const GpuMemoryInfo &gpu : info.gpus)
    rows.push_back({Field::i64(gpu.arenaBytes), Field::i64(gpu.weightsBytes), Field::i64(gpu.stateBytes),
                    Field::i64(gpu.scratchBytes), Field::i64(gpu.workspaceBytes),
                    constants.numbers("hgc_gpu_guarded_sizes", gpu.slots), Field::i64(gpu.slots.size())});
  return constants.table("hgc_gpu_devices", rows);
}

/// Mutable parameters that live on a GPU.
static SmallVector<Fields, 0> emitHomes(const ModelInfo &info) {
  SmallVector<Fields, 0> rows;
  for (auto [i, param] : llvm::enumerate(info.params)) {
    exec::BlobOp blob = param.blob;
    DictionaryAttr offsets = blob.getDeviceOffsetsAttr();
    if (!blob.getIsMutable() || !offsets)
      continue;
    for (NamedAttribute home : offsets) {
      StringRef number = home.getName().getValue();
      int64_t gpu = 0;
      if (number.consume_front("gpu_") && !number.getAsInteger(10, gpu))
        rows.push_back({Field::i32(i), Field::i32(gpu), Field::i64(cast<IntegerAttr>(home.getValue()).getInt())});
    }
  }
  return rows;
}

/// Arguments that callers pass as device memory.
static SmallVector<Fields, 0> emitResidents(const ModelInfo &info) {
  SmallVector<Fields, 0> rows;
  for (auto [i, entry] : llvm::enumerate(info.entries))
    for (auto [k, tensor] : llvm::enumerate(llvm::concat<const TensorInfo>(entry.inputs, entry.outputs)))
      if (tensor.gpu)
        rows.push_back({Field::i32(i), Field::i32(k), Field::i32(*tensor.gpu)});
  return rows;
}

/// Whether the plan was chosen to keep a limit on a GPU's memory.
static bool hasLimit(ModuleOp module) {
  auto limit = module->getAttrOfType<DictionaryAttr>("hgc.memory_limit");
  auto devices = limit ? limit.getAs<DictionaryAttr>("devices") : DictionaryAttr();
  return devices &&
         llvm::any_of(devices, [](NamedAttribute device) { return device.getName().strref().starts_with("gpu"); });
}

Field cpu::emitGpuPlan(ModuleOp module, const ModelInfo &info, ConstantBuilder &constants) {
  if (info.gpus.empty())
    return Field::null();
  int64_t oldest = 0;
  SmallVector<Fields, 0> images = emitImages(module, constants, oldest), homes = emitHomes(info),
                         residents = emitResidents(info);
  auto totals = module->getAttrOfType<DictionaryAttr>(kGpuTotalsAttr);
  auto total = [&](StringRef name) { return totals ? totals.getAs<IntegerAttr>(name).getInt() : 0; };
  Fields fields = {constants.table("hgc_gpu_images", images),
                   emitDevices(info, constants),
                   constants.table("hgc_gpu_params", homes),
                   info.load ? Field::pointer(getProgramSymbol(info.load)) : Field::null(),
                   Field::i32(images.size()),
                   Field::i32(info.gpus.size()),
                   Field::i32(homes.size()),
                   Field::i32(total("functions")),
                   Field::i32(exec::kStreamsPerGpu),
                   Field::i32(total("events")),
                   Field::i32(oldest),
                   Field::i32(total("cublas")),
                   Field::i32(exec::kLaunchStreams),
                   Field::i32(hasLimit(module)),
                   constants.table("hgc_gpu_residents", residents),
                   Field::i32(residents.size()),
                   Field::i32(total("functions") == 0 && total("cublas") == 0)};
  return Field::pointer(constants.structs("hgc_gpu_plan", fields));
}

/// `4x1x1`
static std::string spellExtents(DictionaryAttr launch, StringRef key) {
  SmallVector<std::string> extents;
  for (int64_t extent : launch.getAs<DenseI64ArrayAttr>(key).asArrayRef())
    extents.push_back(std::to_string(extent));
  return llvm::join(extents, "x");
}

Field cpu::emitGpuKernelList(ModuleOp module, ConstantBuilder &constants) {
  auto kernels = module->getAttrOfType<ArrayAttr>(kGpuKernelsAttr);
  if (!kernels)
    return Field::null();
  llvm::json::Array rows;
  for (auto kernel : kernels.getAsRange<DictionaryAttr>()) {
    llvm::json::Array launches;
    for (auto launch : kernel.getAs<ArrayAttr>("launches").getAsRange<DictionaryAttr>())
      launches.push_back(llvm::json::Object{{"function", launch.getAs<StringAttr>("function").getValue()},
                                            {"grid", spellExtents(launch, "grid")},
                                            {"block", spellExtents(launch, "block")}});
    auto schedule = kernel.getAs<StringAttr>("schedule");
    rows.push_back(llvm::json::Object{{"name", kernel.getAs<StringAttr>("name").getValue()},
                                      {"ops", kernel.getAs<StringAttr>("ops").getValue()},
                                      {"schedule", schedule ? schedule.getValue() : StringRef()},
                                      {"launches", std::move(launches)}});
  }
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{{"gpu_kernels", std::move(rows)}});
  return constants.textField(text);
}

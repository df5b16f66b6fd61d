//===- ModelLibrary.cpp - a compiled model, loaded ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ModelLibrary.h"

#include "hgc/Support/Error.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <dlfcn.h>

using namespace hgc;
using namespace hgc::driver;

mlir::Type hgc::driver::getRuntimeElementType(int32_t dtype, mlir::MLIRContext *context) {
  mlir::Builder b(context);
  auto integer = [&](unsigned width, bool isUnsigned) -> mlir::Type {
    return mlir::IntegerType::get(context, width,
                                  isUnsigned ? mlir::IntegerType::Unsigned : mlir::IntegerType::Signless);
  };
  switch (dtype) {
  case HGC_RT_F32:
    return b.getF32Type();
  case HGC_RT_F64:
    return b.getF64Type();
  case HGC_RT_F16:
    return b.getF16Type();
  case HGC_RT_BF16:
    return b.getBF16Type();
  case HGC_RT_BOOL:
    return b.getI1Type();
  case HGC_RT_I8:
  case HGC_RT_I16:
  case HGC_RT_I32:
  case HGC_RT_I64:
    return integer(8u << (dtype - HGC_RT_I8), false);
  default:
    return integer(8u << (dtype - HGC_RT_U8), true);
  }
}

namespace {

TensorSignature toSignature(const hgc_rt_tensor_info &info, mlir::MLIRContext *context) {
  return {info.name, getRuntimeElementType(info.dtype, context), {info.dims, info.dims + info.rank}};
}

EntrySignature toSignature(const hgc_rt_entry_info &info, mlir::MLIRContext *context) {
  EntrySignature entry;
  entry.name = info.name;
  entry.dimNames.assign(info.dim_names, info.dim_names + info.n_dims);
  for (int32_t i = 0; i < info.n_inputs; ++i)
    entry.inputs.push_back(toSignature(info.inputs[i], context));
  for (int32_t i = 0; i < info.n_outputs; ++i)
    entry.outputs.push_back(toSignature(info.outputs[i], context));
  for (int32_t i = 0; i < info.n_variants; ++i)
    entry.variants.emplace_back(info.variant_dims + i * info.n_dims, info.variant_dims + (i + 1) * info.n_dims);
  return entry;
}

struct Loaded {
  void *handle;
  const hgc_rt_model_export *exported;
};

/// Code of another kind of machine is made here, but cannot run here.
llvm::Error checkMachine(uint16_t machine) {
#if defined(__x86_64__)
  constexpr uint16_t kHost = llvm::ELF::EM_X86_64;
#elif defined(__aarch64__)
  constexpr uint16_t kHost = llvm::ELF::EM_AARCH64;
#endif
  if (machine == kHost)
    return llvm::Error::success();
  auto getName = [](uint16_t machine) {
    return llvm::StringRef(machine == llvm::ELF::EM_X86_64    ? "x86-64"
                           : machine == llvm::ELF::EM_AARCH64 ? "aarch64"
                                                              : "another architecture");
  };
  return makeError("this is code for " + getName(machine) + ", which this machine (" + getName(kHost) + ") cannot run",
                   "take the library to a machine of that kind, or call it from a program under qemu-aarch64 "
                   "(docs/deployment.md)");
}

/// The dynamic loader maps a file without asking whether it is all there, and
/// dies when it is not.
llvm::Error checkFile(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return makeError("cannot read '" + path + "': " + file.getError().message(), "check its permissions");
  llvm::StringRef bytes = (*file)->getBuffer();
  auto elf = llvm::object::ELF64LEFile::create(bytes);
  if (!elf) {
    // No ELF of this kind: the loader says what it is.
    llvm::consumeError(elf.takeError());
    return llvm::Error::success();
  }
  if (llvm::Error error = checkMachine(elf->getHeader().e_machine))
    return error;
  auto segments = elf->program_headers();
  bool isComplete = static_cast<bool>(segments);
  llvm::consumeError(segments.takeError());
  for (size_t i = 0; isComplete && i < segments->size(); ++i)
    isComplete =
        (*segments)[i].p_offset <= bytes.size() && (*segments)[i].p_filesz <= bytes.size() - (*segments)[i].p_offset;
  if (isComplete)
    return llvm::Error::success();
  return makeError("'" + path + "' is cut short: it has only " + llvm::Twine(bytes.size()) + " bytes",
                   "copy it again, or compile it again");
}

llvm::Expected<Loaded> load(llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return makeError("'" + path + "' does not exist", "make it with: hgc compile model.mlir -o " + path);
  if (llvm::Error error = checkFile(path))
    return std::move(error);
  llvm::SmallString<128> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  void *handle = ::dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    std::string why = ::dlerror();
    bool isSanitized = llvm::StringRef(why).contains("__asan_") || llvm::StringRef(why).contains("__tsan_");
    return makeError("cannot load '" + path + "': " + why,
                     isSanitized
                         ? "code made with --sanitize runs only in programs built with -fsanitize=address or thread"
                         : "is it a library made by hgc compile?");
  }
  auto get = reinterpret_cast<hgc_rt_model_v1_fn>(::dlsym(handle, "hgc_model_v1"));
  if (!get) {
    ::dlclose(handle);
    return makeError("'" + path + "' is a library, but not one made by hgc: it does not export 'hgc_model_v1'",
                     "make it with: hgc compile model.mlir -o " + path);
  }
  return Loaded{handle, get()};
}

} // namespace

llvm::Expected<std::unique_ptr<ModelLibrary>> ModelLibrary::open(llvm::StringRef path, const Options &options,
                                                                 mlir::MLIRContext *context) {
  llvm::Expected<Loaded> loaded = load(path);
  if (!loaded)
    return loaded.takeError();
  std::unique_ptr<ModelLibrary> library(new ModelLibrary);
  library->handle = loaded->handle;
  library->name = loaded->exported->name;
  hgc_rt_options rt = hgc_rt_options_default();
  rt.num_threads = static_cast<int32_t>(options.threads);
  rt.weights_path = options.weightsPath.empty() ? nullptr : options.weightsPath.c_str();
  rt.device = options.device.empty() ? nullptr : options.device.c_str();
  rt.emulator = options.emulator.empty() ? nullptr : options.emulator.c_str();
  rt.kernel_timing = options.timing;
  rt.timing_user = options.timingUser;
  const hgc_rt_model_export *exported = loaded->exported;
  if (exported->create(exported, &rt, &library->model) != HGC_RT_OK)
    return makeLibraryError(exported->last_error());
  for (int32_t i = 0, n = hgc_rt_model_entry_count(library->model); i < n; ++i) {
    library->entries.push_back(toSignature(*hgc_rt_model_entry_info(library->model, i), context));
    for (auto [k, output] : llvm::enumerate(library->entries.back().outputs))
      output.shapeOutput = hgc_rt_model_shape_output(library->model, i, static_cast<int32_t>(k));
  }
  return library;
}

bool ModelLibrary::isLibrary(llvm::StringRef path) {
  llvm::file_magic magic;
  return path.ends_with(".so") || (!llvm::identify_magic(path, magic) && magic.is_object());
}

llvm::Expected<std::string> ModelLibrary::describe(llvm::StringRef path) {
  llvm::Expected<Loaded> loaded = load(path);
  if (!loaded)
    return loaded.takeError();
  std::string text(loaded->exported->describe_json(loaded->exported, nullptr, 0) + 1, '\0');
  loaded->exported->describe_json(loaded->exported, text.data(), text.size());
  text.pop_back();
  ::dlclose(loaded->handle);
  return text;
}

ModelLibrary::~ModelLibrary() {
  hgc_rt_model_destroy(model);
  if (handle)
    ::dlclose(handle);
}

llvm::Expected<std::vector<HostTensor>> ModelLibrary::makeOutputs(size_t index,
                                                                  llvm::ArrayRef<HostTensor> inputs) const {
  const EntrySignature &entry = entries[index];
  std::vector<int64_t> extents(entry.dimNames.size(), 0);
  for (auto [signature, input] : llvm::zip(entry.inputs, inputs))
    for (auto [dim, extent] : llvm::zip(signature.dims, input.getShape()))
      if (dim < 0)
        extents[-1 - dim] = extent;
  std::vector<HostTensor> outputs;
  for (const TensorSignature &output : entry.outputs) {
    llvm::SmallVector<int64_t> shape;
    for (int64_t dim : output.dims)
      shape.push_back(dim < 0 ? extents[-1 - dim] : dim);
    outputs.emplace_back(output.element, shape);
  }
  return outputs;
}

llvm::Error ModelLibrary::call(size_t index, llvm::ArrayRef<HostTensor> inputs,
                               std::vector<HostTensor> &outputs) const {
  llvm::Expected<std::unique_ptr<PreparedCall>> prepared = PreparedCall::create(model, index, inputs, outputs);
  if (!prepared)
    return prepared.takeError();
  if (llvm::Error error = (*prepared)->run())
    return error;
  return (*prepared)->fetch();
}

//===- Module.cpp - cuModule* ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only PTX can run here: machine code is refused as a driver refuses code for
// another GPU, so that clients fall back to PTX.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdio>
#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// Log buffers among the JIT options.
class JitLog {
public:
  Result read(unsigned count, int *options, void **values) {
    if (count && (!options || !values))
      return HGC_CU_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] < 0 || options[i] >= cuda::jitOptionCount)
        return HGC_CU_ERROR_INVALID_VALUE;
      if (options[i] == cuda::jitErrorLog)
        error = static_cast<char *>(values[i]);
      else if (options[i] == cuda::jitErrorLogBytes)
        errorBytes = &values[i];
      else if (options[i] == cuda::jitInfoLog)
        info = static_cast<char *>(values[i]);
      else if (options[i] == cuda::jitInfoLogBytes)
        infoBytes = &values[i];
    }
    return HGC_CU_SUCCESS;
  }

  /// Fills the buffers; sizes become the number of bytes written.
  void write(const std::string &text) {
    put(error, errorBytes, text);
    put(info, infoBytes, "");
  }

private:
  static void put(char *buffer, void **size, const std::string &text) {
    size_t capacity = size ? unsigned(reinterpret_cast<uintptr_t>(*size)) : 0;
    size_t length = 0;
    if (buffer && capacity) {
      length = std::min(capacity - 1, text.size());
      std::memcpy(buffer, text.data(), length);
      buffer[length] = 0;
    }
    if (size)
      *size = reinterpret_cast<void *>(length);
  }

  char *error = nullptr, *info = nullptr;
  void **errorBytes = nullptr, **infoBytes = nullptr;
};

/// What the head of a PTX text asks for.
struct PtxHead {
  unsigned version = 0; ///< 7.0 is 70.
  unsigned sm = 0;
  bool exact = false; ///< sm_90a: for this GPU only.
};

PtxHead readHead(const char *text) {
  PtxHead head;
  unsigned major = 0, minor = 0;
  if (const char *at = std::strstr(text, ".version"))
    if (std::sscanf(at, ".version %u.%u", &major, &minor) == 2)
      head.version = major * 10 + minor;
  char suffix = 0;
  if (const char *at = std::strstr(text, ".target"))
    if (std::sscanf(at, ".target sm_%u%c", &head.sm, &suffix) == 2)
      head.exact = suffix == 'a' || suffix == 'f';
  return head;
}

std::string smName(unsigned sm) { return "sm_" + std::to_string(sm); }

/// Checks an image before it is parsed; `log` explains a refusal.
Result checkImage(const Driver &driver, const Device &device, const char *image,
                  std::string &log) {
  unsigned magic = 0;
  std::memcpy(&magic, image, std::min<size_t>(std::strlen(image), 4));
  constexpr unsigned elf = 0x464c457f, fatbin = 0xba55ed50,
                     wrapper = 0x466243b1;
  if (magic == elf || magic == fatbin || magic == wrapper) {
    log = "the emulated GPU runs PTX only, this image is machine code";
    return HGC_CU_ERROR_NO_BINARY_FOR_GPU;
  }
  PtxHead head = readHead(image);
  if (head.version == 0 || head.sm == 0) {
    log = "the image is no PTX: '.version' or '.target' is missing";
    return HGC_CU_ERROR_INVALID_IMAGE;
  }
  unsigned newest = newestPtx(driver.config.driverVersion);
  if (head.version > newest) {
    log = "PTX " + std::to_string(head.version / 10) + "." +
          std::to_string(head.version % 10) + " is newer than the " +
          std::to_string(newest / 10) + "." + std::to_string(newest % 10) +
          " this driver knows";
    return HGC_CU_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  unsigned sm = device.table->sm;
  if (head.sm > sm || (head.exact && head.sm != sm)) {
    log = "PTX for " + smName(head.sm) + (head.exact ? "a" : "") +
          " cannot run on " + smName(sm);
    return HGC_CU_ERROR_INVALID_PTX;
  }
  return HGC_CU_SUCCESS;
}

Result loadModule(Call &call, hgc_cu_module *out, const void *image,
                  JitLog &log) {
  if (!out || !image)
    return HGC_CU_ERROR_INVALID_VALUE;
  Device &device = *call.context->device;
  const char *text = static_cast<const char *>(image);
  std::string problem;
  if (Result error = checkImage(call.driver, device, text, problem)) {
    log.write(problem);
    return error;
  }
  auto module = std::make_shared<LoadedModule>();
  bool outOfMemory = false;
  module->context = call.context.get();
  module->code = Module::load(text, std::strlen(text), *device.memory, problem,
                              &outOfMemory);
  log.write(problem);
  if (!module->code)
    return outOfMemory ? HGC_CU_ERROR_OUT_OF_MEMORY : HGC_CU_ERROR_INVALID_PTX;
  module->handle = call.driver.modules.add(module);
  *out = module->handle;
  return HGC_CU_SUCCESS;
}

} // namespace

HGC_EMU_API Result cuModuleLoadData(hgc_cu_module *module, const void *image) {
  Call call("cuModuleLoadData", Needs::Context);
  JitLog log;
  return call ? loadModule(call, module, image, log) : call.result();
}

HGC_EMU_API Result cuModuleLoadDataEx(hgc_cu_module *module, const void *image,
                                      unsigned count, int *options,
                                      void **values) {
  Call call("cuModuleLoadDataEx", Needs::Context);
  if (!call)
    return call.result();
  JitLog log;
  if (Result error = log.read(count, options, values))
    return error;
  return loadModule(call, module, image, log);
}

HGC_EMU_API Result cuModuleUnload(hgc_cu_module handle) {
  Call call("cuModuleUnload", Needs::Context, handle);
  if (!call)
    return call.result();
  std::shared_ptr<LoadedModule> module = call.driver.modules.find(handle);
  if (!module)
    return HGC_CU_ERROR_INVALID_HANDLE;
  // Its kernels must have run before the variables go away.
  call.driver.scheduler.completeDevice(module->context->device);
  call.driver.functions.eraseIf(
      [&](const Function &f) { return f.module == module; });
  call.driver.modules.erase(handle);
  return call.done();
}

HGC_EMU_API Result cuModuleGetFunction(hgc_cu_function *out,
                                       hgc_cu_module handle, const char *name) {
  Call call("cuModuleGetFunction", Needs::Context);
  if (!call)
    return call.result();
  if (!out || !name)
    return HGC_CU_ERROR_INVALID_VALUE;
  std::shared_ptr<LoadedModule> module = call.driver.modules.find(handle);
  if (!module)
    return HGC_CU_ERROR_INVALID_HANDLE;
  const Kernel *kernel = module->code->kernel(name);
  if (!kernel)
    return HGC_CU_ERROR_NOT_FOUND;
  hgc_cu_function &known = module->functions[name];
  if (!known) {
    auto function = std::make_shared<Function>();
    function->module = module;
    function->kernel = kernel;
    function->maxDynamicShared =
        std::max(0, int(Limits::sharedDefault) - int(kernel->staticShared));
    known = call.driver.functions.add(function);
  }
  *out = known;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuModuleGetGlobal_v2(hgc_cu_ptr *pointer, size_t *bytes,
                                        hgc_cu_module handle,
                                        const char *name) {
  Call call("cuModuleGetGlobal", Needs::Context);
  if (!call)
    return call.result();
  if ((!pointer && !bytes) || !name)
    return HGC_CU_ERROR_INVALID_VALUE;
  std::shared_ptr<LoadedModule> module = call.driver.modules.find(handle);
  if (!module)
    return HGC_CU_ERROR_INVALID_HANDLE;
  const GlobalVariable *variable = module->code->global(name);
  if (!variable)
    return HGC_CU_ERROR_NOT_FOUND;
  if (pointer)
    *pointer = variable->address;
  if (bytes)
    *bytes = variable->bytes;
  return HGC_CU_SUCCESS;
}

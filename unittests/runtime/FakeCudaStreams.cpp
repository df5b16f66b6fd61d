//===- FakeCudaStreams.cpp - code, streams and events of the fake driver --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeCudaImpl.h"

#include <cstring>

static void runKernel(const std::string &name, size_t threads, const std::vector<uint64_t> &args) {
  for (size_t i = 0; i < threads; ++i)
    if (name == "scale")
      at<float>(args[2])[i] = 2 * at<float>(args[0])[i] + at<float>(args[1])[0];
    else if (name == "gemm") {
      float sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += at<float>(args[0])[i / 3 * 4 + k] * at<float>(args[1])[i % 3 * 4 + k];
      at<float>(args[2])[i] = sum;
    } else // accumulate
      at<float>(args[2])[i] = at<float>(args[1])[i] += at<float>(args[0])[i];
}

hgc_cu_result cuModuleLoadDataEx(hgc_cu_module *module, const void *image, unsigned n, int *options, void **values) {
  CURRENT(cuModuleLoadDataEx)
  if (std::strstr(static_cast<const char *>(image), "refuse me")) {
    for (unsigned i = 0; i < n; ++i)
      if (options[i] == HGC_CU_JIT_ERROR_LOG_BUFFER)
        std::strcpy(static_cast<char *>(values[i]), "line 7: syntax error");
    return HGC_CU_ERROR_INVALID_PTX;
  }
  *module = reinterpret_cast<hgc_cu_module>(new char);
  fake.modules.insert(*module);
  return 0;
}
hgc_cu_result cuModuleUnload(hgc_cu_module module) {
  GIVE_BACK(cuModuleUnload)
  if (fake.modules.erase(module))
    delete reinterpret_cast<char *>(module);
  return code;
}
hgc_cu_result cuModuleGetFunction(hgc_cu_function *function, hgc_cu_module, const char *name) {
  CURRENT(cuModuleGetFunction)
  static std::string known[] = {"scale", "accumulate", "gemm"};
  for (std::string &candidate : known)
    if (candidate == name) {
      *function = reinterpret_cast<hgc_cu_function>(&candidate);
      return 0;
    }
  return HGC_CU_ERROR_NOT_FOUND;
}
hgc_cu_result cuFuncSetAttribute(hgc_cu_function, int attribute, int value) {
  CURRENT(cuFuncSetAttribute)
  if (attribute == HGC_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    fake.shared = static_cast<unsigned>(value);
  return 0;
}
hgc_cu_result cuLaunchKernel(hgc_cu_function function, unsigned grid, unsigned, unsigned, unsigned block, unsigned,
                             unsigned, unsigned shared, hgc_cu_stream, void **params, void **) {
  CURRENT(cuLaunchKernel)
  if (shared > fake.shared)
    return HGC_CU_ERROR_INVALID_VALUE;
  std::vector<uint64_t> args;
  for (int i = 0; i < 3; ++i)
    args.push_back(*static_cast<uint64_t *>(params[i]));
  std::string name = *reinterpret_cast<std::string *>(function);
  fake.queue.push_back([=] { runKernel(name, size_t(grid) * block, args); });
  return 0;
}
static hgc_cu_result make(std::set<void *> &all, void **out) {
  *out = new char;
  all.insert(*out);
  return 0;
}
static hgc_cu_result drop(std::set<void *> &all, void *object, int code) {
  if (!all.erase(object))
    return HGC_CU_ERROR_INVALID_HANDLE;
  delete static_cast<char *>(object);
  return code;
}
hgc_cu_result cuStreamCreate(hgc_cu_stream *stream, unsigned) {
  CURRENT(cuStreamCreate)
  return make(fake.streams, reinterpret_cast<void **>(stream));
}
hgc_cu_result cuStreamDestroy_v2(hgc_cu_stream stream) {
  GIVE_BACK(cuStreamDestroy_v2)
  return drop(fake.streams, stream, code);
}
hgc_cu_result cuStreamSynchronize(hgc_cu_stream stream) {
  CURRENT(cuStreamSynchronize)
  if (!fake.streams.count(stream))
    return HGC_CU_ERROR_INVALID_HANDLE;
  fake.drain();
  return 0;
}
hgc_cu_result cuStreamWaitEvent(hgc_cu_stream, hgc_cu_event event, unsigned) {
  CURRENT(cuStreamWaitEvent)
  return fake.events.count(event) ? 0 : HGC_CU_ERROR_INVALID_HANDLE;
}
#ifndef FAKE_CUDA_OLD
hgc_cu_result cuStreamGetCtx(hgc_cu_stream stream, hgc_cu_context *ctx) {
  CURRENT(cuStreamGetCtx)
  if (!fake.streams.count(stream))
    return HGC_CU_ERROR_INVALID_HANDLE;
  *ctx = reinterpret_cast<hgc_cu_context>(&fake.contexts[0]);
  return 0;
}
#endif
hgc_cu_result cuEventCreate(hgc_cu_event *event, unsigned) {
  CURRENT(cuEventCreate)
  return make(fake.events, reinterpret_cast<void **>(event));
}
hgc_cu_result cuEventDestroy_v2(hgc_cu_event event) {
  GIVE_BACK(cuEventDestroy_v2)
  return drop(fake.events, event, code);
}
hgc_cu_result cuEventRecord(hgc_cu_event event, hgc_cu_stream) {
  CURRENT(cuEventRecord)
  return fake.events.count(event) ? 0 : HGC_CU_ERROR_INVALID_HANDLE;
}
hgc_cu_result cuEventSynchronize(hgc_cu_event) {
  CURRENT(cuEventSynchronize)
  fake.drain();
  return 0;
}
hgc_cu_result cuEventElapsedTime(float *ms, hgc_cu_event, hgc_cu_event) {
  CURRENT(cuEventElapsedTime)
  *ms = 0.25f;
  return 0;
}
hgc_cu_result cuPointerGetAttribute(void *value, int, hgc_cu_ptr ptr) {
  CURRENT(cuPointerGetAttribute)
  auto block = fake.pinned.upper_bound(ptr);
  if (block == fake.pinned.begin() || ptr >= (--block)->first + block->second)
    return HGC_CU_ERROR_INVALID_VALUE;
  *static_cast<unsigned *>(value) = HGC_CU_MEMORYTYPE_HOST;
  return 0;
}

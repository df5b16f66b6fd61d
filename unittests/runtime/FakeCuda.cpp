//===- FakeCuda.cpp - a CUDA driver without a GPU -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime calls, on host memory. Work is queued and done when
// somebody waits, so that a missing wait shows. Kernels are known by name.
// FAKE_CUDA_* variables, read by cuInit, make it old, small, a stub, or let its
// n-th call fail. It answers questions about what is still alive.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaImpl.h"

#include <cstdlib>
#include <cstring>

namespace {

int setting(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

void readSettings() {
  fake.version = setting("FAKE_CUDA_VERSION", 13000);
  fake.devices = setting("FAKE_CUDA_DEVICES", 1);
  fake.sm = setting("FAKE_CUDA_SM", 80);
  fake.memory = static_cast<size_t>(setting("FAKE_CUDA_MEMORY", 1 << 30));
  const char *fail = std::getenv("FAKE_CUDA_FAIL"); // function:call=code
  fake.failing.clear();
  fake.failed = "";
  fake.matching = 0;
  fake.calls.clear();
  if (!fail)
    return;
  std::string text = fail;
  size_t colon = text.find(':'), equal = text.find('=');
  fake.failing = text.substr(0, colon);
  fake.failAt = std::atoi(text.c_str() + colon + 1);
  fake.failCode = equal == std::string::npos ? HGC_CU_ERROR_UNKNOWN : std::atoi(text.c_str() + equal + 1);
}

} // namespace

std::recursive_mutex mutex;
Fake fake;
thread_local std::vector<Context *> stack;

int enter(const char *name) {
  fake.calls.push_back(name);
  if (fake.failing != "any" && fake.failing != name)
    return 0;
  if (fake.failing == "any" ? static_cast<int>(fake.calls.size()) != fake.failAt : ++fake.matching != fake.failAt)
    return 0;
  fake.failed = name;
  return fake.failCode;
}

hgc_cu_result cuInit(unsigned) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  readSettings();
  if (int code = enter("cuInit"))
    return code;
  return setting("FAKE_CUDA_INIT", 0);
}
hgc_cu_result cuDriverGetVersion(int *version) {
  ENTER(cuDriverGetVersion)
  *version = fake.version;
  return 0;
}
hgc_cu_result cuGetErrorName(hgc_cu_result error, const char **text) {
  static thread_local std::string name;
  name = "FAKE_ERROR_" + std::to_string(error);
  *text = name.c_str();
  return 0;
}
hgc_cu_result cuGetErrorString(hgc_cu_result, const char **text) {
  *text = "made up";
  return 0;
}
hgc_cu_result cuDeviceGetCount(int *count) {
  ENTER(cuDeviceGetCount)
  *count = fake.devices;
  return 0;
}
hgc_cu_result cuDeviceGet(hgc_cu_device *device, int ordinal) {
  ENTER(cuDeviceGet)
  *device = ordinal;
  return 0;
}
hgc_cu_result cuDeviceGetName(char *name, int capacity, hgc_cu_device) {
  ENTER(cuDeviceGetName)
  std::strncpy(name, "Fake GPU", capacity);
  return 0;
}
hgc_cu_result cuDeviceTotalMem_v2(size_t *bytes, hgc_cu_device) {
  ENTER(cuDeviceTotalMem_v2)
  *bytes = fake.memory;
  return 0;
}
hgc_cu_result cuDeviceGetAttribute(int *value, int attribute, hgc_cu_device device) {
  ENTER(cuDeviceGetAttribute)
  int sm = device == setting("FAKE_CUDA_OLD_DEVICE", -1) ? 60 : fake.sm;
  *value = attribute == HGC_CU_DEVICE_COMPUTE_CAPABILITY_MAJOR   ? sm / 10
           : attribute == HGC_CU_DEVICE_COMPUTE_CAPABILITY_MINOR ? sm % 10
           : attribute == HGC_CU_DEVICE_COMPUTE_MODE             ? setting("FAKE_CUDA_MODE", 0)
                                                                 : 108;
  return 0;
}
hgc_cu_result cuDeviceCanAccessPeer(int *can, hgc_cu_device, hgc_cu_device) {
  ENTER(cuDeviceCanAccessPeer)
  *can = 1;
  return 0;
}
hgc_cu_result cuDevicePrimaryCtxRetain(hgc_cu_context *ctx, hgc_cu_device device) {
  ENTER(cuDevicePrimaryCtxRetain)
  ++fake.retained[device];
  *ctx = reinterpret_cast<hgc_cu_context>(&fake.contexts[device]);
  return 0;
}
hgc_cu_result cuDevicePrimaryCtxRelease_v2(hgc_cu_device device) {
  GIVE_BACK(cuDevicePrimaryCtxRelease_v2)
  --fake.retained[device];
  return code;
}
hgc_cu_result cuCtxPushCurrent_v2(hgc_cu_context ctx) {
  ENTER(cuCtxPushCurrent_v2)
  stack.push_back(reinterpret_cast<Context *>(ctx));
  return 0;
}
hgc_cu_result cuCtxPopCurrent_v2(hgc_cu_context *ctx) {
  GIVE_BACK(cuCtxPopCurrent_v2)
  if (stack.empty())
    return HGC_CU_ERROR_INVALID_CONTEXT;
  *ctx = reinterpret_cast<hgc_cu_context>(stack.back());
  stack.pop_back();
  return code;
}
hgc_cu_result cuCtxSynchronize(void) {
  CURRENT(cuCtxSynchronize)
  fake.drain();
  return 0;
}
hgc_cu_result cuCtxEnablePeerAccess(hgc_cu_context, unsigned) {
  CURRENT(cuCtxEnablePeerAccess)
  return 0;
}
hgc_cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
  CURRENT(cuMemGetInfo_v2)
  *free_bytes = fake.memory - fake.used;
  *total = fake.memory;
  return 0;
}
hgc_cu_result cuMemAlloc_v2(hgc_cu_ptr *ptr, size_t bytes) {
  CURRENT(cuMemAlloc_v2)
  if (fake.used + bytes > fake.memory)
    return HGC_CU_ERROR_OUT_OF_MEMORY;
  void *block = std::malloc(bytes);
  std::memset(block, 0xcb, bytes);
  *ptr = reinterpret_cast<hgc_cu_ptr>(block);
  fake.blocks[*ptr] = bytes;
  fake.used += bytes;
  return 0;
}
hgc_cu_result cuMemFree_v2(hgc_cu_ptr ptr) {
  GIVE_BACK(cuMemFree_v2)
  if (!fake.blocks.count(ptr))
    return HGC_CU_ERROR_INVALID_VALUE;
  fake.used -= fake.blocks[ptr];
  fake.blocks.erase(ptr);
  std::free(at<void>(ptr));
  return code;
}
hgc_cu_result cuMemHostAlloc(void **ptr, size_t bytes, unsigned) {
  CURRENT(cuMemHostAlloc)
  *ptr = std::malloc(bytes);
  fake.pinned[reinterpret_cast<uint64_t>(*ptr)] = bytes;
  return 0;
}
hgc_cu_result cuMemFreeHost(void *ptr) {
  GIVE_BACK(cuMemFreeHost)
  if (!fake.pinned.erase(reinterpret_cast<uint64_t>(ptr)))
    return HGC_CU_ERROR_INVALID_VALUE;
  std::free(ptr);
  return code;
}
static hgc_cu_result copy(void *dst, const void *src, size_t bytes) {
  fake.queue.push_back([=] { std::memcpy(dst, src, bytes); });
  return 0;
}
hgc_cu_result cuMemcpyHtoDAsync_v2(hgc_cu_ptr dst, const void *src, size_t bytes, hgc_cu_stream) {
  CURRENT(cuMemcpyHtoDAsync_v2)
  return copy(at<void>(dst), src, bytes);
}
hgc_cu_result cuMemcpyDtoHAsync_v2(void *dst, hgc_cu_ptr src, size_t bytes, hgc_cu_stream) {
  CURRENT(cuMemcpyDtoHAsync_v2)
  return copy(dst, at<void>(src), bytes);
}
hgc_cu_result cuMemcpyDtoDAsync_v2(hgc_cu_ptr dst, hgc_cu_ptr src, size_t bytes, hgc_cu_stream) {
  CURRENT(cuMemcpyDtoDAsync_v2)
  return copy(at<void>(dst), at<void>(src), bytes);
}
hgc_cu_result cuMemcpyPeerAsync(hgc_cu_ptr dst, hgc_cu_context, hgc_cu_ptr src, hgc_cu_context, size_t bytes,
                                hgc_cu_stream) {
  CURRENT(cuMemcpyPeerAsync)
  return copy(at<void>(dst), at<void>(src), bytes);
}
template <typename T> static hgc_cu_result fill(hgc_cu_ptr dst, T value, size_t count) {
  fake.queue.push_back([=] {
    for (size_t i = 0; i < count; ++i)
      at<T>(dst)[i] = value;
  });
  return 0;
}
hgc_cu_result cuMemsetD8Async(hgc_cu_ptr dst, unsigned char value, size_t count, hgc_cu_stream) {
  CURRENT(cuMemsetD8Async)
  return fill<unsigned char>(dst, value, count);
}
hgc_cu_result cuMemsetD16Async(hgc_cu_ptr dst, unsigned short value, size_t count, hgc_cu_stream) {
  CURRENT(cuMemsetD16Async)
  return fill<unsigned short>(dst, value, count);
}
hgc_cu_result cuMemsetD32Async(hgc_cu_ptr dst, unsigned value, size_t count, hgc_cu_stream) {
  CURRENT(cuMemsetD32Async)
  return fill<unsigned>(dst, value, count);
}
FakeCudaState fakeCudaState(void) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  FakeCudaState state = {};
  state.blocks = static_cast<int>(fake.blocks.size());
  state.pinned = static_cast<int>(fake.pinned.size());
  state.streams = static_cast<int>(fake.streams.size());
  state.events = static_cast<int>(fake.events.size());
  state.modules = static_cast<int>(fake.modules.size());
  for (auto &[device, count] : fake.retained)
    state.contexts += count;
  state.stack = static_cast<int>(stack.size());
  state.queued = static_cast<int>(fake.queue.size());
  state.failed = fake.failed;
  return state;
}

const char *fakeCudaCall(int n) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  return n > 0 && n <= static_cast<int>(fake.calls.size()) ? fake.calls[n - 1] : "";
}

void fakeCudaForget(void) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  for (auto *blocks : {&fake.blocks, &fake.pinned}) {
    for (auto &[address, bytes] : *blocks)
      std::free(at<void>(address));
    blocks->clear();
  }
  for (auto *objects : {&fake.streams, &fake.events, &fake.modules}) {
    for (void *object : *objects)
      delete static_cast<char *>(object);
    objects->clear();
  }
  fake.used = 0;
}

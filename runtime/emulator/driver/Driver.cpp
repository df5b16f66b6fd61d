//===- Driver.cpp - state of the emulated driver --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <atomic>
#include <cstdio>
#include <type_traits>

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

// Neither is ever destroyed by the C++ runtime: threads may call to the end.
Driver *instance = nullptr;
uint64_t driverGeneration = 0;

/// The error a call fails with when HGC_EMU_FAIL names none.
Result defaultFailure(const std::string &name) {
  if (name.find("Alloc") != std::string::npos)
    return HGC_CU_ERROR_OUT_OF_MEMORY;
  if (name == "cuInit")
    return HGC_CU_ERROR_NO_DEVICE;
  if (name == "cublasCreate")
    return HGC_CUBLAS_ALLOC_FAILED;
  if (name.rfind("cublas", 0) == 0)
    return HGC_CUBLAS_INTERNAL_ERROR;
  return HGC_CU_ERROR_UNKNOWN;
}

/// Cuts the ties between the streams of a context and their operations.
void unlink(Context &context) {
  context.legacy->last.reset();
  for (const std::shared_ptr<Stream> &stream : context.streams)
    stream->last.reset();
  for (const std::shared_ptr<Stream> &stream : context.orphans)
    stream->last.reset();
}

/// The files and the leak report are due when the library goes away.
__attribute__((destructor)) void atUnload() {
  stopProgress();
  std::lock_guard<std::recursive_mutex> guard(Driver::lock());
  if (instance)
    instance->finish();
}

} // namespace

std::recursive_mutex &Driver::lock() {
  static auto *mutex = new std::recursive_mutex;
  return *mutex;
}

Driver &Driver::get() {
  std::lock_guard<std::recursive_mutex> guard(lock());
  if (!instance) {
    instance = new Driver;
    ++driverGeneration;
  }
  return *instance;
}

void Driver::reset() {
  std::lock_guard<std::recursive_mutex> guard(lock());
  delete instance;
  instance = nullptr;
}

Driver::Driver()
    : config(Config::fromEnvironment()), failures(config), scheduler(config) {}

Driver::~Driver() {
  // Streams and operations refer to each other.
  scheduler.abandon();
  for (const auto &[handle, context] : contexts.all())
    unlink(*context);
  // Modules give their variables back to the memory of their device.
  functions.eraseIf([](const Function &) { return true; });
  modules.eraseIf([](const LoadedModule &) { return true; });
}

Device *Driver::device(int ordinal) {
  if (ordinal < 0 || size_t(ordinal) >= devices.size())
    return nullptr;
  return devices[size_t(ordinal)].get();
}

Device *Driver::deviceOf(uint64_t address) {
  for (const std::unique_ptr<Device> &device : devices)
    if (device->memory->owns(address))
      return device.get();
  return nullptr;
}

std::shared_ptr<Context> Driver::createContext(Device &device, unsigned flags) {
  auto context = std::make_shared<Context>();
  context->handle = contexts.add(context);
  context->device = &device;
  context->flags = flags;
  context->legacy = createStream(*context, "default stream");
  context->legacy->legacy = true;
  context->legacy->implicit = true;
  context->streams.erase(context->legacy);
  return context;
}

std::shared_ptr<Stream> Driver::createStream(Context &context,
                                             std::string name) {
  auto stream = std::make_shared<Stream>();
  stream->context = &context;
  scheduler.attach(*stream);
  if (devices.size() > 1)
    name += " of device " + std::to_string(context.device->ordinal);
  stream->name = std::move(name);
  context.streams.insert(stream);
  return stream;
}

void Driver::destroyContext(const std::shared_ptr<Context> &context) {
  scheduler.hostWaitContext(context.get());
  leaks.contextDestroyed(*this, *context);
  Context *dying = context.get();
  auto mine = [&](const auto &object) { return object.context == dying; };
  functions.eraseIf(
      [&](const Function &f) { return f.module->context == dying; });
  modules.eraseIf(mine);
  events.eraseIf(mine);
  blas.eraseIf(mine);
  for (const std::shared_ptr<Stream> &stream : context->streams)
    scheduler.detach(*stream);
  scheduler.detach(*context->legacy);
  streams.eraseIf(mine);
  host.dropContext(*context);
  for (auto it = blocks.begin(); it != blocks.end();) {
    if (it->second.context != dying) {
      ++it;
      continue;
    }
    scheduler.forget(it->first, it->first + it->second.bytes);
    context->device->memory->free(it->first);
    it = blocks.erase(it);
  }
  for (auto it = perThreadStreams.begin(); it != perThreadStreams.end();)
    it = it->first.second == context->handle ? perThreadStreams.erase(it)
                                             : std::next(it);
  unlink(*context);
  contexts.erase(context->handle);
}

std::shared_ptr<Stream> Driver::stream(hgc_cu_stream handle, Context &current,
                                       bool perThread) {
  if (!handle && perThread)
    handle = cuda::perThreadStream;
  if (!handle || handle == cuda::legacyStream)
    return current.legacy;
  if (handle != cuda::perThreadStream)
    return streams.find(handle);
  std::shared_ptr<Stream> &own =
      perThreadStreams[{ThreadState::get().number, current.handle}];
  if (!own) {
    own = createStream(current, "per-thread stream");
    own->implicit = true;
  }
  return own;
}

void Driver::fault(Context &context, Result code, const std::string &text,
                   const std::string &hint) {
  findings.report(text, hint);
  if (context.sticky == HGC_CU_SUCCESS)
    context.sticky = code;
}

void Driver::finish() {
  scheduler.abandon();
  auto complain = [](const std::string &path) {
    std::fprintf(stderr, "hgc-emu: error: cannot write '%s'\n", path.c_str());
  };
  if (!config.callsFile.empty() && !failures.write(config.callsFile))
    complain(config.callsFile);
  if (!config.countersFile.empty()) {
    std::FILE *file = std::fopen(config.countersFile.c_str(), "w");
    std::string text = counters.json(*this);
    bool good = file && std::fputs(text.c_str(), file) >= 0;
    if ((file && std::fclose(file) != 0) || !good)
      complain(config.countersFile);
  }
  if (config.reportLeaks)
    for (const std::string &leak : leaks.list(*this))
      findings.report(leak, "");
}

ThreadState &ThreadState::get() {
  static_assert(std::is_trivially_destructible_v<ThreadState>);
  static thread_local ThreadState state;
  static std::atomic<uint64_t> threads{0};
  if (state.generation != driverGeneration) {
    uint64_t number = state.number ? state.number : ++threads;
    state = ThreadState();
    state.generation = driverGeneration;
    state.number = number;
  }
  return state;
}

Call::Call(const char *name, Needs needs, const void *released)
    : driver(Driver::get()), guard(Driver::lock()),
      status(enter(name, needs, released)) {}

Result Call::enter(const char *name, Needs needs, const void *released) {
  ThreadState &thread = ThreadState::get();
  // Host functions run while the driver is busy with their stream.
  if (thread.inHostFunction)
    return HGC_CU_ERROR_NOT_PERMITTED;
  if (Result code = driver.failures.onCall(name, defaultFailure(name))) {
    driver.leaks.excuse(reinterpret_cast<uint64_t>(released));
    injected = true;
    return code;
  }
  skipped = driver.failures.mustSkip(name);
  if (needs == Needs::Nothing)
    return HGC_CU_SUCCESS;
  if (!driver.initialised)
    return HGC_CU_ERROR_NOT_INITIALIZED;
  if (needs == Needs::Init)
    return HGC_CU_SUCCESS;
  if (!thread.current())
    return HGC_CU_ERROR_INVALID_CONTEXT;
  context = driver.context(thread.current());
  if (!context)
    return HGC_CU_ERROR_CONTEXT_IS_DESTROYED;
  return released ? HGC_CU_SUCCESS : context->sticky;
}

Result Call::done(Result own) const {
  if (own == HGC_CU_SUCCESS && context)
    return context->sticky;
  return own;
}

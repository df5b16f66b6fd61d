//===- Driver.h - state of the emulated driver ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One driver per process under one lock. Every exported function opens a Call
// first: it takes the lock, counts, lets the call fail where that was asked
// for, and checks that the driver and a context are usable.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_DRIVER_H
#define HGC_EMU_DRIVER_H

#include "Counters.h"
#include "Failure.h"
#include "Findings.h"
#include "HostMemory.h"
#include "Leaks.h"
#include "Objects.h"
#include "Scheduler.h"

#include <mutex>

#define HGC_EMU_API extern "C" __attribute__((visibility("default")))

namespace hgc::emu::driver {

class Driver {
public:
  /// The driver of the process, made from the environment at first use.
  static Driver &get();
  /// Forgets everything and reads the environment anew.
  static void reset();
  static std::recursive_mutex &lock();

  Driver();
  ~Driver();

  /// Device with that number, or null.
  Device *device(int ordinal);
  /// The device whose address space holds `address`, or null.
  Device *deviceOf(uint64_t address);

  /// The live context of a handle.
  std::shared_ptr<Context> context(hgc_cu_context handle) {
    return contexts.find(handle);
  }
  std::shared_ptr<Context> createContext(Device &device, unsigned flags);
  /// Finishes its work and drops all its objects.
  void destroyContext(const std::shared_ptr<Context> &context);
  std::shared_ptr<Stream> createStream(Context &context, std::string name);

  /// Stream of a handle: NULL and CU_STREAM_LEGACY are the legacy stream of
  /// `current`, CU_STREAM_PER_THREAD the thread's own. Null: no such stream.
  std::shared_ptr<Stream> stream(hgc_cu_stream handle, Context &current,
                                 bool perThread);
  /// The context a stream belongs to.
  std::shared_ptr<Context> contextOf(const Stream &stream) {
    return contexts.find(stream.context->handle);
  }

  /// Reports a finding; `context` is lost with `code`.
  void fault(Context &context, Result code, const std::string &text,
             const std::string &hint);
  /// Reports what is left behind, writes the files asked for.
  void finish();

  Config config;
  Failures failures;
  Findings findings;
  Leaks leaks;
  CounterReport counters;
  bool initialised = false;
  std::vector<std::unique_ptr<Device>> devices;
  Scheduler scheduler;
  HostMemory host;
  std::map<uint64_t, Block> blocks; ///< Live device allocations by address.

  /// Default streams of threads, by number of the thread.
  std::map<std::pair<uint64_t, hgc_cu_context>, std::shared_ptr<Stream>>
      perThreadStreams;

  Handles<Context, hgc_cu_context> contexts{1};
  Handles<Stream, hgc_cu_stream> streams{2};
  Handles<Event, hgc_cu_event> events{3};
  Handles<LoadedModule, hgc_cu_module> modules{4};
  Handles<Function, hgc_cu_function> functions{5};
  Handles<BlasHandle, hgc_cublas_handle> blas{6};
};

/// Sees to it that a host function runs even if the host never waits for it.
void watchProgress(const OpPtr &op);
void stopProgress();

/// What a thread has of its own. Trivially destructible: clients call until
/// after the thread's other variables are gone.
struct ThreadState {
  uint64_t generation = 0; ///< Of the driver it belongs to.
  uint64_t number = 0;     ///< Of the thread, never reused.
  bool inHostFunction = false;
  size_t depth = 0; ///< Of the stack of current contexts.
  hgc_cu_context stack[64] = {};

  hgc_cu_context current() const { return depth ? stack[depth - 1] : nullptr; }
  bool full() const { return depth == sizeof stack / sizeof stack[0]; }
  void push(hgc_cu_context context) { stack[depth++] = context; }
  void pop() { depth -= depth > 0; }

  /// State of the calling thread for the current driver.
  static ThreadState &get();
};

/// What a function needs before it can do anything.
enum class Needs { Nothing, Init, Context };

/// An exported function at work. `released`: the handle a function gives back;
/// such a function does its work even in a lost context, and when it is made
/// to fail the object is no leak.
class Call {
public:
  Call(const char *name, Needs needs, const void *released = nullptr);
  Call(const Call &) = delete;

  /// Not 0: to be returned at once.
  explicit operator bool() const { return status == HGC_CU_SUCCESS; }
  Result result() const { return status; }
  /// Result of a function that may report an earlier fault.
  Result done(Result own = HGC_CU_SUCCESS) const;

  Driver &driver;
  std::shared_ptr<Context> context; ///< Current; null unless needed.
  bool skipped = false;  ///< HGC_EMU_SKIP: succeed without doing anything.
  bool injected = false; ///< result() is what HGC_EMU_FAIL asked for.

private:
  Result enter(const char *name, Needs needs, const void *released);

  std::lock_guard<std::recursive_mutex> guard;
  Result status;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_DRIVER_H

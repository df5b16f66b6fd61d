//===- Objects.h - devices, contexts, streams, events, modules ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles given to clients are numbers, never reused, so that a destroyed
// handle is always recognised.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_OBJECTS_H
#define HGC_EMU_OBJECTS_H

#include "../../devices/cuda/cublas_api.h"
#include "../exec/Memory.h"
#include "../exec/Module.h"
#include "Clock.h"
#include "CudaTypes.h"
#include "DeviceTable.h"
#include "VectorClock.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hgc::emu::driver {

using Result = hgc_cu_result;
struct Op;
using OpPtr = std::shared_ptr<Op>;
struct Context;

/// A range of memory an operation reads or writes.
struct Access {
  uint64_t begin = 0, end = 0;
  bool write = false;
};

/// One emulated GPU.
struct Device {
  int ordinal = 0;
  const DeviceTable *table = nullptr;
  std::unique_ptr<Memory> memory;
  Engines engines;
  std::shared_ptr<Context> primary; ///< Null: not active.
  unsigned primaryRefs = 0;
  unsigned primaryFlags = 0;
};

/// A queue of operations.
struct Stream {
  hgc_cu_stream handle = nullptr;
  Context *context = nullptr;
  std::string name;
  bool legacy = false;   ///< The default stream all blocking ones wait for.
  bool blocking = true;  ///< Not created with CU_STREAM_NON_BLOCKING.
  bool implicit = false; ///< Made by the driver: never a leak.
  unsigned flags = 0;
  int priority = 0;
  unsigned slot = 0;
  OpPtr last;
};

/// A mark in a stream; `record` is its latest recording.
struct Event {
  Context *context = nullptr;
  unsigned flags = 0;
  OpPtr record;
};

/// Memory got from cuMemAlloc, cuMemHostAlloc or cuMemHostRegister.
struct Block {
  Context *context = nullptr;
  uint64_t bytes = 0;
  bool registered = false; ///< The client's own memory, only pinned.
  unsigned flags = 0;
};

/// A loaded module with the functions handed out.
struct LoadedModule {
  hgc_cu_module handle = nullptr;
  Context *context = nullptr;
  std::unique_ptr<Module> code;
  std::map<std::string, hgc_cu_function> functions;
};

/// A kernel as a client sees it.
struct Function {
  std::shared_ptr<LoadedModule> module;
  const Kernel *kernel = nullptr;
  int maxDynamicShared = int(Limits::sharedDefault);
  int carveout = -1;
};

/// What a cublasHandle_t stands for.
struct BlasHandle {
  Context *context = nullptr;
  hgc_cu_stream stream = nullptr;
  uint64_t workspace = 0;
  uint64_t workspaceBytes = 0;
};

/// A context: all its objects die with it, and so does its error.
struct Context {
  hgc_cu_context handle = nullptr;
  Device *device = nullptr;
  bool primary = false;
  unsigned flags = 0;
  Result sticky = HGC_CU_SUCCESS; ///< Set by a fault; every call returns it.
  std::shared_ptr<Stream> legacy;
  std::set<std::shared_ptr<Stream>> streams; ///< All but `legacy`.
  /// Destroyed streams whose work the host has not waited for.
  std::vector<std::shared_ptr<Stream>> orphans;
  std::set<hgc_cu_context> peers; ///< Access enabled to these.
};

/// Live objects of one kind by handle.
template <typename T, typename Handle> class Handles {
public:
  explicit Handles(uint64_t kind) : next(kind << 40 | 16) {}

  Handle add(std::shared_ptr<T> object) {
    Handle handle = reinterpret_cast<Handle>(next);
    live.emplace(next, std::move(object));
    next += 16;
    return handle;
  }
  std::shared_ptr<T> find(Handle handle) const {
    auto it = live.find(reinterpret_cast<uint64_t>(handle));
    return it == live.end() ? nullptr : it->second;
  }
  void erase(Handle handle) { live.erase(reinterpret_cast<uint64_t>(handle)); }
  /// Drops what `dead` says, by handle and object.
  template <typename Predicate> void eraseIf(Predicate dead) {
    for (auto it = live.begin(); it != live.end();)
      it = dead(*it->second) ? live.erase(it) : std::next(it);
  }
  const std::map<uint64_t, std::shared_ptr<T>> &all() const { return live; }

private:
  uint64_t next;
  std::map<uint64_t, std::shared_ptr<T>> live;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_OBJECTS_H

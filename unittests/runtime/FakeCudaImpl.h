//===- FakeCudaImpl.h - the state of the fake CUDA driver -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_UNITTESTS_RUNTIME_FAKECUDAIMPL_H
#define HGC_UNITTESTS_RUNTIME_FAKECUDAIMPL_H

#include "FakeCuda.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

struct Context {
  int device;
};

/// One driver for the process, under one lock.
struct Fake {
  int version = 0, devices = 0, sm = 0;
  size_t memory = 0, used = 0;
  std::string failing; ///< Name of a function, or "any".
  int failAt = 0, failCode = 0;
  int matching = 0; ///< Calls of `failing` so far.
  const char *failed = "";
  std::vector<const char *> calls;
  std::map<uint64_t, size_t> blocks, pinned;
  std::set<void *> streams, events, modules;
  std::map<int, int> retained;
  std::deque<std::function<void()>> queue;
  Context contexts[4] = {{0}, {1}, {2}, {3}};
  int drains = 0;
  unsigned shared = 49152; ///< Dynamic shared memory a kernel may have.

  void drain() {
    ++drains;
    while (!queue.empty()) {
      queue.front()();
      queue.pop_front();
    }
  }
};

extern std::recursive_mutex mutex;
extern Fake fake;
extern thread_local std::vector<Context *> stack;

/// Counts a call; the code it must fail with, or 0.
int enter(const char *name);

template <typename T> T *at(uint64_t address) { return reinterpret_cast<T *>(address); }

#define ENTER(name)                                                                                                    \
  std::lock_guard<std::recursive_mutex> guard(mutex);                                                                  \
  if (int code = enter(#name))                                                                                         \
    return code;
/// Functions that give something back do so even when they report an error.
#define GIVE_BACK(name)                                                                                                \
  std::lock_guard<std::recursive_mutex> guard(mutex);                                                                  \
  int code = enter(#name);
#define CURRENT(name)                                                                                                  \
  ENTER(name)                                                                                                          \
  if (stack.empty())                                                                                                   \
    return HGC_CU_ERROR_INVALID_CONTEXT;

#endif

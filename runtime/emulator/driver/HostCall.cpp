//===- HostCall.cpp - cuLaunchHostFunc ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client may wait for its host function without any further driver call, so
// a lazy schedule alone would never get there: a thread of the driver runs
// host functions that were not reached within a short time.
//
//===----------------------------------------------------------------------===//

#include "StreamRef.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

constexpr auto patience = std::chrono::milliseconds(5);

/// The thread that keeps streams with host functions going.
struct Progress {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<OpPtr> waiting;
  bool stop = false;
  std::thread thread;

  void loop();
};

Progress &progress() {
  static auto *instance = new Progress;
  return *instance;
}

void Progress::loop() {
  std::unique_lock<std::mutex> hold(mutex);
  while (!stop) {
    if (waiting.empty()) {
      wake.wait(hold);
      continue;
    }
    wake.wait_for(hold, patience, [&] { return stop; });
    std::deque<OpPtr> due;
    due.swap(waiting);
    hold.unlock();
    if (std::lock_guard<std::recursive_mutex> guard(Driver::lock()); true)
      for (const OpPtr &op : due)
        if (!op->done && op->context)
          Driver::get().scheduler.complete(op);
    due.clear();
    hold.lock();
  }
}

Result launchHost(hgc_cu_stream handle, cuda::HostFunction function, void *data,
                  bool perThread) {
  Call call("cuLaunchHostFunc", Needs::Context);
  if (!call)
    return call.result();
  if (!function)
    return HGC_CU_ERROR_INVALID_VALUE;
  StreamRef ref(call, handle, perThread);
  if (!ref)
    return ref.error;
  auto op = std::make_shared<Op>();
  op->what = "cuLaunchHostFunc";
  op->hostCall = true;
  op->latency = Latency::copy;
  op->run = [function, data](Op &) {
    ThreadState &thread = ThreadState::get();
    thread.inHostFunction = true;
    function(data);
    thread.inHostFunction = false;
  };
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  if (!op->done)
    watchProgress(op);
  return HGC_CU_SUCCESS;
}

} // namespace

void hgc::emu::driver::watchProgress(const OpPtr &op) {
  Progress &self = progress();
  std::lock_guard<std::mutex> hold(self.mutex);
  self.stop = false;
  self.waiting.push_back(op);
  if (!self.thread.joinable())
    self.thread = std::thread([&self] { self.loop(); });
  self.wake.notify_all();
}

void hgc::emu::driver::stopProgress() {
  Progress &self = progress();
  std::unique_lock<std::mutex> hold(self.mutex);
  if (!self.thread.joinable())
    return;
  self.stop = true;
  self.waiting.clear();
  self.wake.notify_all();
  hold.unlock();
  self.thread.join();
  self.thread = std::thread();
}

HGC_EMU_API Result cuLaunchHostFunc(hgc_cu_stream stream,
                                    cuda::HostFunction function, void *data) {
  return launchHost(stream, function, data, false);
}
HGC_EMU_API Result cuLaunchHostFunc_ptsz(hgc_cu_stream stream,
                                         cuda::HostFunction function,
                                         void *data) {
  return launchHost(stream, function, data, true);
}

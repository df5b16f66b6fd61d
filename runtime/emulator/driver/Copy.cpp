//===- Copy.cpp - copies between host and devices -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies use host memory as late as the schedule allows: the
// destination of a copy to the host holds poison until then, and the source of
// a copy from the host must not have changed meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Copy.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// What the host must leave alone until the copy has run.
struct HostWatch {
  std::optional<uint64_t> digest; ///< Of the source.
  bool poisoned = false;          ///< The destination.
};

EngineKind engineOf(const CopyJob &job) {
  if (!job.dst.device)
    return job.src.device ? EngineKind::DeviceToHost : EngineKind::None;
  if (!job.src.device)
    return EngineKind::HostToDevice;
  return job.src.device == job.dst.device ? EngineKind::Compute
                                          : EngineKind::Peer;
}

const char *directionOf(const CopyJob &job) {
  if (!job.dst.device)
    return job.src.device ? "device_to_host" : "host_to_host";
  if (!job.src.device)
    return "host_to_device";
  return job.src.device == job.dst.device ? "device_to_device" : "peer";
}

uint64_t spanOf(const Side &side, const CopyJob &job) {
  return (job.height - 1) * side.pitch + job.width;
}

/// Whether all rows lie in one live allocation.
bool checkSide(Call &call, const CopyJob &job, const Side &side, bool write) {
  std::string error;
  if (!side.device ||
      side.device->memory->check(side.address, spanOf(side, job), &error))
    return true;
  call.driver.findings.report(
      std::string(job.name) + (write ? " writes " : " reads ") +
          std::to_string(spanOf(side, job)) + " bytes at " + hex(side.address) +
          ": " + error,
      "");
  return false;
}

void addAccesses(Op &op, const CopyJob &job, const Side &side, bool write) {
  if (side.pitch == job.width || job.height == 1) {
    op.accesses.push_back({side.address, side.address + job.bytes(), write});
    return;
  }
  for (uint64_t y = 0; y < job.height; ++y) {
    uint64_t row = side.address + y * side.pitch;
    op.accesses.push_back({row, row + job.width, write});
  }
}

/// Host memory disappeared, or changed, under a copy.
void hostFault(Op &op, const std::string &problem, const std::string &hint) {
  Driver::get().fault(*op.context, HGC_CU_ERROR_LAUNCH_FAILED,
                      *op.stamp.who + ": " + problem, hint);
}

bool checkWatch(Op &op, const CopyJob &job, const HostWatch &watch) {
  if (watch.digest &&
      watch.digest !=
          HostMemory::digest(job.src.address, spanOf(job.src, job))) {
    hostFault(op,
              "the host memory at " + hex(job.src.address) +
                  " changed before it was copied",
              "wait for the copy before the buffer is used again");
    return false;
  }
  if (watch.poisoned &&
      !HostMemory::isPoisoned(job.dst.address, spanOf(job.dst, job))) {
    hostFault(op,
              "the host memory at " + hex(job.dst.address) +
                  " was written while a copy into it was in flight",
              "wait for the copy before the buffer is used again");
    return false;
  }
  return true;
}

/// Reports device bytes that reach the host and were never written.
bool checkWritten(Op &op, const Memory &memory, uint64_t address,
                  uint64_t bytes) {
  if (!Driver::get().config.checkInit)
    return true;
  uint64_t first = memory.firstUninitialised(address, bytes);
  if (first == address + bytes)
    return true;
  Driver::get().fault(*op.context, HGC_CU_ERROR_LAUNCH_FAILED,
                      *op.stamp.who + " copies device memory at " + hex(first) +
                          " to the host that was never written",
                      "");
  return false;
}

bool copyRow(Op &op, const CopyJob &job, uint64_t dst, uint64_t src,
             uint64_t bytes) {
  const Side &to = job.dst, &from = job.src;
  std::string error;
  bool good = true;
  if (to.device && from.device) {
    good =
        to.device->memory->copy(dst, *from.device->memory, src, bytes, &error);
  } else if (to.device) {
    uint8_t *view = to.device->memory->host(dst, bytes);
    if (!view)
      error = to.device->memory->describe(dst, bytes);
    else if (!HostMemory::read(view, src, bytes))
      error = "there is no host memory at " + hex(src);
    else
      to.device->memory->markWritten(dst, bytes);
  } else if (from.device) {
    const Memory &memory = *from.device->memory;
    const uint8_t *view = memory.host(src, bytes);
    if (!view)
      error = memory.describe(src, bytes);
    else if (!checkWritten(op, memory, src, bytes))
      return false;
    else if (!HostMemory::write(dst, view, bytes))
      error = "there is no host memory at " + hex(dst);
  } else {
    std::vector<uint8_t> staged(bytes);
    if (!HostMemory::read(staged.data(), src, bytes) ||
        !HostMemory::write(dst, staged.data(), bytes))
      error = "there is no host memory at " + hex(src) + " or " + hex(dst);
  }
  if (good && error.empty())
    return true;
  Driver::get().fault(*op.context, HGC_CU_ERROR_ILLEGAL_ADDRESS,
                      *op.stamp.who + ": " + error,
                      "keep the memory until the copy has run");
  return false;
}

void runCopy(Op &op, const CopyJob &job, const HostWatch &watch) {
  if (!checkWatch(op, job, watch))
    return;
  bool dense = job.height == 1 ||
               (job.src.pitch == job.width && job.dst.pitch == job.width);
  uint64_t rows = dense ? 1 : job.height;
  uint64_t bytes = dense ? job.bytes() : job.width;
  for (uint64_t y = 0; y < rows; ++y)
    if (!copyRow(op, job, job.dst.address + y * job.dst.pitch,
                 job.src.address + y * job.src.pitch, bytes))
      return;
  Driver::get().counters.addCopy(directionOf(job), job.bytes(),
                                 op.cost.seconds);
}

/// Whether the stream's device may reach the other one directly.
bool peerEnabled(Call &call, const Context &context, const CopyJob &job) {
  Device *other =
      job.src.device == context.device ? job.dst.device : job.src.device;
  for (hgc_cu_context handle : context.peers)
    if (auto peer = call.driver.context(handle))
      if (peer->device == other)
        return true;
  return false;
}

/// Prepares host memory for an asynchronous copy; false: there is none.
bool watchHost(Call &call, const CopyJob &job, HostWatch &watch) {
  Scheduler &scheduler = call.driver.scheduler;
  if (job.hostWaits || call.driver.config.schedule == Schedule::Eager)
    return true;
  uint64_t src = job.src.address, dst = job.dst.address;
  if (!job.src.device &&
      !scheduler.mayBeWritten(src, src + spanOf(job.src, job))) {
    watch.digest = HostMemory::digest(src, spanOf(job.src, job));
    if (!watch.digest)
      return false;
  }
  if (job.dst.device)
    return true;
  // Earlier operations still need what the poison would overwrite.
  scheduler.completeOverlapping(dst, dst + spanOf(job.dst, job));
  for (uint64_t y = 0; y < job.height; ++y)
    if (!HostMemory::fillPoison(dst + y * job.dst.pitch, job.width))
      return false;
  // Host functions in flight may write anywhere.
  watch.poisoned = job.height == 1 && !scheduler.mayBeWritten(dst, dst);
  return true;
}

} // namespace

Result hgc::emu::driver::issueCopy(Call &call, const StreamRef &ref,
                                   CopyJob job, OpPtr *out) {
  if (!ref)
    return ref.error;
  if (job.bytes() == 0)
    return HGC_CU_SUCCESS;
  bool hostNull = (!job.dst.device && !job.dst.address) ||
                  (!job.src.device && !job.src.address);
  if (hostNull || !checkSide(call, job, job.dst, true) ||
      !checkSide(call, job, job.src, false))
    return HGC_CU_ERROR_INVALID_VALUE;
  // Between two host buffers every copy is synchronous.
  job.hostWaits |= !job.dst.device && !job.src.device;

  auto op = std::make_shared<Op>();
  op->what =
      std::string(job.name) + " of " + std::to_string(job.bytes()) + " bytes";
  addAccesses(*op, job, job.src, false);
  addAccesses(*op, job, job.dst, true);
  op->dependencies = job.after;
  op->engine = engineOf(job);
  op->latency = Latency::copy;
  bool throughHost =
      op->engine == EngineKind::Peer && !peerEnabled(call, *ref.context, job);
  op->cost = copyCost(*ref.context->device->table,
                      throughHost ? EngineKind::HostToDevice : op->engine,
                      job.bytes());
  HostWatch watch;
  if (!watchHost(call, job, watch)) {
    call.driver.findings.report(
        op->what + ": there is no host memory at " +
            hex(job.src.device ? job.dst.address : job.src.address),
        "");
    return HGC_CU_ERROR_INVALID_VALUE;
  }
  op->run = [job, watch](Op &self) { runCopy(self, job, watch); };
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  if (out)
    *out = op;
  if (!job.hostWaits)
    return HGC_CU_SUCCESS;
  call.driver.scheduler.hostWait(op);
  return call.done(ref.context->sticky);
}

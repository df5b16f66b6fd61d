//===- Blas.cpp - cuBLAS on the emulated GPU ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products are operations of the emulated streams like any kernel: ordered,
// checked for bounds, for memory never written and for missing waits, and
// counted in the virtual clock. The workspace counts as written.
//
//===----------------------------------------------------------------------===//

#include "../driver/StreamRef.h"
#include "Gemm.h"

#include <cmath>

using namespace hgc::emu;
using namespace hgc::emu::blas;
using namespace hgc::emu::driver;

namespace {

using Status = hgc_cublas_status;

/// The status for a call that ends before it began.
Status statusOf(const Call &call) {
  if (call.injected)
    return call.result();
  if (call.result() == HGC_CU_ERROR_NOT_INITIALIZED ||
      call.result() == HGC_CU_ERROR_INVALID_CONTEXT)
    return HGC_CUBLAS_NOT_INITIALIZED;
  return HGC_CUBLAS_EXECUTION_FAILED;
}

/// Ranges of all columns, joined where they touch.
void addRanges(const Matrices &matrices, int64_t batches, bool write,
               std::vector<Access> &out) {
  uint64_t bytes = uint64_t(matrices.rows) * elementBytes(matrices.type);
  for (int64_t batch = 0; batch < batches; ++batch) {
    for (int64_t j = 0; bytes && j < matrices.columns; ++j) {
      uint64_t begin = matrices.column(batch, j);
      if (!out.empty() && out.back().end == begin && out.back().write == write)
        out.back().end += bytes;
      else
        out.push_back({begin, begin + bytes, write});
    }
    if (matrices.stride == 0)
      return;
  }
}

/// Checks every range; the first problem is a fault.
bool checkRanges(Op &op, const Memory &memory,
                 const std::vector<Access> &ranges) {
  Driver &driver = Driver::get();
  for (const Access &range : ranges) {
    uint64_t bytes = range.end - range.begin;
    std::string error;
    if (!memory.check(range.begin, bytes, &error)) {
      driver.fault(*op.context, HGC_CU_ERROR_ILLEGAL_ADDRESS,
                   *op.stamp.who + (range.write ? " writes " : " reads ") +
                       std::to_string(bytes) + " bytes at " + hex(range.begin) +
                       ": " + error,
                   "");
      return false;
    }
    uint64_t first = range.end;
    if (!range.write && driver.config.checkInit)
      first = memory.firstUninitialised(range.begin, bytes);
    if (first != range.end) {
      driver.fault(*op.context, HGC_CU_ERROR_LAUNCH_FAILED,
                   *op.stamp.who + " reads device memory at " + hex(first) +
                       " that was never written",
                   "");
      return false;
    }
  }
  return true;
}

/// A library runs tiles of 128 x 128 near the peak rate.
Cost gemmCost(const DeviceTable &table, const Gemm &gemm, uint64_t bytes) {
  double multiprocessors = table.multiprocessors;
  double rate = multiprocessors * 128 * 2 * table.clockMHz * 1e6;
  if (elementBytes(gemm.a.type) < 4)
    rate = table.matrixFlops;
  else if (gemm.tf32)
    rate = table.matrixFlops / 2;
  else if (gemm.compute == HGC_CUBLAS_COMPUTE_64F)
    rate /= 2;
  double tiles =
      std::ceil(gemm.m / 128.0) * std::ceil(gemm.n / 128.0) * gemm.batch;
  double waves = std::ceil(tiles / multiprocessors);
  double tile = 2.0 * 128 * 128 * gemm.k / (rate * 0.9 / multiprocessors);
  return {std::max(waves * tile, bytes / table.memoryBandwidth),
          std::min(1.0, tiles / multiprocessors)};
}

void runGemm(Op &op, const Gemm &gemm, const std::vector<Access> &ranges) {
  Driver &driver = Driver::get();
  Device &device = *op.context->device;
  if (!checkRanges(op, *device.memory, ranges))
    return;
  multiply(gemm, *device.memory);
  Counters counters;
  counters.launches = 1;
  counters.flops = uint64_t(gemm.flops());
  uint64_t unique = 0;
  for (const Access &range : ranges) {
    uint64_t bytes = range.end - range.begin;
    (range.write ? counters.globalBytesStored : counters.globalBytesLoaded) +=
        bytes;
    unique += bytes;
  }
  driver.counters.addKernel("cublas gemm", counters, unique, op.cost.seconds);
}

} // namespace

Status hgc::emu::blas::issueGemm(const char *name, hgc_cublas_handle handle,
                                 Gemm gemm, const void *alpha,
                                 const void *beta) {
  Call call(name, Needs::Context);
  if (!call)
    return statusOf(call);
  std::shared_ptr<BlasHandle> blas = call.driver.blas.find(handle);
  if (!blas)
    return HGC_CUBLAS_NOT_INITIALIZED;
  if (Status error = checkGemm(gemm, alpha, beta))
    return error;
  // cuBLAS uses the device that was current when its handle was made.
  StreamRef ref(call, blas->stream, false);
  if (!ref || ref.context.get() != blas->context)
    return HGC_CUBLAS_EXECUTION_FAILED;
  if (gemm.m == 0 || gemm.n == 0 || gemm.batch == 0)
    return HGC_CUBLAS_SUCCESS;

  std::vector<Access> ranges;
  if (gemm.k > 0 && gemm.alpha != 0) {
    addRanges(gemm.a, gemm.batch, false, ranges);
    addRanges(gemm.b, gemm.batch, false, ranges);
  }
  if (gemm.beta != 0)
    addRanges(gemm.c, gemm.batch, false, ranges);
  addRanges(gemm.c, gemm.batch, true, ranges);
  uint64_t bytes = 0;
  for (const Access &range : ranges)
    bytes += range.end - range.begin;

  auto op = std::make_shared<Op>();
  op->what = std::string(name) + " " + std::to_string(gemm.m) + "x" +
             std::to_string(gemm.n) + "x" + std::to_string(gemm.k);
  op->engine = EngineKind::Compute;
  op->hostCost = Latency::launch;
  op->latency = Latency::kernel;
  op->cost = gemmCost(*ref.context->device->table, gemm, bytes);
  op->accesses = ranges;
  if (blas->workspaceBytes)
    op->accesses.push_back(
        {blas->workspace, blas->workspace + blas->workspaceBytes, true});
  op->run = [gemm, ranges](Op &self) { runGemm(self, gemm, ranges); };
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  return HGC_CUBLAS_SUCCESS;
}

HGC_EMU_API Status cublasCreate_v2(hgc_cublas_handle *handle) {
  Call call("cublasCreate", Needs::Context);
  if (!call)
    return statusOf(call);
  if (!handle)
    return HGC_CUBLAS_INVALID_VALUE;
  auto blas = std::make_shared<BlasHandle>();
  blas->context = call.context.get();
  *handle = call.driver.blas.add(blas);
  return HGC_CUBLAS_SUCCESS;
}

HGC_EMU_API Status cublasDestroy_v2(hgc_cublas_handle handle) {
  Call call("cublasDestroy", Needs::Context, handle);
  if (!call)
    return statusOf(call);
  std::shared_ptr<BlasHandle> blas = call.driver.blas.find(handle);
  if (!blas)
    return HGC_CUBLAS_NOT_INITIALIZED;
  // As the library does: its device is idle before the handle is gone.
  call.driver.scheduler.hostWaitContext(blas->context);
  call.driver.blas.erase(handle);
  return HGC_CUBLAS_SUCCESS;
}

HGC_EMU_API Status cublasGetVersion_v2(hgc_cublas_handle handle, int *version) {
  Call call("cublasGetVersion", Needs::Init);
  if (!call)
    return statusOf(call);
  if (handle && !call.driver.blas.find(handle))
    return HGC_CUBLAS_NOT_INITIALIZED;
  if (!version)
    return HGC_CUBLAS_INVALID_VALUE;
  *version = 130000;
  return HGC_CUBLAS_SUCCESS;
}

namespace {

/// Changes a setting of a handle.
template <typename Change>
Status change(const char *name, hgc_cublas_handle handle, Change apply) {
  Call call(name, Needs::Context);
  if (!call)
    return statusOf(call);
  std::shared_ptr<BlasHandle> blas = call.driver.blas.find(handle);
  return blas ? apply(*blas) : HGC_CUBLAS_NOT_INITIALIZED;
}

} // namespace

HGC_EMU_API Status cublasSetStream_v2(hgc_cublas_handle handle,
                                      hgc_cu_stream stream) {
  return change("cublasSetStream", handle, [&](BlasHandle &blas) {
    // A new stream ends the use of a workspace given before.
    blas.workspace = blas.workspaceBytes = 0;
    blas.stream = stream;
    return HGC_CUBLAS_SUCCESS;
  });
}

HGC_EMU_API Status cublasSetWorkspace_v2(hgc_cublas_handle handle,
                                         void *workspace, size_t bytes) {
  return change("cublasSetWorkspace", handle, [&](BlasHandle &blas) {
    uint64_t address = reinterpret_cast<uint64_t>(workspace);
    const Memory &memory = *blas.context->device->memory;
    if (bytes && (address % 256 || !memory.check(address, bytes, nullptr)))
      return HGC_CUBLAS_INVALID_VALUE;
    blas.workspace = address;
    blas.workspaceBytes = bytes;
    return HGC_CUBLAS_SUCCESS;
  });
}

HGC_EMU_API Status cublasSetMathMode(hgc_cublas_handle handle, int mode) {
  return change("cublasSetMathMode", handle, [&](BlasHandle &) {
    // Every mode gives at least the accuracy it promises here.
    int base = mode & ~HGC_CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    return base >= 0 && base <= 4 ? HGC_CUBLAS_SUCCESS
                                  : HGC_CUBLAS_INVALID_VALUE;
  });
}

HGC_EMU_API Status cublasSetAtomicsMode(hgc_cublas_handle handle, int mode) {
  return change("cublasSetAtomicsMode", handle, [&](BlasHandle &) {
    return mode == 0 || mode == 1 ? HGC_CUBLAS_SUCCESS
                                  : HGC_CUBLAS_INVALID_VALUE;
  });
}

//===- KernelContext.h - how one kernel becomes GPU functions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every exec.kernel on a GPU has one emitter, chosen by its root op. The emitter
// first plans its launches (shape and target table only), then writes the body
// of one function per launch.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_KERNELCONTEXT_H
#define HGC_CODEGEN_GPU_KERNELCONTEXT_H

#include "hgc/CodeGen/Common/EmitContext.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"
#include "hgc/Target/GpuTable.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <array>
#include <memory>
#include <string>

namespace hgc::gpu {

using namespace codegen;

/// Threads of a warp.
inline constexpr int64_t kWarp = 32;
/// Alignment of every buffer, in bytes; the widest access of a thread.
inline constexpr int64_t kBufferAlignment = 16;
/// Most shared memory of a block that needs no permission of the driver.
inline constexpr int64_t kStaticSharedBytes = 48 << 10;

/// Geometry of one launch.
struct Launch {
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int64_t, 3> block = {1, 1, 1};
  /// Dynamic shared memory of a block.
  int64_t sharedBytes = 0;

  int64_t threads() const { return block[0] * block[1] * block[2]; }
};

/// What an emitter decides before it writes code.
struct KernelPlan {
  llvm::SmallVector<Launch> launches;
  /// Global memory between launches; uninitialised, 16-byte aligned.
  int64_t scratchBytes = 0;
  /// For people: the form of the kernel and its tile sizes.
  std::string text;
  /// Description of the product for a library that may take over; null if none.
  mlir::DictionaryAttr gemm;
};

/// State while the function of one launch is written. The function is
///   gpu.func @hgc_<n>_<root> kernel (%buf0: memref<NxS> {llvm.noalias,
///       llvm.align = 16}, ..., [%scratch: memref<BxI8>])
/// with one flat memref per block argument of the exec.kernel.
struct KernelContext : EmitContext {
  const GpuTable &target;
  mlir::gpu::GPUFuncOp function;
  const Launch &launch;
  /// memref<Bxi8>; null when the plan asks for none.
  mlir::Value scratch;

  /// Index of this thread in its block, and of this block in the grid; constant 0
  /// where there is just one.
  mlir::Value threadId(unsigned dim = 0);
  mlir::Value blockId(unsigned dim = 0);
  /// blockId * threads of a block + threadId, along the first dim.
  mlir::Value globalId();

  /// A new array in shared memory, of storage types.
  mlir::Value addShared(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// Part of the scratch memory from `byteOffset` on, as elements of one type.
  mlir::Value getScratch(int64_t byteOffset, int64_t elements, mlir::Type element);
  /// All threads of the block wait for each other.
  void barrier();
};

/// Plans and emits kernels of one kind.
struct KernelEmitter {
  virtual ~KernelEmitter();
  /// A plan without launches means there is nothing to do. Reports what cannot
  /// be emitted.
  virtual mlir::FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const = 0;
  /// Writes the body of launch number `number` at the context's insertion point.
  virtual llvm::LogicalResult emit(KernelContext &context, size_t number) const = 0;
};

/// The emitter for the kernel's root op; null when there is none.
std::unique_ptr<KernelEmitter> createEmitter(exec::KernelOp kernel);

/// The launches and the scratch memory of `kernel`; reports what cannot be
/// emitted. In a module with `kOwnKernelsAttr` no library takes over.
mlir::FailureOr<KernelPlan> planKernel(exec::KernelOp kernel, const GpuTable &target);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_KERNELCONTEXT_H

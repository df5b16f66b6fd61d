//===- ExecOps.h - the exec dialect and its ops -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_EXEC_EXECOPS_H
#define HGC_EXEC_EXECOPS_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Exec/ExecEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Exec/ExecAttrs.h.inc"

#include "dialects/Exec/ExecDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/Exec/ExecOps.h.inc"

namespace hgc::exec {

/// Streams of each GPU: one for kernels, one for copies in either direction.
inline constexpr int64_t kStreamsPerGpu = 3;
enum StreamKind : int64_t { kComputeStream = 0, kUploadStream = 1, kDownloadStream = 2 };
/// The first streams of a GPU, which kernels are launched on: each has scratch
/// memory, in multiples of the alignment.
inline constexpr int64_t kLaunchStreams = kComputeStream + 1;
inline constexpr int64_t kGpuScratchAlignment = 256;

/// Of a launch that does the work of several: where those were.
inline constexpr llvm::StringLiteral kPartsAttr = "parts";

/// GPU of a buffer; nothing for the host's.
std::optional<unsigned> getGpu(mlir::Type buffer);

/// Name of a memory space in `exec.memory` and `device_offsets`: `gpu_0`.
std::string getSpaceName(mlir::Attribute space);

/// The GPU an action runs on (launch, copy, fill, library): that of its buffers,
/// the target's for a copy between two; nothing when the host does it.
std::optional<unsigned> getActionGpu(mlir::Operation *op);

} // namespace hgc::exec

#endif // HGC_EXEC_EXECOPS_H

//===- ModelInfo.h - a model as its callers see it --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exec.program and exec.blob say about the interface, gathered once: the
// descriptor inside the library and the C header must never disagree.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_MODELINFO_H
#define HGC_CODEGEN_CPU_MODELINFO_H

#include "dialects/Exec/ExecOps.h"

#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace hgc::cpu {

/// Module attribute that keeps the scratch size per thread once kernels are gone.
inline constexpr llvm::StringLiteral kScratchBytesAttr = "exec.scratch_bytes";
/// Likewise: sizes of guarded buffers by slot, number of extent slots, and the
/// names of functions the library leaves undefined (exec.library).
inline constexpr llvm::StringLiteral kGuardedSizesAttr = "exec.guarded_sizes";
inline constexpr llvm::StringLiteral kExtentsAttr = "exec.extents";
inline constexpr llvm::StringLiteral kLibrarySymbolsAttr = "exec.library_symbols";

/// Likewise, of the GPU plan: numbers of functions and events, scratch memory per
/// GPU, and whether cuBLAS may be used.
inline constexpr llvm::StringLiteral kGpuTotalsAttr = "exec.gpu_totals";
/// What people may want to know of the GPU kernels: {name, ops, schedule, launches}.
inline constexpr llvm::StringLiteral kGpuKernelsAttr = "exec.gpu_kernels";
/// Code of the GPU kernels: {kind = "ptx"|"cubin", sm, data}.
inline constexpr llvm::StringLiteral kGpuImagesAttr = "exec.gpu_images";

/// Hands out C identifiers: legal, no keyword of C or C++, each only once.
class CNames {
public:
  /// `text` as an identifier that nobody has got yet.
  std::string take(llvm::StringRef text);
  /// Makes `name` unavailable; false when it already was.
  bool reserve(llvm::StringRef name) { return taken.insert(name).second; }
  bool isTaken(llvm::StringRef name) const { return taken.contains(name); }

  /// `text` with every illegal character replaced.
  static std::string sanitize(llvm::StringRef text);

private:
  llvm::StringSet<> taken;
};

/// An argument of an entry. dims[i] == -1-k is the entry's symbolic dim k.
struct TensorInfo {
  std::string name, cName;
  mlir::Type element;
  llvm::SmallVector<int64_t> dims;
  /// Of an output whose dims are the largest extents: the output that gets the
  /// actual ones.
  std::optional<unsigned> shapeOutput;
  /// The GPU whose memory callers of the GPU plan pass; none: host memory.
  std::optional<unsigned> gpu;
};

/// An entry with all programs that serve it.
struct EntryInfo {
  std::string name, cName;
  std::vector<std::string> dimNames, dimCNames;
  std::vector<TensorInfo> inputs, outputs;
  /// In the order of the module; those of the GPU plan under the same index.
  std::vector<exec::ProgramOp> variants, gpuVariants;
};

/// Memory a model needs on one GPU.
struct GpuMemoryInfo {
  int64_t arenaBytes = 0, weightsBytes = 0, stateBytes = 0;
  /// Working memory of kernels and of cuBLAS, per stream that runs kernels.
  int64_t scratchBytes = 0, workspaceBytes = 0;
  /// Sizes of guarded buffers.
  llvm::SmallVector<int64_t> slots;

  /// What an instance allocates there.
  int64_t getTotalBytes() const;
};

/// A parameter of the model with the blob that holds it.
struct ParamInfo {
  std::string name;
  exec::BlobOp blob;
  /// Canonical row-major type.
  mlir::ShapedType type;
};

/// Everything a caller can know of a model.
struct ModelInfo {
  std::string name, cName;
  std::vector<EntryInfo> entries;
  std::vector<ParamInfo> params;
  /// Maximum over all programs; the arena is shared.
  int64_t arenaBytes = 0;
  /// Per thread: maximum over all kernels.
  int64_t scratchBytes = 0;
  int64_t stateBytes = 0;
  /// By number; empty when there is no GPU plan.
  std::vector<GpuMemoryInfo> gpus;
  /// Fills the weights of the GPUs; null when there are none.
  exec::ProgramOp load;

  /// Whether a call may change parameters.
  bool hasState() const {
    return llvm::any_of(params, [](const ParamInfo &param) { return exec::BlobOp(param.blob).getIsMutable(); });
  }

  /// Names of all functions a shared library exports.
  std::vector<std::string> exportedSymbols(bool staticLibrary) const;
};

/// Name of the library function that describes the model.
std::string getExportSymbol(const ModelInfo &info, bool staticLibrary);

/// Name of the section's symbol that holds embedded weights.
std::string getWeightsSymbol(const ModelInfo &info);

/// Name of the function a program compiles to.
std::string getProgramSymbol(exec::ProgramOp program);

/// Most bytes a tensor of the entry has, over all variants.
int64_t getMaxBytes(const EntryInfo &entry, const TensorInfo &tensor);

/// Most bytes of the host's arena that a variant needs, in either plan.
int64_t getArenaBytes(const EntryInfo &entry, size_t variant);

/// Reads the module's programs, blobs and kernels; reports what is missing.
mlir::FailureOr<ModelInfo> getModelInfo(mlir::ModuleOp module);

/// The element type as an hgc_rt_dtype; 0 when hgc has none.
int getRuntimeDtype(mlir::Type element);

/// The element type as an array element in C.
llvm::StringRef getCType(mlir::Type element);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_MODELINFO_H

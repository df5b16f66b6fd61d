//===- Parameters.h - initial values of a model's parameters ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_PARAMETERS_H
#define HGC_SUPPORT_PARAMETERS_H

#include "dialects/Graph/Eval/HostTensor.h"
#include "dialects/Graph/GraphOps.h"
#include "hgc/Support/Safetensors.h"

#include "llvm/ADT/StringMap.h"
#include <string>

namespace hgc {

/// What a parameter's fans are, as Keras counts them: `[in, out]` for dense
/// kernels, receptive field times channels for `[spatial..., in, out]`, the
/// extent itself for vectors.
struct Fans {
  double in = 1, out = 1;
};
Fans computeFans(llvm::ArrayRef<int64_t> shape);

/// Variance of a scaled family with scale 1; fans of zero count as one.
double computeVariance(graph::InitKind kind, Fans fans);

/// Deviation of a standard normal that is cut off at two deviations.
inline constexpr double kTruncatedDeviation = 0.87962566103423978;

/// Draws a `#hgc.init` value. With f = `scale` and Philox (Random.h) keyed by
/// `seed`: uniform is [-f, f), normal has deviation f; glorot, he and lecun have
/// variance f^2 * 2/(in+out), f^2 * 2/in and f^2 * 1/in, uniform in +-sqrt(3 *
/// variance) or a normal truncated at two deviations whose own deviation is
/// that of the variance (Keras' VarianceScaling).
llvm::Expected<HostTensor> makeInitialValue(graph::InitAttr init, mlir::RankedTensorType type);

/// Loads parameter values; opens each weights file once.
class ParameterLoader {
public:
  /// `#hgc.file` paths are relative to `baseDirectory` and may not leave it.
  explicit ParameterLoader(llvm::StringRef baseDirectory) : baseDirectory(baseDirectory.str()) {}

  /// The initial value of `parameter`.
  llvm::Expected<HostTensor> load(graph::ParameterOp parameter);
  /// The value `attr` stands for, as a tensor of `type`.
  llvm::Expected<HostTensor> load(mlir::Attribute attr, mlir::RankedTensorType type);
  /// All parameters of a module by name; diagnostics at the first that fails.
  llvm::LogicalResult loadAll(mlir::ModuleOp module, llvm::StringMap<HostTensor> &values);

  /// Files opened so far, for dependency files, in order.
  llvm::ArrayRef<std::string> getOpenedFiles() const { return opened; }

private:
  llvm::Expected<HostTensor> loadFile(graph::FileAttr file, mlir::RankedTensorType type);

  std::string baseDirectory;
  llvm::StringMap<SafetensorsFile> files;
  std::vector<std::string> opened;
};

} // namespace hgc

#endif // HGC_SUPPORT_PARAMETERS_H

//===- OnnxCensus.h - what an ONNX model holds and needs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNXCENSUS_H
#define HGC_FRONTEND_ONNXCENSUS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <string>
#include <vector>

namespace hgc {

/// Taken from the file alone: dims may be open and ops unknown.
struct OnnxCensus {
  struct Value {
    std::string name, element;
    /// Extents, names of dims, or `?`.
    std::vector<std::string> dims;
    /// Whether the model has a shape for it; a scalar has one without dims.
    bool hasShape = true;
  };
  /// A node or value that is not imported.
  struct Refusal {
    std::string name, op, reason;
  };
  /// A dim that must be bound before the model is compiled.
  struct OpenDim {
    /// Name of the dim, or of the input whose dims have none.
    std::string name;
    std::vector<std::string> inputs;
    /// The option that binds it, such as `--dim batch=N`.
    std::string option;
  };

  int64_t irVersion = 0;
  std::string producer;
  /// Domain and version; ONNX's own domain is `ai.onnx`.
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::vector<Value> inputs, outputs;
  /// Nodes by op, those of subgraphs and of called functions included.
  std::map<std::string, int64_t> ops;
  std::vector<Refusal> refusals;
  std::vector<OpenDim> openDims;
  int64_t parameters = 0, parameterValues = 0, parameterBytes = 0;
};

/// Fails for a file that is no ONNX model.
llvm::Expected<OnnxCensus> takeOnnxCensus(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// One row of the table of ONNX ops.
struct OnnxOpInfo {
  /// Ops of other domains than ONNX's own are `domain::name`.
  std::string name;
  bool isImported;
  /// First opset whose form is imported.
  int since;
  /// Whether inputs may have extents that are known only at run time.
  bool takesBounded;
  /// What is not imported, or why nothing is.
  std::string note;
};

/// All ops hgc knows, by name.
std::vector<OnnxOpInfo> listOnnxOps();

} // namespace hgc

#endif // HGC_FRONTEND_ONNXCENSUS_H

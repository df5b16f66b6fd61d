//===- Outputs.h - what run and eval do with results ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_OUTPUTS_H
#define HGC_TOOLS_OUTPUTS_H

#include "ArgParser.h"
#include "Signature.h"

namespace hgc::driver {

/// Options `--output`, `--expect`, `--rtol`, `--atol`.
struct OutputOptions {
  std::vector<std::string> outputs, expects;
  double rtol = 1e-5, atol = 1e-6;

  void addTo(ArgParser &parser);
};

/// A number as messages show it: all digits that matter.
std::string spell(double value);

/// Cuts results whose shape depends on the data to their actual shape.
llvm::Error trimOutputs(const EntrySignature &entry, llvm::MutableArrayRef<HostTensor> results);

/// Trims results, writes them to files, compares them with expected ones, and prints those
/// that are neither written nor compared. A difference is an error.
llvm::Error handleOutputs(const EntrySignature &entry, llvm::MutableArrayRef<HostTensor> results,
                          const OutputOptions &options, mlir::MLIRContext *context);

} // namespace hgc::driver

#endif // HGC_TOOLS_OUTPUTS_H

//===- LoadParameters.cpp - initial values as data ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Later stages know bytes only. Files are mapped, not copied: the data of a
// safetensors file reaches the linker through one shared blob.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/Parameters.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_LOADPARAMETERS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {

struct LoadParameters final : hgc::impl::LoadParametersBase<LoadParameters> {
  using Base::Base;

  void runOnOperation() override {
    ParameterLoader loader(baseDir);
    for (auto parameter : getOperation().getOps<graph::ParameterOp>()) {
      if (isa<ElementsAttr>(parameter.getValue()) || parameter->hasAttr(kLoadedAttr))
        continue;
      llvm::Expected<HostTensor> value = loader.load(parameter);
      if (!value) {
        (void)hgc::emitError(parameter.getLoc(), value.takeError());
        return signalPassFailure();
      }
      parameter.setValueAttr(value->toAttr(parameter.getSymName()));
    }
  }
};

} // namespace

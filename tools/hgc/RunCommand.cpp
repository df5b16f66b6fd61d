//===- RunCommand.cpp - hgc run -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Loading.h"
#include "Outputs.h"

using namespace hgc;
using namespace hgc::driver;

static constexpr llvm::StringLiteral kExamples =
    R"(  hgc run model.so                                   # random inputs, results printed
  hgc run model.so --input x=@x.npy --output y=@y.npy
  hgc run model.so --input x=2xf32=1,2 --expect y=@y.npy --rtol=1e-4
  hgc run model.mlir --dim batch=4                   # compiles into a temporary library first
  hgc run model.mlir --gpu sm_80 --device emulated   # executes the GPU code without a GPU
)";

static llvm::Error run(llvm::ArrayRef<const char *> args) {
  ArgParser parser("run", "run a model or a compiled library on given or random inputs",
                   "MODEL.so|MODEL.mlir [options]", kExamples);
  LoadFlags flags;
  OutputOptions outputs;
  flags.addTo(parser);
  outputs.addTo(parser);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();

  llvm::Expected<LoadedCall> loaded = loadCall(parser, flags, {});
  if (!loaded)
    return loaded.takeError();
  if (llvm::Error error = loaded->call->run())
    return error;
  if (llvm::Error error = loaded->call->fetch())
    return error;
  if (std::string device = describeDevice(*loaded->model.library); !device.empty())
    llvm::outs() << "device: " << device << "\n";
  return handleOutputs(loaded->getEntry(), loaded->outputs, outputs, &loaded->model.session->getContext());
}

int hgc::driver::runRun(llvm::ArrayRef<const char *> args) { return report(run(args)); }

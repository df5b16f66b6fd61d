//===- RunCommand.cpp - hgc run -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelWatch.h"
#include "Loading.h"
#include "Outputs.h"

#include "hgc/Support/Error.h"

using namespace hgc;
using namespace hgc::driver;

static constexpr llvm::StringLiteral kExamples =
    R"(  hgc run model.so                                   # random inputs, results printed
  hgc run model.so --input x=@x.npy --output y=@y.npy
  hgc run model.so --input x=2xf32=1,2 --expect y=@y.npy --rtol=1e-4
  hgc run model.mlir --dim batch=4                   # compiles into a temporary library first
  hgc run model.mlir --gpu sm_80 --device emulated   # executes the GPU code without a GPU
)";

/// The first tensor with elements that are not finite: `'y' has NaN elements`.
static std::string findBad(llvm::ArrayRef<TensorSignature> signatures, llvm::ArrayRef<HostTensor> tensors) {
  for (auto [signature, tensor] : llvm::zip_equal(signatures, tensors))
    if (llvm::StringRef kind = findNonFinite(tensor); !kind.empty())
      return "'" + signature.name + "' has " + kind.str() + " elements";
  return "";
}

/// Fails when a result is not finite. Which kernel began it is found by the same
/// call of a new instance on the CPU, whose kernels can be looked at.
static llvm::Error checkNumbers(const ArgParser &parser, LoadFlags flags, const LoadedCall &loaded) {
  std::string found = findBad(loaded.getEntry().outputs, loaded.outputs);
  if (found.empty())
    return llvm::Error::success();
  if (std::string given = findBad(loaded.getEntry().inputs, loaded.inputs); !given.empty())
    return makeError("result " + found + "; input " + given + " already", "look at the input");
  KernelWatch watch;
  ModelLibrary::Options options;
  options.timing = KernelWatch::onKernel;
  options.timingUser = &watch;
  flags.device.device = "cpu";
  llvm::Expected<LoadedCall> again = loadCall(parser, flags, options);
  if (!again)
    return again.takeError();
  if (llvm::Error error = again->call->run())
    return error;
  std::string why = watch.explain();
  return makeError("result " + found + "; " + (why.empty() ? "no kernel of the CPU gives such results" : why),
                   why.empty() ? "look at the parameters; hgc compile --verify compares a GPU with the CPU"
                               : "compiled with -O0 a kernel holds a single op");
}

static llvm::Error run(llvm::ArrayRef<const char *> args) {
  ArgParser parser("run", "run a model or a compiled library on given or random inputs",
                   "MODEL.so|MODEL.mlir [options]", kExamples);
  LoadFlags flags;
  OutputOptions outputs;
  bool checkNumerics = false;
  flags.addTo(parser);
  outputs.addTo(parser);
  parser.flag("check-numerics", checkNumerics, "fail when a result is not finite, and say which kernel began it");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();

  LoadFlags given = flags;
  llvm::Expected<LoadedCall> loaded = loadCall(parser, flags, {});
  if (!loaded)
    return loaded.takeError();
  if (llvm::Error error = loaded->call->run())
    return error;
  if (llvm::Error error = loaded->call->fetch())
    return error;
  if (std::string device = describeDevice(*loaded->model.library); !device.empty())
    llvm::outs() << "device: " << device << "\n";
  llvm::Error error = handleOutputs(loaded->getEntry(), loaded->outputs, outputs, &loaded->model.session->getContext());
  if (error || !checkNumerics)
    return error;
  return checkNumbers(parser, given, *loaded);
}

int hgc::driver::runRun(llvm::ArrayRef<const char *> args) { return report(run(args)); }

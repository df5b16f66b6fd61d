//===- EvalCommand.cpp - hgc eval -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Outputs.h"
#include "Session.h"

#include "dialects/Graph/Eval/Evaluator.h"
#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Support/Parameters.h"

#include "llvm/ADT/StringExtras.h"

using namespace hgc;
using namespace hgc::driver;

static constexpr llvm::StringLiteral kExamples = R"(  hgc eval model.mlir --input x=@x.npy
  hgc eval model.mlir --dim batch=2 --output y=@expected.npy    # then: hgc run --expect y=@expected.npy
)";

static llvm::Error evaluate(llvm::ArrayRef<const char *> args) {
  ArgParser parser("eval", "run a model in the reference evaluator", "MODEL.mlir [options]", kExamples);
  std::vector<std::string> paths;
  std::string entryName;
  InputOptions inputs;
  OutputOptions outputs;
  parser.positional(paths);
  parser.value("entry", "NAME", entryName, "entry function to call (default: the only one)");
  parser.list("input", "NAME=VALUE", inputs.inputs,
              "x=@x.npy, x=@all.npz:key, x=2xf32=1,2, or @all.npz for all; random otherwise");
  ShapeFlags shapes;
  parser.list("dim", "NAME=N", inputs.dims, "extent of a named dim for random inputs (default 1)");
  parser.list("shape", "INPUT=1x3x8", shapes.shapes, "shape of an input of an ONNX model whose dims have no extent");
  parser.number("seed", "N", inputs.seed, "seed of random inputs (default 0)");
  outputs.addTo(parser);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if (paths.size() != 1)
    return usageError("expected one model, got " + llvm::Twine(paths.size()), "hgc eval model.mlir");

  Session session(parser);
  shapes.dims = inputs.dims;
  auto module = session.read(paths.front(), shapes);
  if (!module)
    return module.takeError();
  CompileOptions options;
  options.dims = llvm::join(inputs.dims, ";");
  if (mlir::failed(expandEntries(**module, options)))
    return alreadyReported();
  llvm::Expected<mlir::func::FuncOp> entry = findEntry(**module, entryName);
  if (!entry)
    return entry.takeError();
  EntrySignature signature = getSignature(*entry);
  addCheckedRanges(*entry, inputs.ranges);
  auto values = makeInputs(signature, inputs, &session.getContext());
  if (!values)
    return values.takeError();
  graph::ParameterValues parameters;
  if (mlir::failed(ParameterLoader(session.getBaseDir()).loadAll(**module, parameters)))
    return alreadyReported();
  auto result = graph::evaluateEntry(*entry, *values, parameters);
  if (mlir::failed(result))
    return alreadyReported();
  return handleOutputs(signature, result->outputs, outputs, &session.getContext());
}

int hgc::driver::runEval(llvm::ArrayRef<const char *> args) { return report(evaluate(args)); }

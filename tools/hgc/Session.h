//===- Session.h - a model being worked on ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_SESSION_H
#define HGC_TOOLS_SESSION_H

#include "ArgParser.h"
#include "Progress.h"
#include "TrainingFlags.h"
#include "TuneFlags.h"

#include "hgc/Pipeline/Pipeline.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"
#include <memory>

namespace mlir {
class SourceMgrDiagnosticHandler;
}

namespace hgc::driver {

/// What the command line says about the shapes of a model.
struct ShapeFlags {
  /// `batch=1,8` and `x=1x3x224x224`.
  std::vector<std::string> dims, shapes;
  /// The model is to be trained.
  bool trains = false;

  void addTo(ArgParser &parser);
};

/// Context, source text and diagnostics of one model.
class Session {
public:
  /// `parser` has MLIR's own flags among its arguments.
  explicit Session(const ArgParser &parser);
  ~Session();

  mlir::MLIRContext &getContext() { return context; }

  /// Prints decisions as remarks at the lines they are about.
  void enableRemarks();

  /// Reads a model from `path` (`-`: standard input). An ONNX model has the shapes
  /// that `shapes` says; other models get theirs in the pipeline.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> read(llvm::StringRef path, const ShapeFlags &shapes);

  /// Shows on a terminal what a compilation with `options` is doing, until the
  /// progress is stopped or the session ends.
  void showProgress(const ArgParser &parser, CompileOptions &options);
  Progress &getProgress() { return progress; }

  /// Folder the model's files are relative to.
  llvm::StringRef getBaseDir() const { return baseDir; }

private:
  /// Prints a problem of a model that has no lines: its file, the node, the message.
  llvm::LogicalResult printForFile(mlir::Diagnostic &diagnostic);

  /// Before the printer, which writes through it.
  Progress progress;
  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> printer;
  std::string baseDir = ".";
  /// Set for a model that is not text.
  std::string textlessFile;
};

/// Options every command that compiles shares.
struct CompileFlags : ShapeFlags {
  CompileOptions options;
  std::string targetCpu, optLevel = "3", weights = "embedded", arena = "packed";
  std::vector<std::string> targetTables;
  TrainingFlags training;
  TuneFlags tune;
  bool cubin = false, remarks = false, checkCertificate = false;
  /// The input is behind placement: it has its GPU plan, or none.
  bool isPlaced = false;

  void addTo(ArgParser &parser);
  /// Copies the flags into `options`, checked.
  llvm::Error finish();
  /// A usage error when a flag is set that `what`, such as a compiled library,
  /// cannot follow.
  llvm::Error rejectForLibrary(llvm::StringRef what = "a library that is compiled already") const;
};

/// The table whose CPU this machine is, or is at least.
llvm::Expected<std::string> findNativeCpu();

/// The assembler of the toolkit in CUDA_HOME, else the one in PATH.
llvm::Expected<std::string> findPtxas();

/// The entry called `name`, or the only one when it is empty.
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// Entry functions of a model, in order.
std::vector<mlir::func::FuncOp> getEntries(mlir::ModuleOp module);

} // namespace hgc::driver

#endif // HGC_TOOLS_SESSION_H

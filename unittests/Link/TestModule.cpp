//===- TestModule.cpp - a model written by hand at stage exec -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModule.h"

#include "dialects/Exec/ExecOps.h"
#include "hgc/CodeGen/CPU/Passes.h"
#include "hgc/CodeGen/CPU/TranslateToObject.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace hgc;

static constexpr const char *kTiny = R"mlir(
module @tiny attributes {ATTRIBUTES hgc.dims = {rows = [1, 4]}} {
  exec.blob @w : memref<8xf32> = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> {offset = 64, parameter = "w"}
  exec.blob @total : memref<1xf32> = dense<0.5> {is_mutable, parameter = "total", offset = 0, init_offset = 0}
  llvm.func @scale_code(%args: !llvm.ptr, %begin: i64, %end: i64) {
    %x_at = llvm.getelementptr %args[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %w_at = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %t_at = llvm.getelementptr %args[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %y_at = llvm.getelementptr %args[3] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %xs = llvm.load %x_at : !llvm.ptr -> !llvm.ptr
    %ws = llvm.load %w_at : !llvm.ptr -> !llvm.ptr
    %ts = llvm.load %t_at : !llvm.ptr -> !llvm.ptr
    %ys = llvm.load %y_at : !llvm.ptr -> !llvm.ptr
    %one = llvm.mlir.constant(1 : i64) : i64
    %seven = llvm.mlir.constant(7 : i64) : i64
    %t = llvm.load %ts : !llvm.ptr -> f32
    llvm.br ^head(%begin : i64)
  ^head(%i: i64):
    %more = llvm.icmp "slt" %i, %end : i64
    llvm.cond_br %more, ^body, ^done
  ^body:
    %k = llvm.and %i, %seven : i64
    %xp = llvm.getelementptr %xs[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %wp = llvm.getelementptr %ws[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %yp = llvm.getelementptr %ys[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %xp : !llvm.ptr -> f32
    %w = llvm.load %wp : !llvm.ptr -> f32
    %p = llvm.fmul %x, %w : f32
    %y = llvm.fadd %p, %t : f32
    llvm.store %y, %yp : f32, !llvm.ptr
    %j = llvm.add %i, %one : i64
    llvm.br ^head(%j : i64)
  ^done:
    llvm.return
  }
  llvm.func @count_code(%args: !llvm.ptr, %begin: i64, %end: i64) {
    %x_at = llvm.getelementptr %args[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %y_at = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %xs = llvm.load %x_at : !llvm.ptr -> !llvm.ptr
    %ys = llvm.load %y_at : !llvm.ptr -> !llvm.ptr
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %x = llvm.load %xs : !llvm.ptr -> f32
    %y = llvm.fadd %x, %one : f32
    llvm.store %y, %ys : f32, !llvm.ptr
    llvm.return
  }
  SCALE(1)
  SCALE(4)
  exec.kernel @inc inputs 1 attributes {function = "count_code", units = 1, grain = 1, scratch_bytes = 0} {
  ^bb0(%x: memref<1xf32>, %y: memref<1xf32>):
    %0 = exec.load %x : memref<1xf32> -> tensor<1xf32>
    %1 = hgc.exp %0 : tensor<1xf32>
    exec.store %1, %y : tensor<1xf32>, memref<1xf32>
  }
  exec.program @count entry "count" inputs 0 attributes {arena_bytes = 64 : i64,
      tensors = [{name = "total", shape = [1], type = tensor<1xf32>}]} {
  ^bb0(%out: memref<1xf32>):
    %t = exec.weight @total : memref<1xf32>
    %n = exec.view offset 0 : memref<1xf32>
    exec.launch @inc ins(%t : memref<1xf32>) outs(%n : memref<1xf32>)
    exec.copy %n to %t : memref<1xf32>, memref<1xf32>
    exec.copy %n to %out : memref<1xf32>, memref<1xf32>
    exec.return
  }
}
)mlir";

static constexpr const char *kScale = R"mlir(
  exec.kernel @kROWS inputs 3 attributes {function = "scale_code", units = UNITS, grain = 8, scratch_bytes = 128} {
  ^bb0(%x: memref<ROWSx8xf32>, %w: memref<8xf32>, %t: memref<1xf32>, %y: memref<ROWSx8xf32>):
    %0 = exec.load %x : memref<ROWSx8xf32> -> tensor<ROWSx8xf32>
    %1 = exec.load %w : memref<8xf32> -> tensor<8xf32>
    %2 = exec.load %t : memref<1xf32> -> tensor<1xf32>
    %3 = hgc.mul %0, %1 : (tensor<ROWSx8xf32>, tensor<8xf32>) -> tensor<ROWSx8xf32>
    %4 = hgc.add %3, %2 : (tensor<ROWSx8xf32>, tensor<1xf32>) -> tensor<ROWSx8xf32>
    exec.store %4, %y : tensor<ROWSx8xf32>, memref<ROWSx8xf32>
  }
  exec.program @scale_ROWS entry "scale" inputs 1 attributes {dim_names = ["rows"], dims = array<i64: ROWS>,
      arena_bytes = 0 : i64, tensors = [{name = "x", shape = ["rows", 8], type = tensor<ROWSx8xf32>},
      {name = "y", shape = ["rows", 8], type = tensor<ROWSx8xf32>}]} {
  ^bb0(%x: memref<ROWSx8xf32>, %y: memref<ROWSx8xf32>):
    %w = exec.weight @w : memref<8xf32>
    %t = exec.weight @total : memref<1xf32>
    exec.launch @kROWS ins(%x, %w, %t : memref<ROWSx8xf32>, memref<8xf32>, memref<1xf32>)
      outs(%y : memref<ROWSx8xf32>)
    exec.return
  }
)mlir";

static void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at; (at = text.find(from.str())) != std::string::npos;)
    text.replace(at, from.size(), to.str());
}

std::string test::getTinyModule(StringRef attributes) {
  std::string text = kTiny;
  replaceAll(text, "ATTRIBUTES", attributes);
  for (int rows : {1, 4}) {
    std::string scale = kScale;
    replaceAll(scale, "ROWS", std::to_string(rows));
    replaceAll(scale, "UNITS", std::to_string(rows * 8));
    replaceAll(text, "SCALE(" + std::to_string(rows) + ")", scale);
  }
  return text;
}

void test::loadDialects(MLIRContext &context) {
  context.loadDialect<exec::ExecDialect, graph::HGCDialect, LLVM::LLVMDialect>();
}

OwningOpRef<ModuleOp> test::parse(MLIRContext &context, StringRef text) {
  return parseSourceString<ModuleOp>(text, &context);
}

test::Compiled test::compile(MLIRContext &context, StringRef text, bool staticLibrary, bool externalWeights) {
  Compiled compiled;
  compiled.module = parse(context, text);
  if (!compiled.module)
    return compiled;
  PassManager pm(&context);
  pm.addPass(createEmitPrograms());
  EmitModelOptions options;
  options.staticLibrary = staticLibrary;
  options.externalWeights = externalWeights;
  pm.addPass(createEmitModel(options));
  llvm::raw_svector_ostream out(compiled.object);
  if (failed(pm.run(*compiled.module)) ||
      failed(cpu::translateToObject(*compiled.module, {}, cpu::ObjectKind::Object, out)))
    compiled.module = nullptr;
  return compiled;
}

test::TempFolder::TempFolder() {
  SmallString<128> folder;
  if (!llvm::sys::fs::createUniqueDirectory("hgc-link-test", folder))
    path = folder.str();
}

test::TempFolder::~TempFolder() { llvm::sys::fs::remove_directories(path); }

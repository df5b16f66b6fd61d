//===- Passes.td - passes of CPU code generation ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_PASSES_TD
#define HGC_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernels : Pass<"hgc-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "write the loops of every kernel";
  let description = [{
    Emits for each `exec.kernel` a private function `<kernel>_body` on flat
    buffers and a C function `void (void **args, int64_t begin, int64_t end)`
    around it, and records the latter's name (`function`), the schedule and the
    scratch memory on the kernel. The kernels stay until `hgc-emit-programs`.

    Needs memory planned and the target named by `hgc.target_cpu` (the default CPU
    otherwise). Tile sizes follow from shapes and the target's table only.

    ```mlir
    exec.kernel @k inputs 1 { ... }
    // becomes
    exec.kernel @k inputs 1 attributes {function = "hgc_kernel_0", units = 1 : i64, ...} { ... }
    func.func private @k_body(%x: memref<8xf32> {llvm.noalias}, ...)
    func.func @hgc_kernel_0(%args: !llvm.ptr, %begin: i64, %end: i64)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // HGC_CODEGEN_CPU_PASSES_TD

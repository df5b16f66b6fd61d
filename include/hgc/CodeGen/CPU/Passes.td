//===- Passes.td - passes of CPU code generation ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_PASSES_TD
#define HGC_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanKernels : Pass<"hgc-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "declare the scratch memory of kernels on the CPU";
  let description = [{
    Sets `scratch_bytes` (per thread) of each `exec.kernel` on the CPU that will
    need working memory, so that `hgc-plan-memory` can count it. A kernel that has
    no code is an error here.

    Needs `hgc-convert-to-exec`; run it before `hgc-plan-memory`.

    ```mlir
    exec.kernel @k inputs 2 { ... }
    // becomes
    exec.kernel @k inputs 2 attributes {scratch_bytes = 65536 : i64} { ... }
    ```
  }];
}

def EmitKernels : Pass<"hgc-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "write the loops of every kernel";
  let description = [{
    Emits for each `exec.kernel` a private function `<kernel>_body` on flat
    buffers and a C function `void (void **args, int64_t begin, int64_t end)`
    around it, and records the latter's name (`function`), the schedule and the
    scratch memory on the kernel. Few long reductions leave partial results in scratch
    memory that all threads share; they have a second pair of functions, which combines
    them (`finish`). The kernels stay until `hgc-emit-programs`.
    Kernels whose device is a GPU are left to `hgc-emit-gpu-kernels`.

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

def LowerToLLVM : Pass<"hgc-lower-to-llvm", "::mlir::ModuleOp"> {
  let summary = "turn the loops of kernels into the LLVM dialect";
  let description = [{
    Runs `buildLowerToLLVMPipeline`: functions of one variable become polynomials,
    what LLVM cannot select well on every CPU (bf16, rounding divisions) is
    expanded, then each dialect is lowered in turn. Buffers become bare pointers.

    Needs `hgc-emit-kernels` to have run. `exec` ops are left alone.

    ```mlir
    func.func private @k_body(%x: memref<8xf32> {llvm.noalias}, ...)
    // becomes
    llvm.func internal @k_body(%x: !llvm.ptr {llvm.noalias}, ...)
    ```
  }];
}

def ExpandMath : Pass<"hgc-expand-math", "::mlir::ModuleOp"> {
  let summary = "replace transcendental functions by polynomials";
  let description = [{
    Applies the patterns of `populateMathExpansionPatterns`. What has no expansion
    stays and becomes a call of libm. Numbers that are rounded to become integers are
    rounded by the conversion.

    ```mlir
    %y = math.exp %x : vector<8xf32>   // becomes fused multiply-adds
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def EmitPrograms : Pass<"hgc-emit-programs", "::mlir::ModuleOp"> {
  let summary = "turn programs into functions that call the runtime";
  let description = [{
    Each `exec.program` becomes `i32 @hgc_program_<name>(ptr ctx, ptr args)`, each
    `exec.kernel` a constant descriptor. The kernels are erased, the programs stay
    with empty bodies as the description of the interface.

    Needs memory planned, and the code of the kernels (attribute `function`)
    lowered by `hgc-lower-to-llvm`; GPU kernels need their `launches`. Actions on
    GPUs are errors outside the GPU plan.

    ```mlir
    exec.launch @k ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    // becomes
    llvm.call @hgc_rt_launch(%ctx, %desc, %args, %count)
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def EmitModel : Pass<"hgc-emit-model", "::mlir::ModuleOp"> {
  let summary = "add the model's descriptor and its C functions";
  let description = [{
    Lays out the constants of `hgc_rt_abi.h` and defines `hgc_model_v1`,
    `<name>_create`, `<name>_destroy`, `<name>_<entry>`, `<name>_<entry>_start`,
    `<name>_wait` and `<name>_last_error`. Everything else stays internal.

    Needs `hgc-emit-programs` to have run. `exec.program` and `exec.blob` stay: the
    header and the weights are made from them.

    ```mlir
    exec.program @p entry "predict" inputs 1 attributes {...} { ... }
    // gives
    llvm.func @mlp_predict(%model: !llvm.ptr, %x: !llvm.ptr, %y: !llvm.ptr) -> i32
    ```
  }];
  let options = [
    Option<"staticLibrary", "static-library", "bool", "false", "name the export function after the model">,
    Option<"strict", "strict", "bool", "false", "instances refuse to run when the GPU plan cannot">,
    Option<"externalWeights", "external-weights", "bool", "false", "expect the weights in a file of their own">,
    Option<"numThreads", "num-threads", "int32_t", "0", "default number of threads; 0 means all cores">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // HGC_CODEGEN_CPU_PASSES_TD

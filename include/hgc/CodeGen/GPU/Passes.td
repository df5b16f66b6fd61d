//===- Passes.td - passes of GPU code generation ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_PASSES_TD
#define HGC_CODEGEN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanGpuKernels : Pass<"hgc-plan-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "declare the scratch memory of kernels on GPUs";
  let description = [{
    Sets `scratch_bytes` of each `exec.kernel` on a GPU that will need working
    memory, and `gemm` where cuBLAS may take over, so that `hgc-plan-memory` can
    count the memory of both. A kernel that has no code is an error here.

    With `own-kernels` the module gets `hgc.own_kernels`: no product is left to
    cuBLAS, which then needs no workspace.

    Needs `hgc-convert-to-exec`; run it before `hgc-plan-memory`.

    ```mlir
    exec.kernel @k inputs 1 attributes {device = #hgc.device<gpu:0>} { ... }
    // becomes
    exec.kernel @k inputs 1 attributes {device = #hgc.device<gpu:0>, scratch_bytes = 4096 : i64} { ... }
    ```
  }];
  let options = [
    Option<"ownKernels", "own-kernels", "bool", "false", "leave no product to cuBLAS">,
  ];
}

def EmitGpuKernels : Pass<"hgc-emit-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "write the functions of every kernel on a GPU";
  let description = [{
    Emits for each `exec.kernel` whose device is a GPU one `gpu.func` per launch
    into `gpu.module @hgc_gpu`, and records the launches, their scratch memory and
    the schedule on the kernel. A kernel without elements has no launches.

    Functions take the kernel's buffers as flat memrefs of storage types, inputs
    first, then the output, then scratch memory if there is any. All are 16-byte
    aligned and do not overlap. The geometry of a launch is static.

    Needs the target named by `hgc.target_gpu`. Tile sizes follow from shapes and
    the target's table only.

    ```mlir
    exec.kernel @k inputs 1 attributes {device = #hgc.device<gpu:0>} { ... }
    // becomes
    exec.kernel @k inputs 1 attributes {device = #hgc.device<gpu:0>, launches = [
      {block = array<i64: 256, 1, 1>, function = "hgc_0_pointwise", grid = array<i64: 4, 1, 1>, shared = 0 : i64}
    ], ...} { ... }
    gpu.module @hgc_gpu {
      gpu.func @hgc_0_pointwise(%x: memref<1024xf32> {llvm.noalias}, ...) kernel { ... }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ExpandGpuMath : Pass<"hgc-expand-gpu-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "replace functions that PTX lacks by arithmetic";
  let description = [{
    Applies the expansions the CPU uses to f32, and those of f64 that a CPU leaves
    to its C library; conversions of bf16 become integer arithmetic. What is left
    afterwards has an instruction, or LLVM knows what to write for it.

    ```mlir
    %y = math.exp %x : f32   // becomes fused multiply-adds
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LowerGpuToNVVM : Pass<"hgc-lower-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "turn the bodies of GPU functions into the NVVM dialect";
  let description = [{
    The last conversion before LLVM IR. Buffers become bare pointers, indices have
    64 bits. Math ops become LLVM's intrinsics, never calls of libdevice.

    Needs structured control flow and elementary functions to be lowered.

    ```mlir
    gpu.func @k(%x: memref<8xf32>) kernel { %i = gpu.thread_id x ... }
    // becomes
    llvm.func @k(%x: !llvm.ptr) attributes {nvvm.kernel} { %i = nvvm.read.ptx.sreg.tid.x : i32 ... }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def LowerGpuToPtx : Pass<"hgc-lower-gpu-to-ptx", "::mlir::ModuleOp"> {
  let summary = "turn GPU functions into PTX";
  let description = [{
    Lowers `gpu.module @hgc_gpu` to the NVVM dialect, to LLVM IR and to PTX, all in
    this process: neither libdevice nor a CUDA toolkit is needed. The text becomes
    an entry of the module's attribute `exec.gpu_images`; the `gpu.module` is
    erased. Code is for the oldest GPU in `hgc.target_gpu`, in the oldest PTX
    version that knows it.

    ```mlir
    gpu.module @hgc_gpu { ... }
    // becomes
    module attributes {exec.gpu_images = [
      {data = "...", kind = "ptx", sm = 80 : i64}
    ]}
    ```
  }];
}

def AssembleCubins : Pass<"hgc-assemble-cubins", "::mlir::ModuleOp"> {
  let summary = "add machine code for the named GPUs to the PTX";
  let description = [{
    Runs NVIDIA's assembler (`ptxas`, a path) on the PTX, once per compute
    capability in `hgc.target_gpu`, and adds what it makes to `exec.gpu_images`. A
    failure is a warning: the PTX stays. Does nothing without a path, so that the
    output depends on what is installed only where asked to.

    Needs `hgc-lower-gpu-to-ptx`.

    ```mlir
    module attributes {exec.gpu_images = [
      {data = "...", kind = "ptx", sm = 80 : i64}
    ]}
    // becomes
    module attributes {exec.gpu_images = [
      {data = "...", kind = "ptx", sm = 80 : i64},
      {data = "...", kind = "cubin", sm = 80 : i64}
    ]}
    ```
  }];
  let options = [Option<"ptxas", "ptxas", "std::string", "\"\"", "path of the assembler; empty: none">];
}

#endif // HGC_CODEGEN_GPU_PASSES_TD

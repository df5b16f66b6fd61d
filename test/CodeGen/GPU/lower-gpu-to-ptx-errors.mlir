// RUN: hgc-opt --hgc-lower-gpu-to-ptx --split-input-file --verify-diagnostics %s

// A function without a body would be refused by the driver.
// expected-error @+2 {{a kernel calls 'surprise', which PTX lacks}}
// expected-note @+1 {{hint: expand the function in hgc-expand-gpu-math, or place its op on the CPU}}
gpu.module @hgc_gpu {
  llvm.func @surprise()
  gpu.func @k() kernel {
    llvm.call @surprise() : () -> ()
    gpu.return
  }
}

// -----

// So would LLVM, which does not come back.
// expected-error @+2 {{a kernel calls 'llvm.exp.f32', which PTX lacks}}
// expected-note @+1 {{hint: expand the function}}
gpu.module @hgc_gpu {
  gpu.func @k(%x: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %0 = memref.load %x[%c0] : memref<1xf32>
    %1 = llvm.intr.exp(%0) : (f32) -> f32
    memref.store %1, %x[%c0] : memref<1xf32>
    gpu.return
  }
}

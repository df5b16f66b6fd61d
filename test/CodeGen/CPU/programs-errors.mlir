// RUN: hgc-opt --hgc-emit-programs --split-input-file --verify-diagnostics %s

module {
  // expected-error @+2 {{has no machine code yet}}
  // expected-note @+1 {{hint: run hgc-emit-kernels and the lowering to LLVM first}}
  exec.kernel @k inputs 1 {
  ^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
    %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
    %1 = hgc.relu %0 : tensor<8xf32>
    exec.store %1, %y : tensor<8xf32>, memref<8xf32>
  }
}

// -----

exec.program @p entry "run" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{has neither an offset nor a slot}}
  // expected-note @+1 {{hint: run hgc-plan-memory first}}
  %b = exec.view : memref<8xf32>
}

// -----

exec.blob @w : memref<8xf32> = dense<1.0>
exec.program @p entry "run" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{uses blob 'w', which has no place yet}}
  // expected-note @+1 {{hint: run hgc-plan-memory first}}
  %w = exec.weight @w : memref<8xf32>
}

// -----

exec.program @p entry "run" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{needs a GPU but is not in the GPU plan}}
  // expected-note @+1 {{hint: place all ops of the CPU plan on the CPU}}
  exec.sync stream 1
}

// -----

exec.program @p entry "run" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{needs a GPU but is not in the GPU plan}}
  // expected-note @+1 {{hint: place all ops of the CPU plan on the CPU}}
  %b = exec.view offset 0 : memref<8xf32, #exec.space<gpu>>
}

// -----

exec.program @p entry "run" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{cannot be part of a program}}
  // expected-note @+1 {{hint: only exec ops that act on buffers can}}
  %c = arith.constant 0 : i32
}

// -----

// expected-error @+2 {{has no GPU code yet}}
// expected-note @+1 {{hint: run hgc-emit-gpu-kernels first}}
exec.kernel @k inputs 0 {
^bb0(%y: memref<8xf32, #exec.space<gpu>>):
  %0 = hgc.constant dense<1.0> : tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, memref<8xf32, #exec.space<gpu>>
}

// -----

exec.program @p entry "p" inputs 0 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = []} {
  // expected-error @+2 {{waits for event 7, which nothing records}}
  // expected-note @+1 {{hint: run hgc-assign-streams, or add exec.record before it}}
  exec.wait event 7 stream 0
  exec.return
}

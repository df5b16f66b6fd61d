// RUN: hgc-opt --hgc-verify-exec --split-input-file --verify-diagnostics %s

// Buffers of one action overlap by some bytes.
module attributes {exec.memory = {arena_bytes = 256 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 256 : i64, tensors = []} {
    // expected-note @+1 {{other buffer}}
    %a = exec.view offset 0 : memref<32xf32>
    // expected-note @+1 {{written buffer}}
    %b = exec.view offset 64 : memref<32xf32>
    exec.fill %a with 0.0 : f32 : memref<32xf32>
    // expected-error @+2 {{writes a buffer that overlaps another of its buffers}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    exec.copy %a to %b : memref<32xf32>, memref<32xf32>
    exec.return
  }
}

// -----

// Two outputs of one call.
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, slots = array<i64: 16>}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 0 : i64, tensors = []} {
    // expected-note @+1 {{written buffer}}
    %a = exec.view slot 0 : memref<4xf32>
    // expected-note @+1 {{other buffer}}
    %b = exec.view slot 0 : memref<4xf32>
    // expected-error @+2 {{writes a buffer that overlaps another of its buffers}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    exec.library "f" outs(%a, %b : memref<4xf32>, memref<4xf32>)
    exec.return
  }
}

// -----

// A kernel may not write its input, also not through an alias; other parts of
// the same buffer are fine.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.kernel @k inputs 1 {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %0 = exec.load %x : memref<4xf32> -> tensor<4xf32>
    exec.store %0, %y : tensor<4xf32>, memref<4xf32>
  }
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 64 : i64, tensors = []} {
    %a = exec.view offset 0 : memref<16xf32>
    // expected-note @+1 {{other buffer}}
    %s = exec.alias %a offset 0 : memref<16xf32> to memref<4xf32>
    %t = exec.alias %a offset 16 : memref<16xf32> to memref<4xf32>
    // expected-note @+1 {{written buffer}}
    %u = exec.alias %a offset 8 : memref<16xf32> to memref<4xf32>
    exec.fill %a with 0.0 : f32 : memref<16xf32>
    exec.launch @k ins(%s : memref<4xf32>) outs(%t : memref<4xf32>)
    // expected-error @+2 {{writes a buffer that overlaps another of its buffers}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    exec.launch @k ins(%s : memref<4xf32>) outs(%u : memref<4xf32>)
    exec.return
  }
}

// -----

// Branches that may run at the same time.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 64 : i64, tensors = []} {
    // expected-error @+2 {{has branches that use the same bytes, one of them writing}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    exec.parallel {
      // expected-note @+1 {{written buffer}}
      %a = exec.view offset 0 : memref<4xf32>
      exec.fill %a with 0.0 : f32 : memref<4xf32>
    }, {
      // expected-note @+1 {{buffer of another branch}}
      %a = exec.view offset 0 : memref<4xf32>
      exec.fill %a with 0.0 : f32 : memref<4xf32>
    }
    exec.return
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 64 : i64, state_bytes = 0 : i64}} {
  // expected-note @+1 {{blob declared here}}
  exec.blob @w : memref<4xf32> = dense<0.0> {offset = 0 : i64}
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 0 : i64, tensors = []} {
    %w = exec.weight @w : memref<4xf32>
    // expected-error @+2 {{writes the immutable blob 'w'}}
    // expected-note @+1 {{hint: mark the blob is_mutable, or write to a view}}
    exec.fill %w with 0.0 : f32 : memref<4xf32>
    exec.return
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 0 : i64, tensors = [{name = "x", shape = [4], type = tensor<4xf32>}]} {
  ^bb0(%x: memref<4xf32>):
    // expected-error @+2 {{writes input #0 of the program}}
    // expected-note @+1 {{hint: inputs belong to the caller; write to a view or an output}}
    exec.fill %x with 0.0 : f32 : memref<4xf32>
    exec.return
  }
}

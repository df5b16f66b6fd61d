// RUN: hgc-opt --hgc-verify-exec --split-input-file --verify-diagnostics %s

// The second view takes the first one's bytes while they are still needed.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 64 : i64, tensors = [
      {name = "x", shape = [4], type = tensor<4xf32>}, {name = "y", shape = [4], type = tensor<4xf32>}]} {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    // expected-note @+1 {{buffer declared here}}
    %a = exec.view offset 0 : memref<4xf32>
    %b = exec.view offset 0 : memref<4xf32>
    exec.copy %x to %a : memref<4xf32>, memref<4xf32>
    // expected-note @+1 {{overwritten here}}
    exec.copy %x to %b : memref<4xf32>, memref<4xf32>
    // expected-error @+2 {{reads a buffer whose bytes were overwritten}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    exec.copy %a to %y : memref<4xf32>, memref<4xf32>
    exec.return
  }
}

// -----

// The same bytes after the last read are fine; so is a second life.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 64 : i64, tensors = [
      {name = "x", shape = [4], type = tensor<4xf32>}, {name = "y", shape = [4], type = tensor<4xf32>}]} {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %a = exec.view offset 0 : memref<4xf32>
    %b = exec.view offset 0 : memref<4xf32>
    exec.copy %x to %a : memref<4xf32>, memref<4xf32>
    exec.copy %a to %y : memref<4xf32>, memref<4xf32>
    exec.copy %x to %b : memref<4xf32>, memref<4xf32>
    exec.copy %b to %y : memref<4xf32>, memref<4xf32>
    exec.return
  }
}

// -----

// Read in the first iteration, overwritten at its end, read again in the second.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 64 : i64, tensors = [
      {name = "x", shape = [4], type = tensor<4xf32>}, {name = "y", shape = [4], type = tensor<4xf32>}]} {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    // expected-note @+1 {{buffer declared here}}
    %a = exec.view offset 0 : memref<4xf32>
    exec.copy %x to %a : memref<4xf32>, memref<4xf32>
    exec.for 2 {
    ^bb0(%i: index):
      %b = exec.view offset 0 : memref<4xf32>
      // expected-error @+2 {{reads a buffer whose bytes were overwritten}}
      // expected-note @+1 {{hint: run hgc-plan-memory}}
      exec.copy %a to %y : memref<4xf32>, memref<4xf32>
      // expected-note @+1 {{overwritten here}}
      exec.copy %x to %b : memref<4xf32>, memref<4xf32>
    }
    exec.return
  }
}

// -----

// A view inside a loop carries nothing into the next iteration.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 64 : i64, tensors = [
      {name = "x", shape = [4], type = tensor<4xf32>}, {name = "y", shape = [4], type = tensor<4xf32>}]} {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    exec.for 2 {
    ^bb0(%i: index):
      // expected-note @+1 {{buffer declared here}}
      %b = exec.view offset 0 : memref<4xf32>
      // expected-error @+2 {{reads a buffer that was not written before}}
      // expected-note @+1 {{hint: write it on every way to this op}}
      exec.copy %b to %y : memref<4xf32>, memref<4xf32>
      exec.copy %x to %b : memref<4xf32>, memref<4xf32>
    }
    exec.return
  }
}

// -----

// Written on one side of a branch only.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 2 attributes {arena_bytes = 64 : i64, tensors = [{name = "c", shape = [], type = tensor<i1>},
      {name = "x", shape = [4], type = tensor<4xf32>}, {name = "y", shape = [4], type = tensor<4xf32>}]} {
  ^bb0(%c: memref<i1>, %x: memref<4xf32>, %y: memref<4xf32>):
    // expected-note @+1 {{buffer declared here}}
    %a = exec.view offset 0 : memref<4xf32>
    exec.if %c : memref<i1> {
      exec.copy %x to %a : memref<4xf32>, memref<4xf32>
    } else {
    }
    // expected-error @+2 {{reads a buffer that was not written before}}
    // expected-note @+1 {{hint: write it on every way to this op}}
    exec.copy %a to %y : memref<4xf32>, memref<4xf32>
    exec.return
  }
}

// -----

// The body of a while loop may not run at all: the output needs a value before.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  // expected-error @+2 {{does not write output "y" on every way to its end}}
  // expected-note @+1 {{hint: copy or launch into that block argument}}
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 64 : i64, tensors = [
      {name = "x", shape = [4], type = tensor<4xf32>}, {name = "y", shape = [4], type = tensor<4xf32>}]} {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %c = exec.view offset 0 : memref<i1>
    exec.while %c : memref<i1> {
      exec.fill %c with false : memref<i1>
    } do {
      exec.copy %x to %y : memref<4xf32>, memref<4xf32>
    }
    exec.return
  }
}

// -----

// Nobody computed the condition.
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 64 : i64, tensors = []} {
    // expected-note @+1 {{buffer declared here}}
    %c = exec.view offset 0 : memref<i1>
    // expected-error @+2 {{reads a buffer that was not written before}}
    // expected-note @+1 {{hint: write it on every way to this op}}
    exec.while %c : memref<i1> {
    } do {
    }
    exec.return
  }
}

// RUN: hgc-opt --hgc-verify-exec --split-input-file --verify-diagnostics %s

// expected-error @+2 {{module has no memory plan in 'exec.memory'}}
// expected-note @+1 {{hint: run hgc-plan-memory first}}
module {
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  // expected-error @+2 {{has no place in memory}}
  // expected-note @+1 {{hint: run hgc-plan-memory first}}
  exec.blob @b : memref<2xf32> = dense<0.0>
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 64 : i64, state_bytes = 0 : i64}} {
  // expected-error @+2 {{starts at byte 8 of the weights, expected a multiple of 64}}
  // expected-note @+1 {{hint: run hgc-plan-memory after the last pass that changes the program}}
  exec.blob @b : memref<2xf32> = dense<0.0> {offset = 8 : i64}
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 64 : i64}} {
  // expected-error @+2 {{ends at byte 72 of the state, which has 64 bytes}}
  // expected-note @+1 {{hint: run hgc-plan-memory}}
  exec.blob @b : memref<2xf32> = dense<0.0> {offset = 64 : i64, is_mutable}
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 128 : i64, state_bytes = 0 : i64}} {
  // expected-note @+1 {{the other blob}}
  exec.blob @a : memref<20xf32> = dense<0.0> {offset = 0 : i64}
  // expected-error @+2 {{overlaps blob 'a'}}
  // expected-note @+1 {{hint: run hgc-plan-memory}}
  exec.blob @b : memref<2xf32> = dense<0.0> {offset = 64 : i64}
}

// -----

module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 64 : i64, tensors = []} {
    // expected-error @+2 {{has no place in memory}}
    // expected-note @+1 {{hint: run hgc-plan-memory first}}
    %a = exec.view : memref<16xf32>
    exec.return
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 64 : i64, tensors = []} {
    // expected-error @+2 {{starts at byte 4 of the arena, expected a multiple of 64}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    %a = exec.view offset 4 : memref<4xf32>
    exec.return
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 64 : i64, tensors = []} {
    // expected-error @+2 {{ends at byte 80 of the arena, which has 64 bytes}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    %a = exec.view offset 64 : memref<4xf32>
    exec.return
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  // expected-error @+2 {{needs an arena of 128 bytes, the module provides 64}}
  // expected-note @+1 {{hint: run hgc-plan-memory}}
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 128 : i64, tensors = []} {
    exec.return
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, slots = array<i64: 64>}} {
  exec.program @p entry "p" inputs 0 attributes {arena_bytes = 0 : i64, tensors = []} {
    %a = exec.view slot 0 : memref<16xf32>
    // expected-error @+2 {{needs 64 bytes in slot 1, which 'exec.memory' does not provide}}
    // expected-note @+1 {{hint: run hgc-plan-memory}}
    %b = exec.view slot 1 : memref<16xf32>
    exec.return
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  // expected-error @+2 {{does not end with exec.return}}
  // expected-note @+1 {{hint: add exec.return as its last op}}
  exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  }
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64}} {
  exec.program @p entry "p" inputs 0 attributes {tensors = []} {
    // expected-error @+2 {{is not the last op of its program}}
    // expected-note @+1 {{hint: move it to the end; use exec.if to skip ops}}
    exec.return
    exec.return
  }
}

// -----

// A call that is refused leaves state as it was.
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 64 : i64}} {
  exec.blob @s : memref<i1> = dense<false> {offset = 0 : i64, is_mutable}
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 0 : i64, tensors = [{name = "x", shape = [], type = tensor<i1>}]} {
  ^bb0(%x: memref<i1>):
    %s = exec.weight @s : memref<i1>
    exec.fail_if %x, "in time" : memref<i1>
    // expected-note @+1 {{state is written here}}
    exec.copy %x to %s : memref<i1>, memref<i1>
    // expected-error @+2 {{ends the call when state may be written already}}
    // expected-note @+1 {{hint: write state behind the last exec.fail_if}}
    exec.fail_if %x, "too late" : memref<i1>
    exec.return
  }
}

// -----

// The second round of a loop comes behind all of the first.
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 64 : i64}} {
  exec.blob @s : memref<i1> = dense<false> {offset = 0 : i64, is_mutable}
  exec.program @p entry "p" inputs 1 attributes {arena_bytes = 0 : i64, tensors = [{name = "x", shape = [], type = tensor<i1>}]} {
  ^bb0(%x: memref<i1>):
    %s = exec.weight @s : memref<i1>
    // expected-note @+1 {{state is written here}}
    exec.for 2 {
    ^bb0(%i: index):
      // expected-error @+2 {{ends the call when state may be written already}}
      // expected-note @+1 {{hint: write state behind the last exec.fail_if}}
      exec.fail_if %x, "late" : memref<i1>
      exec.copy %x to %s : memref<i1>, memref<i1>
    }
    exec.return
  }
}

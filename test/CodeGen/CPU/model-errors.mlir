// RUN: hgc-opt --hgc-emit-model --split-input-file --verify-diagnostics %s

// expected-error @+2 {{has no arena size}}
// expected-note @+1 {{hint: run hgc-plan-memory first}}
exec.program @p entry "run" inputs 0 attributes {tensors = []} {
}

// -----

// expected-error @+2 {{has a tensor 'x' with dim 'batch', which is not in dim_names}}
// expected-note @+1 {{hint: list the dim in dim_names and its extent in dims}}
exec.program @p entry "run" inputs 1 attributes {arena_bytes = 0 : i64,
    tensors = [{name = "x", shape = ["batch"], type = tensor<4xf32>}]} {
^bb0(%x: memref<4xf32>):
}

// -----

// expected-note @+1 {{first program is here}}
exec.program @a entry "run" inputs 0 attributes {arena_bytes = 0 : i64, tensors = []} {
}
// expected-error @+2 {{is a second program of entry 'run' that its dims do not tell from the first}}
// expected-note @+1 {{hint: give each program of an entry the same dim_names and other dims}}
exec.program @b entry "run" inputs 0 attributes {arena_bytes = 0 : i64, tensors = []} {
}

// -----

// expected-error @+2 {{has no offset}}
// expected-note @+1 {{hint: run hgc-plan-memory first}}
exec.blob @w : memref<8xf32> = dense<1.0>

// -----

exec.blob @a : memref<8xf32> = dense<1.0> {offset = 0}
// expected-error @+2 {{lies at offset 16, where another blob ends at 32}}
// expected-note @+1 {{hint: run hgc-plan-memory again}}
exec.blob @b : memref<8xf32> = dense<1.0> {offset = 16}

// -----

// expected-error @+2 {{has a value that is not data}}
// expected-note @+1 {{hint: load files and draw initial values before hgc-emit-model}}
exec.blob @w : memref<8xf32> = #hgc.init<zeros> {offset = 0}

// -----

// Only an extent that follows a dim can be described to callers.
// expected-error @+2 {{has a tensor 'y' whose extent at axis 0 varies between variants but is no dim of the entry}}
// expected-note @+1 {{hint: compile one variant only, e.g. --dim n=2}}
exec.program @a entry "run" inputs 0 attributes {arena_bytes = 0 : i64, dim_names = ["n"], dims = array<i64: 2>,
    tensors = [{name = "y", shape = [4], type = tensor<4xf32>}]} {
^bb0(%y: memref<4xf32>):
}
exec.program @b entry "run" inputs 0 attributes {arena_bytes = 0 : i64, dim_names = ["n"], dims = array<i64: 3>,
    tensors = [{name = "y", shape = [6], type = tensor<6xf32>}]} {
^bb0(%y: memref<6xf32>):
}

// -----

// expected-error @+2 {{has 4 bytes of data, expected 32}}
// expected-note @+1 {{hint: give the resource the size of its type}}
exec.blob @w : memref<8xf32> = dense_resource<short> {offset = 0}

{-#
  dialect_resources: {
    builtin: {
      short: "0x0400000000000000"
    }
  }
#-}

// -----

// expected-error @+2 {{has no counterpart in the GPU plan}}
// expected-note @+1 {{hint: give both plans a program for the same entry and dims}}
exec.program @a entry "run" inputs 0 attributes {arena_bytes = 0 : i64, tensors = []} {
}
exec.program @b entry "other" inputs 0 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = []} {
}

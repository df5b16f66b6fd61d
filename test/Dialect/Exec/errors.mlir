// RUN: hgc-opt --split-input-file --verify-diagnostics %s

// expected-error @+2 {{has buffer type 'memref<?xf32>', expected static row-major extents}}
// expected-note @+1 {{hint: bind the dims first (hgc-bind-dims), and use exec.alias for parts of a buffer}}
exec.blob @b : memref<?xf32> = #hgc.file<"m.safetensors", "b">

// -----

// expected-error @+2 {{has a value of type 'tensor<3xf32>' in a buffer of type 'memref<2xf32>'}}
// expected-note @+1 {{hint: give value and buffer the same shape and element type}}
"exec.blob"() {sym_name = "b", type = memref<2xf32>, value = dense<0.0> : tensor<3xf32>} : () -> ()

// -----

// expected-error @+2 {{is packed but names no parameter}}
// expected-note @+1 {{hint: add parameter = "...", or drop packed}}
exec.blob @b : memref<2xf32> = dense<0.0> {packed}

// -----

// expected-error @+2 {{has offset -64, expected a value not below 0}}
// expected-note @+1 {{hint: drop the attribute; the pass that owns it sets it}}
exec.blob @b : memref<2xf32> = dense<0.0> {offset = -64 : i64}

// -----

// expected-error @+2 {{is immutable but has an init_offset}}
// expected-note @+1 {{hint: drop init_offset, or add is_mutable}}
exec.blob @b : memref<2xf32> = dense<0.0> {init_offset = 0 : i64}

// -----

// expected-error @+2 {{has 1 block arguments, expected 1 inputs and an output}}
// expected-note @+1 {{hint: the number after `inputs` counts the block arguments before the outputs}}
exec.kernel @k inputs 1 {
^bb0(%x: memref<8xf32>):
}

// -----

// expected-error @+2 {{has block argument #0 of type 'tensor<8xf32>', expected a memref}}
// expected-note @+1 {{hint: kernels work on buffers}}
exec.kernel @k inputs 1 {
^bb0(%x: tensor<8xf32>, %y: memref<8xf32>):
  exec.store %x, %y : tensor<8xf32>, memref<8xf32>
}

// -----

// expected-error @+2 {{does not store each output exactly once}}
// expected-note @+1 {{hint: end the body with one exec.store to each output, in their order}}
exec.kernel @k inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
}

// -----

// expected-error @+2 {{does not store each output exactly once}}
// expected-note @+1 {{hint: end the body with one exec.store to each output, in their order}}
exec.kernel @k inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  exec.store %0, %x : tensor<8xf32>, memref<8xf32>
}

// -----

// expected-error @+2 {{does not store each output exactly once}}
// expected-note @+1 {{hint: end the body with one exec.store to each output, in their order}}
exec.kernel @k inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  exec.store %0, %z : tensor<8xf32>, memref<8xf32>
  exec.store %0, %y : tensor<8xf32>, memref<8xf32>
}

// -----

exec.kernel @k inputs 2 {
^bb0(%x: memref<8xf32>, %s: memref<f32>, %y: memref<8xf32>, %z: memref<f32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  %1 = exec.load %s : memref<f32> -> tensor<f32>
  exec.store %0, %y : tensor<8xf32>, memref<8xf32>
  // expected-error @+2 {{has another shape than the kernel's first output}}
  // expected-note @+1 {{hint: all outputs of a kernel have one shape; make another kernel for this one}}
  exec.store %1, %z : tensor<f32>, memref<f32>
}

// -----

// expected-error @+2 {{reads output #0 at other places than it writes}}
// expected-note @+1 {{hint: only elementwise ops may read what is updated in place; pass a copy as an input}}
exec.kernel @k inputs 0 {
^bb0(%x: memref<2x2xf32>):
  %0 = exec.load %x : memref<2x2xf32> -> tensor<2x2xf32>
  %1 = hgc.transpose %0 permutation = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  exec.store %1, %x : tensor<2x2xf32>, memref<2x2xf32>
}

// -----

exec.kernel @k inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  // expected-error @+2 {{moves 'tensor<4xf32>' through a buffer of type 'memref<8xf32>'}}
  // expected-note @+1 {{hint: buffer and tensor need the same shape and element type}}
  %0 = exec.load %x : memref<8xf32> -> tensor<4xf32>
  exec.store %0, %y : tensor<4xf32>, memref<8xf32>
}

// -----

// expected-error @+2 {{has 1 block arguments but 2 inputs}}
// expected-note @+1 {{hint: the number after `inputs` counts the block arguments that are inputs}}
exec.program @p entry "p" inputs 2 attributes {tensors = [{name = "x", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: memref<8xf32>):
}

// -----

// expected-error @+2 {{has 1 dim names but 0 extents}}
// expected-note @+1 {{hint: give each name in dim_names its extent in dims}}
exec.program @p entry "p" inputs 0 attributes {dim_names = ["n"], tensors = []} {
}

// -----

// expected-error @+2 {{describes 0 tensors but has 1 block arguments}}
// expected-note @+1 {{hint: add one description per input and output to `tensors`}}
exec.program @p entry "p" inputs 1 attributes {tensors = []} {
^bb0(%x: memref<8xf32>):
}

// -----

// expected-error @+2 {{has tensor #0 with its extents in "s", which is no output of 1 i64}}
// expected-note @+1 {{hint: name an output that holds the actual shape}}
exec.program @p entry "p" inputs 0 attributes {tensors = [
    {extents = "s", name = "x", shape = [8], type = tensor<8xf32>}, {name = "s", shape = [2], type = tensor<2xi64>}]} {
^bb0(%x: memref<8xf32>, %s: memref<2xi64>):
}

// -----

// expected-error @+2 {{has malformed tensor description #0}}
// expected-note @+1 {{hint: write {name = "x", shape = ["batch", 8], type = tensor<2x8xf32>}}}
exec.program @p entry "p" inputs 1 attributes {tensors = [{name = "x"}]} {
^bb0(%x: memref<8xf32>):
}

// -----

// expected-error @+2 {{describes block argument #0 of type 'memref<8xf32>' as 'tensor<8xi32>' of shape [8]}}
// expected-note @+1 {{hint: description and block argument need the same shape and element type}}
exec.program @p entry "p" inputs 1 attributes {tensors = [{name = "x", shape = [8], type = tensor<8xi32>}]} {
^bb0(%x: memref<8xf32>):
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{has both an offset and a slot}}
  // expected-note @+1 {{hint: keep the offset (packed arena) or the slot (separate allocations)}}
  %a = exec.view offset 0 slot 0 : memref<8xf32>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{names blob 'w', which does not exist}}
  // expected-note @+1 {{hint: declare it with exec.blob at the top of the module}}
  %a = exec.weight @w : memref<8xf32>
}

// -----

// expected-note @+1 {{blob declared here}}
exec.blob @w : memref<2xf32> = dense<0.0>
exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{has type 'memref<8xf32>' but blob 'w' has type 'memref<2xf32>'}}
  // expected-note @+1 {{hint: use the blob's type, and exec.alias to reinterpret it}}
  %a = exec.weight @w : memref<8xf32>
}

// -----

// expected-error @+2 {{belongs to plan 'tpu', expected 'cpu' or 'gpu'}}
// expected-note @+1 {{hint: drop the attribute for the CPU plan}}
exec.program @p entry "p" inputs 0 attributes {plan = "tpu", tensors = []} {
}

// -----

// expected-error @+2 {{loads weights but is not a program of the GPU plan without tensors}}
// expected-note @+1 {{hint: add plan = "gpu" and drop the block arguments}}
exec.program @p entry "p" inputs 0 attributes {load, tensors = []} {
}

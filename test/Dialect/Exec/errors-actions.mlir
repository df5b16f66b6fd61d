// RUN: hgc-opt --split-input-file --verify-diagnostics %s

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  // expected-error @+2 {{goes from 'memref<8xf32>' to the memory space of 'memref<8xf32, #exec.space<gpu>>'}}
  // expected-note @+1 {{hint: keep the memory space; only exec.copy moves bytes}}
  %b = exec.alias %a offset 0 : memref<8xf32> to memref<8xf32, #exec.space<gpu>>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  // expected-error @+2 {{has an index or a stride without the other}}
  // expected-note @+1 {{hint: write `index %i stride <bytes>`}}
  %b = exec.alias %a offset 0 stride 4 : memref<8xf32> to memref<f32>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  // expected-error @+2 {{ends at byte 40 of a source of 32 bytes}}
  // expected-note @+1 {{hint: lower the offset, or use a smaller result type}}
  %b = exec.alias %a offset 8 : memref<8xf32> to memref<2x4xf32>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  %b = exec.view : memref<2x4xf32>
  // expected-error @+2 {{copies 'memref<8xf32>' to 'memref<2x4xf32>'}}
  // expected-note @+1 {{hint: source and target need the same shape and element type}}
  exec.copy %a to %b : memref<8xf32>, memref<2x4xf32>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  // expected-error @+2 {{fills elements of type 'f32' with a value of type 'i32'}}
  // expected-note @+1 {{hint: give the value the buffer's element type}}
  exec.fill %a with 0 : i32 : memref<8xf32>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  // expected-error @+2 {{names kernel 'k', which does not exist}}
  // expected-note @+1 {{hint: declare it with exec.kernel in the module}}
  exec.launch @k outs(%a : memref<8xf32>)
}

// -----

// expected-note @+1 {{kernel declared here}}
exec.kernel @k inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, memref<8xf32>
}
exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  // expected-error @+2 {{passes 0 inputs and 1 outputs to kernel 'k', expected 1 and 1}}
  // expected-note @+1 {{hint: pass the buffers in the order and types of the kernel's block arguments}}
  exec.launch @k outs(%a : memref<8xf32>)
}

// -----

// expected-note @+1 {{kernel declared here}}
exec.kernel @k inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, memref<8xf32>
}
exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<8xf32>
  %b = exec.view : memref<4xf32>
  // expected-error @+2 {{passes 'memref<4xf32>' as argument #0 of kernel 'k', expected 'memref<8xf32>'}}
  // expected-note @+1 {{hint: pass the buffers in the order and types of the kernel's block arguments}}
  exec.launch @k ins(%b : memref<4xf32>) outs(%a : memref<8xf32>)
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<2xi64>
  // expected-error @+2 {{reads one 'i64', got a buffer of type 'memref<2xi64>'}}
  // expected-note @+1 {{hint: pass a buffer with exactly one element of that type}}
  exec.set_extent 0, %a : memref<2xi64>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<i8>
  // expected-error @+2 {{reads one 'i1', got a buffer of type 'memref<i8>'}}
  // expected-note @+1 {{hint: pass a buffer with exactly one element}}
  exec.fail_if %a, "no" : memref<i8>
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<i8>
  // expected-error @+2 {{reads one 'i1', got a buffer of type 'memref<i8>'}}
  // expected-note @+1 {{hint: pass a buffer with exactly one element}}
  exec.if %a : memref<i8> {
  } else {
  }
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<f32>
  // expected-error @+2 {{reads one 'i1', got a buffer of type 'memref<f32>'}}
  // expected-note @+1 {{hint: pass a buffer with exactly one element}}
  exec.while %a : memref<f32> {
  } do {
  }
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{has a region with 0 arguments, expected one of type index}}
  // expected-note @+1 {{hint: write ^bb0(%i: index): at the top of the body}}
  exec.for 3 {
  }
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{has count -1, expected a value not below 0}}
  // expected-note @+1 {{hint: drop the attribute}}
  exec.for -1 {
  ^bb0(%i: index):
  }
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  // expected-error @+2 {{has a region with 1 arguments, expected none}}
  // expected-note @+1 {{hint: buffers of the program are visible inside; pass nothing}}
  exec.parallel {
  ^bb0(%i: index):
  }
}

// -----

exec.program @p entry "p" inputs 0 attributes {tensors = []} {
  %c = exec.view : memref<i1>
  // expected-error @+2 {{has trip_hint -3, expected a value not below 0}}
  // expected-note @+1 {{hint: drop the attribute}}
  exec.while %c : memref<i1> attributes {trip_hint = -3 : i64} {
  } do {
  }
}

// RUN: hgc-opt --hgc-emit-kernels --verify-diagnostics --split-input-file %s

// Different elements belong into a blob.
exec.kernel @constant inputs 1 {
^bb0(%x: memref<2xf32>, %y: memref<2xf32>):
  %0 = exec.load %x : memref<2xf32> -> tensor<2xf32>
  // expected-error @+2 {{has different elements, a constant inside a kernel must have equal ones}}
  // expected-note @+1 {{hint: pass it to the kernel as an input}}
  %c = hgc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = hgc.mul %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  exec.store %1, %y : tensor<2xf32>, memref<2xf32>
}

// -----

// A second root has no value at a single point.
exec.kernel @roots inputs 1 {
^bb0(%x: memref<2x4xf32>, %y: memref<f32>):
  %0 = exec.load %x : memref<2x4xf32> -> tensor<2x4xf32>
  %1 = hgc.reduce sum %0 axes = [1] : (tensor<2x4xf32>) -> tensor<2xf32>
  // expected-error @+2 {{cannot be evaluated element by element beside root 'hgc.reduce'}}
  // expected-note @+1 {{hint: give it a kernel of its own}}
  %2 = hgc.reduce max %1 axes = [0] : (tensor<2xf32>) -> tensor<f32>
  exec.store %2, %y : tensor<f32>, memref<f32>
}

// -----

// Softmax visits elements of its result several times.
// expected-error @+2 {{kernel 'twice' has several outputs or updates one in place}}
// expected-note @+1 {{hint: on the CPU, elementwise kernels, products and filter gradients may; split the others}}
exec.kernel @twice inputs 1 {
^bb0(%x: memref<2x4xf32>, %y: memref<2x4xf32>, %z: memref<2x4xf32>):
  %0 = exec.load %x : memref<2x4xf32> -> tensor<2x4xf32>
  %1 = hgc.softmax %0 axis 1 : tensor<2x4xf32>
  %2 = hgc.neg %1 : tensor<2x4xf32>
  exec.store %1, %y : tensor<2x4xf32>, memref<2x4xf32>
  exec.store %2, %z : tensor<2x4xf32>, memref<2x4xf32>
}

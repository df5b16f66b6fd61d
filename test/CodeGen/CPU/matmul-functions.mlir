// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Functions of the sums: the two vectors of a row are one, and wait for the stores of the row before.
// CHECK-LABEL: func.func private @function_body
// CHECK:         %[[A:.*]] = llvm.inline_asm has_side_effects "", "=v,0" %{{.*}} : (vector<16xf32>) -> vector<16xf32>
// CHECK-NEXT:    %[[B:.*]] = llvm.inline_asm has_side_effects "", "=v,0" %{{.*}} : (vector<16xf32>) -> vector<16xf32>
// CHECK:         vector.insert_strided_slice %[[A]]
// CHECK:         vector.insert_strided_slice %[[B]]
// CHECK:         math.exp {{.*}} : vector<32xf32>
// CHECK:         vector.store {{.*}} vector<32xf32>
// CHECK:         llvm.inline_asm has_side_effects
// CHECK-NEXT:    llvm.inline_asm has_side_effects
module attributes {hgc.target_cpu = "x86-64-v4"} {
exec.kernel @function inputs 2 {
^bb0(%x: memref<64x384xf32>, %y: memref<384x256xf32>, %r: memref<64x256xf32>):
  %0 = exec.load %x : memref<64x384xf32> -> tensor<64x384xf32>
  %1 = exec.load %y : memref<384x256xf32> -> tensor<384x256xf32>
  %2 = hgc.matmul %0, %1 : (tensor<64x384xf32>, tensor<384x256xf32>) -> tensor<64x256xf32>
  %3 = hgc.exp %2 : tensor<64x256xf32>
  exec.store %3, %r : tensor<64x256xf32>, memref<64x256xf32>
}

// What is short LLVM may arrange, and two rows.
// CHECK-LABEL: func.func private @short_body
// CHECK-NOT:     llvm.inline_asm has_side_effects
exec.kernel @short inputs 2 {
^bb0(%x: memref<64x384xf32>, %y: memref<384x256xf32>, %r: memref<64x256xf32>):
  %0 = exec.load %x : memref<64x384xf32> -> tensor<64x384xf32>
  %1 = exec.load %y : memref<384x256xf32> -> tensor<384x256xf32>
  %2 = hgc.matmul %0, %1 : (tensor<64x384xf32>, tensor<384x256xf32>) -> tensor<64x256xf32>
  %3 = hgc.relu %2 : tensor<64x256xf32>
  exec.store %3, %r : tensor<64x256xf32>, memref<64x256xf32>
}

// CHECK-LABEL: func.func private @two_rows_body
// CHECK-NOT:     llvm.inline_asm has_side_effects
exec.kernel @two_rows inputs 2 {
^bb0(%x: memref<2x384xf32>, %y: memref<384x256xf32>, %r: memref<2x256xf32>):
  %0 = exec.load %x : memref<2x384xf32> -> tensor<2x384xf32>
  %1 = exec.load %y : memref<384x256xf32> -> tensor<384x256xf32>
  %2 = hgc.matmul %0, %1 : (tensor<2x384xf32>, tensor<384x256xf32>) -> tensor<2x256xf32>
  %3 = hgc.exp %2 : tensor<2x256xf32>
  exec.store %3, %r : tensor<2x256xf32>, memref<2x256xf32>
}
}

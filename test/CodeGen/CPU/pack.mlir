// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// A unit is a panel; the last one has 5 columns and 11 zeros.
// CHECK:       exec.kernel @matrix {{.*}}schedule = "pack: panels of 16"{{.*}}units = 3 : i64
// CHECK-LABEL: func.func private @matrix_body
// CHECK:         scf.for
// CHECK-COUNT-2:   vector.load {{.*}} vector<8xf32>
// CHECK:         scf.if
// CHECK:           memref.load
// CHECK:           vector.store %cst
exec.kernel @matrix inputs 1 {
^bb0(%x: memref<7x37xf32>, %y: memref<3x7x16xf32>):
  %0 = exec.load %x : memref<7x37xf32> -> tensor<7x37xf32>
  %1 = hgc.pack matmul_rhs %0 width 16 : (tensor<7x37xf32>) -> tensor<3x7x16xf32>
  exec.store %1, %y : tensor<3x7x16xf32>, memref<3x7x16xf32>
}

// Groups of a filter are ranges of its columns. Eight rows become part of all panels before the next ones, at the end
// those that are left.
// CHECK:       exec.kernel @filter {{.*}}units = 2 : i64
// CHECK-LABEL: func.func private @filter_body
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %c36 step %c8 {
// CHECK:           scf.for
// CHECK:             %[[LEFT:.*]] = arith.subi %c36, %[[ROW]]
// CHECK:             %[[ROWS:.*]] = arith.minsi %[[LEFT]], %c8
// CHECK:             scf.for {{.*}} to %[[ROWS]] {{.*}} {
// CHECK:               vector.load {{.*}} vector<8xf32>
exec.kernel @filter inputs 1 {
^bb0(%x: memref<3x3x4x32xf32>, %y: memref<2x1x36x16xf32>):
  %0 = exec.load %x : memref<3x3x4x32xf32> -> tensor<3x3x4x32xf32>
  %1 = hgc.pack conv_filter %0 width 16 groups = 2 : (tensor<3x3x4x32xf32>) -> tensor<2x1x36x16xf32>
  exec.store %1, %y : tensor<2x1x36x16xf32>, memref<2x1x36x16xf32>
}

// Panels that outgrow the second-level cache go past all caches where the buffer starts at a vector, but for what is left
// of the last one.
// CHECK:       exec.kernel @large {{.*}}schedule = "pack: panels of 16, streamed"
// CHECK-LABEL: func.func private @large_body
// CHECK:         memref.extract_aligned_pointer_as_index %arg1
// CHECK:         scf.if
// CHECK-COUNT-2:   vector.store {{.*}} {alignment = 32 : i64, nontemporal = true} {{.*}} vector<8xf32>
// CHECK:           vector.store %{{[^{]*}} : memref<160000xf32>, vector<4xf32>
// CHECK:           llvm.call_intrinsic "llvm.x86.sse.sfence"
// CHECK:         } else {
// CHECK-NOT:       nontemporal
// CHECK:         return
exec.kernel @large inputs 1 {
^bb0(%x: memref<400x390xf32>, %y: memref<25x400x16xf32>):
  %0 = exec.load %x : memref<400x390xf32> -> tensor<400x390xf32>
  %1 = hgc.pack matmul_rhs %0 width 16 : (tensor<400x390xf32>) -> tensor<25x400x16xf32>
  exec.store %1, %y : tensor<25x400x16xf32>, memref<25x400x16xf32>
}

// Panels without rows hold nothing.
// CHECK-LABEL: func.func private @no_rows_body
// CHECK-NOT:     memref.store
// CHECK-NOT:     vector.store
// CHECK:         return
exec.kernel @no_rows inputs 1 {
^bb0(%x: memref<0x37xf32>, %y: memref<3x0x16xf32>):
  %0 = exec.load %x : memref<0x37xf32> -> tensor<0x37xf32>
  %1 = hgc.pack matmul_rhs %0 width 16 : (tensor<0x37xf32>) -> tensor<3x0x16xf32>
  exec.store %1, %y : tensor<3x0x16xf32>, memref<3x0x16xf32>
}

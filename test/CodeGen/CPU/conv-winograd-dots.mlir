// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// The last panel has four columns: vectors of sixteen lanes run along the depth. Its columns are written one after the
// other, and the sums of four squares folded together into one vector.
// CHECK-LABEL: func.func private @dots_body
// CHECK-SAME:    (%{{.*}}: memref<225792xf32> {{.*}}, %[[W:.*]]: memref<165888xf32>
// CHECK:         scf.for {{.*}} to %c36
// CHECK:           scf.if
// CHECK:             scf.for {{.*}} to %c72 step %c4
// CHECK-COUNT-4:       vector.load %[[W]]{{.*}} vector<4xf32>
// CHECK-COUNT-4:       vector.store {{.*}} memref<320xf32>, vector<4xf32>
// CHECK:             scf.for
// CHECK:               scf.for {{.*}} to %c64 step %c16
// CHECK-COUNT-4:         vector.load {{.*}} memref<320xf32>, vector<16xf32>
// CHECK:               vector.maskedload
// CHECK-COUNT-30:      vector.shuffle
// CHECK:               vector.store {{.*}} vector<16xf32>
// CHECK:           } else {
// CHECK-COUNT-2:     vector.load %[[W]]{{.*}} vector<16xf32>
module attributes {hgc.target_cpu = "znver4"} {
  exec.kernel @dots inputs 2 {
  ^bb0(%x: memref<1x56x56x72xf32>, %w: memref<1x2x2592x32xf32>, %y: memref<1x56x56x36xf32>):
    %0 = exec.load %x : memref<1x56x56x72xf32> -> tensor<1x56x56x72xf32>
    %1 = exec.load %w : memref<1x2x2592x32xf32> -> tensor<1x2x2592x32xf32>
    %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <32, [3, 3, 72, 36]> {hgc.form = "winograd4"}
        : (tensor<1x56x56x72xf32>, tensor<1x2x2592x32xf32>) -> tensor<1x56x56x36xf32>
    exec.store %2, %y : tensor<1x56x56x36xf32>, memref<1x56x56x36xf32>
  }
}

// -----

// A short depth is not worth it.
// CHECK-LABEL: func.func private @short_body
// CHECK-NOT:     vector.shuffle
// CHECK:         return
module attributes {hgc.target_cpu = "znver4"} {
  exec.kernel @short inputs 2 {
  ^bb0(%x: memref<1x56x56x48xf32>, %w: memref<1x2x1728x32xf32>, %y: memref<1x56x56x36xf32>):
    %0 = exec.load %x : memref<1x56x56x48xf32> -> tensor<1x56x56x48xf32>
    %1 = exec.load %w : memref<1x2x1728x32xf32> -> tensor<1x2x1728x32xf32>
    %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <32, [3, 3, 48, 36]> {hgc.form = "winograd4"}
        : (tensor<1x56x56x48xf32>, tensor<1x2x1728x32xf32>) -> tensor<1x56x56x36xf32>
    exec.store %2, %y : tensor<1x56x56x36xf32>, memref<1x56x56x36xf32>
  }
}

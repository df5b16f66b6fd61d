// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// The last panel has four columns: vectors of sixteen lanes run along the depth. Its columns are written one after the
// other once, then the sums of four rows are folded together into one vector; the other panel has tiles.
// CHECK-LABEL: func.func private @dots_body
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<20000xf32>{{.*}}, %[[W:[a-z0-9]+]]: memref<6400xf32>
// CHECK:         scf.for {{.*}} to %c100 step %c4
// CHECK-COUNT-4:   vector.load %[[W]]{{.*}} vector<4xf32>
// CHECK-COUNT-4:   vector.store {{.*}} memref<448xf32>, vector<4xf32>
// CHECK:         scf.for
// CHECK:           vector.load %[[W]]{{.*}} vector<16xf32>
// CHECK:           scf.for {{.*}} to %c96 step %c16
// CHECK-COUNT-4:     vector.load {{.*}} memref<448xf32>, vector<16xf32>
// CHECK-COUNT-4:     vector.load %[[X]]{{.*}} vector<16xf32>
// CHECK:           vector.maskedload
// CHECK-COUNT-30:  vector.shuffle
// CHECK-COUNT-4:   vector.store {{.*}} vector<4xf32>
module attributes {hgc.target_cpu = "znver4"} {
  exec.kernel @dots inputs 2 {
  ^bb0(%x: memref<200x100xf32>, %w: memref<2x100x32xf32>, %y: memref<200x36xf32>):
    %0 = exec.load %x : memref<200x100xf32> -> tensor<200x100xf32>
    %1 = exec.load %w : memref<2x100x32xf32> -> tensor<2x100x32xf32>
    %2 = hgc.matmul %0, %1 packed <32, [100, 36]> : (tensor<200x100xf32>, tensor<2x100x32xf32>) -> tensor<200x36xf32>
    exec.store %2, %y : tensor<200x36xf32>, memref<200x36xf32>
  }
}

// -----

// Five columns keep their tile.
// CHECK-LABEL: func.func private @tile_body
// CHECK-NOT:     vector<4xf32>
module attributes {hgc.target_cpu = "znver4"} {
  exec.kernel @tile inputs 2 {
  ^bb0(%x: memref<200x100xf32>, %w: memref<2x100x32xf32>, %y: memref<200x40xf32>):
    %0 = exec.load %x : memref<200x100xf32> -> tensor<200x100xf32>
    %1 = exec.load %w : memref<2x100x32xf32> -> tensor<2x100x32xf32>
    %2 = hgc.matmul %0, %1 packed <32, [100, 40]> : (tensor<200x100xf32>, tensor<2x100x32xf32>) -> tensor<200x40xf32>
    exec.store %2, %y : tensor<200x40xf32>, memref<200x40xf32>
  }
}

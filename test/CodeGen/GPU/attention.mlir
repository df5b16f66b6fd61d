// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file %s | FileCheck %s

// Tiles of keys, then of values, go through the same shared memory; maxima of a
// query are exchanged between the eight threads of its row.
// CHECK-LABEL: exec.kernel @plain
// CHECK-SAME:    block = array<i64: 128, 1, 1>{{.*}}grid = array<i64: 4, 1, 1>
// CHECK-SAME:    schedule = "attention tiles=64x32 keys=77"
// CHECK:       gpu.func @hgc_0_attention
// CHECK:         %[[TILES:.*]] = arith.constant 3 : index
// CHECK:         scf.for %{{.*}} to %[[TILES]]
// CHECK:           gpu.barrier
// CHECK:           gpu.barrier
// CHECK:           llvm.intr.fma
// CHECK:           arith.cmpi slt
// CHECK:           gpu.shuffle
// CHECK:           math.exp
// CHECK:           gpu.barrier
// CHECK:           gpu.barrier
// CHECK:           llvm.intr.fma
// CHECK:         arith.divf
// CHECK:         vector.store {{.*}}, %arg3{{.*}} vector<4xf32>
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @plain inputs 3 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%q: memref<2x100x64xf32>, %k: memref<2x77x64xf32>, %v: memref<2x77x64xf32>, %y: memref<2x100x64xf32>):
    %0 = exec.load %q : memref<2x100x64xf32> -> tensor<2x100x64xf32>
    %1 = exec.load %k : memref<2x77x64xf32> -> tensor<2x77x64xf32>
    %2 = exec.load %v : memref<2x77x64xf32> -> tensor<2x77x64xf32>
    %3 = hgc.attention %0, %1, %2 : (tensor<2x100x64xf32>, tensor<2x77x64xf32>, tensor<2x77x64xf32>) -> tensor<2x100x64xf32>
    exec.store %3, %y : tensor<2x100x64xf32>, memref<2x100x64xf32>
  }
}

// -----

// A causal block stops at the tile of its last query; halves are read in pairs.
// CHECK-LABEL: exec.kernel @causal
// CHECK-SAME:    schedule = "attention tiles=32x32 keys=128"
// CHECK:       gpu.func @hgc_0_attention
// CHECK:         vector.load %arg0{{.*}} vector<2xf16>
// CHECK:         %[[TILES:.*]] = arith.minsi
// CHECK:         scf.for %{{.*}} to %[[TILES]]
// CHECK:           arith.cmpi sle
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @causal inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%q: memref<128x128xf16>, %y: memref<128x128xf16>):
    %0 = exec.load %q : memref<128x128xf16> -> tensor<128x128xf16>
    %1 = hgc.attention %0, %0, %0 causal : (tensor<128x128xf16>, tensor<128x128xf16>, tensor<128x128xf16>) -> tensor<128x128xf16>
    exec.store %1, %y : tensor<128x128xf16>, memref<128x128xf16>
  }
}

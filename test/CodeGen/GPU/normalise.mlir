// RUN: hgc-opt --hgc-emit-gpu-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// A row that fits into the registers of a warp is read once.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @softmax {{.*}}schedule = "softmax rows lanes=4 team=32 parts=1 kept"
// CHECK: gpu.func @hgc_0_softmax(%[[X:[a-z0-9]+]]: memref<64000xf32>
// CHECK-COUNT-8: vector.load %[[X]]
// CHECK-NOT: vector.load %[[X]]
// CHECK: arith.maximumf
// CHECK: gpu.shuffle xor
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: vector.store
exec.kernel @softmax inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<64x1000xf32>, %y: memref<64x1000xf32>):
  %0 = exec.load %x : memref<64x1000xf32> -> tensor<64x1000xf32>
  %1 = hgc.softmax %0 axis 1 : tensor<64x1000xf32>
  exec.store %1, %y : tensor<64x1000xf32>, memref<64x1000xf32>
}
}

// -----

// A longer one is read three times by a block.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @long {{.*}}schedule = "softmax rows lanes=1 team=1024 parts=1"
// CHECK: gpu.func @hgc_0_log_softmax
// CHECK-COUNT-3: scf.for
// CHECK: math.log
// CHECK: scf.for
// CHECK: memref.store
exec.kernel @long inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<2x100001xf32>, %y: memref<2x100001xf32>):
  %0 = exec.load %x : memref<2x100001xf32> -> tensor<2x100001xf32>
  %1 = hgc.log_softmax %0 axis 1 : tensor<2x100001xf32>
  exec.store %1, %y : tensor<2x100001xf32>, memref<2x100001xf32>
}
}

// -----

// Along another axis than the last, threads lie across it.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @strided {{.*}}schedule = "softmax columns lanes=1 team=8 parts=1 kept"
// CHECK: gpu.func @hgc_0_softmax
// CHECK: gpu.barrier
// CHECK: gpu.barrier
exec.kernel @strided inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<64x33xf64>, %y: memref<64x33xf64>):
  %0 = exec.load %x : memref<64x33xf64> -> tensor<64x33xf64>
  %1 = hgc.softmax %0 axis 0 : tensor<64x33xf64>
  exec.store %1, %y : tensor<64x33xf64>, memref<64x33xf64>
}
}

// -----

// Mean, then squared differences from it; what is fused before and after stays in
// registers. Elements of f16 are rounded as their ops say.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @norm {{.*}}schedule = "layer_norm rows lanes=8 team=32 parts=1 kept"
// CHECK: gpu.func @hgc_0_layer_norm
// CHECK-COUNT-3: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<8xf16>
// CHECK: arith.divf
// CHECK: gpu.shuffle xor
// CHECK: math.sqrt
// CHECK: vector.store {{.*}} {alignment = 16 : i64} {{.*}} vector<8xf16>
exec.kernel @norm inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<16x768xf16>, %s: memref<768xf16>, %b: memref<768xf16>, %y: memref<16x768xf16>):
  %0 = exec.load %x : memref<16x768xf16> -> tensor<16x768xf16>
  %1 = exec.load %s : memref<768xf16> -> tensor<768xf16>
  %2 = exec.load %b : memref<768xf16> -> tensor<768xf16>
  %3 = hgc.relu %0 : tensor<16x768xf16>
  %4 = hgc.layer_norm %3, %1, %2 axis 1 epsilon 1.0e-5 : (tensor<16x768xf16>, tensor<768xf16>, tensor<768xf16>) -> tensor<16x768xf16>
  %5 = hgc.neg %4 : tensor<16x768xf16>
  exec.store %5, %y : tensor<16x768xf16>, memref<16x768xf16>
}
}

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
  ^bb0(%q: memref<128x120xf16>, %y: memref<128x120xf16>):
    %0 = exec.load %q : memref<128x120xf16> -> tensor<128x120xf16>
    %1 = hgc.attention %0, %0, %0 causal : (tensor<128x120xf16>, tensor<128x120xf16>, tensor<128x120xf16>) -> tensor<128x120xf16>
    exec.store %1, %y : tensor<128x120xf16>, memref<128x120xf16>
  }
}

// -----

// Halves whose features fill fragments: both products on tensor cores, copies under
// way meanwhile, weights handed on in registers.
// CHECK-LABEL: exec.kernel @cores
// CHECK-SAME:    block = array<i64: 128, 1, 1>{{.*}}grid = array<i64: 8, 1, 1>
// CHECK-SAME:    schedule = "attention tensor cores tiles=64x64 keys=77"
// CHECK:       gpu.func @hgc_0_attention
// CHECK:         nvgpu.device_async_copy
// CHECK:         nvgpu.ldmatrix %{{.*}}transpose = false
// CHECK:         scf.for
// CHECK:           nvgpu.device_async_copy
// CHECK:           nvgpu.ldmatrix %{{.*}}transpose = false
// CHECK:           nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK:           arith.cmpi slt
// CHECK:           gpu.shuffle
// CHECK:           llvm.nvvm.ex2.approx.ftz.f32
// CHECK:           nvvm.cp.async.wait.group 0
// CHECK:           gpu.barrier
// CHECK:           nvgpu.ldmatrix %{{.*}}transpose = true
// CHECK:           nvvm.mma.sync
// CHECK:         arith.divf
// CHECK:         vector.store {{.*}} vector<4xf16>
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @cores inputs 3 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%q: memref<4x100x64xf16>, %k: memref<77x64xf16>, %v: memref<77x32xf16>, %y: memref<4x100x32xf16>):
    %0 = exec.load %q : memref<4x100x64xf16> -> tensor<4x100x64xf16>
    %1 = exec.load %k : memref<77x64xf16> -> tensor<77x64xf16>
    %2 = exec.load %v : memref<77x32xf16> -> tensor<77x32xf16>
    %3 = hgc.attention %0, %1, %2 : (tensor<4x100x64xf16>, tensor<77x64xf16>, tensor<77x32xf16>) -> tensor<4x100x32xf16>
    exec.store %3, %y : tensor<4x100x32xf16>, memref<4x100x32xf16>
  }
}

// -----

// Older GPUs have no tensor cores for bf16, and such copies for nobody.
// CHECK-LABEL: exec.kernel @old
// CHECK-SAME:    schedule = "attention tiles=
// CHECK-LABEL: exec.kernel @older_half
// CHECK-SAME:    schedule = "attention tensor cores tiles=16x64 keys=9"
// CHECK-NOT:     nvgpu.device_async_copy
// CHECK:         shape = #nvvm.shape<m = 16, n = 8, k = 8>
module attributes {hgc.target_gpu = "sm_75"} {
  exec.kernel @old inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%q: memref<9x16xbf16>, %y: memref<9x16xbf16>):
    %0 = exec.load %q : memref<9x16xbf16> -> tensor<9x16xbf16>
    %1 = hgc.attention %0, %0, %0 : (tensor<9x16xbf16>, tensor<9x16xbf16>, tensor<9x16xbf16>) -> tensor<9x16xbf16>
    exec.store %1, %y : tensor<9x16xbf16>, memref<9x16xbf16>
  }
  exec.kernel @older_half inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%q: memref<9x16xf16>, %y: memref<9x16xf16>):
    %0 = exec.load %q : memref<9x16xf16> -> tensor<9x16xf16>
    %1 = hgc.attention %0, %0, %0 : (tensor<9x16xf16>, tensor<9x16xf16>, tensor<9x16xf16>) -> tensor<9x16xf16>
    exec.store %1, %y : tensor<9x16xf16>, memref<9x16xf16>
  }
}

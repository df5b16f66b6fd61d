// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file %s | FileCheck %s

// A thread for each element looks at all updates of its line, in their order.
// CHECK-LABEL: exec.kernel @pull
// CHECK-SAME:    schedule = "scatter pull, lines=16 updates=4", scratch_bytes = 0
// CHECK:       gpu.func @hgc_0_scatter
// CHECK:         scf.for
// CHECK:           memref.load %arg1
// CHECK:           scf.if
// CHECK:             arith.addf
// CHECK-NOT:     atomic
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @pull inputs 3 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<10x16xf16>, %i: memref<4xi64>, %u: memref<4x16xf16>, %y: memref<10x16xf16>):
    %0 = exec.load %x : memref<10x16xf16> -> tensor<10x16xf16>
    %1 = exec.load %i : memref<4xi64> -> tensor<4xi64>
    %2 = exec.load %u : memref<4x16xf16> -> tensor<4x16xf16>
    %3 = hgc.scatter add %0, %1, %2 axis 0 slices : (tensor<10x16xf16>, tensor<4xi64>, tensor<4x16xf16>) -> tensor<10x16xf16>
    exec.store %3, %y : tensor<10x16xf16>, memref<10x16xf16>
  }
}

// -----

// Many lines: copy, then one thread a line. f32 is summed up in the output.
// CHECK-LABEL: exec.kernel @push
// CHECK-SAME:    function = "hgc_0_scatter"{{.*}}function = "hgc_0_scatter_1"
// CHECK-SAME:    schedule = "scatter push, lines=8000 updates=4", scratch_bytes = 0
// CHECK:       gpu.func @hgc_0_scatter(
// CHECK-NOT:     memref.load %arg1
// CHECK:       gpu.func @hgc_0_scatter_1
// CHECK:         memref.load %arg1
// CHECK:         memref.load %arg3
// CHECK:         memref.store {{.*}}, %arg3
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @push inputs 3 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<10x8000xf32>, %i: memref<4xi64>, %u: memref<4x8000xf32>, %y: memref<10x8000xf32>):
    %0 = exec.load %x : memref<10x8000xf32> -> tensor<10x8000xf32>
    %1 = exec.load %i : memref<4xi64> -> tensor<4xi64>
    %2 = exec.load %u : memref<4x8000xf32> -> tensor<4x8000xf32>
    %3 = hgc.scatter add %0, %1, %2 axis 0 slices : (tensor<10x8000xf32>, tensor<4xi64>, tensor<4x8000xf32>) -> tensor<10x8000xf32>
    exec.store %3, %y : tensor<10x8000xf32>, memref<10x8000xf32>
  }
}

// -----

// Half precision is summed up in f32 in scratch memory; a third launch rounds.
// CHECK-LABEL: exec.kernel @half
// CHECK-SAME:    function = "hgc_0_scatter_2"
// CHECK-SAME:    schedule = "scatter push, lines=8000 updates=4", scratch_bytes = 320000
// CHECK:       gpu.func @hgc_0_scatter_2
// CHECK:         arith.truncf
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @half inputs 3 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<10x8000xf16>, %i: memref<4xi64>, %u: memref<4x8000xf16>, %y: memref<10x8000xf16>):
    %0 = exec.load %x : memref<10x8000xf16> -> tensor<10x8000xf16>
    %1 = exec.load %i : memref<4xi64> -> tensor<4xi64>
    %2 = exec.load %u : memref<4x8000xf16> -> tensor<4x8000xf16>
    %3 = hgc.scatter add %0, %1, %2 axis 0 slices : (tensor<10x8000xf16>, tensor<4xi64>, tensor<4x8000xf16>) -> tensor<10x8000xf16>
    exec.store %3, %y : tensor<10x8000xf16>, memref<10x8000xf16>
  }
}

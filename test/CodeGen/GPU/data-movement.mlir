// RUN: hgc-opt --hgc-emit-gpu-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// Threads find their input by halving; an input without elements is not looked at.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @concat {{.*}}schedule = "concat inputs=3 lanes=4"
// CHECK: gpu.func @hgc_0_concat(%[[A:[a-z0-9]+]]: memref<102400xf32>{{.*}}, %[[E:[a-z0-9]+]]: memref<0xf32>{{.*}}, %[[B:[a-z0-9]+]]: memref<61440xf32>{{.*}}, %[[C:[a-z0-9]+]]: memref<102400xf32>
// CHECK: scf.if {{.*}} -> (vector<4xf32>)
// CHECK: vector.load %[[A]]
// CHECK: scf.if
// CHECK: vector.load %[[B]]
// CHECK: vector.load %[[C]]
// CHECK: vector.store
exec.kernel @concat inputs 4 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x100xf32>, %e: memref<1024x0xf32>, %b: memref<1024x60xf32>, %c: memref<1024x100xf32>, %y: memref<1024x260xf32>):
  %0 = exec.load %a : memref<1024x100xf32> -> tensor<1024x100xf32>
  %1 = exec.load %e : memref<1024x0xf32> -> tensor<1024x0xf32>
  %2 = exec.load %b : memref<1024x60xf32> -> tensor<1024x60xf32>
  %3 = exec.load %c : memref<1024x100xf32> -> tensor<1024x100xf32>
  %4 = hgc.concat %0, %1, %2, %3 axis 1 : (tensor<1024x100xf32>, tensor<1024x0xf32>, tensor<1024x60xf32>, tensor<1024x100xf32>) -> tensor<1024x260xf32>
  exec.store %4, %y : tensor<1024x260xf32>, memref<1024x260xf32>
}
}

// -----

// Outside of the input the value, and no load.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @pad {{.*}}schedule = "pad dims=2 lanes=4"
// CHECK: gpu.func @hgc_0_pad(%[[X:[a-z0-9]+]]: memref<409600xf32>{{.*}}, %[[V:[a-z0-9]+]]: memref<1xf32>
// CHECK: scf.if {{.*}} -> (vector<4xf32>)
// CHECK: vector.load %[[X]][{{.*}}] {alignment = 16 : i64}
// CHECK: } else {
// CHECK: memref.load %[[V]]
exec.kernel @pad inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x400xf32>, %v: memref<f32>, %y: memref<1026x408xf32>):
  %0 = exec.load %x : memref<1024x400xf32> -> tensor<1024x400xf32>
  %1 = exec.load %v : memref<f32> -> tensor<f32>
  %2 = hgc.pad constant %0, %1 low = [1, 4] high = [1, 4] : (tensor<1024x400xf32>, tensor<f32>) -> tensor<1026x408xf32>
  exec.store %2, %y : tensor<1026x408xf32>, memref<1026x408xf32>
}
}

// -----

// Other modes always read the input, at an index moved inside.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @edge {{.*}}schedule = "pad dims=2 lanes=1"
// CHECK: gpu.func @hgc_0_pad
// CHECK: arith.maxsi
// CHECK-NOT: -> (f32)
// CHECK: memref.load
exec.kernel @edge inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x400xf32>, %v: memref<f32>, %y: memref<1024x408xf32>):
  %0 = exec.load %x : memref<1024x400xf32> -> tensor<1024x400xf32>
  %1 = exec.load %v : memref<f32> -> tensor<f32>
  %2 = hgc.pad edge %0, %1 low = [0, 4] high = [0, 4] : (tensor<1024x400xf32>, tensor<f32>) -> tensor<1024x408xf32>
  exec.store %2, %y : tensor<1024x408xf32>, memref<1024x408xf32>
}
}

// -----

// Channels that come last fill a thread's lanes; else it has one element. Windows
// are cut at the borders.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @pool_last {{.*}}schedule = "pool lanes=4"
// CHECK: exec.kernel @pool_first {{.*}}schedule = "pool lanes=1"
// CHECK: gpu.func @hgc_0_pool
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.maximumf {{.*}} : vector<4xf32>
// CHECK: gpu.func @hgc_1_pool
// CHECK: arith.addf
// CHECK: arith.divf
exec.kernel @pool_last inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<8x32x32x64xf32>, %y: memref<8x16x16x64xf32>):
  %0 = exec.load %x : memref<8x32x32x64xf32> -> tensor<8x32x32x64xf32>
  %1 = hgc.pool max %0 window = [3, 3] strides = [2, 2] pads = [1, 1, 0, 0] channels_last : (tensor<8x32x32x64xf32>) -> tensor<8x16x16x64xf32>
  exec.store %1, %y : tensor<8x16x16x64xf32>, memref<8x16x16x64xf32>
}
exec.kernel @pool_first inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<2x3x100xf32>, %y: memref<2x3x99xf32>):
  %0 = exec.load %x : memref<2x3x100xf32> -> tensor<2x3x100xf32>
  %1 = hgc.pool avg %0 window = [2] channels_first : (tensor<2x3x100xf32>) -> tensor<2x3x99xf32>
  exec.store %1, %y : tensor<2x3x99xf32>, memref<2x3x99xf32>
}
}

// -----

// Columns beyond the matrix become zeros of the last panel.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @pack {{.*}}schedule = "pack: panels of 16"
// CHECK: gpu.func @hgc_0_pack(%[[X:[a-z0-9]+]]: memref<700xf32>
// CHECK: arith.cmpi slt, {{.*}}, %c20
// CHECK: memref.load %[[X]]
// CHECK: scf.yield %cst
exec.kernel @pack inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<35x20xf32>, %y: memref<2x35x16xf32>):
  %0 = exec.load %x : memref<35x20xf32> -> tensor<35x20xf32>
  %1 = hgc.pack matmul_rhs %0 width 16 : (tensor<35x20xf32>) -> tensor<2x35x16xf32>
  exec.store %1, %y : tensor<2x35x16xf32>, memref<2x35x16xf32>
}
}

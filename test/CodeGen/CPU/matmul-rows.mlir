// RUN: hgc-opt --hgc-emit-kernels %s | FileCheck %s

module attributes {hgc.target_cpu = "x86-64-v4"} {

// The panels of a tile of rows are cut where tiles are few: four times seventeen units.
// CHECK: exec.kernel @few {{.*}}schedule = "matmul: tile 12x32, blocks 12x256x128"{{.*}}, units = 68 : i64
exec.kernel @few inputs 2 {
^bb0(%x: memref<196x128xf32>, %w: memref<32x128x32xf32>, %y: memref<196x1024xf32>):
  %0 = exec.load %x : memref<196x128xf32> -> tensor<196x128xf32>
  %1 = exec.load %w : memref<32x128x32xf32> -> tensor<32x128x32xf32>
  %2 = hgc.matmul %0, %1 packed <32, [128, 1024]> : (tensor<196x128xf32>, tensor<32x128x32xf32>) -> tensor<196x1024xf32>
  exec.store %2, %y : tensor<196x1024xf32>, memref<196x1024xf32>
}

// Panels that would push rows and results out of the second-level cache: each meets all the rows.
// CHECK: exec.kernel @many {{.*}}schedule = "matmul: tile 12x32, blocks 204x64x256"
exec.kernel @many inputs 2 {
^bb0(%x: memref<196x256xf32>, %w: memref<32x256x32xf32>, %y: memref<196x1024xf32>):
  %0 = exec.load %x : memref<196x256xf32> -> tensor<196x256xf32>
  %1 = exec.load %w : memref<32x256x32xf32> -> tensor<32x256x32xf32>
  %2 = hgc.matmul %0, %1 packed <32, [256, 1024]> : (tensor<196x256xf32>, tensor<32x256x32xf32>) -> tensor<196x1024xf32>
  exec.store %2, %y : tensor<196x1024xf32>, memref<196x1024xf32>
}

}

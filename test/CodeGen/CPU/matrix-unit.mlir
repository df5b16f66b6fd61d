// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s
// RUN: sed 's/"sapphirerapids"/"znver4"/' %s | not hgc-opt --hgc-emit-kernels 2>&1 | FileCheck %s --check-prefix=LACKS

// LACKS: error: 'hgc.matmul' op has weights in tiles for a matrix unit, which target 'znver4' lacks
// LACKS: note: hint: name a CPU with one, e.g. --target-cpu=sapphirerapids, or compile from the model again
module attributes {hgc.target_cpu = "sapphirerapids"} {

// Rows are split into three parts, and their last parts added up: that is no number where an element is not finite. Six
// products of parts make one of f32. Vectors multiply the last six of the depth. A tile whose first row is no number, or whose rows are not finite, is computed again.
// CHECK: exec.kernel @split {{.*}}schedule = "matmul by tiles of the matrix unit, blocks 32x32x64, f32 in three parts"
// CHECK-LABEL: func.func private @split_body
// CHECK:         llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK:         scf.for
// CHECK:           arith.andi
// CHECK:           arith.subf
// CHECK:           vector.shuffle
// CHECK:           arith.cmpf uno
// CHECK:           llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK:           scf.for
// CHECK-COUNT-24:    llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK:           llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK:           scf.if
// CHECK:             arith.shrui
// CHECK:           scf.for
// CHECK-COUNT-12:    arith.mulf {{.*}} : vector<16xf32>
// CHECK:         llvm.call_intrinsic "llvm.x86.tilerelease"
exec.kernel @split inputs 2 {
^bb0(%x: memref<300x70xf32>, %w: memref<2x3x3072xbf16>, %y: memref<300x64xf32>):
  %0 = exec.load %x : memref<300x70xf32> -> tensor<300x70xf32>
  %1 = exec.load %w : memref<2x3x3072xbf16> -> tensor<2x3x3072xbf16>
  %2 = hgc.matmul %0, %1 packed <32, [70, 64]> : (tensor<300x70xf32>, tensor<2x3x3072xbf16>) -> tensor<300x64xf32>
  exec.store %2, %y : tensor<300x64xf32>, memref<300x64xf32>
}

// Bytes are multiplied as they are; sums are exact, whatever the operands.
// CHECK-LABEL: func.func private @bytes_body
// CHECK-NOT:     arith.cmpf
// CHECK:         llvm.call_intrinsic "llvm.x86.tdpbssd"
exec.kernel @bytes inputs 2 {
^bb0(%x: memref<300x70xi8>, %w: memref<1x2x2048xi8>, %y: memref<300x32xi32>):
  %0 = exec.load %x : memref<300x70xi8> -> tensor<300x70xi8>
  %1 = exec.load %w : memref<1x2x2048xi8> -> tensor<1x2x2048xi8>
  %2 = hgc.matmul %0, %1 packed <32, [70, 32]> : (tensor<300x70xi8>, tensor<1x2x2048xi8>) -> tensor<300x32xi32>
  exec.store %2, %y : tensor<300x32xi32>, memref<300x32xi32>
}

// Sixteen columns or fewer take one tile.
// CHECK-LABEL: func.func private @narrow_body
// CHECK:         scf.for
// CHECK-COUNT-2:   llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-NOT:       llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK:           llvm.call_intrinsic "llvm.x86.tilestored64"
exec.kernel @narrow inputs 2 {
^bb0(%x: memref<320x64xbf16>, %w: memref<1x2x1024xbf16>, %y: memref<320x16xf32>):
  %0 = exec.load %x : memref<320x64xbf16> -> tensor<320x64xbf16>
  %1 = exec.load %w : memref<1x2x1024xbf16> -> tensor<1x2x1024xbf16>
  %2 = hgc.matmul %0, %1 packed <32, [64, 16]> : (tensor<320x64xbf16>, tensor<1x2x1024xbf16>) -> tensor<320x16xf32>
  exec.store %2, %y : tensor<320x16xf32>, memref<320x16xf32>
}

// Panels of an operand of the call: two neighbours along the depth in each lane.
// CHECK-LABEL: func.func private @pack_body
// CHECK:         vector.maskedload
// CHECK:         arith.shrui
// CHECK:         arith.ori
exec.kernel @pack inputs 1 {
^bb0(%x: memref<33x40xf32>, %y: memref<2x2x3072xbf16>):
  %0 = exec.load %x : memref<33x40xf32> -> tensor<33x40xf32>
  %1 = hgc.pack matmul_rhs %0 width 32 interleave = 96 : (tensor<33x40xf32>) -> tensor<2x2x3072xbf16>
  exec.store %1, %y : tensor<2x2x3072xbf16>, memref<2x2x3072xbf16>
}

// Windows lie in a copy of the lines, with their padding.
// CHECK: exec.kernel @windows {{.*}}schedule = "convolution by tiles of the matrix unit, blocks 16x{{[0-9]+}}x{{[0-9]+}}, f32 in three parts"
exec.kernel @windows inputs 2 {
^bb0(%x: memref<1x8x8x12xf32>, %w: memref<1x2x6x3072xbf16>, %y: memref<1x8x8x40xf32>):
  %0 = exec.load %x : memref<1x8x8x12xf32> -> tensor<1x8x8x12xf32>
  %1 = exec.load %w : memref<1x2x6x3072xbf16> -> tensor<1x2x6x3072xbf16>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <32, [3, 3, 12, 40]> : (tensor<1x8x8x12xf32>, tensor<1x2x6x3072xbf16>) -> tensor<1x8x8x40xf32>
  exec.store %2, %y : tensor<1x8x8x40xf32>, memref<1x8x8x40xf32>
}

}

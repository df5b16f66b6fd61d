// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt %s --mlir-print-op-generic | hgc-opt | FileCheck %s

// Leading dims broadcast, the accumulator decides the result's element type.
// CHECK-LABEL: func @matmul
func.func @matmul(%a: tensor<32x784xf32>, %b: tensor<784x128xf32>, %h: tensor<5x1x2x3xf16>, %i: tensor<7x4x3xf16>,
                  %q: tensor<3x2xi8>, %r: tensor<3x4xi8>, %d: tensor<?x784xf32>, %e: tensor<2x2xf64>) {
  // CHECK: hgc.matmul %{{.*}}, %{{.*}} : (tensor<32x784xf32>, tensor<784x128xf32>) -> tensor<32x128xf32>
  %0 = hgc.matmul %a, %b : (tensor<32x784xf32>, tensor<784x128xf32>) -> tensor<32x128xf32>
  // CHECK: hgc.matmul %{{.*}}, %{{.*}} transpose_rhs : (tensor<5x1x2x3xf16>, tensor<7x4x3xf16>) -> tensor<5x7x2x4xf32>
  %1 = hgc.matmul %h, %i transpose_rhs : (tensor<5x1x2x3xf16>, tensor<7x4x3xf16>) -> tensor<5x7x2x4xf32>
  // CHECK: hgc.matmul %{{.*}}, %{{.*}} transpose_lhs : (tensor<3x2xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  %2 = hgc.matmul %q, %r transpose_lhs : (tensor<3x2xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  // CHECK: hgc.matmul %{{.*}}, %{{.*}} : (tensor<?x784xf32>, tensor<784x128xf32>) -> tensor<?x128xf32>
  %3 = hgc.matmul %d, %b : (tensor<?x784xf32>, tensor<784x128xf32>) -> tensor<?x128xf32>
  // CHECK: hgc.matmul %{{.*}}, %{{.*}} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %4 = hgc.matmul %e, %e : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  return
}

// A depth of zero gives zeros, a row count of zero gives nothing.
// CHECK-LABEL: func @matmul_empty
func.func @matmul_empty(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>) {
  // CHECK: -> tensor<2x3xf32>
  %0 = hgc.matmul %a, %b : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  // CHECK: -> tensor<0x0xf32>
  %1 = hgc.matmul %b, %b transpose_rhs : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x0xf32>
  return
}

// Interleaved panels: two rows of five become one; four are preceded by a row of i32. The
// channels of each pixel of a filter are interleaved on their own.
// CHECK-LABEL: func @interleaved
func.func @interleaved(%a: tensor<7x5xi8>, %w: tensor<5x20xi8>, %x: tensor<1x8x8x6xi8>, %f: tensor<3x3x6x20xi8>) {
  // CHECK: hgc.pack matmul_rhs %{{.*}} width 16 interleave = 2 : (tensor<5x20xi8>) -> tensor<2x3x32xi8>
  %0 = hgc.pack matmul_rhs %w width 16 interleave = 2 : (tensor<5x20xi8>) -> tensor<2x3x32xi8>
  %1 = hgc.matmul %a, %0 packed <16, [5, 20]> : (tensor<7x5xi8>, tensor<2x3x32xi8>) -> tensor<7x20xi32>
  // CHECK: hgc.pack conv_filter %{{.*}} width 16 interleave = 4 : (tensor<3x3x6x20xi8>) -> tensor<1x2x19x64xi8>
  %2 = hgc.pack conv_filter %f width 16 interleave = 4 : (tensor<3x3x6x20xi8>) -> tensor<1x2x19x64xi8>
  %3 = hgc.conv %x, %2 channels_last hwio packed <16, [3, 3, 6, 20]>
      : (tensor<1x8x8x6xi8>, tensor<1x2x19x64xi8>) -> tensor<1x6x6x20xi32>
  return
}

// Tiles for matrix units: 64 bytes of the depth in each row of a panel; f32 in three parts of bf16, or as it is. Neighbouring pixels of
// a filter share such rows.
// CHECK-LABEL: func @tiled
func.func @tiled(%a: tensor<7x70xi8>, %w: tensor<70x40xi8>, %b: tensor<7x33xbf16>, %v: tensor<33x40xbf16>,
                 %c: tensor<7x33xf32>, %u: tensor<33x40xf32>, %x: tensor<1x8x8x12xf32>, %f: tensor<3x3x12x40xf32>) {
  // CHECK: hgc.pack matmul_rhs %{{.*}} width 32 interleave = 64 : (tensor<70x40xi8>) -> tensor<2x2x2048xi8>
  %0 = hgc.pack matmul_rhs %w width 32 interleave = 64 : (tensor<70x40xi8>) -> tensor<2x2x2048xi8>
  %1 = hgc.matmul %a, %0 packed <32, [70, 40]> : (tensor<7x70xi8>, tensor<2x2x2048xi8>) -> tensor<7x40xi32>
  %2 = hgc.pack matmul_rhs %v width 32 interleave = 32 : (tensor<33x40xbf16>) -> tensor<2x2x1024xbf16>
  %3 = hgc.matmul %b, %2 packed <32, [33, 40]> : (tensor<7x33xbf16>, tensor<2x2x1024xbf16>) -> tensor<7x40xf32>
  // CHECK: hgc.pack matmul_rhs %{{.*}} width 32 interleave = 96 : (tensor<33x40xf32>) -> tensor<2x2x3072xbf16>
  %4 = hgc.pack matmul_rhs %u width 32 interleave = 96 : (tensor<33x40xf32>) -> tensor<2x2x3072xbf16>
  %5 = hgc.matmul %c, %4 packed <32, [33, 40]> : (tensor<7x33xf32>, tensor<2x2x3072xbf16>) -> tensor<7x40xf32>
  // CHECK: hgc.pack matmul_rhs %{{.*}} width 32 interleave = 32 : (tensor<33x40xf32>) -> tensor<2x2x1024xf32>
  %8 = hgc.pack matmul_rhs %u width 32 interleave = 32 : (tensor<33x40xf32>) -> tensor<2x2x1024xf32>
  %9 = hgc.matmul %c, %8 packed <32, [33, 40]> : (tensor<7x33xf32>, tensor<2x2x1024xf32>) -> tensor<7x40xf32>
  // CHECK: hgc.pack conv_filter %{{.*}} width 32 interleave = 96 : (tensor<3x3x12x40xf32>) -> tensor<1x2x6x3072xbf16>
  %6 = hgc.pack conv_filter %f width 32 interleave = 96 : (tensor<3x3x12x40xf32>) -> tensor<1x2x6x3072xbf16>
  %7 = hgc.conv %x, %6 channels_last hwio packed <32, [3, 3, 12, 40]>
      : (tensor<1x8x8x12xf32>, tensor<1x2x6x3072xbf16>) -> tensor<1x6x6x40xf32>
  return
}

// The packed operand carries its logical shape.
// CHECK-LABEL: func @packed
func.func @packed(%a: tensor<32x784xf32>, %w: tensor<784x100xf32>, %x: tensor<1x8x8x6xf32>, %f: tensor<3x3x3x20xf32>) {
  // CHECK: hgc.pack matmul_rhs %{{.*}} width 16 : (tensor<784x100xf32>) -> tensor<7x784x16xf32>
  %0 = hgc.pack matmul_rhs %w width 16 : (tensor<784x100xf32>) -> tensor<7x784x16xf32>
  // CHECK: hgc.matmul %{{.*}}, %{{.*}} packed <16, [784, 100]> : (tensor<32x784xf32>, tensor<7x784x16xf32>) -> tensor<32x100xf32>
  %1 = hgc.matmul %a, %0 packed <16, [784, 100]> : (tensor<32x784xf32>, tensor<7x784x16xf32>) -> tensor<32x100xf32>
  // CHECK: hgc.pack conv_filter %{{.*}} width 8 groups = 2 : (tensor<3x3x3x20xf32>) -> tensor<2x2x27x8xf32>
  %2 = hgc.pack conv_filter %f width 8 groups = 2 : (tensor<3x3x3x20xf32>) -> tensor<2x2x27x8xf32>
  // CHECK: hgc.conv %{{.*}}, %{{.*}} groups = 2 channels_last hwio packed <8, [3, 3, 3, 20]> :
  %3 = hgc.conv %x, %2 groups = 2 channels_last hwio packed <8, [3, 3, 3, 20]>
      : (tensor<1x8x8x6xf32>, tensor<2x2x27x8xf32>) -> tensor<1x6x6x20xf32>
  return
}

// One to three spatial dims in every layout; absent attributes stay absent.
// CHECK-LABEL: func @conv
func.func @conv(%x: tensor<1x56x56x64xf32>, %w: tensor<3x3x64x64xf32>, %y: tensor<2x4x9xf32>, %v: tensor<6x4x3xf32>,
                %z: tensor<?x5x6x7x2xf16>, %u: tensor<1x2x3x2x4xf16>, %d: tensor<1x6x?x?xf32>, %g: tensor<12x1x3x3xf32>) {
  // CHECK: hgc.conv %{{.*}}, %{{.*}} strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : {{.*}} -> tensor<1x28x28x64xf32>
  %0 = hgc.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1] groups = 1 channels_last hwio
      : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32>
  // CHECK: hgc.conv %{{.*}}, %{{.*}} dilations = [2] channels_first oihw : {{.*}} -> tensor<2x6x5xf32>
  %1 = hgc.conv %y, %v dilations = [2] channels_first oihw : (tensor<2x4x9xf32>, tensor<6x4x3xf32>) -> tensor<2x6x5xf32>
  // CHECK: hgc.conv %{{.*}}, %{{.*}} channels_last hwio : {{.*}} -> tensor<?x5x5x5x4xf32>
  %2 = hgc.conv %z, %u channels_last hwio : (tensor<?x5x6x7x2xf16>, tensor<1x2x3x2x4xf16>) -> tensor<?x5x5x5x4xf32>
  // CHECK: hgc.conv %{{.*}}, %{{.*}} groups = 6 channels_first oihw : {{.*}} -> tensor<1x12x?x?xf32>
  %3 = hgc.conv %d, %g groups = 6 channels_first oihw : (tensor<1x6x?x?xf32>, tensor<12x1x3x3xf32>) -> tensor<1x12x?x?xf32>
  return
}

// RUN: hgc-opt --hgc-pack-contractions --split-input-file %s | FileCheck %s

// A parameter on the right is packed; the device is inherited.
hgc.parameter @w : tensor<6x20xf32> = dense<1.0>
// CHECK-LABEL: func.func @matmul
func.func @matmul(%x: tensor<1x6xf32>) -> tensor<1x20xf32> {
  // CHECK: %[[W:.*]] = hgc.read @w
  // CHECK: %[[P:.*]] = hgc.pack matmul_rhs %[[W]] width 16 {hgc.device = #hgc.device<cpu>} : (tensor<6x20xf32>) -> tensor<2x6x16xf32>
  // CHECK: hgc.matmul %{{.*}}, %[[P]] packed <16, [6, 20]>
  %w = hgc.read @w {hgc.device = #hgc.device<cpu>} : tensor<6x20xf32>
  %0 = hgc.matmul %x, %w {hgc.device = #hgc.device<cpu>} : (tensor<1x6xf32>, tensor<6x20xf32>) -> tensor<1x20xf32>
  return %0 : tensor<1x20xf32>
}

// -----

// A transposed operand is turned before it is packed.
hgc.parameter @w : tensor<20x6xf64> = dense<1.0>
// CHECK-LABEL: func.func @transposed
func.func @transposed(%x: tensor<2x6xf64>) -> tensor<2x20xf64> {
  // CHECK: %[[T:.*]] = hgc.transpose %{{.*}} permutation = [1, 0]
  // CHECK: %[[P:.*]] = hgc.pack matmul_rhs %[[T]] width 8 : (tensor<6x20xf64>) -> tensor<3x6x8xf64>
  // CHECK: hgc.matmul %{{.*}}, %[[P]] packed <8, [6, 20]>
  %w = hgc.read @w : tensor<20x6xf64>
  %0 = hgc.matmul %x, %w transpose_rhs : (tensor<2x6xf64>, tensor<20x6xf64>) -> tensor<2x20xf64>
  return %0 : tensor<2x20xf64>
}

// -----

// Values of the call, and panels that would be mostly padding, stay.
hgc.parameter @w : tensor<6x2xf32> = dense<1.0>
// CHECK-LABEL: func.func @stay
// CHECK-NOT:     hgc.pack
func.func @stay(%x: tensor<8x6xf32>, %y: tensor<6x20xf32>) -> (tensor<8x20xf32>, tensor<8x2xf32>) {
  %w = hgc.read @w : tensor<6x2xf32>
  %0 = hgc.matmul %x, %y : (tensor<8x6xf32>, tensor<6x20xf32>) -> tensor<8x20xf32>
  %1 = hgc.matmul %x, %w : (tensor<8x6xf32>, tensor<6x2xf32>) -> tensor<8x2xf32>
  return %0, %1 : tensor<8x20xf32>, tensor<8x2xf32>
}

// -----

// An assigned parameter is packed at every call if enough rows use it.
hgc.parameter @w : tensor<6x20xf32> = dense<1.0>
// CHECK-LABEL: func.func @trained
// CHECK:         %[[P:.*]] = hgc.pack
// CHECK:         hgc.matmul %{{.*}}, %[[P]] packed
// CHECK:         hgc.matmul %{{.*}}, %{{.*}} : (tensor<8x6xf32>, tensor<6x20xf32>)
func.func @trained(%x: tensor<100x6xf32>, %y: tensor<8x6xf32>) -> (tensor<100x20xf32>, tensor<8x20xf32>) {
  %w = hgc.read @w : tensor<6x20xf32>
  %0 = hgc.matmul %x, %w : (tensor<100x6xf32>, tensor<6x20xf32>) -> tensor<100x20xf32>
  %1 = hgc.matmul %y, %w : (tensor<8x6xf32>, tensor<6x20xf32>) -> tensor<8x20xf32>
  hgc.assign @w, %w : tensor<6x20xf32>
  return %0, %1 : tensor<100x20xf32>, tensor<8x20xf32>
}

// -----

// Fewer rows do if its own are far apart.
hgc.parameter @w : tensor<6x1024xf32> = dense<1.0>
// CHECK-LABEL: func.func @far_apart
// CHECK:         hgc.pack
func.func @far_apart(%x: tensor<8x6xf32>) -> tensor<8x1024xf32> {
  %w = hgc.read @w : tensor<6x1024xf32>
  %0 = hgc.matmul %x, %w : (tensor<8x6xf32>, tensor<6x1024xf32>) -> tensor<8x1024xf32>
  hgc.assign @w, %w : tensor<6x1024xf32>
  return %0 : tensor<8x1024xf32>
}

// -----

// Filters are packed per group.
hgc.parameter @w : tensor<3x3x2x8xf32> = dense<1.0>
// CHECK-LABEL: func.func @conv
func.func @conv(%x: tensor<1x5x5x4xf32>) -> tensor<1x3x3x8xf32> {
  // CHECK: %[[P:.*]] = hgc.pack conv_filter %{{.*}} width 16 groups = 2 : (tensor<3x3x2x8xf32>) -> tensor<2x1x18x16xf32>
  // CHECK: hgc.conv %{{.*}}, %[[P]] groups = 2 channels_last hwio packed <16, [3, 3, 2, 8]>
  %w = hgc.read @w : tensor<3x3x2x8xf32>
  %0 = hgc.conv %x, %w groups = 2 channels_last hwio : (tensor<1x5x5x4xf32>, tensor<3x3x2x8xf32>) -> tensor<1x3x3x8xf32>
  return %0 : tensor<1x3x3x8xf32>
}

// -----

// The panel width follows the module's target.
module attributes {hgc.target_cpu = "x86-64-v4"} {
  hgc.parameter @w : tensor<6x20xf32> = dense<1.0>
  // CHECK-LABEL: func.func @wide
  // CHECK:         hgc.pack matmul_rhs %{{.*}} width 32
  func.func @wide(%x: tensor<1x6xf32>) -> tensor<1x20xf32> {
    %w = hgc.read @w : tensor<6x20xf32>
    %0 = hgc.matmul %x, %w : (tensor<1x6xf32>, tensor<6x20xf32>) -> tensor<1x20xf32>
    return %0 : tensor<1x20xf32>
  }
}

// -----

// A transposed convolution wants panels of the result's channels, whatever its filter
// is made of; groups keep their place.
hgc.parameter @w : tensor<3x3x4x20xf32> = dense<1.0>
// CHECK-LABEL: func.func @conv_transpose
func.func @conv_transpose(%x: tensor<1x8x8x20xf32>, %v: tensor<2x6x8xf64>, %y: tensor<1x5x8xf64>) -> (tensor<1x10x10x8xf32>, tensor<1x6x6xf64>) {
  // CHECK: %[[W:.*]] = hgc.read @w
  // CHECK: %[[S:.*]] = hgc.reshape %[[W]] shape [3, 3, 4, 2, 10]
  // CHECK: %[[T:.*]] = hgc.transpose %[[S]] permutation = [0, 1, 4, 3, 2]
  // CHECK: %[[J:.*]] = hgc.reshape %[[T]] shape [3, 3, 10, 8]
  // CHECK: %[[P:.*]] = hgc.pack conv_filter %[[J]] width 16 groups = 2 : (tensor<3x3x10x8xf32>) -> tensor<2x1x90x16xf32>
  // CHECK: hgc.conv_transpose %{{.*}}, %[[P]] groups = 2 channels_last hwio packed <16, [3, 3, 10, 8]>
  %w = hgc.read @w : tensor<3x3x4x20xf32>
  %0 = hgc.conv_transpose %x, %w groups = 2 channels_last hwio : (tensor<1x8x8x20xf32>, tensor<3x3x4x20xf32>) -> tensor<1x10x10x8xf32>
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} channels_last hwio packed <8, [2, 8, 6]>
  %1 = hgc.conv_transpose %y, %v channels_last hwio : (tensor<1x5x8xf64>, tensor<2x6x8xf64>) -> tensor<1x6x6xf64>
  return %0, %1 : tensor<1x10x10x8xf32>, tensor<1x6x6xf64>
}

// -----

// One pixel at a time reads a filter of the call in place; one filter a channel is
// never packed.
// CHECK-LABEL: func.func @conv_transpose_stays
// CHECK-NOT:     hgc.pack
func.func @conv_transpose_stays(%x: tensor<1x8x20xf32>, %v: tensor<1x6x20xf32>, %w: tensor<3x1x20xf32>) -> (tensor<1x8x6xf32>, tensor<1x10x20xf32>) {
  %0 = hgc.conv_transpose %x, %v channels_last hwio : (tensor<1x8x20xf32>, tensor<1x6x20xf32>) -> tensor<1x8x6xf32>
  %1 = hgc.conv_transpose %x, %w groups = 20 channels_last hwio : (tensor<1x8x20xf32>, tensor<3x1x20xf32>) -> tensor<1x10x20xf32>
  return %0, %1 : tensor<1x8x6xf32>, tensor<1x10x20xf32>
}

// -----

// A filter for squares of 4x4 results is transformed first; 36 points a channel.
hgc.parameter @w : tensor<3x3x4x20xf32> = dense<1.0>
// CHECK-LABEL: func.func @squares
func.func @squares(%x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x20xf32> {
  // CHECK: %[[W:.*]] = hgc.read @w
  // CHECK: %[[M:.*]] = hgc.constant {{.*}} : tensor<36x9xf32>
  // CHECK: %[[T:.*]] = hgc.reshape %[[W]] shape [9, 80]
  // CHECK: %[[S:.*]] = hgc.matmul %[[M]], %[[T]] : (tensor<36x9xf32>, tensor<9x80xf32>) -> tensor<36x80xf32>
  // CHECK: %[[R:.*]] = hgc.reshape %[[S]] shape [6, 6, 4, 20]
  // CHECK: %[[P:.*]] = hgc.pack conv_filter %[[R]] width 16 groups = 2 : (tensor<6x6x4x20xf32>) -> tensor<2x1x144x16xf32>
  // CHECK: hgc.conv %{{.*}}, %[[P]] pads = [1, 1, 1, 1] groups = 2 channels_last hwio packed <16, [3, 3, 4, 20]> {hgc.form = "winograd4"}
  %w = hgc.read @w : tensor<3x3x4x20xf32>
  %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] groups = 2 channels_last hwio {hgc.form = "winograd4"} : (tensor<1x8x8x8xf32>, tensor<3x3x4x20xf32>) -> tensor<1x8x8x20xf32>
  return %0 : tensor<1x8x8x20xf32>
}

// -----

// Element by element there is nothing to pack for.
hgc.parameter @w : tensor<3x3x4x20xf32> = dense<1.0>
// CHECK-LABEL: func.func @generic
// CHECK-NOT:     hgc.pack
func.func @generic(%x: tensor<1x8x8x4xf32>) -> tensor<1x6x6x20xf32> {
  %w = hgc.read @w : tensor<3x3x4x20xf32>
  %0 = hgc.conv %x, %w channels_last hwio {hgc.form = "generic"} : (tensor<1x8x8x4xf32>, tensor<3x3x4x20xf32>) -> tensor<1x6x6x20xf32>
  return %0 : tensor<1x6x6x20xf32>
}

// -----

// Weights of i8 that nothing assigns: pairs for AVX2, fours where bytes have dot products,
// which begin with a row for the sums. Others are not interleaved.
module @pairs {
  hgc.parameter @w : tensor<6x20xi8> = dense<1>
  // CHECK-LABEL: func.func @pairs
  func.func @pairs(%x: tensor<8x6xi8>, %y: tensor<6x8xi8>) -> (tensor<8x20xi32>, tensor<8x20xi32>) {
    // CHECK-DAG: hgc.pack matmul_rhs %{{.*}} width 16 interleave = 2 : (tensor<6x20xi8>) -> tensor<2x3x32xi8>
    // CHECK-DAG: hgc.pack matmul_rhs %{{.*}} width 16 : (tensor<6x20xi8>) -> tensor<2x6x16xi8>
    %w = hgc.read @w : tensor<6x20xi8>
    %0 = hgc.matmul %x, %w : (tensor<8x6xi8>, tensor<6x20xi8>) -> tensor<8x20xi32>
    %1 = hgc.matmul %y, %w transpose_lhs : (tensor<6x8xi8>, tensor<6x20xi8>) -> tensor<8x20xi32>
    return %0, %1 : tensor<8x20xi32>, tensor<8x20xi32>
  }
}

// -----

module @fours attributes {hgc.target_cpu = "znver4"} {
  hgc.parameter @w : tensor<3x3x6x20xi8> = dense<1>
  // CHECK-LABEL: func.func @fours
  func.func @fours(%x: tensor<1x8x8x6xi8>) -> tensor<1x6x6x20xi32> {
    // CHECK: hgc.pack conv_filter %{{.*}} width 32 interleave = 4 : (tensor<3x3x6x20xi8>) -> tensor<1x1x19x128xi8>
    // CHECK: hgc.conv %{{.*}} packed <32, [3, 3, 6, 20]>
    %w = hgc.read @w : tensor<3x3x6x20xi8>
    %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x8x8x6xi8>, tensor<3x3x6x20xi8>) -> tensor<1x6x6x20xi32>
    return %0 : tensor<1x6x6x20xi32>
  }
}

// -----

// A matrix that is known at run time only: one copy for all threads where it is large and
// many rows share it. Otherwise the product copies what it needs.
// CHECK-LABEL: func.func @run_time
func.func @run_time(%x: tensor<256x512xf32>, %few: tensor<255x512xf32>, %y: tensor<512x512xf32>, %small: tensor<512x64xf32>)
    -> (tensor<256x512xf32>, tensor<255x512xf32>, tensor<256x64xf32>) {
  // CHECK: %[[P:.*]] = hgc.pack matmul_rhs %arg2 width 16 : (tensor<512x512xf32>) -> tensor<32x512x16xf32>
  // CHECK: hgc.matmul %arg0, %[[P]] packed <16, [512, 512]>
  // CHECK: hgc.matmul %arg1, %arg2 :
  // CHECK: hgc.matmul %arg0, %arg3 :
  %0 = hgc.matmul %x, %y : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %1 = hgc.matmul %few, %y : (tensor<255x512xf32>, tensor<512x512xf32>) -> tensor<255x512xf32>
  %2 = hgc.matmul %x, %small : (tensor<256x512xf32>, tensor<512x64xf32>) -> tensor<256x64xf32>
  return %0, %1, %2 : tensor<256x512xf32>, tensor<255x512xf32>, tensor<256x64xf32>
}

// -----

// What the matrix unit multiplies is written in tiles, at run time, too.
module @tiles attributes {hgc.target_cpu = "sapphirerapids"} {
  hgc.parameter @w : tensor<70x40xf32> = dense<1.0>
  hgc.parameter @f : tensor<3x3x6x20xi8> = dense<1>
  // CHECK-LABEL: func.func @tiles
  func.func @tiles(%x: tensor<8x70xf32>, %y: tensor<1x8x8x6xi8>, %a: tensor<300x33xf32>, %b: tensor<40x33xf32>)
      -> (tensor<8x40xf32>, tensor<1x6x6x20xi32>, tensor<300x40xf32>) {
    // CHECK-DAG: hgc.pack matmul_rhs %{{.*}} width 32 interleave = 96 : (tensor<70x40xf32>) -> tensor<2x3x3072xbf16>
    // CHECK-DAG: hgc.pack conv_filter %{{.*}} width 32 interleave = 64 : (tensor<3x3x6x20xi8>) -> tensor<1x1x3x2048xi8>
    // CHECK-DAG: %[[T:.*]] = hgc.transpose %{{.*}} permutation = [1, 0]
    // CHECK-DAG: hgc.pack matmul_rhs %[[T]] width 32 interleave = 96 : (tensor<33x40xf32>) -> tensor<2x2x3072xbf16>
    %w = hgc.read @w : tensor<70x40xf32>
    %f = hgc.read @f : tensor<3x3x6x20xi8>
    %0 = hgc.matmul %x, %w {hgc.form = "matrix"} : (tensor<8x70xf32>, tensor<70x40xf32>) -> tensor<8x40xf32>
    %1 = hgc.conv %y, %f channels_last hwio {hgc.form = "matrix"} : (tensor<1x8x8x6xi8>, tensor<3x3x6x20xi8>) -> tensor<1x6x6x20xi32>
    %2 = hgc.matmul %a, %b transpose_rhs {hgc.form = "matrix"} : (tensor<300x33xf32>, tensor<40x33xf32>) -> tensor<300x40xf32>
    return %0, %1, %2 : tensor<8x40xf32>, tensor<1x6x6x20xi32>, tensor<300x40xf32>
  }
}

// -----

// Large weights that many rows share stay f32, in the order of tiles, for all products, as do operands of the call; those of few
// rows, small ones and those of few columns do not.
module @whole attributes {hgc.target_cpu = "sapphirerapids"} {
  hgc.parameter @w : tensor<512x384xf32> = dense<1.0>
  hgc.parameter @u : tensor<512x352xf32> = dense<1.0>
  hgc.parameter @v : tensor<512x224xf32> = dense<1.0>
  hgc.parameter @f : tensor<3x3x128x160xf32> = dense<1.0>
  // CHECK-LABEL: func.func @whole
  func.func @whole(%x: tensor<33x512xf32>, %i: tensor<1x8x8x128xf32>, %b: tensor<512x384xf32>)
      -> (tensor<33x384xf32>, tensor<32x384xf32>, tensor<32x352xf32>, tensor<33x224xf32>, tensor<1x6x6x160xf32>,
          tensor<33x384xf32>) {
    // CHECK-DAG: %[[W:.*]] = hgc.pack matmul_rhs %{{[0-9]+}} width 32 interleave = 32 : (tensor<512x384xf32>) -> tensor<12x16x1024xf32>
    // CHECK-DAG: hgc.pack matmul_rhs %{{.*}} width 32 interleave = 96 : (tensor<512x352xf32>) -> tensor<11x16x3072xbf16>
    // CHECK-DAG: hgc.pack matmul_rhs %{{.*}} width 32 interleave = 96 : (tensor<512x224xf32>) -> tensor<7x16x3072xbf16>
    // CHECK-DAG: hgc.pack conv_filter %{{.*}} width 32 interleave = 32 : (tensor<3x3x128x160xf32>) -> tensor<1x5x36x1024xf32>
    // CHECK-DAG: hgc.pack matmul_rhs %arg2 width 32 interleave = 32 : (tensor<512x384xf32>) -> tensor<12x16x1024xf32>
    %w = hgc.read @w : tensor<512x384xf32>
    %u = hgc.read @u : tensor<512x352xf32>
    %v = hgc.read @v : tensor<512x224xf32>
    %f = hgc.read @f : tensor<3x3x128x160xf32>
    %few = hgc.slice %x starts = [0, 0] sizes = [32, 512] : (tensor<33x512xf32>) -> tensor<32x512xf32>
    %0 = hgc.matmul %x, %w {hgc.form = "matrix"} : (tensor<33x512xf32>, tensor<512x384xf32>) -> tensor<33x384xf32>
    %1 = hgc.matmul %few, %w {hgc.form = "matrix"} : (tensor<32x512xf32>, tensor<512x384xf32>) -> tensor<32x384xf32>
    %5 = hgc.matmul %few, %u {hgc.form = "matrix"} : (tensor<32x512xf32>, tensor<512x352xf32>) -> tensor<32x352xf32>
    %2 = hgc.matmul %x, %v {hgc.form = "matrix"} : (tensor<33x512xf32>, tensor<512x224xf32>) -> tensor<33x224xf32>
    %3 = hgc.conv %i, %f channels_last hwio {hgc.form = "matrix"} : (tensor<1x8x8x128xf32>, tensor<3x3x128x160xf32>) -> tensor<1x6x6x160xf32>
    %4 = hgc.matmul %x, %b {hgc.form = "matrix"} : (tensor<33x512xf32>, tensor<512x384xf32>) -> tensor<33x384xf32>
    // CHECK: hgc.matmul %{{.*}}, %[[W]] packed <32, [512, 384]> {hgc.form = "matrix"} : (tensor<32x512xf32>
    return %0, %1, %5, %2, %3, %4 : tensor<33x384xf32>, tensor<32x384xf32>, tensor<32x352xf32>, tensor<33x224xf32>, tensor<1x6x6x160xf32>,
        tensor<33x384xf32>
  }
}

// RUN: hgc-opt --hgc-integer-contractions --split-input-file %s | FileCheck %s

// Unsigned activations are shifted to i8, and their zero point, 3 - 128, is part of the
// bias with the weights' sums, (5, -1): 7 + 125 * 5 and 0 - 125. The division by the
// result's scale is part of the factors 0.5 * (0.25, 0.125) / 2.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME:    (%[[Q:.*]]: tensor<4x2xui8>)
// CHECK:         %[[BITS:.*]] = hgc.cast %[[Q]] to i8
// CHECK:         %[[TOP:.*]] = hgc.constant dense<-128> : tensor<i8>
// CHECK:         %[[X:.*]] = hgc.xor %[[BITS]], %[[TOP]]
// CHECK:         %[[V:.*]] = hgc.read @v
// CHECK:         %[[SUM:.*]] = hgc.matmul %[[X]], %[[V]] : (tensor<4x2xi8>, tensor<2x2xi8>) -> tensor<4x2xi32>
// CHECK:         %[[BIAS:.*]] = hgc.constant dense<[632, -125]> : tensor<2xi32>
// CHECK:         %[[ALL:.*]] = hgc.add %[[SUM]], %[[BIAS]]
// CHECK:         %[[FLOAT:.*]] = hgc.cast %[[ALL]] to f32
// CHECK:         %[[FACTORS:.*]] = hgc.constant dense<[6.250000e-02, 3.125000e-02]> : tensor<2xf32>
// CHECK:         %[[SCALED:.*]] = hgc.mul %[[FLOAT]], %[[FACTORS]]
// CHECK:         %[[RELU:.*]] = hgc.relu %[[SCALED]]
// CHECK:         %[[MOST:.*]] = hgc.constant dense<3.000000e+00> : tensor<f32>
// CHECK:         %[[LIMITED:.*]] = hgc.min %[[RELU]], %[[MOST]]
// CHECK:         hgc.round %[[LIMITED]]
hgc.parameter @v : tensor<2x2xi8> = dense<[[2, 3], [3, -4]]>
func.func @matmul(%q: tensor<4x2xui8>) -> tensor<4x2xf32> {
  %zx = hgc.constant dense<3> : tensor<i32>
  %sx = hgc.constant dense<0.5> : tensor<f32>
  %sw = hgc.constant dense<[0.25, 0.125]> : tensor<2xf32>
  %sb = hgc.constant dense<[0.125, 0.0625]> : tensor<2xf32>
  %b = hgc.constant dense<[7, 0]> : tensor<2xi32>
  %sy = hgc.constant dense<2.0> : tensor<f32>
  %most = hgc.constant dense<6.0> : tensor<f32>
  %0 = hgc.cast %q to i32 : (tensor<4x2xui8>) -> tensor<4x2xi32>
  %1 = hgc.sub %0, %zx : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
  %2 = hgc.cast %1 to f32 : (tensor<4x2xi32>) -> tensor<4x2xf32>
  %x = hgc.mul %2, %sx : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %v = hgc.read @v : tensor<2x2xi8>
  %3 = hgc.cast %v to i32 : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %4 = hgc.cast %3 to f32 : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %w = hgc.mul %4, %sw : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %5 = hgc.matmul %x, %w : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %6 = hgc.cast %b to f32 : (tensor<2xi32>) -> tensor<2xf32>
  %7 = hgc.mul %6, %sb : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %8 = hgc.add %5, %7 : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %9 = hgc.relu %8 : tensor<4x2xf32>
  %10 = hgc.min %9, %most : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %11 = hgc.div %10, %sy : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %12 = hgc.round %11 : tensor<4x2xf32>
  return %12 : tensor<4x2xf32>
}

// -----

// The zero point surrounds the data of a convolution. Weights that are not signed become i8
// where they fit; a bias in other units stays one of f32. Other readers of the data
// take it from the shifted form.
// CHECK-LABEL: func.func @conv
// CHECK-SAME:    (%[[Q:.*]]: tensor<1x1x4x4xui8>)
// CHECK:         %[[X:.*]] = hgc.xor
// CHECK:         %[[WIDE:.*]] = hgc.cast %[[X]] to i32
// CHECK:         %[[SHIFT:.*]] = hgc.constant dense<128> : tensor<i32>
// CHECK:         hgc.add %[[WIDE]], %[[SHIFT]]
// CHECK:         %[[V:.*]] = hgc.cast %{{.*}} to i8 : (tensor<2x1x3x3xi32>) -> tensor<2x1x3x3xi8>
// CHECK:         %[[ZERO:.*]] = hgc.constant dense<-28> : tensor<i8>
// CHECK:         %[[PADDED:.*]] = hgc.pad constant %[[X]], %[[ZERO]] low = [0, 0, 1, 1] high = [0, 0, 1, 1]
// CHECK:         hgc.conv %[[PADDED]], %[[V]] channels_first oihw
// CHECK:         %[[SCALED:.*]] = hgc.mul %{{.*}}, %{{.*}} : (tensor<1x2x4x4xf32>, tensor<f32>)
// CHECK:         hgc.add %[[SCALED]], %{{.*}} : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>)
hgc.parameter @v : tensor<2x1x3x3xui8> = dense<130>
func.func @conv(%q: tensor<1x1x4x4xui8>) -> (tensor<1x2x4x4xf32>, tensor<1x1x4x4xi32>) {
  %zx = hgc.constant dense<100> : tensor<i32>
  %zw = hgc.constant dense<128> : tensor<i32>
  %s = hgc.constant dense<0.5> : tensor<f32>
  %b = hgc.constant dense<1.5> : tensor<2x1x1xf32>
  %0 = hgc.cast %q to i32 : (tensor<1x1x4x4xui8>) -> tensor<1x1x4x4xi32>
  %1 = hgc.sub %0, %zx : (tensor<1x1x4x4xi32>, tensor<i32>) -> tensor<1x1x4x4xi32>
  %2 = hgc.cast %1 to f32 : (tensor<1x1x4x4xi32>) -> tensor<1x1x4x4xf32>
  %x = hgc.mul %2, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %v = hgc.read @v : tensor<2x1x3x3xui8>
  %3 = hgc.cast %v to i32 : (tensor<2x1x3x3xui8>) -> tensor<2x1x3x3xi32>
  %4 = hgc.sub %3, %zw : (tensor<2x1x3x3xi32>, tensor<i32>) -> tensor<2x1x3x3xi32>
  %5 = hgc.cast %4 to f32 : (tensor<2x1x3x3xi32>) -> tensor<2x1x3x3xf32>
  %w = hgc.mul %5, %s : (tensor<2x1x3x3xf32>, tensor<f32>) -> tensor<2x1x3x3xf32>
  %6 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_first oihw
      : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  %7 = hgc.add %6, %b : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %7, %0 : tensor<1x2x4x4xf32>, tensor<1x1x4x4xi32>
}

// -----

// Limits of the activation and of the quantization become one of integers: relu after the zero point is 3, and 6 / 0.5
// + 3 = 15 is less than 255.
// CHECK-LABEL: func.func @quantize
// CHECK:         %[[SCALED:.*]] = hgc.mul %{{.*}}, %{{.*}} : (tensor<4x2xf32>, tensor<f32>)
// CHECK:         %[[ROUNDED:.*]] = hgc.round %[[SCALED]]
// CHECK:         %[[INTEGER:.*]] = hgc.cast %[[ROUNDED]] to i32 in_range
// CHECK:         %[[ZERO:.*]] = hgc.constant dense<3> : tensor<i32>
// CHECK:         %[[MOVED:.*]] = hgc.add %[[INTEGER]], %[[ZERO]]
// CHECK:         %[[LEAST:.*]] = hgc.constant dense<3> : tensor<i32>
// CHECK:         %[[POSITIVE:.*]] = hgc.max %[[MOVED]], %[[LEAST]]
// CHECK:         %[[MOST:.*]] = hgc.constant dense<15> : tensor<i32>
// CHECK:         %[[LIMITED:.*]] = hgc.min %[[POSITIVE]], %[[MOST]]
// CHECK:         %[[RESULT:.*]] = hgc.cast %[[LIMITED]] to ui8
// CHECK:         return %[[RESULT]]
//
// A factor of 2 could leave the range of i32.
// CHECK-LABEL: func.func @large
// CHECK:         hgc.mul %{{.*}}, %{{.*}} : (tensor<4x2xf32>, tensor<f32>)
// CHECK-NOT:     in_range
// CHECK:         hgc.round
// CHECK:         hgc.max %{{.*}} : (tensor<4x2xf32>, tensor<f32>)
// CHECK:         hgc.cast %{{.*}} to i8 : (tensor<4x2xf32>)
hgc.parameter @v : tensor<2x2xi8> = dense<[[2, 3], [3, -4]]>
func.func @quantize(%q: tensor<4x2xi8>) -> tensor<4x2xui8> {
  %s = hgc.constant dense<0.5> : tensor<f32>
  %six = hgc.constant dense<6.0> : tensor<f32>
  %zero = hgc.constant dense<3.0> : tensor<f32>
  %least = hgc.constant dense<0.0> : tensor<f32>
  %most = hgc.constant dense<255.0> : tensor<f32>
  %0 = hgc.cast %q to i32 : (tensor<4x2xi8>) -> tensor<4x2xi32>
  %1 = hgc.cast %0 to f32 : (tensor<4x2xi32>) -> tensor<4x2xf32>
  %x = hgc.mul %1, %s : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %v = hgc.read @v : tensor<2x2xi8>
  %2 = hgc.cast %v to i32 : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %3 = hgc.cast %2 to f32 : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %w = hgc.mul %3, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %4 = hgc.matmul %x, %w : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %5 = hgc.relu %4 : tensor<4x2xf32>
  %6 = hgc.min %5, %six : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %7 = hgc.div %6, %s : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %8 = hgc.round %7 : tensor<4x2xf32>
  %9 = hgc.add %8, %zero : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %10 = hgc.max %9, %least : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %11 = hgc.min %10, %most : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %12 = hgc.cast %11 to ui8 : (tensor<4x2xf32>) -> tensor<4x2xui8>
  return %12 : tensor<4x2xui8>
}
func.func @large(%q: tensor<4x2xi8>) -> tensor<4x2xi8> {
  %s = hgc.constant dense<0.5> : tensor<f32>
  %fine = hgc.constant dense<0.125> : tensor<f32>
  %least = hgc.constant dense<-128.0> : tensor<f32>
  %most = hgc.constant dense<127.0> : tensor<f32>
  %0 = hgc.cast %q to i32 : (tensor<4x2xi8>) -> tensor<4x2xi32>
  %1 = hgc.cast %0 to f32 : (tensor<4x2xi32>) -> tensor<4x2xf32>
  %x = hgc.mul %1, %s : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %v = hgc.read @v : tensor<2x2xi8>
  %2 = hgc.cast %v to i32 : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %3 = hgc.cast %2 to f32 : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %w = hgc.mul %3, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %4 = hgc.matmul %x, %w : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %5 = hgc.div %4, %fine : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %6 = hgc.round %5 : tensor<4x2xf32>
  %7 = hgc.max %6, %least : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %8 = hgc.min %7, %most : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %9 = hgc.cast %8 to i8 : (tensor<4x2xf32>) -> tensor<4x2xi8>
  return %9 : tensor<4x2xi8>
}

// -----

// A contraction that nothing reads leaves nothing behind.
// CHECK-LABEL: func.func @unread
// CHECK-NEXT:    %[[WIDE:.*]] = hgc.cast %{{.*}} to i32 : (tensor<4x2xui8>)
// CHECK-NEXT:    return %[[WIDE]]
hgc.parameter @v : tensor<2x2xi8> = dense<[[2, 3], [3, -4]]>
func.func @unread(%q: tensor<4x2xui8>) -> tensor<4x2xi32> {
  %s = hgc.constant dense<0.5> : tensor<f32>
  %0 = hgc.cast %q to i32 : (tensor<4x2xui8>) -> tensor<4x2xi32>
  %1 = hgc.cast %0 to f32 : (tensor<4x2xi32>) -> tensor<4x2xf32>
  %x = hgc.mul %1, %s : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %v = hgc.read @v : tensor<2x2xi8>
  %2 = hgc.cast %v to i32 : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %3 = hgc.cast %2 to f32 : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %w = hgc.mul %3, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %4 = hgc.matmul %x, %w : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xi32>
}

// -----

// A mean sums integers; the number of elements is part of the factor 0.5 / (0.25 * 8).
// CHECK-LABEL: func.func @mean
// CHECK:         %[[WIDE:.*]] = hgc.cast %{{.*}} to i32
// CHECK:         %[[SUM:.*]] = hgc.reduce sum %[[WIDE]] axes = [1] : (tensor<2x8xi32>) -> tensor<2xi32>
// CHECK:         %[[FLOAT:.*]] = hgc.cast %[[SUM]] to f32
// CHECK:         %[[FACTOR:.*]] = hgc.constant dense<2.500000e-01> : tensor<f32>
// CHECK:         %[[SCALED:.*]] = hgc.mul %[[FLOAT]], %[[FACTOR]]
// CHECK:         hgc.round %[[SCALED]]
func.func @mean(%q: tensor<2x8xi8>) -> tensor<2xf32> {
  %s = hgc.constant dense<0.5> : tensor<f32>
  %sy = hgc.constant dense<0.25> : tensor<f32>
  %0 = hgc.cast %q to i32 : (tensor<2x8xi8>) -> tensor<2x8xi32>
  %1 = hgc.cast %0 to f32 : (tensor<2x8xi32>) -> tensor<2x8xf32>
  %x = hgc.mul %1, %s : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = hgc.reduce mean %x axes = [1] : (tensor<2x8xf32>) -> tensor<2xf32>
  %3 = hgc.div %2, %sy : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = hgc.round %3 : tensor<2xf32>
  return %4 : tensor<2xf32>
}

// -----

// Scales along the depth, weights that are not known and weights that do not fit stay.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: hgc.matmul %{{.*}} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
hgc.parameter @v : tensor<2x2xi8> = dense<[[2, 3], [3, -4]]>
func.func @stays(%q: tensor<4x2xi8>, %u: tensor<2x2xi8>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %s = hgc.constant dense<0.5> : tensor<f32>
  %rows = hgc.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %far = hgc.constant dense<126> : tensor<i32>
  %0 = hgc.cast %q to i32 : (tensor<4x2xi8>) -> tensor<4x2xi32>
  %1 = hgc.cast %0 to f32 : (tensor<4x2xi32>) -> tensor<4x2xf32>
  %x = hgc.mul %1, %s : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %v = hgc.read @v : tensor<2x2xi8>
  %2 = hgc.cast %v to i32 : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %3 = hgc.cast %2 to f32 : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %w = hgc.mul %3, %rows : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %4 = hgc.matmul %x, %w : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %5 = hgc.cast %u to i32 : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %6 = hgc.cast %5 to f32 : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %7 = hgc.mul %6, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %8 = hgc.matmul %x, %7 : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %9 = hgc.sub %2, %far : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  %10 = hgc.cast %9 to f32 : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %11 = hgc.mul %10, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %12 = hgc.matmul %x, %11 : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %4, %8, %12 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

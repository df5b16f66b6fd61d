// Panels are wider than the filter they are made of, and take in a transpose that
// stands before them: neither makes the plan dearer than its certificate.
// RUN: hgc compile --gpu a100 --check-certificate --emit=fused %s -o - | FileCheck %s
// RUN: hgc compile --gpu a100 --check-certificate --emit=fused -O1 --objective=serial %s -o - | FileCheck %s

module {
  hgc.parameter @filter : tensor<3x3x5x8xf16> = #hgc.init<he_normal, seed = 1>

  // CHECK-LABEL: func.func @read.gpu
  // CHECK-SAME: hgc.certificate = {{.*}}serial_ps = {{[0-9]+}}
  // CHECK: hgc.conv_transpose {{.*}} packed <16, [3, 3, 8, 5]>
  func.func @read(%x: tensor<2x7x5x8xf16>) -> tensor<2x15x11x5xf32> attributes {hgc.entry} {
    %w = hgc.read @filter : tensor<3x3x5x8xf16>
    %y = hgc.conv_transpose %x, %w strides = [2, 2] channels_last hwio
        : (tensor<2x7x5x8xf16>, tensor<3x3x5x8xf16>) -> tensor<2x15x11x5xf32>
    return %y : tensor<2x15x11x5xf32>
  }

  // CHECK-LABEL: func.func @given.gpu
  // CHECK-SAME: hgc.refined
  // CHECK: hgc.transpose {{.*}} permutation = [2, 3, 0, 1] {hgc.packing}
  // CHECK: hgc.conv_transpose {{.*}} packed <16, [3, 3, 8, 5]>
  func.func @given(%x: tensor<2x7x5x8xi8>, %w: tensor<8x5x3x3xi8>) -> tensor<2x15x11x5xi32> attributes {hgc.entry} {
    %y = hgc.conv_transpose %x, %w strides = [2, 2] channels_last oihw
        : (tensor<2x7x5x8xi8>, tensor<8x5x3x3xi8>) -> tensor<2x15x11x5xi32>
    return %y : tensor<2x15x11x5xi32>
  }

  // One that others read, too, stays in a kernel with what makes it.
  // CHECK-LABEL: func.func @shared.gpu
  // CHECK: hgc.exp
  // CHECK-NEXT: hgc.transpose
  // CHECK: hgc.transpose {{.*}} permutation = [0, 1, 3, 2] {hgc.packing}
  func.func @shared(%x: tensor<1x5x5x16xf32>, %w: tensor<16x16x3x3xf32>)
      -> (tensor<1x5x5x16xf32>, tensor<1x5x5x16xf32>) attributes {hgc.entry} {
    %e = hgc.exp %w : tensor<16x16x3x3xf32>
    %a = hgc.conv_transpose %x, %e extents = [5, 5] pads = [1, 1, 1, 1] channels_last oihw
        : (tensor<1x5x5x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x5x5x16xf32>
    %b = hgc.conv %x, %e pads = [1, 1, 1, 1] channels_last oihw
        : (tensor<1x5x5x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x5x5x16xf32>
    return %a, %b : tensor<1x5x5x16xf32>, tensor<1x5x5x16xf32>
  }
}

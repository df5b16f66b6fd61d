// Convolutions on a CPU with a matrix unit.
// RUN: hgc-opt --hgc-choose-conv-forms='exact matrix=auto' %s | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: hgc-opt --hgc-choose-conv-forms=matrix=always %s | FileCheck %s --check-prefixes=CHECK,ALWAYS
// RUN: hgc-opt --hgc-choose-conv-forms='exact' %s | FileCheck %s --check-prefix=NEVER
// RUN: hgc-opt --hgc-choose-conv-forms=force=matrix %s 2>%t | FileCheck %s --check-prefixes=CHECK,ALWAYS
// RUN: FileCheck %s --check-prefix=REFUSED < %t
// NEVER-NOT: hgc.form
// REFUSED: warning: 3 of 5 convolutions cannot have the form 'matrix'

module attributes {hgc.target_cpu = "sapphirerapids"} {
  hgc.parameter @w : tensor<3x3x64x64xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @small : tensor<3x3x2x4xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @each : tensor<3x3x1x64xf32> = #hgc.init<normal, seed = 3>
  hgc.parameter @state : tensor<3x3x64x64xf32> = #hgc.init<normal, seed = 4>
  // CHECK-LABEL: func.func @convs
  func.func @convs(%x: tensor<1x56x56x64xf32>, %y: tensor<1x8x8x2xf32>) -> tensor<1x56x56x64xf32> attributes {hgc.entry} {
    %w = hgc.read @w : tensor<3x3x64x64xf32>
    %small = hgc.read @small : tensor<3x3x2x4xf32>
    %each = hgc.read @each : tensor<3x3x1x64xf32>
    %state = hgc.read @state : tensor<3x3x64x64xf32>
    // CHECK: hgc.conv {{.*}} {hgc.form = "matrix"} : (tensor<1x56x56x64xf32>
    %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    // AUTO: hgc.conv {{.*}} hwio : (tensor<1x8x8x2xf32>
    // ALWAYS: hgc.conv {{.*}} {hgc.form = "matrix"} : (tensor<1x8x8x2xf32>
    %1 = hgc.conv %y, %small pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x8x8x4xf32>
    // Groups, dilated lines and filters that change have other forms.
    // CHECK-NOT: hgc.form
    %2 = hgc.conv %x, %each pads = [1, 1, 1, 1] groups = 64 channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x56x56x64xf32>
    %3 = hgc.conv %x, %w dilations = [1, 2] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x54x52x64xf32>
    %4 = hgc.conv %x, %state pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    hgc.assign @state, %w : tensor<3x3x64x64xf32>
    return %0 : tensor<1x56x56x64xf32>
  }
}

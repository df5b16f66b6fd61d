// RUN: hgc eval %s --dim c=2 | FileCheck %s
// RUN: not hgc eval %s --dim c=3 2>&1 | FileCheck %s --check-prefix=WRONG

// Channels that only the call knows are checked by the evaluator.
// CHECK: y: 1x1x1x1xf32=
// WRONG: channels.mlir:[[#@LINE+5]]:8: error:
// WRONG-SAME: convolves 3 channels in 1 groups with a filter of 2 and 1
// WRONG: hint: make the channels of data and filter agree
func.func @f(%x: tensor<1x1x1x?xf32> {hgc.shape = [1, 1, 1, "c"]}, %w: tensor<1x1x2x1xf32>)
    -> (tensor<1x1x1x1xf32> {hgc.name = "y"}) attributes {hgc.entry} {
  %y = hgc.conv %x, %w channels_last hwio : (tensor<1x1x1x?xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

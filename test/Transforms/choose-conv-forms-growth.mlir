// RUN: hgc-opt --hgc-choose-conv-forms %s | FileCheck %s

module attributes {hgc.target_cpu = "znver5", hgc.call_bytes = 60000000 : i64} {

hgc.parameter @w : tensor<3x3x512x512xf32> = #hgc.init<normal, seed = 1>
hgc.parameter @v : tensor<3x3x256x256xf32> = #hgc.init<normal, seed = 2>

// Few squares share a filter. Where products are fast, transforming it at the call takes longer than the products that this
// saves; and a filter that keeps its transform, which comes from memory, would have to save more than it does.
// CHECK-LABEL: func.func @few
// CHECK:      hgc.conv {{.*}} channels_last hwio :
func.func @few(%x: tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32> attributes {hgc.entry} {
  %w = hgc.read @w : tensor<3x3x512x512xf32>
  %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32>
  return %y : tensor<1x7x7x512xf32>
}

// More squares make up for it.
// CHECK-LABEL: func.func @more
// CHECK:      hgc.conv {{.*}} {hgc.form = "winograd4-compact"}
func.func @more(%x: tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32> attributes {hgc.entry} {
  %v = hgc.read @v : tensor<3x3x256x256xf32>
  %y = hgc.conv %x, %v pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<1x14x14x256xf32>
  return %y : tensor<1x14x14x256xf32>
}
}

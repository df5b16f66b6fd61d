// RUN: hgc-opt --hgc-choose-conv-forms %s | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: hgc-opt --hgc-choose-conv-forms=exact %s | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: hgc-opt --hgc-choose-conv-forms=force=winograd2 %s 2>%t | FileCheck %s --check-prefix=TWO
// RUN: FileCheck %s --check-prefix=REFUSED < %t
// RUN: hgc-opt --hgc-choose-conv-forms=force=direct %s | FileCheck %s --check-prefix=DIRECT
// RUN: hgc-opt --hgc-choose-conv-forms=force=generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: not hgc-opt --hgc-choose-conv-forms=force=fft %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// REFUSED: warning: 9 of 14 convolutions cannot have the form 'winograd2'
// REFUSED: hint: they keep their own; 'hgc explain' shows it for each
// UNKNOWN: error: unknown form of convolutions 'fft'
// UNKNOWN: hint: the known ones are generic, depthwise, direct, gemm, winograd2, winograd4, matrix, winograd2-compact, winograd4-compact

hgc.parameter @w : tensor<3x3x64x64xf32> = #hgc.init<normal, seed = 1>
hgc.parameter @narrow : tensor<3x3x4x4xf32> = #hgc.init<normal, seed = 2>
hgc.parameter @tall : tensor<3x3x1200x16xf32> = #hgc.init<normal, seed = 3>
hgc.parameter @half : tensor<3x3x64x64xf16> = #hgc.init<normal, seed = 4>
hgc.parameter @line : tensor<1x3x64x64xf32> = #hgc.init<normal, seed = 5>
hgc.parameter @point : tensor<1x1x64x64xf32> = #hgc.init<normal, seed = 6>
hgc.parameter @each : tensor<3x3x1x64xf32> = #hgc.init<normal, seed = 7>
hgc.parameter @large : tensor<3x3x256x256xf32> = #hgc.init<normal, seed = 9>
hgc.parameter @state : tensor<3x3x64x64xf32> = #hgc.init<normal, seed = 8>

// Many channels and pixels: squares pay.
// CHECK-LABEL: func.func @pays
// TWO-LABEL:   func.func @pays
// AUTO:    hgc.conv {{.*}} {hgc.form = "winograd4"}
// EXACT:   hgc.conv {{.*}} channels_last hwio :
// TWO:     hgc.conv {{.*}} {hgc.form = "winograd2"}
func.func @pays(%x: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> attributes {hgc.entry} {
  %w = hgc.read @w : tensor<3x3x64x64xf32>
  %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// With few channels the transforms take longer than the products that they save; the
// form can be forced.
// CHECK-LABEL: func.func @few_channels
// TWO-LABEL:   func.func @few_channels
// CHECK-NOT:   hgc.form
// TWO:         hgc.form = "winograd2"
func.func @few_channels(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> attributes {hgc.entry} {
  %w = hgc.read @narrow : tensor<3x3x4x4xf32>
  %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x8x8x4xf32>
  return %y : tensor<1x8x8x4xf32>
}

// Sums over 1200 channels of squares of 4x4 results may be off by more than 5e-5; those
// of 2x2 results are not.
// CHECK-LABEL: func.func @deep
// TWO-LABEL:   func.func @deep
// CHECK-NOT:   winograd4
// TWO:         hgc.form = "winograd2"
func.func @deep(%x: tensor<1x28x28x1200xf32>) -> tensor<1x28x28x16xf32> attributes {hgc.entry} {
  %w = hgc.read @tall : tensor<3x3x1200x16xf32>
  %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x28x28x1200xf32>, tensor<3x3x1200x16xf32>) -> tensor<1x28x28x16xf32>
  return %y : tensor<1x28x28x16xf32>
}

// A filter that would take seven more megabytes is transformed at every call, for many squares and for few. The
// smaller one above keeps its transform.
// CHECK-LABEL: func.func @grows
// TWO-LABEL:   func.func @grows
// AUTO-COUNT-2:  hgc.conv {{.*}} {hgc.form = "winograd4-compact"}
// TWO-COUNT-2:   hgc.conv {{.*}} {hgc.form = "winograd2"}
func.func @grows(%x: tensor<1x14x14x256xf32>, %y: tensor<1x56x56x256xf32>) attributes {hgc.entry} {
  %w = hgc.read @large : tensor<3x3x256x256xf32>
  %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<1x14x14x256xf32>
  %1 = hgc.conv %y, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x256xf32>, tensor<3x3x256x256xf32>) -> tensor<1x56x56x256xf32>
  return
}

// Other strides, types, windows and dilations have no such form.
// CHECK-LABEL: func.func @others
// TWO-LABEL:   func.func @others
// CHECK-NOT:   hgc.form
// TWO-NOT:     hgc.form
func.func @others(%x: tensor<1x56x56x64xf32>, %h: tensor<1x56x56x64xf16>) attributes {hgc.entry} {
  %w = hgc.read @w : tensor<3x3x64x64xf32>
  %half = hgc.read @half : tensor<3x3x64x64xf16>
  %line = hgc.read @line : tensor<1x3x64x64xf32>
  %0 = hgc.conv %x, %w strides = [2, 2] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x27x27x64xf32>
  %1 = hgc.conv %x, %w dilations = [1, 2] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x54x52x64xf32>
  %2 = hgc.conv %h, %half channels_last hwio : (tensor<1x56x56x64xf16>, tensor<3x3x64x64xf16>) -> tensor<1x54x54x64xf32>
  %3 = hgc.conv %x, %line channels_last hwio : (tensor<1x56x56x64xf32>, tensor<1x3x64x64xf32>) -> tensor<1x56x54x64xf32>
  return
}

// A filter that changes would have to be transformed at every call.
// CHECK-LABEL: func.func @changes
// CHECK-NOT:   hgc.form
func.func @changes(%x: tensor<1x56x56x64xf32>, %new: tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> attributes {hgc.entry} {
  %w = hgc.read @state : tensor<3x3x64x64xf32>
  %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  hgc.assign @state, %new : tensor<3x3x64x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// Gradients stay exact, and so does what they are computed from.
// CHECK-LABEL: func.func @gradients
// CHECK-NOT:   hgc.form
func.func @gradients(%x: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> attributes {hgc.entry, hgc.differentiated} {
  %w = hgc.read @w : tensor<3x3x64x64xf32>
  %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}

// What an op is by its shape needs no note.
// DIRECT-LABEL:  func.func @forced
// DIRECT:        hgc.conv {{.*}} {hgc.form = "direct"} : {{.*}} tensor<1x1x64x64xf32>
// DIRECT:        hgc.conv {{.*}} {hgc.form = "direct"} : {{.*}} tensor<3x3x1x64xf32>
// DIRECT:        hgc.conv {{.*}} channels_last hwio : {{.*}} tensor<3x3x64x64xf32>
// GENERIC-LABEL: func.func @forced
// GENERIC-COUNT-3: hgc.form = "generic"
func.func @forced(%x: tensor<1x8x8x64xf32>, %v: tensor<3x3x64x64xf32>) attributes {hgc.entry} {
  %point = hgc.read @point : tensor<1x1x64x64xf32>
  %each = hgc.read @each : tensor<3x3x1x64xf32>
  %0 = hgc.conv %x, %point channels_last hwio : (tensor<1x8x8x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x8x8x64xf32>
  %1 = hgc.conv %x, %each groups = 64 channels_last hwio : (tensor<1x8x8x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x6x6x64xf32>
  %2 = hgc.conv %x, %v channels_last hwio : (tensor<1x8x8x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x6x6x64xf32>
  return
}

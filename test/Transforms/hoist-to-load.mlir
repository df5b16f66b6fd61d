// RUN: hgc-opt --hgc-hoist-to-load --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-hoist-to-load=max-bytes=64 --split-input-file %s | FileCheck %s --check-prefix=SMALL

// Weights in few bits are widened once, when the model is loaded.
// CHECK: hgc.parameter @w.hoisted {{.*}}hgc.loaded
// CHECK-LABEL: func.func @f
// CHECK-SAME: hgc.refined
// CHECK: %[[W:.*]] = hgc.read @w.hoisted {hgc.device = #hgc.device<gpu>} : tensor<64x16xf32>
// CHECK-NOT: hgc.cast
// CHECK: hgc.matmul %{{.*}}, %[[W]]
// CHECK-LABEL: func.func @load
// CHECK-SAME: hgc.load
// CHECK: %[[Q:.*]] = hgc.read @w {hgc.device = #hgc.device<cpu>}
// CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[Q]] from <cpu> to <gpu>
// CHECK: %[[F:.*]] = hgc.cast %[[G]] {{.*}}<gpu>
// CHECK: %[[M:.*]] = hgc.mul %[[F]], %{{.*}} {hgc.device = #hgc.device<gpu>}
// CHECK: hgc.assign @w.hoisted, %[[M]] {hgc.device = #hgc.device<gpu>}
// SMALL: hgc.cast
// SMALL-NOT: func.func @load
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<64x16xi8> = dense<3>
func.func @f(%x: tensor<8x64xf32>) -> tensor<8x16xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %x0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8x64xf32>
  %q = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<64x16xi8>
  %s = hgc.constant {hgc.device = #hgc.device<gpu>} dense<0.1> : tensor<f32>
  %f = hgc.cast %q to f32 {hgc.device = #hgc.device<gpu>} : (tensor<64x16xi8>) -> tensor<64x16xf32>
  %m = hgc.mul %f, %s {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>, tensor<f32>) -> tensor<64x16xf32>
  %y = hgc.matmul %x0, %m {hgc.device = #hgc.device<gpu>} : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %r = hgc.transfer %y from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
}

// -----

// What a kernel computes on the way, what the host computes, and what depends on
// an assigned parameter stay.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: hgc.refined
// CHECK-NOT: hoisted
// CHECK: return
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @b : tensor<16xi8> = dense<3>
hgc.parameter @state : tensor<64x16xi8> = dense<3>
func.func @stays(%x: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x64xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  %x0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<64x16xf32>
  %b = hgc.read @b {hgc.device = #hgc.device<gpu>} : tensor<16xi8>
  %f = hgc.cast %b to f32 {hgc.device = #hgc.device<gpu>} : (tensor<16xi8>) -> tensor<16xf32>
  %y = hgc.add %x0, %f {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>, tensor<16xf32>) -> tensor<64x16xf32>
  %s = hgc.read @state {hgc.device = #hgc.device<gpu>} : tensor<64x16xi8>
  %t = hgc.cast %s to f32 {hgc.device = #hgc.device<gpu>} : (tensor<64x16xi8>) -> tensor<64x16xf32>
  %m = hgc.matmul %y, %t transpose_rhs {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x64xf32>
  hgc.assign @state, %s {hgc.device = #hgc.device<gpu>} : tensor<64x16xi8>
  %r = hgc.transfer %y from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<64x16xf32>
  %q = hgc.transfer %m from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<64x64xf32>
  return %r, %q : tensor<64x16xf32>, tensor<64x64xf32>
}
}

// -----

// One is made from another that is read at every call, too: the load function starts
// from what the library has, since parameters on a GPU only are not there yet.
// CHECK-LABEL: func.func @chain
// CHECK-DAG: hgc.read @w.hoisted {hgc.device = #hgc.device<gpu>} : tensor<64x16xf32>
// CHECK-DAG: hgc.read @w.hoisted_{{[0-9]+}} {hgc.device = #hgc.device<gpu>} : tensor<16x64xf32>
// CHECK-LABEL: func.func @load
// CHECK-NOT: hgc.read @w.hoisted
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<64x16xi8> = dense<3>
func.func @chain(%x: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %x0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8x64xf32>
  %q = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<64x16xi8>
  %f = hgc.cast %q to f32 {hgc.device = #hgc.device<gpu>} : (tensor<64x16xi8>) -> tensor<64x16xf32>
  %t = hgc.transpose %f permutation = [1, 0] {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>) -> tensor<16x64xf32>
  %y = hgc.matmul %x0, %f {hgc.device = #hgc.device<gpu>} : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %z = hgc.matmul %y, %t {hgc.device = #hgc.device<gpu>} : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %r = hgc.transfer %z from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
}

// -----

// An expression that crosses devices does so when the model is loaded, too: every op stays where it
// was placed, and only what is read on a GPU is sent from the host.
// CHECK: hgc.parameter @w.hoisted {{.*}}hgc.loaded
// CHECK-LABEL: func.func @crosses
// CHECK: %[[W:.*]] = hgc.read @w.hoisted {hgc.device = #hgc.device<gpu>} : tensor<16x64xf32>
// CHECK-NOT: hgc.cast
// CHECK: hgc.matmul %{{.*}}, %[[W]]
// CHECK-LABEL: func.func @load
// CHECK: %[[Q:.*]] = hgc.read @w {hgc.device = #hgc.device<cpu>}
// CHECK-NEXT: %[[F:.*]] = hgc.cast %[[Q]] {{.*}}<cpu>
// CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[F]] from <cpu> to <gpu>
// CHECK-NEXT: %[[T:.*]] = hgc.transpose %[[G]] {{.*}}<gpu>
// CHECK-NEXT: hgc.assign @w.hoisted, %[[T]] {hgc.device = #hgc.device<gpu>}
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<64x16xi8> = dense<3>
func.func @crosses(%x: tensor<8x16xf32>) -> tensor<8x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %x0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8x16xf32>
  %q = hgc.read @w {hgc.device = #hgc.device<cpu>} : tensor<64x16xi8>
  %f = hgc.cast %q to f32 {hgc.device = #hgc.device<cpu>} : (tensor<64x16xi8>) -> tensor<64x16xf32>
  %g = hgc.transfer %f from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<64x16xf32>
  %t = hgc.transpose %g permutation = [1, 0] {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>) -> tensor<16x64xf32>
  %y = hgc.matmul %x0, %t {hgc.device = #hgc.device<gpu>} : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %r = hgc.transfer %y from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
}

// -----

// From one GPU to another, and from a GPU over the host: the copies are made again.
// CHECK-LABEL: func.func @load
// CHECK: %[[Q:.*]] = hgc.read @w {hgc.device = #hgc.device<cpu>}
// CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[Q]] from <cpu> to <gpu : 1>
// CHECK-NEXT: %[[F:.*]] = hgc.cast %[[G]] {{.*}}<gpu : 1>
// CHECK-NEXT: %[[P:.*]] = hgc.transfer %[[F]] from <gpu : 1> to <gpu>
// CHECK: hgc.transpose %[[P]] {{.*}}<gpu>}
// CHECK: %[[H:.*]] = hgc.transfer %{{.*}} from <gpu : 1> to <cpu>
// CHECK-NEXT: %[[N:.*]] = hgc.neg %[[H]] {hgc.device = #hgc.device<cpu>}
// CHECK-NEXT: hgc.transfer %[[N]] from <cpu> to <gpu>
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<64x16xi8> = dense<3>
func.func @two(%x: tensor<8x16xf32> {hgc.device = #hgc.device<gpu>}) -> (tensor<8x64xf32> {hgc.device = #hgc.device<gpu>}, tensor<8x64xf32> {hgc.device = #hgc.device<gpu>}) attributes {hgc.entry, hgc.plan = "gpu"} {
  %q = hgc.read @w {hgc.device = #hgc.device<gpu:1>} : tensor<64x16xi8>
  %f = hgc.cast %q to f32 {hgc.device = #hgc.device<gpu:1>} : (tensor<64x16xi8>) -> tensor<64x16xf32>
  %g = hgc.transfer %f from <gpu:1> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<64x16xf32>
  %t = hgc.transpose %g permutation = [1, 0] {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>) -> tensor<16x64xf32>
  %y = hgc.matmul %x, %t {hgc.device = #hgc.device<gpu>} : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  %h = hgc.transfer %f from <gpu:1> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<64x16xf32>
  %n = hgc.neg %h {hgc.device = #hgc.device<cpu>} : tensor<64x16xf32>
  %m = hgc.transfer %n from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<64x16xf32>
  %u = hgc.transpose %m permutation = [1, 0] {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>) -> tensor<16x64xf32>
  %z = hgc.matmul %x, %u {hgc.device = #hgc.device<gpu>} : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
  return %y, %z : tensor<8x64xf32>, tensor<8x64xf32>
}
}

// -----

// What is read twice is computed once, and does not make the work of compiling double either.
// CHECK-LABEL: func.func @load
// CHECK-COUNT-1: hgc.read @w
// CHECK-COUNT-3: hgc.add
// CHECK-NOT: hgc.add
// CHECK-NOT: hgc.read
// CHECK: hgc.assign @w.hoisted
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<64x16xi8> = dense<3>
func.func @shared(%x: tensor<8x64xf32> {hgc.device = #hgc.device<gpu>}) -> (tensor<8x16xf32> {hgc.device = #hgc.device<gpu>}) attributes {hgc.entry, hgc.plan = "gpu"} {
  %q = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<64x16xi8>
  %f = hgc.cast %q to f32 {hgc.device = #hgc.device<gpu>} : (tensor<64x16xi8>) -> tensor<64x16xf32>
  %a = hgc.add %f, %f {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %b = hgc.add %a, %a {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %c = hgc.add %b, %b {hgc.device = #hgc.device<gpu>} : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = hgc.matmul %x, %c {hgc.device = #hgc.device<gpu>} : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
}

// RUN: hgc-opt --hgc-share-weights --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-share-weights --hgc-fold-packs --split-input-file %s | FileCheck %s --check-prefix=FOLDED

// The GPU plan's matrix is made from the CPU plan's panels when the model is
// loaded; it has no bytes of its own.
// CHECK:      hgc.parameter @w.unpacked : tensor<8x20xf32> = #hgc.init<zeros> {hgc.loaded}
// CHECK:      func.func @f.gpu
// CHECK:        %[[W:.*]] = hgc.read @w.unpacked {hgc.device = #hgc.device<gpu>}
// CHECK:        hgc.matmul %{{.*}}, %[[W]]
// CHECK:      func.func @load() attributes {hgc.entry, hgc.load, hgc.plan = "gpu", hgc.variant_of = "load"} {
// CHECK-NEXT:   %[[R:.*]] = hgc.read @w {hgc.device = #hgc.device<cpu>}
// CHECK-NEXT:   %[[P:.*]] = hgc.pack matmul_rhs %[[R]] width 16 {hgc.device = #hgc.device<cpu>}
// CHECK-NEXT:   %[[G:.*]] = hgc.transfer %[[P]] from <cpu> to <gpu>
// CHECK-NEXT:   %[[T:.*]] = hgc.transpose %[[G]] permutation = [1, 0, 2] {hgc.device = #hgc.device<gpu>} : (tensor<2x8x16xf32>) -> tensor<8x2x16xf32>
// CHECK-NEXT:   %[[V:.*]] = hgc.reshape %[[T]] shape [8, 32]
// CHECK-NEXT:   %[[S:.*]] = hgc.slice %[[V]] starts = [0, 0] sizes = [8, 20]
// CHECK-NEXT:   hgc.assign @w.unpacked, %[[S]] {hgc.device = #hgc.device<gpu>}
// CHECK-NEXT:   return
// Folding leaves one copy of the weight, and the load function its work.
// FOLDED-NOT: hgc.parameter @w :
// FOLDED:     hgc.parameter @w.packed
// FOLDED-NOT: hgc.parameter
// FOLDED:     func.func @load
// FOLDED-NEXT:  hgc.read @w.packed {hgc.device = #hgc.device<cpu>}
// FOLDED-NEXT:  hgc.transfer
// FOLDED-NEXT:  hgc.transpose
module attributes {hgc.target_gpu = "sm_80"} {
hgc.parameter @w : tensor<8x20xf32> = #hgc.init<glorot_uniform, seed = 1>
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x20xf32> attributes {hgc.entry, hgc.plan = "cpu", hgc.variant_of = "f"} {
  %w = hgc.read @w {hgc.device = #hgc.device<cpu>} : tensor<8x20xf32>
  %p = hgc.pack matmul_rhs %w width 16 {hgc.device = #hgc.device<cpu>} : (tensor<8x20xf32>) -> tensor<2x8x16xf32>
  %0 = hgc.matmul %x, %p packed <16, [8, 20]> {hgc.device = #hgc.device<cpu>} : (tensor<4x8xf32>, tensor<2x8x16xf32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}
func.func @f.gpu(%x: tensor<4x8xf32>) -> tensor<4x20xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %w = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<8x20xf32>
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4x8xf32>
  %0 = hgc.matmul %g, %w {hgc.device = #hgc.device<gpu>} : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
  %c = hgc.transfer %0 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4x20xf32>
  return %c : tensor<4x20xf32>
}
}

// -----

// Steps between weight and panels are undone in turn; of a filter in groups the
// rows come first.
// CHECK:      func.func @load
// CHECK:        hgc.pack conv_filter
// CHECK:        %[[G:.*]] = hgc.transfer
// CHECK-NEXT:   %[[T:.*]] = hgc.transpose %[[G]] permutation = [2, 0, 1, 3] {{.*}} : (tensor<2x1x9x8xf32>) -> tensor<9x2x1x8xf32>
// CHECK-NEXT:   %[[V:.*]] = hgc.reshape %[[T]] shape [9, 2, 8]
// CHECK-NEXT:   %[[S:.*]] = hgc.slice %[[V]] starts = [0, 0, 0] sizes = [9, 2, 3]
// CHECK-NEXT:   %[[F:.*]] = hgc.reshape %[[S]] shape [3, 3, 1, 6]
// CHECK-NEXT:   %[[O:.*]] = hgc.transpose %[[F]] permutation = [3, 2, 0, 1] {{.*}} : (tensor<3x3x1x6xf32>) -> tensor<6x1x3x3xf32>
// CHECK-NEXT:   hgc.assign @k.unpacked, %[[O]]
module attributes {hgc.target_gpu = "sm_80"} {
hgc.parameter @k : tensor<6x1x3x3xf32> = #hgc.init<glorot_uniform, seed = 1>
func.func @f() -> tensor<2x1x9x8xf32> attributes {hgc.entry, hgc.plan = "cpu", hgc.variant_of = "f"} {
  %w = hgc.read @k {hgc.device = #hgc.device<cpu>} : tensor<6x1x3x3xf32>
  %t = hgc.transpose %w permutation = [2, 3, 1, 0] {hgc.device = #hgc.device<cpu>} : (tensor<6x1x3x3xf32>) -> tensor<3x3x1x6xf32>
  %p = hgc.pack conv_filter %t width 8 groups = 2 {hgc.device = #hgc.device<cpu>} : (tensor<3x3x1x6xf32>) -> tensor<2x1x9x8xf32>
  return %p : tensor<2x1x9x8xf32>
}
func.func @f.gpu(%x: tensor<6x1x3x3xf32>) -> tensor<6x1x3x3xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %w = hgc.read @k {hgc.device = #hgc.device<gpu>} : tensor<6x1x3x3xf32>
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<6x1x3x3xf32>
  %0 = hgc.add %g, %w {hgc.device = #hgc.device<gpu>} : (tensor<6x1x3x3xf32>, tensor<6x1x3x3xf32>) -> tensor<6x1x3x3xf32>
  %c = hgc.transfer %0 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<6x1x3x3xf32>
  return %c : tensor<6x1x3x3xf32>
}
}

// -----

// A weight that the CPU plan also reads as it is has its bytes already.
// CHECK-NOT: @w.unpacked
// CHECK-NOT: @load
module attributes {hgc.target_gpu = "sm_80"} {
hgc.parameter @w : tensor<8x20xf32> = #hgc.init<glorot_uniform, seed = 1>
func.func @f() -> (tensor<2x8x16xf32>, tensor<8x20xf32>) attributes {hgc.entry, hgc.plan = "cpu", hgc.variant_of = "f"} {
  %w = hgc.read @w {hgc.device = #hgc.device<cpu>} : tensor<8x20xf32>
  %p = hgc.pack matmul_rhs %w width 16 {hgc.device = #hgc.device<cpu>} : (tensor<8x20xf32>) -> tensor<2x8x16xf32>
  return %p, %w : tensor<2x8x16xf32>, tensor<8x20xf32>
}
func.func @f.gpu(%x: tensor<8x20xf32>) -> tensor<8x20xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %w = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<8x20xf32>
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8x20xf32>
  %0 = hgc.add %g, %w {hgc.device = #hgc.device<gpu>} : (tensor<8x20xf32>, tensor<8x20xf32>) -> tensor<8x20xf32>
  %c = hgc.transfer %0 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8x20xf32>
  return %c : tensor<8x20xf32>
}
}

// -----

// What is widened on the way has fewer bytes before: the GPU reads those.
// CHECK:      hgc.parameter @w : tensor<8x20xi8>
// CHECK-NOT:  .unpacked
// CHECK:      func.func @f.gpu
// CHECK:        hgc.read @w {hgc.device = #hgc.device<gpu>}
// CHECK-NEXT:   hgc.cast
module attributes {hgc.target_gpu = "sm_80"} {
hgc.parameter @w : tensor<8x20xi8> = dense<3>
func.func @f() -> tensor<2x8x16xf32> attributes {hgc.entry, hgc.plan = "cpu", hgc.variant_of = "f"} {
  %w = hgc.read @w {hgc.device = #hgc.device<cpu>} : tensor<8x20xi8>
  %f = hgc.cast %w to f32 {hgc.device = #hgc.device<cpu>} : (tensor<8x20xi8>) -> tensor<8x20xf32>
  %p = hgc.pack matmul_rhs %f width 16 {hgc.device = #hgc.device<cpu>} : (tensor<8x20xf32>) -> tensor<2x8x16xf32>
  return %p : tensor<2x8x16xf32>
}
func.func @f.gpu() -> tensor<8x20xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %w = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<8x20xi8>
  %f = hgc.cast %w to f32 {hgc.device = #hgc.device<gpu>, hgc.fuses} : (tensor<8x20xi8>) -> tensor<8x20xf32>
  %c = hgc.transfer %f from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8x20xf32>
  return %c : tensor<8x20xf32>
}
}

// -----

// What placement has priced is not computed at a call any more: the entry costs less than certified.
// CHECK:      func.func @f.gpu
// CHECK-SAME:   hgc.refined
// CHECK:        hgc.read @constant.unpacked
// CHECK-NOT:    hgc.transpose
// CHECK:      func.func @load
module attributes {hgc.target_gpu = "sm_80"} {
func.func @f() -> tensor<1x2x16xf32> attributes {hgc.entry, hgc.plan = "cpu", hgc.variant_of = "f"} {
  %w = hgc.constant {hgc.device = #hgc.device<cpu>} dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %t = hgc.transpose %w permutation = [1, 0] {hgc.device = #hgc.device<cpu>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %p = hgc.pack matmul_rhs %t width 16 {hgc.device = #hgc.device<cpu>} : (tensor<2x3xf32>) -> tensor<1x2x16xf32>
  return %p : tensor<1x2x16xf32>
}
func.func @f.gpu(%x: tensor<2x3xf32> {hgc.device = #hgc.device<gpu>}) -> (tensor<2x3xf32> {hgc.device = #hgc.device<gpu>}) attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %w = hgc.constant {hgc.device = #hgc.device<gpu>} dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %t = hgc.transpose %w permutation = [1, 0] {hgc.device = #hgc.device<gpu>, hgc.decision = {}} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %0 = hgc.add %x, %t {hgc.device = #hgc.device<gpu>, hgc.decision = {}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
}

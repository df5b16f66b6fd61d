// RUN: hgc-opt --hgc-decompose --split-input-file %s | FileCheck %s

// Two products with a softmax between them; the default scale is 1 / sqrt(16).
// CHECK-LABEL: func.func @plain
// CHECK-SAME:    (%[[Q:.*]]: tensor<2x3x16xf32>, %[[K:.*]]: tensor<2x5x16xf32>, %[[V:.*]]: tensor<2x5x4xf32>)
// CHECK:         %[[S:.*]] = hgc.matmul %[[Q]], %[[K]] transpose_rhs {hgc.device = #hgc.device<cpu>}
// CHECK:         %[[C:.*]] = hgc.constant {{.*}}dense<2.500000e-01> : tensor<f32>
// CHECK:         %[[M:.*]] = hgc.mul %[[S]], %[[C]]
// CHECK:         %[[P:.*]] = hgc.softmax %[[M]] axis 2
// CHECK:         %[[R:.*]] = hgc.matmul %[[P]], %[[V]]
// CHECK:         return %[[R]]
func.func @plain(%q: tensor<2x3x16xf32>, %k: tensor<2x5x16xf32>, %v: tensor<2x5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = hgc.attention %q, %k, %v {hgc.device = #hgc.device<cpu>}
      : (tensor<2x3x16xf32>, tensor<2x5x16xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// An i1 mask selects, numbers are added; the causal mask follows from positions.
// CHECK-LABEL: func.func @masks
// CHECK:         %[[H:.*]] = hgc.constant dense<0xFF800000> : tensor<f32>
// CHECK:         hgc.select %{{.*}}, %{{.*}}, %[[H]] : (tensor<3x5xi1>, tensor<3x5xf32>, tensor<f32>)
// CHECK:         hgc.add %{{.*}}, %{{.*}} : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
// CHECK:         %[[I:.*]] = hgc.iota shape [3, 1] axis 0
// CHECK:         %[[J:.*]] = hgc.iota shape [1, 5] axis 1
// CHECK:         %[[C:.*]] = hgc.compare le %[[J]], %[[I]]
// CHECK:         hgc.select %[[C]]
func.func @masks(%q: tensor<3x16xf32>, %k: tensor<5x16xf32>, %b: tensor<3x5xi1>, %m: tensor<5xf32>)
    -> (tensor<3x16xf32>, tensor<3x16xf32>) {
  %0 = hgc.attention %q, %k, %k mask %b
      : (tensor<3x16xf32>, tensor<5x16xf32>, tensor<5x16xf32>, tensor<3x5xi1>) -> tensor<3x16xf32>
  %1 = hgc.attention %q, %k, %k mask %m causal
      : (tensor<3x16xf32>, tensor<5x16xf32>, tensor<5x16xf32>, tensor<5xf32>) -> tensor<3x16xf32>
  return %0, %1 : tensor<3x16xf32>, tensor<3x16xf32>
}

// -----

// Half precision stays f32 from the first product to the last.
// CHECK-LABEL: func.func @half
// CHECK:         hgc.matmul {{.*}} : (tensor<3x16xf16>, tensor<3x16xf16>) -> tensor<3x3xf32>
// CHECK:         hgc.softmax {{.*}} : tensor<3x3xf32>
// CHECK:         %[[V:.*]] = hgc.cast %{{.*}} to f32 : (tensor<3x16xf16>) -> tensor<3x16xf32>
// CHECK:         %[[R:.*]] = hgc.matmul %{{.*}}, %[[V]] : (tensor<3x3xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
// CHECK:         hgc.cast %[[R]] to f16
func.func @half(%q: tensor<3x16xf16>) -> tensor<3x16xf16> {
  %0 = hgc.attention %q, %q, %q : (tensor<3x16xf16>, tensor<3x16xf16>, tensor<3x16xf16>) -> tensor<3x16xf16>
  return %0 : tensor<3x16xf16>
}

// -----

// A GPU runs it in one kernel, unless it has too many features or is f64.
// CHECK-LABEL: func.func @gpu
// CHECK:         hgc.attention {{.*}} tensor<3x256xf32>
// CHECK-NOT:     hgc.attention
// CHECK:         hgc.matmul {{.*}}hgc.device = #hgc.device<gpu>{{.*}} tensor<3x257xf32>
// CHECK:         hgc.matmul {{.*}} tensor<3x16xf64>
func.func @gpu(%a: tensor<3x256xf32>, %b: tensor<3x257xf32>, %c: tensor<3x16xf64>)
    -> (tensor<3x256xf32>, tensor<3x257xf32>, tensor<3x16xf64>) {
  %0 = hgc.attention %a, %a, %a {hgc.device = #hgc.device<gpu:0>}
      : (tensor<3x256xf32>, tensor<3x256xf32>, tensor<3x256xf32>) -> tensor<3x256xf32>
  %1 = hgc.attention %b, %b, %b {hgc.device = #hgc.device<gpu:0>}
      : (tensor<3x257xf32>, tensor<3x257xf32>, tensor<3x257xf32>) -> tensor<3x257xf32>
  %2 = hgc.attention %c, %c, %c {hgc.device = #hgc.device<gpu:0>}
      : (tensor<3x16xf64>, tensor<3x16xf64>, tensor<3x16xf64>) -> tensor<3x16xf64>
  return %0, %1, %2 : tensor<3x256xf32>, tensor<3x257xf32>, tensor<3x16xf64>
}

// -----

// Of an entry that is to be placed again, nothing says any more where it was placed; pins stay, and so does
// an entry where all attention is on the GPU.
// CHECK-LABEL: func.func @again
// CHECK-NOT:     hgc.device
// CHECK-NOT:     hgc.decision
// CHECK:         hgc.exp %{{.*}} {hgc.pin = #hgc.device<cpu>}
// CHECK-NOT:     hgc.device
// CHECK:         return
func.func @again(%q: tensor<3x16xf32>) -> tensor<3x16xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.certificate = {}} {
  %0 = hgc.exp %q {hgc.decision = {}, hgc.device = #hgc.device<cpu>, hgc.fuses, hgc.pin = #hgc.device<cpu>} : tensor<3x16xf32>
  %1 = hgc.attention %0, %0, %0 {hgc.decision = {}, hgc.device = #hgc.device<cpu>}
      : (tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  %2 = hgc.attention %1, %0, %0 {hgc.decision = {}, hgc.device = #hgc.device<gpu>}
      : (tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  return %2 : tensor<3x16xf32>
}
// CHECK-LABEL: func.func @settled
// CHECK:         hgc.exp {{.*}}hgc.device = #hgc.device<cpu>
// CHECK:         hgc.attention {{.*}}hgc.device = #hgc.device<gpu>
func.func @settled(%q: tensor<3x16xf32>) -> tensor<3x16xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.certificate = {}} {
  %0 = hgc.exp %q {hgc.decision = {}, hgc.device = #hgc.device<cpu>} : tensor<3x16xf32>
  %1 = hgc.attention %0, %0, %0 {hgc.decision = {}, hgc.device = #hgc.device<gpu>}
      : (tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  return %1 : tensor<3x16xf32>
}

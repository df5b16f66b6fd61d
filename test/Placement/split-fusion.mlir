// A section that is computed in pieces cannot be fused with what stands around it:
// the savings that are lost are part of its price.
// RUN: hgc compile --gpu a100 --objective=serial --emit=fused %s -o - | FileCheck %s

// CHECK-LABEL: func.func @f.gpu
// CHECK-SAME: serial_ps = {{[0-9]+}}
func.func @f(%x: tensor<4096x512xf32>, %w: tensor<512x512xf32>) -> tensor<4096x512xf32> attributes {hgc.entry} {
  %0 = hgc.matmul %x, %w {hgc.device = #hgc.device<cpu>}
      : (tensor<4096x512xf32>, tensor<512x512xf32>) -> tensor<4096x512xf32>
  %1 = hgc.add %x, %x {hgc.device = #hgc.device<cpu>} : (tensor<4096x512xf32>, tensor<4096x512xf32>) -> tensor<4096x512xf32>
  // CHECK: hgc.scan
  %2 = hgc.add %0, %0 {hgc.device = #hgc.device<gpu>} : (tensor<4096x512xf32>, tensor<4096x512xf32>) -> tensor<4096x512xf32>
  %3 = hgc.add %2, %2 {hgc.device = #hgc.device<cpu>} : (tensor<4096x512xf32>, tensor<4096x512xf32>) -> tensor<4096x512xf32>
  // CHECK: hgc.kernel
  %4 = hgc.add %3, %1 {hgc.device = #hgc.device<cpu>} : (tensor<4096x512xf32>, tensor<4096x512xf32>) -> tensor<4096x512xf32>
  return %4 : tensor<4096x512xf32>
}

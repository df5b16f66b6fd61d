// RUN: hgc compile %s --emit=exec -o - | FileCheck %s

// An attention is one kernel where the scores of the tallest tile, 12 rows, take up to a quarter of the second-level
// cache, which has 256 KiB here.
// CHECK-LABEL: exec.program @fits
// CHECK:         exec.launch @{{.*}}.attention
// CHECK-NOT:     exec.launch
// CHECK-LABEL: exec.program @too_many
// CHECK-NOT:     .attention
// CHECK:         exec.return
func.func @fits(%q: tensor<64x16xf32>, %k: tensor<1365x16xf32>, %v: tensor<1365x16xf32>) -> tensor<64x16xf32> attributes {hgc.entry} {
  %0 = hgc.attention %q, %k, %v : (tensor<64x16xf32>, tensor<1365x16xf32>, tensor<1365x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}
func.func @too_many(%q: tensor<64x16xf32>, %k: tensor<1366x16xf32>, %v: tensor<1366x16xf32>) -> tensor<64x16xf32> attributes {hgc.entry} {
  %0 = hgc.attention %q, %k, %v : (tensor<64x16xf32>, tensor<1366x16xf32>, tensor<1366x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

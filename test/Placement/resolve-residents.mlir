// RUN: hgc-opt --hgc-resolve-residents=rules=b=gpu:1,result1=gpu --split-input-file %s | FileCheck %s

// Rules come on top of attributes; the caller of the CPU plan passes host memory.
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %{{.*}}: tensor<4xf32> {hgc.name = "a"}, %{{.*}}: tensor<4xf32> {hgc.name = "b"}) -> (tensor<4xf32>, tensor<4xf32>)
func.func @f(%a: tensor<4xf32> {hgc.name = "a", hgc.device = #hgc.device<gpu>}, %b: tensor<4xf32> {hgc.name = "b"})
    -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "cpu"} {
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @f.gpu(
// CHECK-SAME:    {hgc.device = #hgc.device<gpu>, hgc.name = "a"}
// CHECK-SAME:    {hgc.device = #hgc.device<gpu : 1>, hgc.name = "b"}
// CHECK-SAME:    -> (tensor<4xf32>, tensor<4xf32> {hgc.device = #hgc.device<gpu>})
func.func @f.gpu(%a: tensor<4xf32> {hgc.name = "a", hgc.device = #hgc.device<gpu>}, %b: tensor<4xf32> {hgc.name = "b"})
    -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// The host is where arguments are anyway.
// CHECK-LABEL: func.func @host(
// CHECK-SAME:    %{{.*}}: tensor<4xf32> {hgc.name = "a"}
func.func @host(%a: tensor<4xf32> {hgc.name = "a", hgc.device = #hgc.device<cpu>}, %b: tensor<4xf32> {hgc.name = "b"})
    -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

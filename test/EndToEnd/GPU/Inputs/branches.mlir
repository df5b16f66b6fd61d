// Work for the host and the GPU that does not depend on each other: three branches
// with inputs and results of their own, and a long chain for the host first.
module @branches {
  func.func @f(%x: tensor<64x64xf32> {hgc.name = "x"}, %y: tensor<64x64xf32> {hgc.name = "y"},
               %z: tensor<64x64xf32> {hgc.name = "z"})
      -> (tensor<64x64xf32> {hgc.name = "u"}, tensor<64x64xf32> {hgc.name = "v"}, tensor<64x64xf32> {hgc.name = "w"},
          tensor<64xf32> {hgc.name = "h"}) attributes {hgc.entry} {
    %h0 = hgc.tanh %x {hgc.name = "host.0"} : tensor<64x64xf32>
    %h1 = hgc.matmul %h0, %x {hgc.name = "host.1"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %h2 = hgc.reduce sum %h1 axes = [0] {hgc.name = "host.2"} : (tensor<64x64xf32>) -> tensor<64xf32>
    %u0 = hgc.matmul %x, %x {hgc.name = "u.0"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %u1 = hgc.relu %u0 {hgc.name = "u.1"} : tensor<64x64xf32>
    %v0 = hgc.matmul %y, %y {hgc.name = "v.0"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %v1 = hgc.relu %v0 {hgc.name = "v.1"} : tensor<64x64xf32>
    %w0 = hgc.matmul %z, %z {hgc.name = "w.0"} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %w1 = hgc.relu %w0 {hgc.name = "w.1"} : tensor<64x64xf32>
    return %u1, %v1, %w1, %h2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>
  }
}

// Far below zero 1 + tanh(u) cancels; the compiled gelu_tanh keeps its digits.
// RUN: hgc eval %s --input x=3xf32=-4.5,-4,-3.5 --output y=@%t.npy
// RUN: hgc run %s --input x=3xf32=-4.5,-4,-3.5 --expect y=@%t.npy --rtol=1e-5 --atol=0
// So does the evaluator, and so far down an error in the exponent shows as well.
// RUN: hgc eval %s --input x=3xf32=-9,-8.75,-8.5 --output y=@%t.far.npy
// RUN: hgc run %s --input x=3xf32=-9,-8.75,-8.5 --expect y=@%t.far.npy --rtol=1e-4 --atol=0
// RUN: hgc run %s --input x=3xf32=-9,-8.75,-8.5 | FileCheck %s
// CHECK: e-2
func.func @f(%x: tensor<3xf32> {hgc.name = "x"}) -> (tensor<3xf32> {hgc.name = "y"}) attributes {hgc.entry} {
  %y = hgc.gelu_tanh %x : tensor<3xf32>
  return %y : tensor<3xf32>
}

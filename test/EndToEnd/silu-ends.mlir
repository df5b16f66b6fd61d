// silu and gelu_tanh of zeros keep their signs and those of numbers next to them; of -infinity they are not numbers, as
// x * 0 is not. Far below zero nothing is left, and what is nearly nothing keeps its digits.
// RUN: hgc run %s --input x=12xf32=-0,0,nan,inf,-inf,-3e38,3e38,1e-40,-1e-40,-89.5,-88,88 | FileCheck %s
// RUN: hgc run %s --target-cpu=x86-64-v2 --input x=12xf32=-0,0,nan,inf,-inf,-3e38,3e38,1e-40,-1e-40,-89.5,-88,88 | FileCheck %s
// RUN: hgc run %s --gpu=a100 --place 'gpu(.*)' --device=emulated --input x=12xf32=-0,0,nan,inf,-inf,-3e38,3e38,1e-40,-1e-40,-89.5,-88,88 | FileCheck %s
// CHECK: 12xf32=-0,0,{{-?}}nan,inf,{{-?}}nan,-0,3.00000001e+38,{{4.9999.*|5}}e-41,{{-4.9999.*|-5}}e-41,-0,-5.3{{[0-9]+}}e-37,88
// CHECK: 12xf32=-0,0,{{-?}}nan,inf,{{-?}}nan,-0,3.00000001e+38,{{4.9999.*|5}}e-41,{{-4.9999.*|-5}}e-41,-0,-0,88
// RUN: hgc eval %s --input x=12xf32=-87,-60,-30,-12,-6,-3,-1,-1e-5,1e-5,2,20,80 --output y=@%t.npy
// RUN: hgc run %s --input x=12xf32=-87,-60,-30,-12,-6,-3,-1,-1e-5,1e-5,2,20,80 --expect y=@%t.npy --rtol=4e-6 --atol=0
func.func @f(%x: tensor<12xf32> {hgc.name = "x"}) -> (tensor<12xf32> {hgc.name = "y"}, tensor<12xf32> {hgc.name = "z"}) attributes {hgc.entry} {
  %y = hgc.silu %x : tensor<12xf32>
  %z = hgc.gelu_tanh %x : tensor<12xf32>
  return %y, %z : tensor<12xf32>, tensor<12xf32>
}

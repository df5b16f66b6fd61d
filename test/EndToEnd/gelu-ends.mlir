// gelu of zeros keeps their signs, of -infinity it is not a number as x * 0 is, and far below zero nothing is left.
// RUN: hgc run %s --input x=8xf32=-0,0,nan,inf,-inf,-3e38,3e38,8 | FileCheck %s
// RUN: hgc run %s --target-cpu=x86-64-v2 --input x=8xf32=-0,0,nan,inf,-inf,-3e38,3e38,8 | FileCheck %s
// CHECK: 8xf32=-0,0,{{-?}}nan,inf,{{-?}}nan,-{{[0-9.]+}}e-16,3.00000001e+38,8
func.func @f(%x: tensor<8xf32> {hgc.name = "x"}) -> (tensor<8xf32> {hgc.name = "y"}) attributes {hgc.entry} {
  %y = hgc.gelu %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

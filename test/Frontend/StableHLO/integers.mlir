// Integers, unsigned ones and booleans.

// RUN: hgc run %s --input arg0=4xi32=-7,3,1000,-2147483648 --input arg1=4xi32=2,5,7,3 --input arg2=4xui32=4294967295,9,0,77 --input arg3=4xi1=1,0,1,0 --input arg4=4xi1=1,1,0,0 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/integers.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// CHECK: and: 4xi32=0,1,0,0
// CHECK: or: 4xi32=-5,7,1007,-2147483645
// CHECK: xor: 4xi32=-5,6,1007,-2147483645
// CHECK: not: 4xi32=6,-4,-1001,2147483647
// CHECK: left: 4xi32=-28,96,128000,0
// CHECK: logical: 4xi32=1073741822,0,7,268435456
// CHECK: arithmetic: 4xi32=-2,0,7,-268435456
// CHECK: right: 4xui32=536870911,1,0,9
// CHECK: ones: 4xi32=30,2,6,1
// CHECK: leading: 4xi32=0,30,22,0
// CHECK: divide: 4xi32=-3,0,142,-715827882
// CHECK: rest: 4xi32=-1,3,6,-2
// CHECK: power: 4xi32=49,243,-559939584,0
// CHECK: sum: 4xui32=2,12,3,80
// CHECK: greater: 4xi1=1,1,0,1
// CHECK: either: 4xi1=1,1,1,0
// CHECK: both: 4xi1=1,0,0,0
// CHECK: differ: 4xi1=0,1,1,0
// CHECK: narrow: 4xi8=-7,3,-24,0
// CHECK: float: 4xf32=4.2949{{[0-9]*}}e+09,9,0,77

module @integers {
  func.func public @main(%x: tensor<4xi32>, %y: tensor<4xi32>, %u: tensor<4xui32>, %p: tensor<4xi1>, %q: tensor<4xi1>) -> (tensor<4xi32> {jax.result_info = "and"}, tensor<4xi32> {jax.result_info = "or"}, tensor<4xi32> {jax.result_info = "xor"}, tensor<4xi32> {jax.result_info = "not"}, tensor<4xi32> {jax.result_info = "left"}, tensor<4xi32> {jax.result_info = "logical"}, tensor<4xi32> {jax.result_info = "arithmetic"}, tensor<4xui32> {jax.result_info = "right"}, tensor<4xi32> {jax.result_info = "ones"}, tensor<4xi32> {jax.result_info = "leading"}, tensor<4xi32> {jax.result_info = "divide"}, tensor<4xi32> {jax.result_info = "rest"}, tensor<4xi32> {jax.result_info = "power"}, tensor<4xui32> {jax.result_info = "sum"}, tensor<4xi1> {jax.result_info = "greater"}, tensor<4xi1> {jax.result_info = "either"}, tensor<4xi1> {jax.result_info = "both"}, tensor<4xi1> {jax.result_info = "differ"}, tensor<4xi8> {jax.result_info = "narrow"}, tensor<4xf32> {jax.result_info = "float"}) {
    %and = stablehlo.and %x, %y : tensor<4xi32>
    %or = stablehlo.or %x, %y : tensor<4xi32>
    %xor = stablehlo.xor %x, %y : tensor<4xi32>
    %not = stablehlo.not %x : tensor<4xi32>
    %left = stablehlo.shift_left %x, %y : tensor<4xi32>
    %logical = stablehlo.shift_right_logical %x, %y : tensor<4xi32>
    %arithmetic = stablehlo.shift_right_arithmetic %x, %y : tensor<4xi32>
    %three = stablehlo.constant dense<3> : tensor<4xui32>
    %right = stablehlo.shift_right_logical %u, %three : tensor<4xui32>
    %ones = stablehlo.popcnt %x : tensor<4xi32>
    %leading = stablehlo.count_leading_zeros %x : tensor<4xi32>
    %divide = stablehlo.divide %x, %y : tensor<4xi32>
    %rest = stablehlo.remainder %x, %y : tensor<4xi32>
    %power = stablehlo.power %x, %y : tensor<4xi32>
    %sum = stablehlo.add %u, %three : tensor<4xui32>
    %greater = stablehlo.compare GT, %u, %three, UNSIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
    %either = stablehlo.add %p, %q : tensor<4xi1>
    %both = stablehlo.multiply %p, %q : tensor<4xi1>
    %differ = stablehlo.compare NE, %p, %q, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %narrow = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xi8>
    %float = stablehlo.convert %u : (tensor<4xui32>) -> tensor<4xf32>
    return %and, %or, %xor, %not, %left, %logical, %arithmetic, %right, %ones, %leading, %divide, %rest, %power, %sum, %greater, %either, %both, %differ, %narrow, %float : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xf32>
  }
}

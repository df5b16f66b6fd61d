// Programs that are damaged, or more than hgc takes.

// RUN: split-file %s %t
// RUN: not hgc compile %t/result.mlir 2>&1 | FileCheck %t/result.mlir
// RUN: not hgc compile %t/argument.mlir 2>&1 | FileCheck %t/argument.mlir
// RUN: not hgc compile %t/end.mlir 2>&1 | FileCheck %t/end.mlir
// RUN: not hgc compile %t/composite.mlir 2>&1 | FileCheck %t/composite.mlir
// RUN: not hgc compile %t/callee.mlir 2>&1 | FileCheck %t/callee.mlir
// RUN: not hgc compile %t/number.mlir 2>&1 | FileCheck %t/number.mlir
// RUN: not hgc compile %t/recursive.mlir 2>&1 | FileCheck %t/recursive.mlir
// RUN: not hgc compile %t/dynamic.mlir 2>&1 | FileCheck %t/dynamic.mlir
// RUN: not hgc compile %t/blocks.mlir 2>&1 | FileCheck %t/blocks.mlir
// RUN: not hgc compile %t/private.mlir 2>&1 | FileCheck %t/private.mlir
// RUN: not hgc compile %t/list.mlir 2>&1 | FileCheck %t/list.mlir
// RUN: not hgc compile %t/entries.mlir 2>&1 | FileCheck %t/entries.mlir
// RUN: not hgc compile %t/entry.mlir 2>&1 | FileCheck %t/entry.mlir
// RUN: not hgc compile %t/twice.mlir 2>&1 | FileCheck %t/twice.mlir
// RUN: not hgc compile %t/range.mlir 2>&1 | FileCheck %t/range.mlir
// RUN: not hgc compile %t/operands.mlir 2>&1 | FileCheck %t/operands.mlir
// RUN: not hgc compile %t/region.mlir 2>&1 | FileCheck %t/region.mlir
// RUN: not hgc compile %t/brackets.mlir 2>&1 | FileCheck %t/brackets.mlir
// RUN: not hgc compile %t/typed.mlir 2>&1 | FileCheck %t/typed.mlir
// RUN: not hgc compile %t/body.mlir 2>&1 | FileCheck %t/body.mlir
// RUN: not hgc compile %t/extent.mlir 2>&1 | FileCheck %t/extent.mlir
// RUN: not hgc compile %t/branch.mlir 2>&1 | FileCheck %t/branch.mlir
// RUN: not hgc compile %t/scalar.mlir 2>&1 | FileCheck %t/scalar.mlir
// RUN: not hgc compile %t/values.mlir 2>&1 | FileCheck %t/values.mlir

//--- result.mlir
// CHECK: error: {{.*}}'stablehlo.add': result 0 does not follow from the operands
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %r = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

//--- argument.mlir
// CHECK: error: {{.*}}argument 0 of a region or function is declared with another type than it is given
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<2xf32>):
    %1 = stablehlo.add %a, %a : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- end.mlir
// CHECK: error: {{.*}}a region or function does not end with a return
// CHECK: hint: 
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %x, %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- composite.mlir
// CHECK: error: {{.*}}there is no function 'f' of one block for these operands and results
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- callee.mlir
// CHECK: error: {{.*}}'stablehlo.composite': has no function to call
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.composite "a.b" %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- number.mlir
// CHECK: error: {{.*}}'f' returns another number of values
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.return %x, %x : tensor<4xf32>, tensor<4xf32>
}

//--- recursive.mlir
// CHECK: error: {{.*}}calls of 'main' are nested or recursive
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %r = call @main(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- dynamic.mlir
// CHECK: error: {{.*}}function 'main' has a value that is no tensor of a static shape of numbers
// CHECK: hint: 
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = stablehlo.add %x, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}

//--- blocks.mlir
// CHECK: error: {{.*}}function 'main' has more than one block
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  cf.br ^bb1
^bb1:
  return %0 : tensor<4xf32>
}

//--- private.mlir
// CHECK: error: {{.*}}the program has no public function
// CHECK: hint: 
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- list.mlir
// CHECK: error: {{.*}}attribute 'dimensions' is no list of integers
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.reverse %x, dims = [a] : tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- entries.mlir
// CHECK: error: {{.*}}attribute 'slice_sizes' has 2 entries, not 1
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.dynamic_slice %x, %i, sizes = [4, 1] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- entry.mlir
// CHECK: error: {{.*}}attribute 'edge_padding_low' has the entry 99999999999999
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.pad %x, %i, low = [99999999999999], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- twice.mlir
// CHECK: error: {{.*}}dim 0 in 'dimensions' is given twice
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.reverse %x, dims = [0, 0] : tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- range.mlir
// CHECK: error: {{.*}}dim 1 in 'dimensions' is out of range
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.reverse %x, dims = [1] : tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- operands.mlir
// CHECK: error: {{.*}}'stablehlo.add': has 1 operands, not 2
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.add"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- region.mlir
// CHECK: error: {{.*}}'stablehlo.reduce': has no region 0 of one block with 2 arguments
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

//--- brackets.mlir
// CHECK: error: {{.*}}expected a list in brackets
// CHECK-NOT: internal
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %r = stablehlo.dot_general %x, %x, contracting_dims = [0] x 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

//--- typed.mlir
// CHECK: error: {{.*}}a constant needs a value with a type
// CHECK-NOT: internal
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.constant unit
  return %r : tensor<4xf32>
}

//--- body.mlir
// CHECK: error: {{.*}}its body gives other than one value
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a, %a : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- extent.mlir
// CHECK: error: {{.*}}attribute 'dimension' is missing
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<i32> {
  %r = "stablehlo.get_dimension_size"(%x) : (tensor<4xf32>) -> tensor<i32>
  return %r : tensor<i32>
}

//--- branch.mlir
// CHECK: error: {{.*}}a branch gives another number of values
// CHECK: hint: 
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x, %x : tensor<4xf32>, tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- scalar.mlir
// CHECK: error: {{.*}}the condition is no scalar
// CHECK: hint: 
func.func @main(%p: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xi1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- values.mlir
// CHECK: error: {{.*}}a region gives another number of values
// CHECK: hint: 
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

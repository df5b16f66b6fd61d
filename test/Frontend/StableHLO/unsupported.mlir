// All ops that cannot be imported are listed at once, with their places and reasons.

// RUN: not hgc compile %s 2>&1 | FileCheck %s
// CHECK: unsupported.mlir:[[#@LINE+24]]:1: error: 22 ops of the program cannot be imported
// CHECK-DAG: note: chlo.lgamma: hgc does not have this function
// CHECK-DAG: note: stablehlo.strange: the op is not known
// CHECK-DAG: note: stablehlo.bitcast_convert: bits of a type of another width
// CHECK-DAG: note: stablehlo.case: more than 64 branches
// CHECK-DAG: note: stablehlo.cholesky: hgc has no ops of linear algebra beside products (2 times)
// CHECK-DAG: note: stablehlo.convert: hgc has no values of type tensor<4xi4>
// CHECK-DAG: note: stablehlo.convolution: a tensor without elements
// CHECK-DAG: note: stablehlo.convolution: a window over other than one to three dims
// CHECK-DAG: note: stablehlo.convolution: groups of the batch and of the features at once
// CHECK-DAG: note: stablehlo.custom_call: hgc has no function 'lapack'
// CHECK-DAG: note: stablehlo.dot_general: operands of different types
// CHECK-DAG: note: stablehlo.iota: a count of booleans
// CHECK-DAG: note: stablehlo.reduce_precision: a format that is neither f32, f16 nor bf16
// CHECK-DAG: note: stablehlo.reduce_window: a window of more than 256 elements whose body is no sum, maximum or minimum
// CHECK-DAG: note: stablehlo.reshape: an op that is not elementwise in the body of a reduction
// CHECK-DAG: note: stablehlo.rng_bit_generator: the generator is not known; jax.random's threefry is
// CHECK-DAG: note: stablehlo.scatter: a body that neither replaces, adds, multiplies, nor takes the maximum or minimum
// CHECK-DAG: note: stablehlo.scatter: several operands at once
// CHECK-DAG: note: stablehlo.select_and_scatter: a window of more than 256 elements, or none at all
// CHECK-DAG: note: stablehlo.select_and_scatter: elements that are not added where they are scattered to
// CHECK-DAG: note: stablehlo.sort: a comparator that does not compare elements of operands one after the other
// CHECK: hint: docs/stablehlo.md says which ops there are

module @unsupported {
  func.func public @main(%x: tensor<4xf32>, %m: tensor<3x3xf32>, %l: tensor<600xf32>, %i: tensor<2x1xi32>, %n: tensor<i32>, %k: tensor<2xui64>) -> tensor<4xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
    %strange = stablehlo.strange %x, mode = FAST, at = [1, 2] : tensor<4xf32>
    %1 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x2xui16>
    %2 = stablehlo.cholesky %m, lower = true : tensor<3x3xf32>
    %3 = stablehlo.cholesky %2, lower = true : tensor<3x3xf32>
    %4 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi4>
    %5 = stablehlo.convolution(%m, %m) dim_numbers = [b, f]x[i, o]->[b, f], window = {} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %6 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x1x2xf32>
    %7 = stablehlo.convolution(%6, %6) dim_numbers = [b, 0, f]x[o, 0, i]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
    %8 = stablehlo.slice %6 [0:0, 0:1, 0:2] : (tensor<2x1x2xf32>) -> tensor<0x1x2xf32>
    %9 = stablehlo.convolution(%8, %6) dim_numbers = [b, 0, f]x[o, 0, i]->[b, 0, f], window = {} : (tensor<0x1x2xf32>, tensor<2x1x2xf32>) -> tensor<0x1x2xf32>
    %10:2 = stablehlo.custom_call @lapack(%m) {backend_config = ""} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
    %11 = stablehlo.convert %m : (tensor<3x3xf32>) -> tensor<3x3xbf16>
    %12 = stablehlo.dot_general %11, %m, contracting_dims = [1] x [0] : (tensor<3x3xbf16>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %13 = stablehlo.iota dim = 0 : tensor<2xi1>
    %14 = stablehlo.reduce_precision %x, format = e3m4 : tensor<4xf32>
    %15 = "stablehlo.reduce_window"(%l, %zero) <{window_dimensions = array<i64: 300>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.multiply %a, %b : tensor<f32>
      %t = stablehlo.add %s, %b : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<600xf32>, tensor<f32>) -> tensor<301xf32>
    %16 = "stablehlo.reduce"(%m, %zero) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
      stablehlo.return %b : tensor<f32>
    }) : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
    %17, %18 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %u = stablehlo.constant dense<1.0> : tensor<2xf32>
    %19 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
    %20:2 = "stablehlo.scatter"(%x, %x, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      stablehlo.return %a, %b : tensor<f32>, tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %21 = stablehlo.slice %l [0:301] : (tensor<600xf32>) -> tensor<301xf32>
    %22 = "stablehlo.select_and_scatter"(%l, %21, %zero) <{window_dimensions = array<i64: 300>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<600xf32>, tensor<301xf32>, tensor<f32>) -> tensor<600xf32>
    %23 = "stablehlo.select_and_scatter"(%x, %u, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %24 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.subtract %a, %b : tensor<f32>
      %t = stablehlo.compare LT, %s, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %25 = "stablehlo.case"(%n) (
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> }, { stablehlo.return %x : tensor<4xf32> },
      { stablehlo.return %x : tensor<4xf32> }
    ) : (tensor<i32>) -> tensor<4xf32>
    return %x : tensor<4xf32>
  }
}

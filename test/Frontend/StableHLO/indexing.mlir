// Gathers and scatters as JAX's indexing makes them; indices out of range are clamped, or left out.

// RUN: hgc run %s --input arg0=3x4xf32=0,1,2,3,4,5,6,7,8,9,10,11 --input arg1=2xi32=2,-5 --input arg2=2x2xi32=1,3,9,0 --input arg3=3x1x1xi32=3,0,2 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/indexing.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH: hgc.gather %{{.*}} axis 0
// GRAPH: hgc.gather %{{.*}} axis 1
// GRAPH: hgc.scatter set {{.*}} axis 0 slices
// GRAPH: hgc.scatter add {{.*}} axis 0 slices
// GRAPH: hgc.scatter mul {{.*}} axis 1 slices
// CHECK: rows: 2x4xf32=8,9,10,11,0,1,2,3
// CHECK: columns: 3x2xf32=2,0,6,4,10,8
// CHECK: elements: 2xf32=7,8
// CHECK: along: 3x1xf32=3,4,10
// CHECK: boxes: 2x2x3xf32=5,6,7,9,10,11,4,5,6,8,9,10
// CHECK: set: 3x4xf32=0,1,2,3,4,5,6,7,9,8,7,6
// CHECK: add: 3x4xf32=0,1,2,3,4,5,6,7,17,17,17,17
// CHECK: multiply: 3x4xf32=0,1,4,3,4,5,24,7,8,9,60,11
// CHECK: maximum: 3x4xf32=0,1,2,3,4,5,6,7,8,9,10,11
// CHECK: minimum: 3x4xf32=0,1,2,3,4,5,4,7,8,9,6,11
// CHECK: at: 3x4xf32=0,1,2,3,4,5,6,107,8,9,10,11
// CHECK: batched: 3x4xf32=0,1,2,6,8,5,6,7,8,9,20,11
// CHECK: box: 3x4xf32=0,1,2,3,9,8,7,6,5,5,5,5
// CHECK: flags: 4xi1=0,0,1,0

module @indexing {
  func.func public @main(%x: tensor<3x4xf32>, %i: tensor<2xi32>, %j: tensor<2x2xi32>, %k: tensor<3x1x1xi32>) -> (tensor<2x4xf32> {jax.result_info = "rows"}, tensor<3x2xf32> {jax.result_info = "columns"}, tensor<2xf32> {jax.result_info = "elements"}, tensor<3x1xf32> {jax.result_info = "along"}, tensor<2x2x3xf32> {jax.result_info = "boxes"}, tensor<3x4xf32> {jax.result_info = "set"}, tensor<3x4xf32> {jax.result_info = "add"}, tensor<3x4xf32> {jax.result_info = "multiply"}, tensor<3x4xf32> {jax.result_info = "maximum"}, tensor<3x4xf32> {jax.result_info = "minimum"}, tensor<3x4xf32> {jax.result_info = "at"}, tensor<3x4xf32> {jax.result_info = "batched"}, tensor<3x4xf32> {jax.result_info = "box"}, tensor<4xi1> {jax.result_info = "flags"}) {
    %i2 = stablehlo.reshape %i : (tensor<2xi32>) -> tensor<2x1xi32>
    %rows = "stablehlo.gather"(%x, %i2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %columns = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
    %elements = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf32>, tensor<2x2xi32>) -> tensor<2xf32>
    %along = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xf32>, tensor<3x1x1xi32>) -> tensor<3x1xf32>
    %boxes = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<3x4xf32>, tensor<2x2xi32>) -> tensor<2x2x3xf32>
    %u = stablehlo.constant dense<[[9.0, 8.0, 7.0, 6.0], [5.0, 5.0, 5.0, 5.0]]> : tensor<2x4xf32>
    %set = "stablehlo.scatter"(%x, %i2, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %add = "stablehlo.scatter"(%x, %i2, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %v = stablehlo.constant dense<[[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<3x2xf32>
    %multiply = "stablehlo.scatter"(%x, %i2, %v) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<3x2xf32>) -> tensor<3x4xf32>
    %maximum = "stablehlo.scatter"(%x, %i2, %v) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<3x2xf32>) -> tensor<3x4xf32>
    %minimum = "stablehlo.scatter"(%x, %i2, %v) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.minimum %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<3x2xf32>) -> tensor<3x4xf32>
    %w = stablehlo.constant dense<[100.0, 200.0]> : tensor<2xf32>
    %at = "stablehlo.scatter"(%x, %j, %w) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x2xi32>, tensor<2xf32>) -> tensor<3x4xf32>
    %batched = "stablehlo.scatter"(%x, %k, %along) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<3x1x1xi32>, tensor<3x1xf32>) -> tensor<3x4xf32>
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %box = "stablehlo.scatter"(%x, %one, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %no = stablehlo.constant dense<false> : tensor<4xi1>
    %yes = stablehlo.constant dense<true> : tensor<2xi1>
    %flags = "stablehlo.scatter"(%no, %i2, %yes) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %0 = stablehlo.or %a, %b : tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }) : (tensor<4xi1>, tensor<2x1xi32>, tensor<2xi1>) -> tensor<4xi1>
    return %rows, %columns, %elements, %along, %boxes, %set, %add, %multiply, %maximum, %minimum, %at, %batched, %box, %flags : tensor<2x4xf32>, tensor<3x2xf32>, tensor<2xf32>, tensor<3x1xf32>, tensor<2x2x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<4xi1>
  }
}

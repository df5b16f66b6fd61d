// Orders of dims, windows, groups, and the forms that gradients have.

// RUN: hgc run %s --input arg0=1x4x4x2xf32=-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2,-1,0,1 --input arg1=3x3x2x2xf32=-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2 --input arg2=1x2x5xf32=1,2,3,4,5,6,7,8,9,10 --input arg3=2x2x2xf32=1,0,-1,2,3,1,0,1 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/convolution.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH-COUNT-2: hgc.conv {{.*}}channels_last hwio
// GRAPH: hgc.conv {{.*}}channels_first oihw
// GRAPH: hgc.conv {{.*}}dilations = [2]
// GRAPH: hgc.conv {{.*}}groups = 2
// GRAPH: hgc.conv_transpose {{.*}}extents = [6] strides = [2]
// GRAPH: hgc.conv_transpose {{.*}}extents = [4, 4]
// GRAPH: hgc.conv_transpose {{.*}}extents = [5, 4] strides = [2, 2]
// GRAPH: hgc.conv_filter_grad {{.*}}window = [3, 3]
// GRAPH: hgc.conv_filter_grad {{.*}}window = [2, 2] strides = [2, 2]
// GRAPH: hgc.conv {{.*}}groups = 2
// CHECK: plain: 1x2x2x2xf32=17,23,11,25,28,17,36,26
// CHECK: strided: 1x2x2x2xf32=11,-4,11,25,17,5,-5,20
// CHECK: first: 1x2x6xf32=12,9,11,13,15,-5,7,12,17,22,27,15
// CHECK: mixed: 1x3x2xf32=16,20,19,24,22,28
// CHECK: grouped: 1x2x4xf32=1,2,3,4,25,29,33,37
// CHECK: spread: 1x6x2xf32=3,7,-5,12,6,9,-5,14,9,11,-5,16
// CHECK: both: 1x5x2xf32=3,7,6,9,9,11,12,13,15,15
// CHECK: turned: 1x2x4xf32=7,9,11,13,13,18,23,28
// CHECK: by_input: 1x4x4x2xf32=-57,23,56,47,80,57,-11,61,70,-40,165,160,169,234,-42,77,215,70,233,165,160,169,189,-42,62,152,15,229,9,104,150,92
// CHECK: by_input_strided: 1x5x5x2xf32=103,22,-64,88,97,-6,-11,61,0,0,23,103,155,-64,25,97,-6,-11,0,0,50,101,38,243,103,117,61,82,0,0,17,107,...
// CHECK: by_filter: 3x3x2x2xf32=698,288,696,832,66,2324,1692,2427,1775,2599,1585,601,562,860,412,2507,1922,2739,2342,2687,2017,923,1003,739,496,1725,1789,2114,2017,1479,2061,822,...
// CHECK: by_filter_strided: 2x2x2x2xf32=236,145,1208,615,1085,972,-493,-478,15,883,578,673,1189,508,1559,1771
// CHECK: batches: 1x2x4xf32=1,2,3,4,25,29,33,37
// CHECK: cropped: 1x2x3xf32=11,13,15,17,22,27

module @convolution {
  func.func public @main(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x2x2xf32>, %y: tensor<1x2x5xf32>, %v: tensor<2x2x2xf32>) -> (tensor<1x2x2x2xf32> {jax.result_info = "plain"}, tensor<1x2x2x2xf32> {jax.result_info = "strided"}, tensor<1x2x6xf32> {jax.result_info = "first"}, tensor<1x3x2xf32> {jax.result_info = "mixed"}, tensor<1x2x4xf32> {jax.result_info = "grouped"}, tensor<1x6x2xf32> {jax.result_info = "spread"}, tensor<1x5x2xf32> {jax.result_info = "both"}, tensor<1x2x4xf32> {jax.result_info = "turned"}, tensor<1x4x4x2xf32> {jax.result_info = "by_input"}, tensor<1x5x5x2xf32> {jax.result_info = "by_input_strided"}, tensor<3x3x2x2xf32> {jax.result_info = "by_filter"}, tensor<2x2x2x2xf32> {jax.result_info = "by_filter_strided"}, tensor<1x2x4xf32> {jax.result_info = "batches"}, tensor<1x2x3xf32> {jax.result_info = "cropped"}) {
    %plain = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x2x2x2xf32>
    %strided = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x2x2x2xf32>
    %first = stablehlo.convolution(%y, %v) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5xf32>, tensor<2x2x2xf32>) -> tensor<1x2x6xf32>
    %mixed = stablehlo.convolution(%y, %v) dim_numbers = [b, f, 0]x[i, 0, o]->[b, 0, f], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5xf32>, tensor<2x2x2xf32>) -> tensor<1x3x2xf32>
    %part = stablehlo.slice %v [0:2, 0:1, 0:2] : (tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
    %grouped = stablehlo.convolution(%y, %part) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x5xf32>, tensor<2x1x2xf32>) -> tensor<1x2x4xf32>
    %some = stablehlo.slice %y [0:1, 0:2, 0:3] : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
    %spread = stablehlo.convolution(%some, %v) dim_numbers = [b, f, 0]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x3xf32>, tensor<2x2x2xf32>) -> tensor<1x6x2xf32>
    %both = stablehlo.convolution(%y, %v) dim_numbers = [b, f, 0]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5xf32>, tensor<2x2x2xf32>) -> tensor<1x5x2xf32>
    %turned = stablehlo.convolution(%y, %v) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5xf32>, tensor<2x2x2xf32>) -> tensor<1x2x4xf32>
    %back = stablehlo.reverse %w, dims = [0, 1] : tensor<3x3x2x2xf32>
    %by_input = stablehlo.convolution(%plain, %back) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[2, 2], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x4x4x2xf32>
    %by_input_strided = stablehlo.convolution(%plain, %back) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[2, 2], [1, 3]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x2xf32>, tensor<3x3x2x2xf32>) -> tensor<1x5x5x2xf32>
    %by_filter = stablehlo.convolution(%x, %by_input) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<3x3x2x2xf32>
    %by_filter_strided = stablehlo.convolution(%by_input_strided, %x) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 2], [2, 1]], rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x2xf32>, tensor<1x4x4x2xf32>) -> tensor<2x2x2x2xf32>
    %pair = stablehlo.reshape %y : (tensor<1x2x5xf32>) -> tensor<2x1x5xf32>
    %batches = stablehlo.convolution(%pair, %part) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x5xf32>, tensor<2x1x2xf32>) -> tensor<1x2x4xf32>
    %cropped = stablehlo.convolution(%y, %v) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[-1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5xf32>, tensor<2x2x2xf32>) -> tensor<1x2x3xf32>
    return %plain, %strided, %first, %mixed, %grouped, %spread, %both, %turned, %by_input, %by_input_strided, %by_filter, %by_filter_strided, %batches, %cropped : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x6xf32>, tensor<1x3x2xf32>, tensor<1x2x4xf32>, tensor<1x6x2xf32>, tensor<1x5x2xf32>, tensor<1x2x4xf32>, tensor<1x4x4x2xf32>, tensor<1x5x5x2xf32>, tensor<3x3x2x2xf32>, tensor<2x2x2x2xf32>, tensor<1x2x4xf32>, tensor<1x2x3xf32>
  }
}

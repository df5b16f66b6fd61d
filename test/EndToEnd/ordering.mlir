// Sorting and positions of extremes on both devices against the evaluator: random
// values of several types, then NaN, infinities, both zeros and equal elements.
//
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device=emulated --verify --strict-placement --arena=separate -o %t.so
// RUN: hgc eval %s --entry ties --input "x=14xf32=nan,1,-0.0,inf,0,-inf,1,nan,-1,0,1,-inf,inf,2" --output y=@%t.npy
// RUN: hgc run %s --entry ties --input "x=14xf32=nan,1,-0.0,inf,0,-inf,1,nan,-1,0,1,-inf,inf,2" --expect y=@%t.npy --atol=0 --rtol=0
// RUN: hgc run %s --entry ties --gpu sm_80 '--place=gpu(.*)' --device=emulated --input "x=14xf32=nan,1,-0.0,inf,0,-inf,1,nan,-1,0,1,-inf,inf,2" --expect y=@%t.npy --atol=0 --rtol=0

module @ordering {
  func.func @ties(%x: tensor<14xf32> {hgc.name = "x"}) -> (tensor<5x14xi64> {hgc.name = "y"}) attributes {hgc.entry} {
    %0 = hgc.arg_sort %x axis 0 : (tensor<14xf32>) -> tensor<14xi64>
    %1 = hgc.arg_sort %x axis 0 descending : (tensor<14xf32>) -> tensor<14xi64>
    %h = hgc.cast %x to f64 : (tensor<14xf32>) -> tensor<14xf64>
    %2 = hgc.arg_sort %h axis 0 descending k = 7 : (tensor<14xf64>) -> tensor<7xi64>
    %3 = hgc.arg_sort %h axis 0 k = 7 : (tensor<14xf64>) -> tensor<7xi64>
    %4 = hgc.concat %2, %3 axis 0 : (tensor<7xi64>, tensor<7xi64>) -> tensor<14xi64>
    %5 = hgc.arg_reduce max %x axis 0 keepdims : (tensor<14xf32>) -> tensor<1xi64>
    %6 = hgc.arg_reduce min %h axis 0 keepdims : (tensor<14xf64>) -> tensor<1xi64>
    %m = hgc.broadcast %5 shape [14] : (tensor<1xi64>) -> tensor<14xi64>
    %n = hgc.broadcast %6 shape [14] : (tensor<1xi64>) -> tensor<14xi64>
    %all = hgc.concat %0, %1, %4, %m, %n axis 0
        : (tensor<14xi64>, tensor<14xi64>, tensor<14xi64>, tensor<14xi64>, tensor<14xi64>) -> tensor<70xi64>
    %y = hgc.reshape %all shape [5, 14] : (tensor<70xi64>) -> tensor<5x14xi64>
    return %y : tensor<5x14xi64>
  }

  // Several lines in a block, one in a block, several blocks with merges.
  func.func @sort(%x: tensor<7x33xf32>, %h: tensor<9x5x6xf16>, %u: tensor<3x1000xui8>, %d: tensor<40x70xf64>,
                  %l: tensor<2x9000xf32>, %w: tensor<5000xi64>)
      -> (tensor<7x33xf32>, tensor<9x5x6xi64>, tensor<3x1000xi64>, tensor<40x70xi64>, tensor<2x5xi64>, tensor<2x9000xi32>,
          tensor<2x4500xi64>, tensor<5000xi64>) attributes {hgc.entry} {
    %0 = hgc.arg_sort %x axis 1 : (tensor<7x33xf32>) -> tensor<7x33xi64>
    %s = hgc.gather_along %x, %0 axis 1 : (tensor<7x33xf32>, tensor<7x33xi64>) -> tensor<7x33xf32>
    %1 = hgc.arg_sort %h axis 1 descending : (tensor<9x5x6xf16>) -> tensor<9x5x6xi64>
    %2 = hgc.arg_sort %u axis 1 descending : (tensor<3x1000xui8>) -> tensor<3x1000xi64>
    %3 = hgc.arg_sort %d axis 0 : (tensor<40x70xf64>) -> tensor<40x70xi64>
    %4 = hgc.arg_sort %l axis 1 descending k = 5 : (tensor<2x9000xf32>) -> tensor<2x5xi64>
    %5 = hgc.arg_sort %l axis 1 : (tensor<2x9000xf32>) -> tensor<2x9000xi64>
    %6 = hgc.cast %5 to i32 : (tensor<2x9000xi64>) -> tensor<2x9000xi32>
    %7 = hgc.arg_sort %l axis 1 k = 4500 : (tensor<2x9000xf32>) -> tensor<2x4500xi64>
    %8 = hgc.arg_sort %w axis 0 : (tensor<5000xi64>) -> tensor<5000xi64>
    return %s, %1, %2, %3, %4, %6, %7, %8 : tensor<7x33xf32>, tensor<9x5x6xi64>, tensor<3x1000xi64>, tensor<40x70xi64>,
        tensor<2x5xi64>, tensor<2x9000xi32>, tensor<2x4500xi64>, tensor<5000xi64>
  }

  func.func @extremes(%x: tensor<7x33xf32>, %h: tensor<9x5x6xf16>, %u: tensor<3x17xui8>, %b: tensor<64x3xi1>,
                      %d: tensor<40x70xf64>, %o: tensor<4x1xf32>)
      -> (tensor<7xi64>, tensor<1x33xf32>, tensor<9x6xi64>, tensor<3xi64>, tensor<64xi64>, tensor<70xi64>, tensor<4xi64>)
      attributes {hgc.entry} {
    %t = hgc.neg %x : tensor<7x33xf32>
    %0 = hgc.arg_reduce max %t axis 1 : (tensor<7x33xf32>) -> tensor<7xi64>
    %1 = hgc.arg_reduce min %x axis 0 keepdims : (tensor<7x33xf32>) -> tensor<1x33xi64>
    %e = hgc.cast %1 to f32 : (tensor<1x33xi64>) -> tensor<1x33xf32>
    %2 = hgc.arg_reduce max %h axis 1 : (tensor<9x5x6xf16>) -> tensor<9x6xi64>
    %3 = hgc.arg_reduce min %u axis 1 : (tensor<3x17xui8>) -> tensor<3xi64>
    %4 = hgc.arg_reduce max %b axis 1 : (tensor<64x3xi1>) -> tensor<64xi64>
    %5 = hgc.arg_reduce min %d axis 0 : (tensor<40x70xf64>) -> tensor<70xi64>
    %6 = hgc.arg_reduce max %o axis 1 : (tensor<4x1xf32>) -> tensor<4xi64>
    return %0, %e, %2, %3, %4, %5, %6
        : tensor<7xi64>, tensor<1x33xf32>, tensor<9x6xi64>, tensor<3xi64>, tensor<64xi64>, tensor<70xi64>, tensor<4xi64>
  }
}

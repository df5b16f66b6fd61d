// Products in the forms that have code of their own, with rows, columns and depths that
// leave rests everywhere: copied and fetched ahead, split along the depth, copied across.
// Results agree with the evaluator's, and are the same for every number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc run %t.so --entry=large --num-threads=1 --output=result0=@%t.0.npy
// RUN: hgc run %t.so --entry=large --num-threads=2 --expect=result0=@%t.0.npy --rtol=0 --atol=0
// RUN: hgc run %t.so --entry=large --num-threads=5 --expect=result0=@%t.0.npy --rtol=0 --atol=0
// RUN: hgc run %t.so --entry=small --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy
// RUN: hgc run %t.so --entry=small --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --rtol=0 --atol=0
// RUN: hgc compile %s --emit=obj --target-cpu x86-64-v4 -o %t.o
// RUN: hgc compile %s --verify -O0 --target-cpu x86-64-v2 -o %t.so

module @products {
  hgc.parameter @large.w : tensor<261x525xf32> = #hgc.init<uniform, seed = 0>
  hgc.parameter @deep.w : tensor<1101x41xf32> = #hgc.init<uniform, seed = 1>
  func.func @large(%x: tensor<259x261xf32>) -> tensor<259x525xf32> attributes {hgc.entry} {
    %w = hgc.read @large.w : tensor<261x525xf32>
    %0 = hgc.matmul %x, %w : (tensor<259x261xf32>, tensor<261x525xf32>) -> tensor<259x525xf32>
    %1 = hgc.relu %0 : tensor<259x525xf32>
    return %1 : tensor<259x525xf32>
  }
  func.func @small(%x0: tensor<31x1101xf32>, %x1: tensor<3x29x37xf32>, %y1: tensor<3x45x37xf32>,
      %x2: tensor<30x19xf64>, %y2: tensor<23x19xf64>, %x3: tensor<33x21xf16>, %y3: tensor<35x21xf16>)
      -> (tensor<31x41xf32>, tensor<3x29x45xf32>, tensor<30x23xf64>, tensor<33x35xf32>) attributes {hgc.entry} {
    %w = hgc.read @deep.w : tensor<1101x41xf32>
    %0 = hgc.matmul %x0, %w : (tensor<31x1101xf32>, tensor<1101x41xf32>) -> tensor<31x41xf32>
    %1 = hgc.matmul %x1, %y1 transpose_rhs : (tensor<3x29x37xf32>, tensor<3x45x37xf32>) -> tensor<3x29x45xf32>
    %2 = hgc.matmul %x2, %y2 transpose_rhs : (tensor<30x19xf64>, tensor<23x19xf64>) -> tensor<30x23xf64>
    %3 = hgc.matmul %x3, %y3 transpose_rhs : (tensor<33x21xf16>, tensor<35x21xf16>) -> tensor<33x35xf32>
    return %0, %1, %2, %3 : tensor<31x41xf32>, tensor<3x29x45xf32>, tensor<30x23xf64>, tensor<33x35xf32>
  }
}

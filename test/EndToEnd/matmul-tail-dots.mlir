// Products whose last panel has one to four columns: dot products where vectors are long, with depths that do and do not
// fill them, rows that four do not divide, ops behind the product, and pointwise convolutions.
// DEFINE: %{save} = --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy --output=result2=@%t.2.npy --output=result3=@%t.3.npy
// DEFINE: %{same} = --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result2=@%t.2.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native --arena=separate -o %t.so
// RUN: hgc run %t.so %{save}
// RUN: hgc run %t.so --num-threads=3 %{same}
// RUN: hgc run %t.so --num-threads=5 %{same}
// RUN: hgc compile %s --verify -O0 --target-cpu=native -o %t.so
// RUN: hgc compile %s --emit=obj --target-cpu=znver5 -o %t.o

module @tails {
  hgc.parameter @a : tensor<100x100xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<64x33xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @c : tensor<127x66xf32> = #hgc.init<normal, seed = 3>
  hgc.parameter @d : tensor<1x1x80x99xf32> = #hgc.init<normal, seed = 4>
  hgc.parameter @bias : tensor<100xf32> = #hgc.init<normal, seed = 5>
  func.func @run(%x: tensor<3136x100xf32>, %y: tensor<203x64xf32>, %z: tensor<131x127xf32>, %p: tensor<2x13x14x80xf32>)
      -> (tensor<3136x100xf32>, tensor<203x33xf32>, tensor<131x66xf32>, tensor<2x13x14x99xf32>) attributes {hgc.entry} {
    %a = hgc.read @a : tensor<100x100xf32>
    %b = hgc.read @b : tensor<64x33xf32>
    %c = hgc.read @c : tensor<127x66xf32>
    %d = hgc.read @d : tensor<1x1x80x99xf32>
    %bias = hgc.read @bias : tensor<100xf32>
    %0 = hgc.matmul %x, %a : (tensor<3136x100xf32>, tensor<100x100xf32>) -> tensor<3136x100xf32>
    %1 = hgc.add %0, %bias : (tensor<3136x100xf32>, tensor<100xf32>) -> tensor<3136x100xf32>
    %2 = hgc.add %1, %x : (tensor<3136x100xf32>, tensor<3136x100xf32>) -> tensor<3136x100xf32>
    %3 = hgc.relu %2 : tensor<3136x100xf32>
    %4 = hgc.matmul %y, %b : (tensor<203x64xf32>, tensor<64x33xf32>) -> tensor<203x33xf32>
    %5 = hgc.matmul %z, %c : (tensor<131x127xf32>, tensor<127x66xf32>) -> tensor<131x66xf32>
    %6 = hgc.gelu %5 : tensor<131x66xf32>
    %7 = hgc.conv %p, %d channels_last hwio : (tensor<2x13x14x80xf32>, tensor<1x1x80x99xf32>) -> tensor<2x13x14x99xf32>
    return %3, %4, %6, %7 : tensor<3136x100xf32>, tensor<203x33xf32>, tensor<131x66xf32>, tensor<2x13x14x99xf32>
  }
}

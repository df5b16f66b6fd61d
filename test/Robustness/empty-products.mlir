// Products without rows, columns or depth, also where a matrix unit is asked for.
// RUN: hgc compile %s --target-cpu=native --matrix-unit=always --verify -o %t.so
// RUN: hgc compile %s --verify -o %t.so

module @empty {
  hgc.parameter @w : tensor<0x40xf32> = dense<0.0>
  hgc.parameter @v : tensor<40x0xf32> = dense<0.0>
  func.func @run(%x: tensor<20x0xf32>, %y: tensor<20x40xf32>, %z: tensor<0x40xf32>, %d: tensor<300x0xf32>, %e: tensor<0x50xf32>, %c: tensor<40x8xf32>)
      -> (tensor<20x40xf32>, tensor<20x0xf32>, tensor<300x50xf32>, tensor<0x8xf32>) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<0x40xf32>
    %v = hgc.read @v : tensor<40x0xf32>
    %0 = hgc.matmul %x, %w : (tensor<20x0xf32>, tensor<0x40xf32>) -> tensor<20x40xf32>
    %1 = hgc.matmul %y, %v : (tensor<20x40xf32>, tensor<40x0xf32>) -> tensor<20x0xf32>
    %2 = hgc.matmul %d, %e : (tensor<300x0xf32>, tensor<0x50xf32>) -> tensor<300x50xf32>
    %3 = hgc.matmul %z, %c : (tensor<0x40xf32>, tensor<40x8xf32>) -> tensor<0x8xf32>
    return %0, %1, %2, %3 : tensor<20x40xf32>, tensor<20x0xf32>, tensor<300x50xf32>, tensor<0x8xf32>
  }
}

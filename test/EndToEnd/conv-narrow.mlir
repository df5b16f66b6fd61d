// Convolutions with few channels and short sums: tiles of few rows, and vectors that load
// the factor of a row again where that pays.
// RUN: hgc compile %s --verify -o %t.so
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['vector_pipe_bytes'] = 16; json.dump(t, open(sys.argv[2], 'w'))" %S/../../lib/Target/tables/x86-64-v3.json %t.json
// RUN: hgc compile %s --verify --target-table=%t.json -o %t.so
// RUN: hgc compile %s --verify --target-table=%t.json -O0 -o %t.so
// RUN: hgc compile %s --verify --target-cpu native -o %t.so
// RUN: hgc compile %s --emit=obj --target-cpu znver4 -o %t.o
// RUN: hgc compile %s --emit=obj --target-cpu znver5 -o %t.o

module @narrow {
  hgc.parameter @a : tensor<12x40x1x1xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<96x12x1x1xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @c : tensor<12x3x3x3xf32> = #hgc.init<normal, seed = 3>
  func.func @run(%x: tensor<1x40x23x23xf32>, %y: tensor<1x12x23x23xf32>, %z: tensor<1x3x35x35xf32>)
      -> (tensor<1x12x23x23xf32>, tensor<1x96x23x23xf32>, tensor<1x12x18x18xf32>) attributes {hgc.entry} {
    %a = hgc.read @a : tensor<12x40x1x1xf32>
    %b = hgc.read @b : tensor<96x12x1x1xf32>
    %c = hgc.read @c : tensor<12x3x3x3xf32>
    %0 = hgc.conv %x, %a channels_first oihw : (tensor<1x40x23x23xf32>, tensor<12x40x1x1xf32>) -> tensor<1x12x23x23xf32>
    %1 = hgc.add %0, %y : (tensor<1x12x23x23xf32>, tensor<1x12x23x23xf32>) -> tensor<1x12x23x23xf32>
    %2 = hgc.conv %y, %b channels_first oihw : (tensor<1x12x23x23xf32>, tensor<96x12x1x1xf32>) -> tensor<1x96x23x23xf32>
    %3 = hgc.relu %2 : tensor<1x96x23x23xf32>
    %4 = hgc.conv %z, %c strides = [2, 2] pads = [1, 1, 1, 1] channels_first oihw : (tensor<1x3x35x35xf32>, tensor<12x3x3x3xf32>)
        -> tensor<1x12x18x18xf32>
    return %1, %3, %4 : tensor<1x12x23x23xf32>, tensor<1x96x23x23xf32>, tensor<1x12x18x18xf32>
  }
}

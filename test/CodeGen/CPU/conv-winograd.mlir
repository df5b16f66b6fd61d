// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// 36 products of squares by panels: 196 squares of 4x4 results in blocks. The panel's
// rows say that the filter is transformed; the second-level cache does not hold it, so
// each product fetches the next one's. Pixels of inner squares are loaded as they
// are, those of squares at the border are told apart.
// CHECK:       exec.kernel @four {{.*}}schedule = "winograd convolution of 4x4 results: tile [[ROWS:[0-9]+]]x16, blocks of [[SQUARES:[0-9]+]] squares and [[PANELS:[0-9]+]] panels", scratch_bytes = {{[1-9][0-9]*}} : i64, units = [[UNITS:[0-9]+]]
// CHECK-LABEL: func.func private @four_body
// CHECK-SAME:    (%[[X:.*]]: memref<200704xf32> {{.*}}, %[[W:.*]]: memref<147456xf32> {{.*}}, %[[Y:.*]]: memref<200704xf32>
// CHECK-DAG:     %[[DATA:.*]] = memref.view {{.*}} to memref<{{[0-9]+}}xf32>
// CHECK-DAG:     %[[SUMS:.*]] = memref.view {{.*}} to memref<{{[0-9]+}}xf32>
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK-COUNT-36:    vector.load %[[X]]
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             arith.select {{.*}} vector<8xf32>
// The products.
// CHECK:         scf.for {{.*}} to %c36
// CHECK:           scf.for {{.*}} to %c64 step %c4 iter_args
// CHECK:             memref.prefetch %[[W]]
// CHECK-COUNT-2:     vector.load %[[W]]
// CHECK:             arith.mulf {{.*}} fastmath<contract> : vector<8xf32>
// The results, transformed in place while their lines are fetched, and the ops behind them.
// CHECK-COUNT-16: memref.prefetch %[[Y]]{{.*}}, write
// CHECK:         vector.store {{.*}} : memref<{{[0-9]+}}xf32>, vector<8xf32>
// CHECK:         arith.cmpf olt, %{{.*}}, %{{.*}} : vector<8xf32>
exec.kernel @four inputs 2 {
^bb0(%x: memref<1x56x56x64xf32>, %w: memref<1x4x2304x16xf32>, %y: memref<1x56x56x64xf32>):
  %0 = exec.load %x : memref<1x56x56x64xf32> -> tensor<1x56x56x64xf32>
  %1 = exec.load %w : memref<1x4x2304x16xf32> -> tensor<1x4x2304x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 64, 64]> {hgc.form = "winograd4"}
      : (tensor<1x56x56x64xf32>, tensor<1x4x2304x16xf32>) -> tensor<1x56x56x64xf32>
  %3 = hgc.relu %2 : tensor<1x56x56x64xf32>
  exec.store %3, %y : tensor<1x56x56x64xf32>, memref<1x56x56x64xf32>
}

// Two groups; an image smaller than a square has border squares only. The last panel of
// each group has one column.
// CHECK:       exec.kernel @two {{.*}}schedule = "winograd convolution of 2x2 results: tile 1x16, blocks of 1 squares and 2 panels", {{.*}}units = 4
// CHECK-LABEL: func.func private @two_body
// CHECK-NOT:     scf.if {{.*}} iter_args
// CHECK-NOT:     memref.prefetch
// CHECK:         arith.subf {{.*}} vector<2xf32>
// CHECK:         scf.for {{.*}} to %c16
exec.kernel @two inputs 2 {
^bb0(%x: memref<1x2x2x4xf32>, %w: memref<2x2x32x16xf32>, %y: memref<1x2x2x34xf32>):
  %0 = exec.load %x : memref<1x2x2x4xf32> -> tensor<1x2x2x4xf32>
  %1 = exec.load %w : memref<2x2x32x16xf32> -> tensor<2x2x32x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 2 channels_last hwio packed <16, [3, 3, 2, 34]>
      : (tensor<1x2x2x4xf32>, tensor<2x2x32x16xf32>) -> tensor<1x2x2x34xf32>
  exec.store %2, %y : tensor<1x2x2x34xf32>, memref<1x2x2x34xf32>
}

// The last panel has four columns: its products and results are vectors of four, not two of eight.
// CHECK-LABEL: func.func private @tail_body
// CHECK-SAME:    (%{{.*}}: memref<200704xf32> {{.*}}, %[[W:.*]]: memref<73728xf32>
// CHECK:         scf.for {{.*}} to %c36
// CHECK:           scf.if
// CHECK:             vector.load %[[W]]{{.*}} vector<4xf32>
// CHECK-NOT:         vector.load %[[W]]{{.*}} vector<8xf32>
// CHECK:           } else {
// CHECK-COUNT-2:     vector.load %[[W]]{{.*}} vector<8xf32>
exec.kernel @tail inputs 2 {
^bb0(%x: memref<1x56x56x64xf32>, %w: memref<1x2x2304x16xf32>, %y: memref<1x56x56x20xf32>):
  %0 = exec.load %x : memref<1x56x56x64xf32> -> tensor<1x56x56x64xf32>
  %1 = exec.load %w : memref<1x2x2304x16xf32> -> tensor<1x2x2304x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 64, 20]> {hgc.form = "winograd4"}
      : (tensor<1x56x56x64xf32>, tensor<1x2x2304x16xf32>) -> tensor<1x56x56x20xf32>
  exec.store %2, %y : tensor<1x56x56x20xf32>, memref<1x56x56x20xf32>
}

// A filter as it is: 32 of 128 channels of a panel are transformed to scratch at a time, nine taps to 36 points, which
// the squares are multiplied with. Products are added to those of the channels before; meanwhile what is transformed
// next is fetched.
// CHECK:       exec.kernel @compact {{.*}}schedule = "winograd convolution of 4x4 results: tile [[ROWS:[0-9]+]]x16, blocks of {{[0-9]+}} squares and {{[0-9]+}} panels, filter transformed at the call"
// CHECK-LABEL: func.func private @compact_body
// CHECK-SAME:    (%{{.*}}: memref<{{[0-9]+}}xf32> {{.*}}, %[[W:.*]]: memref<147456xf32>
// CHECK:         %[[SLABS:.*]] = memref.view {{.*}} to memref<19008xf32>
// CHECK:         scf.for {{.*}} to %c128 step %c32
// CHECK:           scf.for {{.*}} to %c32 step %c1
// CHECK-COUNT-9:     vector.load %[[W]]
// CHECK-COUNT-36:    vector.store {{.*}}, %[[SLABS]]
// CHECK:           scf.for {{.*}} to %c36
// CHECK:             arith.select {{.*}} vector<8xf32>
// CHECK:             scf.for {{.*}} to %c32 step %c4 iter_args
// CHECK:               memref.prefetch %[[W]]
// CHECK-COUNT-2:       vector.load %[[SLABS]]
exec.kernel @compact inputs 2 {
^bb0(%x: memref<1x14x14x128xf32>, %w: memref<1x8x1152x16xf32>, %y: memref<1x14x14x128xf32>):
  %0 = exec.load %x : memref<1x14x14x128xf32> -> tensor<1x14x14x128xf32>
  %1 = exec.load %w : memref<1x8x1152x16xf32> -> tensor<1x8x1152x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 128, 128]> {hgc.form = "winograd4-compact"}
      : (tensor<1x14x14x128xf32>, tensor<1x8x1152x16xf32>) -> tensor<1x14x14x128xf32>
  exec.store %2, %y : tensor<1x14x14x128xf32>, memref<1x14x14x128xf32>
}

// Forms that were asked for instead of the usual ones.
// CHECK: exec.kernel @point {{.*}}schedule = "direct convolution: tile
exec.kernel @point inputs 2 {
^bb0(%x: memref<1x8x8x16xf32>, %w: memref<1x2x16x16xf32>, %y: memref<1x8x8x32xf32>):
  %0 = exec.load %x : memref<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %1 = exec.load %w : memref<1x2x16x16xf32> -> tensor<1x2x16x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 16, 32]> {hgc.form = "direct"}
      : (tensor<1x8x8x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x8x8x32xf32>
  exec.store %2, %y : tensor<1x8x8x32xf32>, memref<1x8x8x32xf32>
}

// CHECK: exec.kernel @each {{.*}}schedule = "direct convolution: tile
exec.kernel @each inputs 2 {
^bb0(%x: memref<1x8x8x16xf32>, %w: memref<3x3x1x16xf32>, %y: memref<1x6x6x16xf32>):
  %0 = exec.load %x : memref<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %1 = exec.load %w : memref<3x3x1x16xf32> -> tensor<3x3x1x16xf32>
  %2 = hgc.conv %0, %1 groups = 16 channels_last hwio {hgc.form = "direct"}
      : (tensor<1x8x8x16xf32>, tensor<3x3x1x16xf32>) -> tensor<1x6x6x16xf32>
  exec.store %2, %y : tensor<1x6x6x16xf32>, memref<1x6x6x16xf32>
}

// CHECK: exec.kernel @any {{.*}}schedule = "convolution in any layout"
exec.kernel @any inputs 2 {
^bb0(%x: memref<1x8x8x16xf32>, %w: memref<3x3x16x16xf32>, %y: memref<1x6x6x16xf32>):
  %0 = exec.load %x : memref<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %1 = exec.load %w : memref<3x3x16x16xf32> -> tensor<3x3x16x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio {hgc.form = "generic"}
      : (tensor<1x8x8x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x6x6x16xf32>
  exec.store %2, %y : tensor<1x6x6x16xf32>, memref<1x6x6x16xf32>
}

// Of 49 squares, tiles of five leave one place empty. Three blocks would hold the ten
// tiles; four share them evenly between two threads.
// CHECK: exec.kernel @even {{.*}}schedule = "winograd convolution of 4x4 results: tile 5x16, blocks of 15 squares {{.*}}units = 4
exec.kernel @even inputs 2 {
^bb0(%x: memref<1x28x28x128xf32>, %w: memref<1x1x4608x16xf32>, %y: memref<1x28x28x16xf32>):
  %0 = exec.load %x : memref<1x28x28x128xf32> -> tensor<1x28x28x128xf32>
  %1 = exec.load %w : memref<1x1x4608x16xf32> -> tensor<1x1x4608x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 128, 16]> {hgc.form = "winograd4"}
      : (tensor<1x28x28x128xf32>, tensor<1x1x4608x16xf32>) -> tensor<1x28x28x16xf32>
  exec.store %2, %y : tensor<1x28x28x16xf32>, memref<1x28x28x16xf32>
}

// A filter that is much larger than the pixels is what threads share: three blocks of squares
// are as good as four, a thread computes its panels of each. Pixels that come from other threads are
// fetched two squares ahead, where there are such.
// CHECK:       exec.kernel @shared {{.*}}schedule = "winograd convolution of 4x4 results: tile 5x16, blocks of 20 squares {{.*}}units = 24
// CHECK-LABEL: func.func private @shared_body
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<100352xf32>{{.*}}, %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
// CHECK:         %[[LENGTH:.*]] = arith.subi %[[END]], %[[BEGIN]]
// CHECK:         %[[SHARED:.*]] = arith.cmpi slt, %[[LENGTH]], %c24
// CHECK:         scf.if %[[SHARED]] {
// CHECK:           scf.for {{.*}} to %c128 step %c16
// CHECK-COUNT-16:    memref.prefetch %[[X]]{{.*}}, read
// CHECK-NEXT:      }
exec.kernel @shared inputs 2 {
^bb0(%x: memref<1x28x28x128xf32>, %w: memref<1x8x4608x16xf32>, %y: memref<1x28x28x128xf32>):
  %0 = exec.load %x : memref<1x28x28x128xf32> -> tensor<1x28x28x128xf32>
  %1 = exec.load %w : memref<1x8x4608x16xf32> -> tensor<1x8x4608x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 128, 128]> {hgc.form = "winograd4"}
      : (tensor<1x28x28x128xf32>, tensor<1x8x4608x16xf32>) -> tensor<1x28x28x128xf32>
  exec.store %2, %y : tensor<1x28x28x128xf32>, memref<1x28x28x128xf32>
}

// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Few pixels meet a filter that does not stay near. Four rows before the last one of an image fetch the next
// panel, one of the four lines that four steps read, wherever in the panel they stand; the others touch a
// line of their own.
// CHECK:       exec.kernel @far {{.*}}schedule = "direct convolution: tile 4x16, blocks of 7 rows and 2 panels", scratch_bytes = 0
// CHECK-LABEL: func.func private @far_body
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<294912xf32>
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %c7 step %c1
// CHECK:         %[[LEFT:.*]] = arith.subi %c5, %[[ROW]]
// CHECK:         %[[AFTER:.*]] = arith.cmpi sgt, %[[LEFT]], %c-1
// CHECK:         %[[BEFORE:.*]] = arith.cmpi slt, %[[LEFT]], %c4
// CHECK:         %[[FETCHES:.*]] = arith.andi %[[AFTER]], %[[BEFORE]]
// CHECK:         %[[SHARE:.*]] = arith.muli %[[LEFT]], %c16
// CHECK:         %[[LINES:.*]] = arith.addi %[[SHARE]], %c18432
// CHECK:         %[[AHEAD:.*]] = arith.select %[[FETCHES]], %[[LINES]], %c0
// CHECK:         scf.for %[[K:.*]] = %c0 to %c128 step %c4
// CHECK:           %[[LINE:.*]] = arith.addi %[[AHEAD]], %[[PANEL:.*]] overflow
// CHECK-NEXT:      memref.prefetch %[[W]][%[[LINE]]], read
// CHECK-NEXT:      vector.load %[[W]][%[[PANEL]]]
// CHECK-NOT:       memref.prefetch
// CHECK:           scf.yield
exec.kernel @far inputs 2 {
^bb0(%x: memref<1x7x7x128xf32>, %w: memref<1x16x1152x16xf32>, %y: memref<1x7x7x256xf32>):
  %0 = exec.load %x : memref<1x7x7x128xf32> -> tensor<1x7x7x128xf32>
  %1 = exec.load %w : memref<1x16x1152x16xf32> -> tensor<1x16x1152x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 128, 256]> {hgc.form = "direct"}
      : (tensor<1x7x7x128xf32>, tensor<1x16x1152x16xf32>) -> tensor<1x7x7x256xf32>
  exec.store %2, %y : tensor<1x7x7x256xf32>, memref<1x7x7x256xf32>
}

// Two panels of twice the depth do not fit into the second-level cache: each is taken a row of the window at a time, for
// all rows that see some of it, and the next such part is fetched. Sums wait in scratch.
// CHECK:       exec.kernel @farther {{.*}}schedule = "direct convolution: tile 4x16, blocks of 7 rows and 2 panels, by rows of the window", scratch_bytes = 3136
// CHECK-LABEL: func.func private @farther_body
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<589824xf32>
// CHECK:         %[[SUMS:.*]] = memref.view
// CHECK:         scf.for %[[WINDOW:.*]] = %c0 to %c3 step %c1
// CHECK:           scf.for %[[ROW:.*]] = %c0 to %c7 step %c1
// CHECK:             %[[SEEN:.*]] = arith.andi
// CHECK:             scf.if %[[SEEN]]
// CHECK:               arith.addi %{{.*}}, %c12288
// CHECK:               %[[FIRST:.*]] = arith.cmpi eq, %[[WINDOW]]
// CHECK:               %[[BEFORE:.*]] = vector.load %[[SUMS]]
// CHECK:               arith.select %[[FIRST]], %{{.*}}, %[[BEFORE]]
// CHECK:               scf.for {{.*}} to %c256 step %c4
// CHECK:                 memref.prefetch %[[W]]
// CHECK:               scf.if
// CHECK:                 vector.store
// CHECK:               } else {
// CHECK:                 vector.store {{.*}} %[[SUMS]]
exec.kernel @farther inputs 2 {
^bb0(%x: memref<1x7x7x256xf32>, %w: memref<1x16x2304x16xf32>, %y: memref<1x7x7x256xf32>):
  %0 = exec.load %x : memref<1x7x7x256xf32> -> tensor<1x7x7x256xf32>
  %1 = exec.load %w : memref<1x16x2304x16xf32> -> tensor<1x16x2304x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 256, 256]> {hgc.form = "direct"}
      : (tensor<1x7x7x256xf32>, tensor<1x16x2304x16xf32>) -> tensor<1x7x7x256xf32>
  exec.store %2, %y : tensor<1x7x7x256xf32>, memref<1x7x7x256xf32>
}

// Many pixels do: the wait of the first tile is a small part of what all take.
// CHECK-LABEL: func.func private @many_body
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<147456xf32>
// CHECK-NOT:     memref.prefetch %[[W]]
// CHECK:       exec.kernel @near
exec.kernel @many inputs 2 {
^bb0(%x: memref<1x56x56x128xf32>, %w: memref<1x8x1152x16xf32>, %y: memref<1x56x56x128xf32>):
  %0 = exec.load %x : memref<1x56x56x128xf32> -> tensor<1x56x56x128xf32>
  %1 = exec.load %w : memref<1x8x1152x16xf32> -> tensor<1x8x1152x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 128, 128]> {hgc.form = "direct"}
      : (tensor<1x56x56x128xf32>, tensor<1x8x1152x16xf32>) -> tensor<1x56x56x128xf32>
  exec.store %2, %y : tensor<1x56x56x128xf32>, memref<1x56x56x128xf32>
}

// A filter that stays in the second-level cache is near.
// CHECK-LABEL: func.func private @near_body
// CHECK-NOT:     memref.prefetch
exec.kernel @near inputs 2 {
^bb0(%x: memref<1x7x7x32xf32>, %w: memref<1x2x288x16xf32>, %y: memref<1x7x7x32xf32>):
  %0 = exec.load %x : memref<1x7x7x32xf32> -> tensor<1x7x7x32xf32>
  %1 = exec.load %w : memref<1x2x288x16xf32> -> tensor<1x2x288x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 32, 32]> {hgc.form = "direct"}
      : (tensor<1x7x7x32xf32>, tensor<1x2x288x16xf32>) -> tensor<1x7x7x32xf32>
  exec.store %2, %y : tensor<1x7x7x32xf32>, memref<1x7x7x32xf32>
}

// RUN: hgc-opt --hgc-place --hgc-materialize-transfers --split-input-file %s | FileCheck %s

// Values that start and end on the GPU are no reason to leave it, however small.
// CHECK-LABEL: func.func @stays
// CHECK-NOT:     hgc.transfer
// CHECK:         hgc.relu {{.*}}hgc.device = #hgc.device<gpu>
// CHECK-NOT:     hgc.transfer
func.func @stays(%x: tensor<4xf32> {hgc.device = #hgc.device<gpu>}) -> (tensor<4xf32> {hgc.device = #hgc.device<gpu>})
    attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What must be on the CPU has its copies in, and out.
// CHECK-LABEL: func.func @leaves
// CHECK:         %[[IN:.*]] = hgc.transfer %{{.*}} from <gpu> to <cpu>
// CHECK:         %[[Y:.*]] = hgc.relu %[[IN]] {{.*}}hgc.device = #hgc.device<cpu>
// CHECK:         %[[OUT:.*]] = hgc.transfer %[[Y]] from <cpu> to <gpu>
// CHECK:         return %[[OUT]], %[[Y]]
func.func @leaves(%x: tensor<4xf32> {hgc.device = #hgc.device<gpu>}) -> (tensor<4xf32> {hgc.device = #hgc.device<gpu>}, tensor<4xf32>)
    attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.relu %x {hgc.pin = #hgc.device<cpu>} : tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Handing an argument through, to the same side, to the other, and a constant.
// CHECK-LABEL: func.func @through
// CHECK-SAME:    (%[[X:[a-z0-9]*]]: {{.*}}, %[[H:[a-z0-9]*]]: {{.*}})
// CHECK-SAME:    bound_ps = [[COST:[0-9]+]] : i64, serial_ps = [[COST]] : i64
// CHECK-DAG:     %[[C:.*]] = hgc.constant {hgc.device = #hgc.device<gpu>}
// CHECK-DAG:     %[[D:.*]] = hgc.transfer %[[X]] from <gpu> to <cpu>
// CHECK-DAG:     %[[U:.*]] = hgc.transfer %[[H]] from <cpu> to <gpu>
// CHECK:         return %[[X]], %[[D]], %[[U]], %[[C]]
func.func @through(%x: tensor<4xf32> {hgc.device = #hgc.device<gpu>}, %h: tensor<4xf32>)
    -> (tensor<4xf32> {hgc.device = #hgc.device<gpu>}, tensor<4xf32>, tensor<4xf32> {hgc.device = #hgc.device<gpu>}, tensor<4xf32> {hgc.device = #hgc.device<gpu>})
    attributes {hgc.entry, hgc.plan = "gpu"} {
  %c = hgc.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %x, %x, %h, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// The CPU plan has its arguments on the host, whatever the attribute says.
// CHECK-LABEL: func.func @cpu
// CHECK-NOT:     hgc.transfer
// CHECK:         hgc.relu {{.*}}{hgc.device = #hgc.device<cpu>}
// CHECK-NOT:     hgc.transfer
func.func @cpu(%x: tensor<4xf32> {hgc.device = #hgc.device<gpu>}) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "cpu"} {
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A second GPU is there as soon as the caller has something on it.
// CHECK-LABEL: func.func @second
// CHECK:         hgc.relu {{.*}}hgc.device = #hgc.device<gpu : 1>
// CHECK:         hgc.transfer %{{.*}} from <gpu : 1> to <cpu>
func.func @second(%x: tensor<1048576xf32> {hgc.device = #hgc.device<gpu:1>}) -> tensor<f32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.relu %x : tensor<1048576xf32>
  %1 = hgc.reduce sum %0 axes = [0] : (tensor<1048576xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

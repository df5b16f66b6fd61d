// RUN: hgc-opt --hgc-convert-to-exec --split-input-file %s | FileCheck %s

// The kernel is outlined; its result goes straight to the caller's buffer.
// CHECK-LABEL: exec.kernel @relu inputs 1
// CHECK-SAME:    ops = "relu"
// CHECK:       ^bb0(%[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>):
// CHECK:         %[[L:.*]] = exec.load %[[X]]
// CHECK:         %[[R:.*]] = hgc.relu %[[L]]
// CHECK:         exec.store %[[R]], %[[Y]]
// CHECK-LABEL: exec.program @direct entry "direct" inputs 1
// CHECK-SAME:    tensors = [{name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]
// CHECK:       ^bb0(%[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>):
// CHECK-NOT:     exec.view
// CHECK:         exec.launch @relu ins(%[[X]] : memref<8xf32>) outs(%[[Y]] : memref<8xf32>)
// CHECK-NEXT:    exec.return
// CHECK-NOT:   func.func
func.func @direct(%x: tensor<8xf32> {hgc.name = "x"}) -> (tensor<8xf32> {hgc.name = "y"}) attributes {hgc.entry} {
  %0 = hgc.kernel(%x : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %1 = hgc.relu %a : tensor<8xf32>
    hgc.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Equal kernels are one symbol, named after the first; a chain needs one view.
// Types matter: the kernel on four elements is another.
// CHECK:     exec.kernel @first.relu inputs 1
// CHECK:     exec.kernel @third.relu inputs 1
// CHECK-NOT: exec.kernel
// CHECK:     exec.program @shared
// CHECK:     ^bb0(%[[X:.*]]: memref<8xf32>, %[[Z:.*]]: memref<4xf32>, %[[Y:.*]]: memref<8xf32>, %[[W:.*]]: memref<4xf32>):
// CHECK:       %[[V:.*]] = exec.view : memref<8xf32>
// CHECK:       exec.launch @first.relu ins(%[[X]] : memref<8xf32>) outs(%[[V]] : memref<8xf32>)
// CHECK:       exec.launch @first.relu ins(%[[V]] : memref<8xf32>) outs(%[[Y]] : memref<8xf32>)
// CHECK:       exec.launch @third.relu ins(%[[Z]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
func.func @shared(%x: tensor<8xf32>, %z: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) attributes {hgc.entry} {
  %0 = hgc.kernel(%x : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %1 = hgc.relu %a : tensor<8xf32> loc("first"("m.mlir":1:1))
    hgc.yield %1 : tensor<8xf32>
  }
  %2 = hgc.kernel(%0 : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %3 = hgc.relu %a : tensor<8xf32> loc("second"("m.mlir":2:1))
    hgc.yield %3 : tensor<8xf32>
  }
  %4 = hgc.kernel(%z : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %5 = hgc.relu %a : tensor<4xf32> loc("third"("m.mlir":3:1))
    hgc.yield %5 : tensor<4xf32>
  }
  return %2, %4 : tensor<8xf32>, tensor<4xf32>
}

// -----

// The name is the root's; what two kernels would share gets a number.
// CHECK: exec.kernel @fc1.matmul_add_relu inputs 3 attributes {ops = "matmul, add, relu", price_ps = {{[1-9][0-9]*}} : i64}
// CHECK: exec.kernel @fc1.matmul_add_relu_1 inputs 3
func.func @named(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> attributes {hgc.entry} {
  %0 = hgc.kernel(%x, %w, %b : tensor<2x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<2x8xf32> {
  ^bb0(%a: tensor<2x8xf32>, %v: tensor<8x8xf32>, %c: tensor<8xf32>):
    %1 = hgc.matmul %a, %v : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32> loc("fc1"("m.mlir":1:1))
    %2 = hgc.add %1, %c : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %3 = hgc.relu %2 : tensor<2x8xf32> loc("act"("m.mlir":3:1))
    hgc.yield %3 : tensor<2x8xf32>
  }
  %4 = hgc.kernel(%0, %w, %b : tensor<2x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<2x8xf32> {
  ^bb0(%a: tensor<2x8xf32>, %v: tensor<8x8xf32>, %c: tensor<8xf32>):
    %1 = hgc.matmul %a, %v transpose_rhs : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32> loc("fc1"("m.mlir":1:1))
    %2 = hgc.add %1, %c : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %3 = hgc.relu %2 : tensor<2x8xf32> loc("act"("m.mlir":3:1))
    hgc.yield %3 : tensor<2x8xf32>
  }
  return %4 : tensor<2x8xf32>
}

// -----

// A reshape is a view of its operand. A result that is returned reshaped is
// still computed in place.
// CHECK-LABEL: exec.program @reshaped
// CHECK:       ^bb0(%[[X:.*]]: memref<2x4xf32>, %[[Y:.*]]: memref<4x2xf32>):
// CHECK:         %[[A:.*]] = exec.alias %[[X]] offset 0 : memref<2x4xf32> to memref<8xf32>
// CHECK:         %[[B:.*]] = exec.alias %[[Y]] offset 0 : memref<4x2xf32> to memref<8xf32>
// CHECK:         exec.launch @relu ins(%[[A]] : memref<8xf32>) outs(%[[B]] : memref<8xf32>)
// CHECK-NOT:     exec.copy
func.func @reshaped(%x: tensor<2x4xf32>) -> tensor<4x2xf32> attributes {hgc.entry} {
  %0 = hgc.reshape %x shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  %1 = hgc.kernel(%0 : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %2 = hgc.relu %a : tensor<8xf32>
    hgc.yield %2 : tensor<8xf32>
  }
  %3 = hgc.reshape %1 shape [4, 2] : (tensor<8xf32>) -> tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}

// -----

// Inputs, weights, constants and values that are returned twice are copied.
// CHECK-LABEL: exec.program @copied
// CHECK:       ^bb0(%[[X:.*]]: memref<8xf32>, %[[Y0:.*]]: memref<8xf32>, %[[Y1:.*]]: memref<8xf32>, %[[Y2:.*]]: memref<8xf32>, %[[Y3:.*]]: memref<8xf32>, %[[Y4:.*]]: memref<8xf32>):
// CHECK:         %[[W:.*]] = exec.weight @w
// CHECK:         %[[C:.*]] = exec.weight @const
// CHECK:         exec.launch @relu ins(%[[X]] : memref<8xf32>) outs(%[[Y0]] : memref<8xf32>)
// CHECK-NEXT:    exec.copy %[[Y0]] to %[[Y1]]
// CHECK-NEXT:    exec.copy %[[X]] to %[[Y2]]
// CHECK-NEXT:    exec.copy %[[W]] to %[[Y3]]
// CHECK-NEXT:    exec.copy %[[C]] to %[[Y4]]
// CHECK-NEXT:    exec.return
hgc.parameter @w : tensor<8xf32> = dense<1.0>
func.func @copied(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) attributes {hgc.entry} {
  %w = hgc.read @w : tensor<8xf32>
  %c = hgc.constant dense<2.0> : tensor<8xf32>
  %0 = hgc.kernel(%x : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %2 = hgc.relu %a : tensor<8xf32>
    hgc.yield %2 : tensor<8xf32>
  }
  return %0, %0, %x, %w, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Equal constants are one blob, parameters keep their names, what nobody reads
// is dropped.
// CHECK:     exec.blob @w : memref<2xf32> = dense<1.000000e+00> {parameter = "w"}
// CHECK:     exec.blob @const_1 : memref<2xf32> = dense<3.000000e+00>{{$}}
// CHECK:     exec.blob @const_2 : memref<2xf32> = dense<4.000000e+00>
// CHECK-NOT: exec.blob
// CHECK-NOT: hgc.parameter
hgc.parameter @w : tensor<2xf32> = dense<1.0>
hgc.parameter @unused : tensor<2xf32> = dense<1.0>
func.func @const(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) attributes {hgc.entry} {
  %w = hgc.read @w : tensor<2xf32>
  %a = hgc.constant dense<3.0> : tensor<2xf32>
  %b = hgc.constant dense<3.0> : tensor<2xf32>
  %c = hgc.constant dense<4.0> : tensor<2xf32>
  return %w, %a, %b, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// A variant says which entry and dims it serves; dims come in the order of the
// arguments, types keep i1 and unsigned elements.
// CHECK: exec.program @predict_seq4_batch2 entry "predict" inputs 2
// CHECK-SAME: dim_names = ["seq", "batch"], dims = array<i64: 4, 2>
// CHECK-SAME: tensors = [{name = "m", shape = ["seq", "batch"], type = tensor<4x2xi1>}, {name = "arg1", shape = [3], type = tensor<3xui8>},
// CHECK-SAME: {name = "result0", shape = ["seq", "batch"], type = tensor<4x2xi1>}]
// CHECK: ^bb0(%{{.*}}: memref<4x2xi1>, %{{.*}}: memref<3xui8>, %{{.*}}: memref<4x2xi1>):
func.func @predict_seq4_batch2(%m: tensor<4x2xi1> {hgc.name = "m", hgc.shape = ["seq", "batch"]}, %u: tensor<3xui8>)
    -> (tensor<4x2xi1> {hgc.shape = ["seq", "batch"]})
    attributes {hgc.entry, hgc.variant_of = "predict", hgc.variant_dims = {batch = 2 : i64, seq = 4 : i64}} {
  return %m : tensor<4x2xi1>
}

// -----

// A parameter in panel layout still names the parameter it holds.
// CHECK: exec.blob @fc.packed : memref<1x4x16xf32> = dense<1.000000e+00> {packed, parameter = "fc"}
hgc.parameter @fc.packed : tensor<1x4x16xf32> = dense<1.0> {hgc.packed_from = "fc"}
func.func @packed() -> tensor<1x4x16xf32> attributes {hgc.entry} {
  %w = hgc.read @fc.packed : tensor<1x4x16xf32>
  return %w : tensor<1x4x16xf32>
}

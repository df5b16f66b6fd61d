// RUN: hgc-opt --hgc-convert-to-exec --split-input-file %s | FileCheck %s

// States that change places need one saved value; the stacked old state is read
// before any state changes.
// CHECK-LABEL: exec.program @swap
// CHECK:       ^bb0(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %{{.*}}: memref<3x4xf32>, %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %{{.*}}: memref<3x4xf32>):
// CHECK:         exec.for 3 {
// CHECK:           %[[Y:.*]] = exec.alias
// CHECK:           %[[Y:.*]] = exec.alias
// CHECK-NEXT:      exec.copy %[[A]] to %[[Y]]
// CHECK-NEXT:      %[[T:.*]] = exec.view : memref<4xf32>
// CHECK-NEXT:      exec.copy %[[B]] to %[[T]]
// CHECK-NEXT:      exec.copy %[[A]] to %[[B]]
// CHECK-NEXT:      exec.copy %[[T]] to %[[A]]
// CHECK-NEXT:    }
func.func @swap(%p: tensor<4xf32>, %q: tensor<4xf32>, %xs: tensor<3x4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) attributes {hgc.entry} {
  %0, %1, %2 = hgc.scan init(%p, %q : tensor<4xf32>, tensor<4xf32>) over(%xs : tensor<3x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    hgc.yield %b, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>
}

// -----

// A state that another state takes over is not written early.
// CHECK-LABEL: exec.program @shift
// CHECK:       ^bb0(%{{.*}}: memref<4xf32>, %{{.*}}: memref<3x4xf32>, %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>):
// CHECK:         exec.for 3 {
// CHECK:           %[[X:.*]] = exec.alias
// CHECK-NEXT:      %[[V:.*]] = exec.view : memref<4xf32>
// CHECK-NEXT:      exec.launch @relu ins(%[[X]] : memref<4xf32>) outs(%[[V]] : memref<4xf32>)
// CHECK-NEXT:      exec.copy %[[A]] to %[[B]]
// CHECK-NEXT:      exec.copy %[[V]] to %[[A]]
// CHECK-NEXT:    }
func.func @shift(%p: tensor<4xf32>, %xs: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry} {
  %0, %1 = hgc.scan init(%p, %p : tensor<4xf32>, tensor<4xf32>) over(%xs : tensor<3x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    %2 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%c: tensor<4xf32>):
      %3 = hgc.relu %c : tensor<4xf32>
      hgc.yield %3 : tensor<4xf32>
    }
    hgc.yield %2, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A view of the state read after the kernel keeps it from writing early, too.
// CHECK-LABEL: exec.program @late_view
// CHECK:       ^bb0(%{{.*}}: memref<4xf32>, %{{.*}}: memref<3x4xf32>, %[[S:.*]]: memref<4xf32>, %{{.*}}: memref<3x2x2xf32>):
// CHECK:         exec.for 3 {
// CHECK:           %[[R:.*]] = exec.alias %[[S]] offset 0 : memref<4xf32> to memref<2x2xf32>
// CHECK-NEXT:      %[[V:.*]] = exec.view : memref<4xf32>
// CHECK-NEXT:      exec.launch @relu ins(%{{.*}} : memref<4xf32>) outs(%[[V]] : memref<4xf32>)
// CHECK-NEXT:      exec.launch @neg ins(%[[R]] : memref<2x2xf32>)
// CHECK-NEXT:      exec.copy %[[V]] to %[[S]]
func.func @late_view(%p: tensor<4xf32>, %xs: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x2x2xf32>) attributes {hgc.entry} {
  %0, %1 = hgc.scan init(%p : tensor<4xf32>) over(%xs : tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x2x2xf32>) {
  ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
    %r = hgc.reshape %s shape [2, 2] : (tensor<4xf32>) -> tensor<2x2xf32>
    %2 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%c: tensor<4xf32>):
      %3 = hgc.relu %c : tensor<4xf32>
      hgc.yield %3 : tensor<4xf32>
    }
    %4 = hgc.kernel(%r : tensor<2x2xf32>) -> tensor<2x2xf32> {
    ^bb0(%c: tensor<2x2xf32>):
      %5 = hgc.neg %c : tensor<2x2xf32>
      hgc.yield %5 : tensor<2x2xf32>
    }
    hgc.yield %2, %4 : tensor<4xf32>, tensor<2x2xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<3x2x2xf32>
}

// -----

// Without iterations the results are the initial states and an empty stack.
// CHECK-LABEL: exec.program @empty
// CHECK:       ^bb0(%[[H:.*]]: memref<4xf32>, %{{.*}}: memref<0x4xf32>, %[[S:.*]]: memref<4xf32>, %{{.*}}: memref<0x4xf32>):
// CHECK-NEXT:    exec.copy %[[H]] to %[[S]]
// CHECK-NEXT:    exec.return
func.func @empty(%h: tensor<4xf32>, %xs: tensor<0x4xf32>) -> (tensor<4xf32>, tensor<0x4xf32>) attributes {hgc.entry} {
  %0, %1 = hgc.scan init(%h : tensor<4xf32>) over(%xs : tensor<0x4xf32>) -> (tensor<4xf32>, tensor<0x4xf32>) {
  ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
    hgc.yield %x, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<0x4xf32>
}

// -----

// Loops nest: the inner loop's state is the slice of the outer stack.
// CHECK-LABEL: exec.program @nested
// CHECK:         exec.for 2 {
// CHECK:           %[[ROW:.*]] = exec.alias %{{.*}} : memref<2x3x4xf32> to memref<3x4xf32>
// CHECK:           %[[OUT:.*]] = exec.alias %{{.*}} : memref<2x4xf32> to memref<4xf32>
// CHECK:           exec.copy %{{.*}} to %[[OUT]]
// CHECK:           exec.for 3 {
// CHECK:             %[[X:.*]] = exec.alias %[[ROW]] {{.*}} : memref<3x4xf32> to memref<4xf32>
// CHECK:             %[[N:.*]] = exec.view : memref<4xf32>
// CHECK:             exec.launch @add ins(%[[OUT]], %[[X]] : {{.*}}) outs(%[[N]] : memref<4xf32>)
// CHECK:             exec.copy %[[N]] to %[[OUT]]
func.func @nested(%h: tensor<4xf32>, %xs: tensor<2x3x4xf32>) -> tensor<2x4xf32> attributes {hgc.entry} {
  %0 = hgc.scan over(%xs : tensor<2x3x4xf32>) -> (tensor<2x4xf32>) {
  ^bb0(%row: tensor<3x4xf32>):
    %1 = hgc.scan init(%h : tensor<4xf32>) over(%row : tensor<3x4xf32>) -> (tensor<4xf32>) {
    ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
      %2 = hgc.kernel(%s, %x : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
      ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
        %3 = hgc.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        hgc.yield %3 : tensor<4xf32>
      }
      hgc.yield %2 : tensor<4xf32>
    }
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<2x4xf32>
}

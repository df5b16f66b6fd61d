// RUN: hgc-opt --hgc-convert-to-exec --split-input-file %s | FileCheck %s

// State is written last; the output is the old value.
// CHECK:       exec.blob @n : memref<4xf32> = dense<0.000000e+00> {is_mutable, parameter = "n"}
// CHECK-LABEL: exec.program @f
// CHECK:       ^bb0(%[[Y:.*]]: memref<4xf32>):
// CHECK:         %[[N:.*]] = exec.weight @n : memref<4xf32>
// CHECK:         %[[V:.*]] = exec.view : memref<4xf32>
// CHECK:         exec.launch @relu ins(%[[N]] : memref<4xf32>) outs(%[[V]] : memref<4xf32>)
// CHECK:         exec.copy %[[N]] to %[[Y]]
// CHECK:         %[[T:.*]] = exec.weight @n : memref<4xf32>
// CHECK:         exec.copy %[[V]] to %[[T]]
// CHECK-NEXT:    exec.return
hgc.parameter @n : tensor<4xf32> = dense<0.0>
func.func @f() -> tensor<4xf32> attributes {hgc.entry} {
  %0 = hgc.read @n : tensor<4xf32>
  %1 = hgc.kernel(%0 : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %2 = hgc.relu %a : tensor<4xf32>
    hgc.yield %2 : tensor<4xf32>
  }
  hgc.assign @n, %1 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A swap saves one of the two values.
// CHECK-LABEL: exec.program @swap
// CHECK:         %[[A:.*]] = exec.weight @a
// CHECK:         %[[B:.*]] = exec.weight @b
// CHECK:         %[[TA:.*]] = exec.weight @a
// CHECK:         %[[TB:.*]] = exec.weight @b
// CHECK:         %[[S:.*]] = exec.view : memref<4xf32>
// CHECK-NEXT:    exec.copy %[[B]] to %[[S]]
// CHECK-NEXT:    exec.copy %[[A]] to %[[TB]]
// CHECK-NEXT:    exec.copy %[[S]] to %[[TA]]
// CHECK-NEXT:    exec.return
hgc.parameter @a : tensor<4xf32> = dense<0.0>
hgc.parameter @b : tensor<4xf32> = dense<1.0>
func.func @swap() attributes {hgc.entry} {
  %a = hgc.read @a : tensor<4xf32>
  %b = hgc.read @b : tensor<4xf32>
  hgc.assign @a, %b : tensor<4xf32>
  hgc.assign @b, %a : tensor<4xf32>
  return
}

// -----

// A chain needs an order, but nothing saved; a view of a parameter counts as it.
// CHECK-LABEL: exec.program @chain
// CHECK:       ^bb0(%[[X:.*]]: memref<4xf32>):
// CHECK:         %[[A:.*]] = exec.weight @a : memref<2x2xf32>
// CHECK:         %[[R:.*]] = exec.alias %[[A]] offset 0
// CHECK:         %[[TA:.*]] = exec.weight @a
// CHECK:         %[[TB:.*]] = exec.weight @b
// CHECK-NOT:     exec.view
// CHECK:         exec.copy %[[R]] to %[[TB]] : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:    exec.copy %{{.*}} to %[[TA]] : memref<2x2xf32>, memref<2x2xf32>
// CHECK-NEXT:    exec.return
hgc.parameter @a : tensor<2x2xf32> = dense<0.0>
hgc.parameter @b : tensor<4xf32> = dense<1.0>
func.func @chain(%x: tensor<4xf32>) attributes {hgc.entry} {
  %a = hgc.read @a : tensor<2x2xf32>
  %r = hgc.reshape %a shape [4] : (tensor<2x2xf32>) -> tensor<4xf32>
  %s = hgc.reshape %x shape [2, 2] : (tensor<4xf32>) -> tensor<2x2xf32>
  hgc.assign @a, %s : tensor<2x2xf32>
  hgc.assign @b, %r : tensor<4xf32>
  return
}

// -----

// Assigning a parameter to itself does nothing.
// CHECK-LABEL: exec.program @same
// CHECK-NOT:     exec.copy
// CHECK:         exec.return
hgc.parameter @a : tensor<4xf32> = dense<0.0>
func.func @same() attributes {hgc.entry} {
  %a = hgc.read @a : tensor<4xf32>
  hgc.assign @a, %a : tensor<4xf32>
  return
}

// -----

// What crosses devices is copied between memory spaces.
// CHECK-LABEL: exec.program @gpu
// CHECK:       ^bb0(%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>):
// CHECK:         %[[G:.*]] = exec.view : memref<4xf32, #exec.space<gpu>>
// CHECK:         exec.copy %[[X]] to %[[G]]
// CHECK:         %[[R:.*]] = exec.view : memref<4xf32, #exec.space<gpu>>
// CHECK:         exec.launch @relu ins(%[[G]] : memref<4xf32, #exec.space<gpu>>) outs(%[[R]] : memref<4xf32, #exec.space<gpu>>)
// CHECK-NEXT:    exec.copy %[[R]] to %[[Y]]
// CHECK-NEXT:    exec.return
func.func @gpu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  %g = hgc.transfer %x from <cpu> to <gpu> : tensor<4xf32>
  %0 = hgc.kernel(%g : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%a: tensor<4xf32>):
    %2 = hgc.relu %a : tensor<4xf32>
    hgc.yield %2 : tensor<4xf32>
  }
  %c = hgc.transfer %0 from <gpu> to <cpu> : tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// A check reads its flag where the check stands, also inside of a branch.
// CHECK-LABEL: exec.program @checks
// CHECK-SAME:    tensors = [{name = "p", {{.*}}}, {extents = "s", name = "y", {{.*}}}, {name = "s", {{.*}}}]
// CHECK:       ^bb0(%[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<1xi1>, %[[S:.*]]: memref<1xi64>):
// CHECK:         exec.fail_if not %[[P]], "first" : memref<i1>
// CHECK:         exec.if %[[P]]
// CHECK-NEXT:      exec.fail_if not %[[P]], "second" : memref<i1>
func.func @checks(%p: tensor<i1> {hgc.name = "p"})
    -> (tensor<1xi1> {hgc.name = "y", hgc.extents = "s"}, tensor<1xi64> {hgc.name = "s"}) attributes {hgc.entry} {
  %one = hgc.constant dense<1> : tensor<1xi64>
  hgc.check %p, "first" : tensor<i1>
  hgc.if %p : tensor<i1> {
    hgc.check %p, "second" : tensor<i1>
    hgc.yield
  } else {
    hgc.yield
  }
  %y = hgc.reshape %p shape [1] : (tensor<i1>) -> tensor<1xi1>
  return %y, %one : tensor<1xi1>, tensor<1xi64>
}

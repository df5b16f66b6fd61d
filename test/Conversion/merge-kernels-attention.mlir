// RUN: hgc-opt --hgc-merge-kernels --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-merge-kernels --hgc-plan-kernels --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// PLANNED-COUNT-3: exec.memory

// Scores, softmax and sums become one kernel: neither scores nor weights have memory. It
// reads its queries in the tensor that another kernel cuts them out of.
!x = memref<2x64x48xf32>
!q = memref<2x64x16xf32>
!s = memref<2x64x64xf32>
// CHECK-LABEL: exec.kernel @scores.attention inputs 2
// CHECK-SAME:    ops = "slice, matmul, mul, softmax, matmul", price_ps = {{[1-9]}}
// CHECK:         %[[Q:.*]] = hgc.slice
// CHECK:         %[[S:.*]] = hgc.matmul %[[Q]]
// CHECK:         %[[M:.*]] = hgc.mul %[[S]]
// CHECK:         %[[P:.*]] = hgc.softmax %[[M]]
// CHECK:         hgc.matmul %[[P]]
// CHECK-LABEL: exec.program @run
// CHECK-NOT:     memref<2x64x64xf32>
// CHECK:         exec.launch @scores.attention
// CHECK-NOT:     exec.launch
exec.kernel @cut.slice inputs 1 attributes {ops = "slice", price_ps = 1000 : i64} {
^bb0(%x: !x, %q: !q):
  %0 = exec.load %x : !x -> tensor<2x64x48xf32>
  %1 = hgc.slice %0 starts = [0, 0, 16] sizes = [2, 64, 16] : (tensor<2x64x48xf32>) -> tensor<2x64x16xf32>
  exec.store %1, %q : tensor<2x64x16xf32>, !q
}
exec.kernel @scores.matmul_mul inputs 2 attributes {ops = "matmul, mul", price_ps = 1000 : i64} {
^bb0(%q: !q, %k: !q, %s: !s):
  %0 = exec.load %q : !q -> tensor<2x64x16xf32>
  %1 = exec.load %k : !q -> tensor<2x64x16xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x64xf32>
  %3 = hgc.constant dense<0.25> : tensor<f32>
  %4 = hgc.mul %2, %3 : (tensor<2x64x64xf32>, tensor<f32>) -> tensor<2x64x64xf32>
  exec.store %4, %s : tensor<2x64x64xf32>, !s
}
exec.kernel @weights.softmax inputs 1 attributes {ops = "softmax", price_ps = 1000 : i64} {
^bb0(%s: !s, %p: !s):
  %0 = exec.load %s : !s -> tensor<2x64x64xf32>
  %1 = hgc.softmax %0 axis 2 : tensor<2x64x64xf32>
  exec.store %1, %p : tensor<2x64x64xf32>, !s
}
exec.kernel @sums.matmul inputs 2 attributes {ops = "matmul", price_ps = 1000 : i64} {
^bb0(%p: !s, %v: !q, %y: !q):
  %0 = exec.load %p : !s -> tensor<2x64x64xf32>
  %1 = exec.load %v : !q -> tensor<2x64x16xf32>
  %2 = hgc.matmul %0, %1 : (tensor<2x64x64xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  exec.store %2, %y : tensor<2x64x16xf32>, !q
}
exec.program @run entry "run" inputs 2 attributes {tensors = [
    {name = "x", shape = [2, 64, 48], type = tensor<2x64x48xf32>}, {name = "k", shape = [2, 64, 16], type = tensor<2x64x16xf32>},
    {name = "y", shape = [2, 64, 16], type = tensor<2x64x16xf32>}]} {
^bb0(%x: !x, %k: !q, %y: !q):
  %q = exec.view : !q
  %s = exec.view : !s
  %p = exec.view : !s
  exec.launch @cut.slice ins(%x : !x) outs(%q : !q)
  exec.launch @scores.matmul_mul ins(%q, %k : !q, !q) outs(%s : !s)
  exec.launch @weights.softmax ins(%s : !s) outs(%p : !s)
  exec.launch @sums.matmul ins(%p, %k : !s, !q) outs(%y : !q)
  exec.return
}

// -----

// Weights that the caller wants to see stay, and so does the softmax.
!q = memref<64x16xf32>
!s = memref<64x64xf32>
// CHECK-LABEL: exec.program @kept
// CHECK:         exec.launch @weights.softmax
// CHECK:         exec.launch @sums.matmul
exec.kernel @weights.softmax inputs 1 attributes {ops = "softmax", price_ps = 1000 : i64} {
^bb0(%s: !s, %p: !s):
  %0 = exec.load %s : !s -> tensor<64x64xf32>
  %1 = hgc.softmax %0 axis 1 : tensor<64x64xf32>
  exec.store %1, %p : tensor<64x64xf32>, !s
}
exec.kernel @sums.matmul inputs 2 attributes {ops = "matmul", price_ps = 1000 : i64} {
^bb0(%p: !s, %v: !q, %y: !q):
  %0 = exec.load %p : !s -> tensor<64x64xf32>
  %1 = exec.load %v : !q -> tensor<64x16xf32>
  %2 = hgc.matmul %0, %1 : (tensor<64x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  exec.store %2, %y : tensor<64x16xf32>, !q
}
exec.program @kept entry "kept" inputs 2 attributes {tensors = [
    {name = "s", shape = [64, 64], type = tensor<64x64xf32>}, {name = "v", shape = [64, 16], type = tensor<64x16xf32>},
    {name = "p", shape = [64, 64], type = tensor<64x64xf32>}, {name = "y", shape = [64, 16], type = tensor<64x16xf32>}]} {
^bb0(%s: !s, %v: !q, %p: !s, %y: !q):
  exec.launch @weights.softmax ins(%s : !s) outs(%p : !s)
  exec.launch @sums.matmul ins(%p, %v : !s, !q) outs(%y : !q)
  exec.return
}

// -----

// A softmax of columns, and one of a few rows.
!q = memref<64x16xf32>
!s = memref<64x64xf32>
!f = memref<8x64xf32>
!g = memref<8x16xf32>
// CHECK-LABEL: exec.program @others
// CHECK:         exec.launch @columns.softmax
// CHECK:         exec.launch @sums.matmul
// CHECK:         exec.launch @few.softmax
// CHECK:         exec.launch @few_sums.matmul
exec.kernel @columns.softmax inputs 1 attributes {ops = "softmax", price_ps = 1000 : i64} {
^bb0(%s: !s, %p: !s):
  %0 = exec.load %s : !s -> tensor<64x64xf32>
  %1 = hgc.softmax %0 axis 0 : tensor<64x64xf32>
  exec.store %1, %p : tensor<64x64xf32>, !s
}
exec.kernel @sums.matmul inputs 2 attributes {ops = "matmul", price_ps = 1000 : i64} {
^bb0(%p: !s, %v: !q, %y: !q):
  %0 = exec.load %p : !s -> tensor<64x64xf32>
  %1 = exec.load %v : !q -> tensor<64x16xf32>
  %2 = hgc.matmul %0, %1 : (tensor<64x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  exec.store %2, %y : tensor<64x16xf32>, !q
}
exec.kernel @few.softmax inputs 1 attributes {ops = "softmax", price_ps = 1000 : i64} {
^bb0(%s: !f, %p: !f):
  %0 = exec.load %s : !f -> tensor<8x64xf32>
  %1 = hgc.softmax %0 axis 1 : tensor<8x64xf32>
  exec.store %1, %p : tensor<8x64xf32>, !f
}
exec.kernel @few_sums.matmul inputs 2 attributes {ops = "matmul", price_ps = 1000 : i64} {
^bb0(%p: !f, %v: !q, %y: !g):
  %0 = exec.load %p : !f -> tensor<8x64xf32>
  %1 = exec.load %v : !q -> tensor<64x16xf32>
  %2 = hgc.matmul %0, %1 : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  exec.store %2, %y : tensor<8x16xf32>, !g
}
exec.program @others entry "others" inputs 3 attributes {tensors = [
    {name = "s", shape = [64, 64], type = tensor<64x64xf32>}, {name = "v", shape = [64, 16], type = tensor<64x16xf32>},
    {name = "f", shape = [8, 64], type = tensor<8x64xf32>},
    {name = "y", shape = [64, 16], type = tensor<64x16xf32>}, {name = "g", shape = [8, 16], type = tensor<8x16xf32>}]} {
^bb0(%s: !s, %v: !q, %f: !f, %y: !q, %g: !g):
  %p = exec.view : !s
  %r = exec.view : !f
  exec.launch @columns.softmax ins(%s : !s) outs(%p : !s)
  exec.launch @sums.matmul ins(%p, %v : !s, !q) outs(%y : !q)
  exec.launch @few.softmax ins(%f : !f) outs(%r : !f)
  exec.launch @few_sums.matmul ins(%r, %v : !f, !q) outs(%g : !g)
  exec.return
}

// RUN: hgc-opt --hgc-merge-kernels --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-merge-kernels --hgc-plan-kernels --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// PLANNED-COUNT-4: exec.memory

// Heads are read where the projection has them: neither copy has memory.
!x = memref<20x3x4x64xf32>
!h = memref<1x4x20x64xf32>
!m = memref<4x20x64xf32>
!s = memref<4x20x20xf32>
// CHECK-LABEL: exec.kernel @scores inputs 1
// CHECK-SAME:    ops = "slice, transpose, slice, transpose, matmul", price_ps = {{[1-9]}}
// CHECK:         %[[X:.*]] = exec.load
// CHECK-NOT:     exec.load
// CHECK:         %[[Q:.*]] = hgc.reshape %{{.*}} shape [4, 20, 64]
// CHECK:         hgc.matmul
// CHECK-LABEL: exec.program @heads
// CHECK-NOT:     exec.view
// CHECK:         exec.launch @scores ins(%{{.*}} : memref<20x3x4x64xf32>)
// CHECK-NOT:     exec.launch
exec.kernel @query inputs 1 attributes {ops = "slice, transpose", price_ps = 1000 : i64} {
^bb0(%x: !x, %h: !h):
  %0 = exec.load %x : !x -> tensor<20x3x4x64xf32>
  %1 = hgc.slice %0 starts = [0, 0, 0, 0] sizes = [20, 1, 4, 64] : (tensor<20x3x4x64xf32>) -> tensor<20x1x4x64xf32>
  %2 = hgc.transpose %1 permutation = [1, 2, 0, 3] : (tensor<20x1x4x64xf32>) -> tensor<1x4x20x64xf32>
  exec.store %2, %h : tensor<1x4x20x64xf32>, !h
}
exec.kernel @key inputs 1 attributes {ops = "slice, transpose", price_ps = 1000 : i64} {
^bb0(%x: !x, %h: !h):
  %0 = exec.load %x : !x -> tensor<20x3x4x64xf32>
  %1 = hgc.slice %0 starts = [0, 1, 0, 0] sizes = [20, 1, 4, 64] : (tensor<20x3x4x64xf32>) -> tensor<20x1x4x64xf32>
  %2 = hgc.transpose %1 permutation = [1, 2, 0, 3] : (tensor<20x1x4x64xf32>) -> tensor<1x4x20x64xf32>
  exec.store %2, %h : tensor<1x4x20x64xf32>, !h
}
exec.kernel @scores inputs 2 attributes {ops = "matmul", price_ps = 1000 : i64} {
^bb0(%q: !m, %k: !m, %s: !s):
  %0 = exec.load %q : !m -> tensor<4x20x64xf32>
  %1 = exec.load %k : !m -> tensor<4x20x64xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<4x20x64xf32>, tensor<4x20x64xf32>) -> tensor<4x20x20xf32>
  exec.store %2, %s : tensor<4x20x20xf32>, !s
}
exec.program @heads entry "heads" inputs 1 attributes {tensors = [
    {name = "x", shape = [20, 3, 4, 64], type = tensor<20x3x4x64xf32>}, {name = "s", shape = [4, 20, 20], type = tensor<4x20x20xf32>}]} {
^bb0(%x: !x, %s: !s):
  %a = exec.view : !h
  exec.launch @query ins(%x : !x) outs(%a : !h)
  %q = exec.alias %a offset 0 : !h to !m
  %b = exec.view : !h
  exec.launch @key ins(%x : !x) outs(%b : !h)
  %k = exec.alias %b offset 0 : !h to !m
  exec.launch @scores ins(%q, %k : !m, !m) outs(%s : !s)
  exec.return
}

// -----

// A copy that others read stays, and so does one whose rows would be taken apart.
!x = memref<20x4x64xf32>
!m = memref<4x20x64xf32>
!c = memref<64x20x4xf32>
!t = memref<64x80xf32>
!w = memref<64x20xf32>
!y = memref<4x20x20xf32>
!z = memref<64x64xf32>
// CHECK-LABEL: exec.program @stays
// CHECK:         exec.launch @heads
// CHECK:         exec.launch @turn
// CHECK:         exec.launch @one
// CHECK:         exec.launch @other
// CHECK:         exec.launch @square
exec.kernel @heads inputs 1 {
^bb0(%x: !x, %m: !m):
  %0 = exec.load %x : !x -> tensor<20x4x64xf32>
  %1 = hgc.transpose %0 permutation = [1, 0, 2] : (tensor<20x4x64xf32>) -> tensor<4x20x64xf32>
  exec.store %1, %m : tensor<4x20x64xf32>, !m
}
exec.kernel @turn inputs 1 {
^bb0(%x: !x, %t: !c):
  %0 = exec.load %x : !x -> tensor<20x4x64xf32>
  %1 = hgc.transpose %0 permutation = [2, 0, 1] : (tensor<20x4x64xf32>) -> tensor<64x20x4xf32>
  exec.store %1, %t : tensor<64x20x4xf32>, !c
}
exec.kernel @one inputs 2 {
^bb0(%x: !m, %w: !w, %y: !y):
  %0 = exec.load %x : !m -> tensor<4x20x64xf32>
  %1 = exec.load %w : !w -> tensor<64x20xf32>
  %2 = hgc.matmul %0, %1 : (tensor<4x20x64xf32>, tensor<64x20xf32>) -> tensor<4x20x20xf32>
  exec.store %2, %y : tensor<4x20x20xf32>, !y
}
exec.kernel @other inputs 2 {
^bb0(%x: !m, %w: !w, %y: !y):
  %0 = exec.load %x : !m -> tensor<4x20x64xf32>
  %1 = exec.load %w : !w -> tensor<64x20xf32>
  %2 = hgc.matmul %0, %1 : (tensor<4x20x64xf32>, tensor<64x20xf32>) -> tensor<4x20x20xf32>
  %3 = hgc.relu %2 : tensor<4x20x20xf32>
  exec.store %3, %y : tensor<4x20x20xf32>, !y
}
exec.kernel @square inputs 1 {
^bb0(%t: !t, %z: !z):
  %0 = exec.load %t : !t -> tensor<64x80xf32>
  %1 = hgc.matmul %0, %0 transpose_rhs : (tensor<64x80xf32>, tensor<64x80xf32>) -> tensor<64x64xf32>
  exec.store %1, %z : tensor<64x64xf32>, !z
}
exec.program @stays entry "stays" inputs 2 attributes {tensors = [
    {name = "x", shape = [20, 4, 64], type = tensor<20x4x64xf32>}, {name = "w", shape = [64, 20], type = tensor<64x20xf32>},
    {name = "y", shape = [4, 20, 20], type = tensor<4x20x20xf32>}, {name = "z", shape = [4, 20, 20], type = tensor<4x20x20xf32>},
    {name = "v", shape = [64, 64], type = tensor<64x64xf32>}]} {
^bb0(%x: !x, %w: !w, %y: !y, %z: !y, %v: !z):
  %m = exec.view : !m
  exec.launch @heads ins(%x : !x) outs(%m : !m)
  %c = exec.view : !c
  exec.launch @turn ins(%x : !x) outs(%c : !c)
  %t = exec.alias %c offset 0 : !c to !t
  exec.launch @one ins(%m, %w : !m, !w) outs(%y : !y)
  exec.launch @other ins(%m, %w : !m, !w) outs(%z : !y)
  exec.launch @square ins(%t : !t) outs(%v : !z)
  exec.return
}

// -----

// Short rows are copied faster than they are fetched one by one.
!x = memref<20x4x32xf32>
!m = memref<4x20x32xf32>
!y = memref<4x20x20xf32>
// CHECK-LABEL: exec.program @short
// CHECK:         exec.launch @heads
// CHECK:         exec.launch @square
exec.kernel @heads inputs 1 {
^bb0(%x: !x, %m: !m):
  %0 = exec.load %x : !x -> tensor<20x4x32xf32>
  %1 = hgc.transpose %0 permutation = [1, 0, 2] : (tensor<20x4x32xf32>) -> tensor<4x20x32xf32>
  exec.store %1, %m : tensor<4x20x32xf32>, !m
}
exec.kernel @square inputs 2 {
^bb0(%a: !m, %b: !m, %y: !y):
  %0 = exec.load %a : !m -> tensor<4x20x32xf32>
  %1 = exec.load %b : !m -> tensor<4x20x32xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<4x20x32xf32>, tensor<4x20x32xf32>) -> tensor<4x20x20xf32>
  exec.store %2, %y : tensor<4x20x20xf32>, !y
}
exec.program @short entry "short" inputs 2 attributes {tensors = [
    {name = "x", shape = [20, 4, 32], type = tensor<20x4x32xf32>}, {name = "b", shape = [4, 20, 32], type = tensor<4x20x32xf32>},
    {name = "y", shape = [4, 20, 20], type = tensor<4x20x20xf32>}]} {
^bb0(%x: !x, %b: !m, %y: !y):
  %m = exec.view : !m
  exec.launch @heads ins(%x : !x) outs(%m : !m)
  exec.launch @square ins(%m, %b : !m, !m) outs(%y : !y)
  exec.return
}

// -----

// Rows of the left operand that share sets of the cache (4096 bytes apart) are copied.
!x = memref<20x16x64xf32>
!m = memref<16x20x64xf32>
!w = memref<16x64x20xf32>
!y = memref<16x20x20xf32>
// CHECK-LABEL: exec.program @collides
// CHECK:         exec.launch @heads
// CHECK:         exec.launch @product
exec.kernel @heads inputs 1 {
^bb0(%x: !x, %m: !m):
  %0 = exec.load %x : !x -> tensor<20x16x64xf32>
  %1 = hgc.transpose %0 permutation = [1, 0, 2] : (tensor<20x16x64xf32>) -> tensor<16x20x64xf32>
  exec.store %1, %m : tensor<16x20x64xf32>, !m
}
exec.kernel @product inputs 2 {
^bb0(%a: !m, %b: !w, %y: !y):
  %0 = exec.load %a : !m -> tensor<16x20x64xf32>
  %1 = exec.load %b : !w -> tensor<16x64x20xf32>
  %2 = hgc.matmul %0, %1 : (tensor<16x20x64xf32>, tensor<16x64x20xf32>) -> tensor<16x20x20xf32>
  exec.store %2, %y : tensor<16x20x20xf32>, !y
}
exec.program @collides entry "collides" inputs 2 attributes {tensors = [
    {name = "x", shape = [20, 16, 64], type = tensor<20x16x64xf32>}, {name = "w", shape = [16, 64, 20], type = tensor<16x64x20xf32>},
    {name = "y", shape = [16, 20, 20], type = tensor<16x20x20xf32>}]} {
^bb0(%x: !x, %w: !w, %y: !y):
  %m = exec.view : !m
  exec.launch @heads ins(%x : !x) outs(%m : !m)
  exec.launch @product ins(%m, %w : !m, !w) outs(%y : !y)
  exec.return
}

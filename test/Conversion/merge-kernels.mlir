// RUN: hgc-opt --hgc-update-in-place --hgc-merge-kernels --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-update-in-place --hgc-merge-kernels --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// PLANNED-COUNT-5: exec.memory

// A gradient, what the optimiser keeps of it, and the parameter: one kernel, in place.
// The rate, which is computed late, comes before it; the gradient is never stored.
!m = memref<16x16xf32>
!t = tensor<16x16xf32>
exec.blob @w : !m = dense<1.0> {is_mutable}
exec.blob @m : !m = dense<0.0> {is_mutable}
// CHECK-LABEL: exec.kernel @grad_and_4_more inputs 3
// CHECK-SAME: ops = "matmul, mul, add, mul, sub", price_ps = {{[1-9]}}
// CHECK-NEXT: ^bb0(%[[X:.*]]: memref<16x16xf32>, %[[Y:.*]]: memref<16x16xf32>, %[[R:.*]]: memref<f32>, %[[M:.*]]: memref<16x16xf32>, %[[W:.*]]: memref<16x16xf32>):
// CHECK: %[[G:.*]] = hgc.matmul
// CHECK: %[[OLDM:.*]] = exec.load %[[M]]
// CHECK: %[[HALF:.*]] = hgc.mul %[[G]]
// CHECK: %[[NEWM:.*]] = hgc.add %[[OLDM]], %[[HALF]]
// CHECK: %[[RATE:.*]] = exec.load %[[R]]
// CHECK: %[[OLDW:.*]] = exec.load %[[W]]
// CHECK: %[[STEP:.*]] = hgc.mul %[[NEWM]], %[[RATE]]
// CHECK: %[[NEWW:.*]] = hgc.sub %[[OLDW]], %[[STEP]]
// CHECK: exec.store %[[NEWM]], %[[M]]
// CHECK: exec.store %[[NEWW]], %[[W]]
exec.kernel @grad inputs 2 attributes {ops = "matmul"} {
^bb0(%x: !m, %y: !m, %g: !m):
  %0 = exec.load %x : !m -> !t
  %1 = exec.load %y : !m -> !t
  %2 = hgc.matmul %0, %1 transpose_lhs : (!t, !t) -> !t
  exec.store %2, %g : !t, !m
}
exec.kernel @rate inputs 1 attributes {ops = "exp"} {
^bb0(%s: memref<f32>, %r: memref<f32>):
  %0 = exec.load %s : memref<f32> -> tensor<f32>
  %1 = hgc.exp %0 : tensor<f32>
  exec.store %1, %r : tensor<f32>, memref<f32>
}
exec.kernel @moment inputs 2 attributes {ops = "mul, add"} {
^bb0(%g: !m, %m: !m, %y: !m):
  %half = hgc.constant dense<0.5> : tensor<f32>
  %0 = exec.load %g : !m -> !t
  %1 = exec.load %m : !m -> !t
  %2 = hgc.mul %0, %half : (!t, tensor<f32>) -> !t
  %3 = hgc.add %1, %2 : (!t, !t) -> !t
  exec.store %3, %y : !t, !m
}
exec.kernel @step inputs 3 attributes {ops = "mul, sub"} {
^bb0(%m: !m, %r: memref<f32>, %w: !m, %y: !m):
  %0 = exec.load %m : !m -> !t
  %1 = exec.load %r : memref<f32> -> tensor<f32>
  %2 = exec.load %w : !m -> !t
  %3 = hgc.mul %0, %1 : (!t, tensor<f32>) -> !t
  %4 = hgc.sub %2, %3 : (!t, !t) -> !t
  exec.store %4, %y : !t, !m
}
// CHECK-LABEL: exec.program @train
// CHECK: exec.launch @grad ins({{.*}}) outs(%[[H:.*]] : memref<16x16xf32>)
// CHECK: exec.launch @rate
// CHECK-NEXT: exec.launch @grad_and_4_more ins(%{{.*}}, %[[H]], %{{.*}} : {{.*}}) outs(%{{.*}}, %{{.*}} : memref<16x16xf32>, memref<16x16xf32>) {parts = [{{.*}}, {{.*}}, {{.*}}]}
// CHECK-NEXT: exec.launch @grad ins(%[[H]]
// CHECK-NOT: exec.copy
exec.program @train entry "train" inputs 3 attributes {tensors = [
    {name = "x", shape = [16, 16], type = !t}, {name = "y", shape = [16, 16], type = !t},
    {name = "s", shape = [], type = tensor<f32>}, {name = "o", shape = [16, 16], type = !t}]} {
^bb0(%x: !m, %y: !m, %s: memref<f32>, %o: !m):
  %h = exec.view : !m
  exec.launch @grad ins(%x, %y : !m, !m) outs(%h : !m)
  %g = exec.view : !m
  exec.launch @grad ins(%x, %h : !m, !m) outs(%g : !m)
  exec.launch @grad ins(%h, %h : !m, !m) outs(%o : !m)
  %r = exec.view : memref<f32>
  exec.launch @rate ins(%s : memref<f32>) outs(%r : memref<f32>)
  %m = exec.weight @m : !m
  %m1 = exec.view : !m
  exec.launch @moment ins(%g, %m : !m, !m) outs(%m1 : !m)
  %w = exec.weight @w : !m
  %w1 = exec.view : !m
  exec.launch @step ins(%m1, %r, %w : !m, memref<f32>, !m) outs(%w1 : !m)
  exec.copy %m1 to %m : !m, !m
  exec.copy %w1 to %w : !m, !m
  exec.return
}

// -----

// Elementwise kernels that read the same; what another kernel reads is stored.
!v = memref<8xf32>
!t = tensor<8xf32>
exec.kernel @a inputs 1 attributes {ops = "exp"} {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> !t
  %1 = hgc.exp %0 : !t
  exec.store %1, %y : !t, !v
}
exec.kernel @b inputs 1 attributes {ops = "neg"} {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> !t
  %1 = hgc.neg %0 : !t
  exec.store %1, %y : !t, !v
}
// CHECK-LABEL: exec.program @siblings
// CHECK: exec.launch @a_and_1_more ins(%[[X:.*]] : memref<8xf32>) outs(%[[Y:.*]], %[[Z:.*]] :
// CHECK-NEXT: exec.return
exec.program @siblings entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = !t}, {name = "y", shape = [8], type = !t}, {name = "z", shape = [8], type = !t}]} {
^bb0(%x: !v, %y: !v, %z: !v):
  exec.launch @a ins(%x : !v) outs(%y : !v)
  exec.launch @b ins(%x : !v) outs(%z : !v)
  exec.return
}

// -----

// What lies between reads the first's result, and the second reads its own.
!v = memref<8xf32>
!t = tensor<8xf32>
exec.kernel @a inputs 1 attributes {ops = "exp"} {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> !t
  %1 = hgc.exp %0 : !t
  exec.store %1, %y : !t, !v
}
exec.kernel @sum inputs 1 attributes {ops = "reduce"} {
^bb0(%x: !v, %y: memref<f32>):
  %0 = exec.load %x : !v -> !t
  %1 = hgc.reduce sum %0 axes = [0] : (!t) -> tensor<f32>
  exec.store %1, %y : tensor<f32>, memref<f32>
}
exec.kernel @scale inputs 2 attributes {ops = "mul"} {
^bb0(%x: !v, %s: memref<f32>, %y: !v):
  %0 = exec.load %x : !v -> !t
  %1 = exec.load %s : memref<f32> -> tensor<f32>
  %2 = hgc.mul %0, %1 : (!t, tensor<f32>) -> !t
  exec.store %2, %y : !t, !v
}
// CHECK-LABEL: exec.program @between
// CHECK: exec.launch @a
// CHECK: exec.launch @sum
// CHECK: exec.launch @scale
exec.program @between entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = !t}, {name = "y", shape = [8], type = !t}]} {
^bb0(%x: !v, %y: !v):
  %a = exec.view : !v
  exec.launch @a ins(%x : !v) outs(%a : !v)
  %s = exec.view : memref<f32>
  exec.launch @sum ins(%a : !v) outs(%s : memref<f32>)
  exec.launch @scale ins(%a, %s : !v, memref<f32>) outs(%y : !v)
  exec.return
}

// -----

// A product that reads the parameter whole must be done before it changes.
!m = memref<16x16xf32>
!t = tensor<16x16xf32>
exec.blob @w : !m = dense<1.0> {is_mutable}
exec.kernel @dot inputs 2 attributes {ops = "matmul"} {
^bb0(%x: !m, %y: !m, %g: !m):
  %0 = exec.load %x : !m -> !t
  %1 = exec.load %y : !m -> !t
  %2 = hgc.matmul %0, %1 : (!t, !t) -> !t
  exec.store %2, %g : !t, !m
}
exec.kernel @step inputs 2 attributes {ops = "sub"} {
^bb0(%g: !m, %w: !m, %y: !m):
  %0 = exec.load %g : !m -> !t
  %1 = exec.load %w : !m -> !t
  %2 = hgc.sub %1, %0 : (!t, !t) -> !t
  exec.store %2, %y : !t, !m
}
// CHECK-LABEL: exec.program @whole
// CHECK: %[[NEW:.*]] = exec.weight @w
// CHECK: %[[OLD:.*]] = exec.weight @w
// CHECK: exec.launch @dot ins(%[[X:.*]], %[[OLD]] : {{.*}}) outs(
// CHECK: exec.launch @dot_and_1_more ins(%[[X]] : {{.*}}) outs(%[[NEW]] :
// CHECK-NEXT: exec.return
exec.program @whole entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [16, 16], type = !t}, {name = "y", shape = [16, 16], type = !t}]} {
^bb0(%x: !m, %y: !m):
  %w = exec.weight @w : !m
  %g = exec.view : !m
  exec.launch @dot ins(%x, %x : !m, !m) outs(%g : !m)
  exec.launch @dot ins(%x, %w : !m, !m) outs(%y : !m)
  %n = exec.view : !m
  exec.launch @step ins(%g, %w : !m, !m) outs(%n : !m)
  exec.copy %n to %w : !m, !m
  exec.return
}

// -----

// Here the product itself does.
!m = memref<16x16xf32>
!t = tensor<16x16xf32>
exec.blob @w : !m = dense<1.0> {is_mutable}
exec.kernel @dot inputs 2 attributes {ops = "matmul"} {
^bb0(%x: !m, %y: !m, %g: !m):
  %0 = exec.load %x : !m -> !t
  %1 = exec.load %y : !m -> !t
  %2 = hgc.matmul %0, %1 : (!t, !t) -> !t
  exec.store %2, %g : !t, !m
}
exec.kernel @step inputs 2 attributes {ops = "sub"} {
^bb0(%g: !m, %w: !m, %y: !m):
  %0 = exec.load %g : !m -> !t
  %1 = exec.load %w : !m -> !t
  %2 = hgc.sub %1, %0 : (!t, !t) -> !t
  exec.store %2, %y : !t, !m
}
// CHECK-LABEL: exec.program @own
// CHECK: exec.launch @dot ins(%{{.*}}, %[[W:.*]] : {{.*}}) outs(%[[G:.*]] :
// CHECK: exec.launch @step_0 ins(%[[G]] : {{.*}}) outs(%{{.*}} :
exec.program @own entry "f" inputs 1 attributes {tensors = [{name = "x", shape = [16, 16], type = !t}]} {
^bb0(%x: !m):
  %w = exec.weight @w : !m
  %g = exec.view : !m
  exec.launch @dot ins(%x, %w : !m, !m) outs(%g : !m)
  %n = exec.view : !m
  exec.launch @step ins(%g, %w : !m, !m) outs(%n : !m)
  exec.copy %n to %w : !m, !m
  exec.return
}

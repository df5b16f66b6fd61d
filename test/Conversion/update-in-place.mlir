// RUN: hgc-opt --hgc-update-in-place --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-update-in-place --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// PLANNED-COUNT-6: exec.memory

// The old value is read element by element, for the last time: the kernel loads from
// its output. Both layers share the kernel.
!v = memref<8xf32>
exec.blob @w : !v = dense<1.0> {is_mutable}
exec.blob @u : !v = dense<2.0> {is_mutable}
// CHECK-LABEL: exec.kernel @step_0 inputs 1
// CHECK-NEXT: ^bb0(%[[G:.*]]: memref<8xf32>{{.*}}, %[[W:.*]]: memref<8xf32>
// CHECK-DAG: %[[GRAD:.*]] = exec.load %[[G]]
// CHECK-DAG: %[[OLD:.*]] = exec.load %[[W]]
// CHECK: %[[NEW:.*]] = hgc.sub %[[OLD]], %[[GRAD]]
// CHECK: exec.store %[[NEW]], %[[W]]
// CHECK-NOT: exec.kernel
exec.kernel @step inputs 2 {
^bb0(%g: !v, %w: !v, %y: !v):
  %0 = exec.load %g : !v -> tensor<8xf32>
  %1 = exec.load %w : !v -> tensor<8xf32>
  %2 = hgc.sub %1, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  exec.store %2, %y : tensor<8xf32>, !v
}
// CHECK-LABEL: exec.program @train
// CHECK: %[[U:.*]] = exec.weight @u
// CHECK: %[[W:.*]] = exec.weight @w
// CHECK: exec.launch @step_0 ins(%{{.*}} : memref<8xf32>) outs(%[[W]] : memref<8xf32>)
// CHECK: exec.launch @step_0 ins(%{{.*}} : memref<8xf32>) outs(%[[U]] : memref<8xf32>)
// CHECK-NOT: exec.copy
// CHECK-NOT: exec.view
exec.program @train entry "train" inputs 1 attributes {tensors = [{name = "g", shape = [8], type = tensor<8xf32>}]} {
^bb0(%g: !v):
  %w = exec.weight @w : !v
  %a = exec.view : !v
  exec.launch @step ins(%g, %w : !v, !v) outs(%a : !v)
  %u = exec.weight @u : !v
  %b = exec.view : !v
  exec.launch @step ins(%g, %u : !v, !v) outs(%b : !v)
  %w1 = exec.weight @w : !v
  %u1 = exec.weight @u : !v
  exec.copy %a to %w1 : !v, !v
  exec.copy %b to %u1 : !v, !v
  exec.return
}

// -----

// Someone reads the old value later; a later reader of the new one is no obstacle.
!v = memref<8xf32>
exec.blob @w : !v = dense<1.0> {is_mutable}
exec.blob @u : !v = dense<1.0> {is_mutable}
exec.kernel @copy inputs 1 {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !v
}
// CHECK-LABEL: exec.program @old
// CHECK: %[[U:.*]] = exec.weight @u
// CHECK: exec.launch @copy {{.*}} outs(%[[A:.*]] : memref<8xf32>)
// CHECK: exec.launch @copy {{.*}} outs(%[[U]] : memref<8xf32>)
// CHECK: exec.launch @copy ins(%[[U]] : memref<8xf32>)
// CHECK: exec.copy %[[A]] to
// CHECK-NOT: exec.copy
exec.program @old entry "old" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>},
    {name = "z", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !v, %y: !v, %z: !v):
  %w = exec.weight @w : !v
  %u = exec.weight @u : !v
  %a = exec.view : !v
  exec.launch @copy ins(%x : !v) outs(%a : !v)
  exec.launch @copy ins(%w : !v) outs(%y : !v)
  %b = exec.view : !v
  exec.launch @copy ins(%x : !v) outs(%b : !v)
  exec.launch @copy ins(%b : !v) outs(%z : !v)
  exec.copy %a to %w : !v, !v
  exec.copy %b to %u : !v, !v
  exec.return
}

// -----

// A call that is refused leaves the state as it was.
!v = memref<8xf32>
exec.blob @w : !v = dense<1.0> {is_mutable}
exec.kernel @copy inputs 1 {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !v
}
// CHECK-LABEL: exec.program @refused
// CHECK: exec.launch
// CHECK: exec.fail_if
// CHECK: exec.copy
exec.program @refused entry "f" inputs 2 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "bad", shape = [], type = tensor<i1>}]} {
^bb0(%x: !v, %bad: memref<i1>):
  %a = exec.view : !v
  exec.launch @copy ins(%x : !v) outs(%a : !v)
  exec.fail_if %bad, "no\0Ahint: yes" : memref<i1>
  %w = exec.weight @w : !v
  exec.copy %a to %w : !v, !v
  exec.return
}

// -----

// Elements are read elsewhere than they are written.
!v = memref<4x4xf32>
exec.blob @w : !v = dense<1.0> {is_mutable}
exec.kernel @turn inputs 1 {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> tensor<4x4xf32>
  %1 = hgc.transpose %0 permutation = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  exec.store %1, %y : tensor<4x4xf32>, !v
}
// CHECK-LABEL: exec.program @turned
// CHECK: exec.copy
exec.program @turned entry "f" inputs 0 attributes {tensors = []} {
  %w = exec.weight @w : !v
  %a = exec.view : !v
  exec.launch @turn ins(%w : !v) outs(%a : !v)
  exec.copy %a to %w : !v, !v
  exec.return
}

// -----

// A root reads all of its operand, and softmax visits its rows several times.
!v = memref<4x4xf32>
exec.blob @w : !v = dense<1.0> {is_mutable}
exec.blob @u : !v = dense<1.0> {is_mutable}
exec.kernel @square inputs 1 {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> tensor<4x4xf32>
  %1 = hgc.matmul %0, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  exec.store %1, %y : tensor<4x4xf32>, !v
}
exec.kernel @soft inputs 2 {
^bb0(%x: !v, %u: !v, %y: !v):
  %0 = exec.load %x : !v -> tensor<4x4xf32>
  %1 = exec.load %u : !v -> tensor<4x4xf32>
  %2 = hgc.softmax %0 axis 1 : tensor<4x4xf32>
  %3 = hgc.add %1, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  exec.store %3, %y : tensor<4x4xf32>, !v
}
// CHECK-LABEL: exec.program @roots
// CHECK-COUNT-2: exec.copy
exec.program @roots entry "f" inputs 1 attributes {tensors = [{name = "x", shape = [4, 4], type = tensor<4x4xf32>}]} {
^bb0(%x: !v):
  %w = exec.weight @w : !v
  %u = exec.weight @u : !v
  %a = exec.view : !v
  exec.launch @square ins(%w : !v) outs(%a : !v)
  %b = exec.view : !v
  exec.launch @soft ins(%x, %u : !v, !v) outs(%b : !v)
  exec.copy %a to %w : !v, !v
  exec.copy %b to %u : !v, !v
  exec.return
}

// -----

// Two writers: neither owns the buffer.
!v = memref<8xf32>
exec.blob @w : !v = dense<1.0> {is_mutable}
exec.kernel @copy inputs 1 {
^bb0(%x: !v, %y: !v):
  %0 = exec.load %x : !v -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !v
}
// CHECK-LABEL: exec.program @twice
// CHECK: exec.copy
exec.program @twice entry "f" inputs 1 attributes {tensors = [{name = "x", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !v):
  %w = exec.weight @w : !v
  %a = exec.view : !v
  exec.launch @copy ins(%x : !v) outs(%a : !v)
  exec.launch @copy ins(%x : !v) outs(%a : !v)
  exec.copy %a to %w : !v, !v
  exec.return
}

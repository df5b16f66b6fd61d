// RUN: hgc-opt --hgc-convert-to-exec --split-input-file %s | FileCheck %s

// A branch computes its result in place when it computes it, and copies what it
// got from outside.
// CHECK-LABEL: exec.program @if
// CHECK:       ^bb0(%[[C:.*]]: memref<i1>, %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>):
// CHECK-NEXT:    exec.if %[[C]] : memref<i1> {
// CHECK-NEXT:      exec.launch @relu ins(%[[X]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:    } else {
// CHECK-NEXT:      exec.copy %[[X]] to %[[Y]]
// CHECK-NEXT:    }
// CHECK-NEXT:    exec.return
func.func @if(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  %0 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
    %1 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %2 = hgc.relu %a : tensor<4xf32>
      hgc.yield %2 : tensor<4xf32>
    }
    hgc.yield %1 : tensor<4xf32>
  } else {
    hgc.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A value that a branch yields twice is computed once and copied once.
// CHECK-LABEL: exec.program @if_twice
// CHECK:       ^bb0(%[[C:.*]]: memref<i1>, %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[Z:.*]]: memref<4xf32>):
// CHECK:         exec.if
// CHECK-NEXT:      exec.launch @relu ins(%[[X]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:      exec.copy %[[Y]] to %[[Z]]
// CHECK-NEXT:    } else {
func.func @if_twice(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry} {
  %0, %1 = hgc.if %c : tensor<i1> -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %2 = hgc.relu %a : tensor<4xf32>
      hgc.yield %2 : tensor<4xf32>
    }
    hgc.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
  } else {
    hgc.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The state of a loop is its result; the kernel that reads the old state writes
// beside it.
// CHECK-LABEL: exec.program @while
// CHECK:       ^bb0(%[[X:.*]]: memref<i32>, %[[L:.*]]: memref<i32>, %[[Y:.*]]: memref<i32>):
// CHECK-NEXT:    exec.copy %[[X]] to %[[Y]]
// CHECK-NEXT:    %[[C:.*]] = exec.view : memref<i1>
// CHECK-NEXT:    exec.while %[[C]] : memref<i1> {
// CHECK-NEXT:      exec.launch @compare ins(%[[Y]], %[[L]] : memref<i32>, memref<i32>) outs(%[[C]] : memref<i1>)
// CHECK-NEXT:    } do {
// CHECK-NEXT:      %[[N:.*]] = exec.view : memref<i32>
// CHECK-NEXT:      exec.launch @add ins(%[[Y]] : memref<i32>) outs(%[[N]] : memref<i32>)
// CHECK-NEXT:      exec.copy %[[N]] to %[[Y]]
// CHECK-NEXT:    }
// CHECK-NEXT:    exec.return
func.func @while(%x: tensor<i32>, %limit: tensor<i32>) -> tensor<i32> attributes {hgc.entry} {
  %0 = hgc.while init(%x : tensor<i32>) -> (tensor<i32>) cond {
  ^bb0(%s: tensor<i32>):
    %1 = hgc.kernel(%s, %limit : tensor<i32>, tensor<i32>) -> tensor<i1> {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %2 = hgc.compare lt %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      hgc.yield %2 : tensor<i1>
    }
    hgc.yield %1 : tensor<i1>
  } do {
  ^bb0(%s: tensor<i32>):
    %1 = hgc.kernel(%s : tensor<i32>) -> tensor<i32> {
    ^bb0(%a: tensor<i32>):
      %2 = hgc.add %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i32>
      hgc.yield %2 : tensor<i32>
    }
    hgc.yield %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// Slices of the sequence come in, slices of the stacked result are written in
// place, then become the state.
// CHECK-LABEL: exec.program @scan
// CHECK:       ^bb0(%[[H:.*]]: memref<4xf32>, %[[XS:.*]]: memref<9x4xf32>, %[[S:.*]]: memref<4xf32>, %[[YS:.*]]: memref<9x4xf32>):
// CHECK-NEXT:    exec.copy %[[H]] to %[[S]]
// CHECK-NEXT:    exec.for 9 {
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:      %[[X:.*]] = exec.alias %[[XS]] offset 0 index %[[I]] stride 16 : memref<9x4xf32> to memref<4xf32>
// CHECK-NEXT:      %[[Y:.*]] = exec.alias %[[YS]] offset 0 index %[[I]] stride 16 : memref<9x4xf32> to memref<4xf32>
// CHECK-NEXT:      exec.launch @add ins(%[[S]], %[[X]] : memref<4xf32>, memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:      exec.copy %[[Y]] to %[[S]]
// CHECK-NEXT:    }
// CHECK-NEXT:    exec.return
func.func @scan(%h: tensor<4xf32>, %xs: tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) attributes {hgc.entry} {
  %0, %1 = hgc.scan init(%h : tensor<4xf32>) over(%xs : tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) {
  ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
    %2 = hgc.kernel(%s, %x : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %3 = hgc.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      hgc.yield %3 : tensor<4xf32>
    }
    hgc.yield %2, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<9x4xf32>
}

// -----

// Backwards: from the last slice, with a negative stride. A state nobody reads
// any more is written in place; the old one is stacked before.
// CHECK-LABEL: exec.program @reverse
// CHECK:         exec.for 3 {
// CHECK:           %[[X:.*]] = exec.alias %{{.*}} offset 32 index %{{.*}} stride -16
// CHECK:           %[[Y:.*]] = exec.alias %{{.*}} offset 32 index %{{.*}} stride -16
// CHECK-NEXT:      exec.launch @add ins(%[[S:.*]], %[[X]] : {{.*}}) outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:      exec.launch @relu ins(%[[Y]] : memref<4xf32>) outs(%[[S]] : memref<4xf32>)
// CHECK-NEXT:    }
func.func @reverse(%h: tensor<4xf32>, %xs: tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) attributes {hgc.entry} {
  %0, %1 = hgc.scan init(%h : tensor<4xf32>) over(%xs : tensor<3x4xf32>) reverse -> (tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
    %2 = hgc.kernel(%s, %x : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %3 = hgc.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      hgc.yield %3 : tensor<4xf32>
    }
    %4 = hgc.kernel(%2 : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %5 = hgc.relu %a : tensor<4xf32>
      hgc.yield %5 : tensor<4xf32>
    }
    hgc.yield %4, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<3x4xf32>
}

// The evaluator and inspect take models whose extents have no name; only
// compiling needs names.
// RUN: hgc inspect %examples/mlp/mlp.mlir | FileCheck %s --check-prefix=NAMED
// RUN: hgc eval %s --input x=2x2xf32=1,-2,3,-4 | FileCheck %s
// RUN: not hgc inspect %s 2>&1 | FileCheck %s --check-prefix=UNNAMED

// NAMED:      input   x                batchx784xf32
// NAMED-NEXT: output  probs            ?x10xf32
// CHECK:      y: 2x2xf32=1,0,3,0
// UNNAMED-DAG:    input   x                x.0x2xf32
// UNNAMED-DAG:    error: dim 0 of argument 'x' is '?' and has no name
module @unnamed {
  func.func @f(%x: tensor<?x2xf32> {hgc.name = "x"}) -> (tensor<?x2xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %0 = hgc.relu %x : tensor<?x2xf32>
    return %0 : tensor<?x2xf32>
  }
}

// RUN: not hgc-opt --hgc-load-parameters %s 2>&1 | FileCheck %s

// CHECK: load-parameters-errors.mlir:[[#@LINE+2]]:1: error:
// CHECK: hint:
hgc.parameter @w : tensor<2xf32> = #hgc.file<"missing.safetensors", "w">

// RUN: hgc-opt --hgc-name-ops --mlir-print-debuginfo --mlir-print-local-scope --split-input-file %s 2>&1 | FileCheck %s

// Given names move into locations; other ops are counted by kind.
// CHECK-LABEL: func.func @names
func.func @names(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // CHECK: hgc.relu %{{.*}} : tensor<4xf32> loc("relu_0"(
  %0 = hgc.relu %x : tensor<4xf32>
  // CHECK: hgc.relu %{{.*}} : tensor<4xf32> loc("act"(
  %1 = hgc.relu %0 {hgc.name = "act"} : tensor<4xf32>
  // CHECK: hgc.relu %{{.*}} : tensor<4xf32> loc("relu_1"(
  %2 = hgc.relu %1 : tensor<4xf32>
  // CHECK: hgc.neg %{{.*}} : tensor<4xf32> loc("neg_0"(
  %3 = hgc.neg %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// An unnamed op never takes a name that another op asks for.
// CHECK-LABEL: func.func @reserved
func.func @reserved(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // CHECK: hgc.relu {{.*}} loc("relu_1"(
  %0 = hgc.relu %x : tensor<4xf32>
  // CHECK: hgc.neg {{.*}} loc("relu_0"(
  %1 = hgc.neg %0 {hgc.name = "relu_0"} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A name that a location already carries stays.
// CHECK-LABEL: func.func @kept
func.func @kept(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // CHECK: hgc.relu {{.*}} loc("mine"("a.mlir":1:2))
  %0 = hgc.relu %x : tensor<4xf32> loc("mine"("a.mlir":1:2))
  return %0 : tensor<4xf32>
}

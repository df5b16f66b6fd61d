// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc compile %s --verify --dim n=3 -o %t.so
// RUN: hgc compile %s --verify --gpu sm_80 --place "gpu(.*)" --device emulated --dim n=3 -o %t.gpu.so
// RUN: hgc eval %s --entry=bits --input c=2xui64=0,5 --input k=ui64=7 | FileCheck %s --check-prefix=BITS

// Words 0 and 1 of Philox4x32-10 with counters 0 and 5 and key 7.
// BITS: y: 2xui64=17609208879932635612,6246306575084145073

// CHECK-LABEL: func.func @bits
func.func @bits(%c: tensor<2xui64> {hgc.name = "c"}, %k: tensor<ui64> {hgc.name = "k"})
    -> (tensor<2xui64> {hgc.name = "y"}) attributes {hgc.entry} {
  // CHECK: hgc.random %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2xui64>, tensor<ui64>, tensor<ui64>) -> tensor<2xui64>
  %s = hgc.constant dense<0> : tensor<ui64>
  %0 = hgc.random %c, %s, %k : (tensor<2xui64>, tensor<ui64>, tensor<ui64>) -> tensor<2xui64>
  return %0 : tensor<2xui64>
}

// CHECK-LABEL: func.func @drop
func.func @drop(%x: tensor<?x4xf32> {hgc.name = "x", hgc.shape = ["n", 4]}) -> tensor<?x4xf32> attributes {hgc.entry} {
  // CHECK: hgc.dropout %{{.*}} rate 2.500000e-01 : tensor<?x4xf32>
  %0 = hgc.dropout %x rate 2.5e-01 : tensor<?x4xf32>
  %1 = hgc.relu %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

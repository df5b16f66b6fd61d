// RUN: hgc compile %s -O0 --gpu=sm_80 --place='gpu(.*)' --resident=mean=gpu --check-certificate --emit=fused -o - | FileCheck %s

// The search may not count a copy of a view beside that of its source: views are
// made again where they are read.
// CHECK-LABEL: func.func @f.gpu
// CHECK-COUNT-1: hgc.transfer %{{.*}} from <cpu> to <gpu>{{.*}}tensor<17xf16>
// CHECK-NOT: hgc.transfer %{{.*}} from <cpu> to <gpu>{{.*}}tensor<17x1xf16>
func.func @f(%a: tensor<17xf16>, %b: tensor<5xi1>, %c: tensor<1xi1>)
    -> (tensor<17x1xf16> {hgc.name = "mean"}, tensor<17x1xf16>, tensor<23xi1>, tensor<17x1xf16>) attributes {hgc.entry} {
  %0 = hgc.reshape %a shape [17, -1] : (tensor<17xf16>) -> tensor<17x1xf16>
  %1 = hgc.cast %a to i1 : (tensor<17xf16>) -> tensor<17xi1>
  %2 = hgc.reduce mean %0 axes = [] : (tensor<17x1xf16>) -> tensor<17x1xf16>
  %3 = hgc.neg %0 : tensor<17x1xf16>
  %4 = hgc.exp %3 : tensor<17x1xf16>
  %5 = hgc.concat %1, %b, %c axis 0 : (tensor<17xi1>, tensor<5xi1>, tensor<1xi1>) -> tensor<23xi1>
  %6 = hgc.log_softmax %3 axis 1 : tensor<17x1xf16>
  return %2, %4, %5, %6 : tensor<17x1xf16>, tensor<17x1xf16>, tensor<23xi1>, tensor<17x1xf16>
}

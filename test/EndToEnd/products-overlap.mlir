// Divisions and roots after products run between the multiply-adds of the next tile. Rows
// left over, one panel and several, operands of all layouts, and depths with a rest; results
// agree with the evaluator's, and are the same for every number of threads.
// RUN: sed 's/"vector_registers": 16/"vector_registers": 32/' %S/../../lib/Target/tables/x86-64-v3.json > %t.json
// RUN: hgc compile %s --verify --arena=separate --target-table=%t.json -o %t.so
// RUN: FileCheck %s < %t.plan.json
// CHECK-DAG: tile 10x16, blocks 260x32x37, stores overlap
// CHECK-DAG: tile 10x16, blocks 260x48x70, stores overlap
// CHECK-DAG: tile 8x16, blocks 1024x16x24, rhs packed, stores overlap
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy --output=result2=@%t.2.npy
// RUN: hgc run %t.so --num-threads=2 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result2=@%t.2.npy --rtol=0 --atol=0
// RUN: hgc run %t.so --num-threads=5 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result2=@%t.2.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native -o %t.so
// RUN: hgc compile %s --emit=obj --target-cpu x86-64-v4 -o %t.o
// RUN: hgc compile %s --emit=obj --target-cpu neoverse-n1 -o %t.o

module @overlapped {
  hgc.parameter @w : tensor<70x48xf32> = #hgc.init<uniform, seed = 0>
  func.func @main(%x0: tensor<37x251xf32>, %y0: tensor<37x32xf32>, %v0: tensor<251x32xf32>,
      %x1: tensor<3x260x70xf32>, %x2: tensor<2x1024x24xf32>, %y2: tensor<2x16x24xf32>)
      -> (tensor<251x32xf32>, tensor<3x260x48xf32>, tensor<2x1024x16xf32>) attributes {hgc.entry} {
    %one = hgc.constant dense<1.0> : tensor<251x32xf32>
    %a = hgc.matmul %x0, %y0 transpose_lhs : (tensor<37x251xf32>, tensor<37x32xf32>) -> tensor<251x32xf32>
    %b = hgc.mul %v0, %v0 : (tensor<251x32xf32>, tensor<251x32xf32>) -> tensor<251x32xf32>
    %c = hgc.add %b, %one : (tensor<251x32xf32>, tensor<251x32xf32>) -> tensor<251x32xf32>
    %d = hgc.sqrt %c : tensor<251x32xf32>
    %e = hgc.div %a, %d : (tensor<251x32xf32>, tensor<251x32xf32>) -> tensor<251x32xf32>
    %w = hgc.read @w : tensor<70x48xf32>
    %f = hgc.matmul %x1, %w : (tensor<3x260x70xf32>, tensor<70x48xf32>) -> tensor<3x260x48xf32>
    %g = hgc.sigmoid %f : tensor<3x260x48xf32>
    %h = hgc.matmul %x2, %y2 transpose_rhs : (tensor<2x1024x24xf32>, tensor<2x16x24xf32>) -> tensor<2x1024x16xf32>
    %i = hgc.sigmoid %h : tensor<2x1024x16xf32>
    return %e, %g, %i : tensor<251x32xf32>, tensor<3x260x48xf32>, tensor<2x1024x16xf32>
  }
}

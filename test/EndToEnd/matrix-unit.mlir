// Products by the matrix unit: rows, columns and depths that do and do not fill tiles, f32 in parts, bf16 and i8, stacks
// of weights, operands of the call, other ops in the kernel. Results agree with the evaluator's, and are the same for
// every number of threads; so they are with caches so small that rows, panels and depth are cut into blocks.
// REQUIRES: amx
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: hgc compile %s --target-cpu=sapphirerapids --matrix-unit=always --verify --arena=separate -o a.so
// RUN: FileCheck %s < a.plan.json
// CHECK: "schedule": "matmul by tiles of the matrix unit, blocks {{.*}}, f32 in three parts"
// RUN: hgc run a.so --num-threads=1 --output=result0=@0.npy --output=result5=@5.npy
// RUN: hgc run a.so --num-threads=2 --expect=result0=@0.npy --expect=result5=@5.npy --rtol=0 --atol=0
// RUN: hgc run a.so --num-threads=5 --expect=result0=@0.npy --expect=result5=@5.npy --rtol=0 --atol=0
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l2_bytes'] = 524288; json.dump(t, open('small.json', 'w'))" %S/../../lib/Target/tables/sapphirerapids.json
// RUN: hgc compile %s --target-table=small.json --matrix-unit=always --verify --arena=separate -o b.so
// RUN: FileCheck %s --check-prefix=SMALL < b.plan.json
// SMALL: "schedule": "matmul by tiles of the matrix unit, blocks {{[0-9]+}}x{{[0-9]+}}x288
// RUN: hgc run b.so --num-threads=1 --output=result0=@0.npy --output=result5=@5.npy
// RUN: hgc run b.so --num-threads=5 --expect=result0=@0.npy --expect=result5=@5.npy --rtol=0 --atol=0
// RUN: hgc compile %s --target-cpu=sapphirerapids --matrix-unit=always -O1 --verify -o c.so

module @products {
  hgc.parameter @a : tensor<1100x45xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<45x16xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @c : tensor<16x70xf32> = #hgc.init<normal, seed = 3>
  hgc.parameter @d : tensor<3x70x33xf32> = #hgc.init<normal, seed = 4>
  hgc.parameter @e : tensor<70x40xbf16> = #hgc.init<normal, seed = 5>
  hgc.parameter @f : tensor<100x40xf32> = #hgc.init<uniform, seed = 6, scale = 100.0>
  hgc.parameter @bias : tensor<45xf32> = #hgc.init<normal, seed = 7>
  func.func @run(%x: tensor<40x1100xf32>, %s: tensor<3x11x70xf32>, %h: tensor<5x20x70xbf16>, %q: tensor<49x100xi8>,
                 %l: tensor<260x75xf32>, %r: tensor<75x50xf32>, %t: tensor<34x50xf32>, %one: tensor<1x1100xf32>)
      -> (tensor<40x70xf32>, tensor<3x11x33xf32>, tensor<5x20x40xf32>, tensor<49x40xi32>, tensor<260x50xf32>,
          tensor<260x34xf32>, tensor<1x45xf32>, tensor<3x11x45xf32>) attributes {hgc.entry} {
    %a = hgc.read @a : tensor<1100x45xf32>
    %b = hgc.read @b : tensor<45x16xf32>
    %c = hgc.read @c : tensor<16x70xf32>
    %d = hgc.read @d : tensor<3x70x33xf32>
    %e = hgc.read @e : tensor<70x40xbf16>
    %f0 = hgc.read @f : tensor<100x40xf32>
    %f = hgc.cast %f0 to i8 : (tensor<100x40xf32>) -> tensor<100x40xi8>
    %bias = hgc.read @bias : tensor<45xf32>
    %0 = hgc.matmul %x, %a : (tensor<40x1100xf32>, tensor<1100x45xf32>) -> tensor<40x45xf32>
    %1 = hgc.add %0, %bias : (tensor<40x45xf32>, tensor<45xf32>) -> tensor<40x45xf32>
    %2 = hgc.relu %1 : tensor<40x45xf32>
    %3 = hgc.matmul %2, %b : (tensor<40x45xf32>, tensor<45x16xf32>) -> tensor<40x16xf32>
    %4 = hgc.matmul %3, %c : (tensor<40x16xf32>, tensor<16x70xf32>) -> tensor<40x70xf32>
    %5 = hgc.matmul %s, %d : (tensor<3x11x70xf32>, tensor<3x70x33xf32>) -> tensor<3x11x33xf32>
    %6 = hgc.matmul %h, %e : (tensor<5x20x70xbf16>, tensor<70x40xbf16>) -> tensor<5x20x40xf32>
    %7 = hgc.matmul %q, %f : (tensor<49x100xi8>, tensor<100x40xi8>) -> tensor<49x40xi32>
    %8 = hgc.matmul %l, %r : (tensor<260x75xf32>, tensor<75x50xf32>) -> tensor<260x50xf32>
    %9 = hgc.matmul %8, %t transpose_rhs : (tensor<260x50xf32>, tensor<34x50xf32>) -> tensor<260x34xf32>
    %10 = hgc.matmul %one, %a : (tensor<1x1100xf32>, tensor<1100x45xf32>) -> tensor<1x45xf32>
    // A depth of 33 has one element that vectors multiply.
    %g = hgc.slice %a starts = [0, 0] sizes = [33, 45] : (tensor<1100x45xf32>) -> tensor<33x45xf32>
    %11 = hgc.matmul %5, %g : (tensor<3x11x33xf32>, tensor<33x45xf32>) -> tensor<3x11x45xf32>
    return %4, %5, %6, %7, %8, %9, %10, %11 : tensor<40x70xf32>, tensor<3x11x33xf32>, tensor<5x20x40xf32>, tensor<49x40xi32>,
        tensor<260x50xf32>, tensor<260x34xf32>, tensor<1x45xf32>, tensor<3x11x45xf32>
  }
}

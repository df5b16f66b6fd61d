// Weights that stay f32 and become parts beside the products of the panel before: rows that fill one block or several,
// of which the last is shorter, a last panel of one tile, depths with a rest for vectors, in blocks and at once, windows
// with and without strides, pixels of many channels, operands of the call. Results agree with the evaluator's, and are the same for every number of threads.
// REQUIRES: amx
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); [json.dump(t | {'l2_bytes': size << 10}, open(f'{size}.json', 'w')) for size in (64, 256, 640)]" %S/../../lib/Target/tables/sapphirerapids.json
// RUN: hgc compile %s --target-table=64.json --matrix-unit=always --force-conv=matrix --verify --arena=separate -o a.so
// RUN: FileCheck %s < a.plan.json
// CHECK: "schedule": "matmul by tiles of the matrix unit, blocks 32x{{[0-9]+}}x1120, f32 in three parts, made beside products"
// RUN: hgc run a.so --num-threads=1 --output=result0=@0.npy --output=result3=@3.npy
// RUN: hgc run a.so --num-threads=3 --expect=result0=@0.npy --expect=result3=@3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --target-table=256.json --matrix-unit=always --force-conv=matrix --verify --arena=separate -o b.so
// RUN: hgc run b.so --num-threads=1 --output=result0=@0.npy --output=result3=@3.npy
// RUN: hgc run b.so --num-threads=5 --expect=result0=@0.npy --expect=result3=@3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --target-table=640.json --matrix-unit=always --force-conv=matrix --verify --arena=separate -o c.so
// RUN: FileCheck %s --check-prefix=DEEP < c.plan.json
// DEEP: "schedule": "matmul by tiles of the matrix unit, blocks 150x{{[0-9]+}}x288, f32 in three parts, made beside products"
// RUN: FileCheck %s --check-prefix=OPERAND < c.plan.json
// OPERAND: "schedule": "matmul by tiles of the matrix unit, blocks {{[0-9]+}}x{{[0-9]+}}x256, f32 in three parts, made beside products"

// Threads have rows of their own, in blocks of two units for one or two threads, or parts of the panels of some.
// RUN: hgc run c.so --num-threads=1 --output=result0=@0.npy --output=result2=@2.npy --output=result3=@3.npy --output=result5=@5.npy
// RUN: hgc run c.so --num-threads=2 --expect=result0=@0.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result5=@5.npy --rtol=0 --atol=0
// RUN: hgc run c.so --num-threads=3 --expect=result0=@0.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result5=@5.npy --rtol=0 --atol=0
// RUN: hgc run c.so --num-threads=7 --expect=result0=@0.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result5=@5.npy --rtol=0 --atol=0

module @whole {
  hgc.parameter @a : tensor<1100x110xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<67x300xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @f : tensor<3x3x40x75xf32> = #hgc.init<normal, seed = 3>
  hgc.parameter @g : tensor<1x1x75x330xf32> = #hgc.init<normal, seed = 4>
  hgc.parameter @h : tensor<2x130x200xf32> = #hgc.init<normal, seed = 5>
  hgc.parameter @p : tensor<3x3x256x40xf32> = #hgc.init<normal, seed = 6>
  func.func @run(%x: tensor<300x1100xf32>, %y: tensor<47x67xf32>, %i: tensor<2x13x11x40xf32>, %s: tensor<2x50x130xf32>,
                 %l: tensor<257x231xf32>, %r: tensor<289x231xf32>, %j: tensor<1x7x6x256xf32>)
      -> (tensor<300x110xf32>, tensor<47x300xf32>, tensor<2x13x11x330xf32>, tensor<2x7x6x75xf32>, tensor<2x50x200xf32>,
          tensor<257x289xf32>, tensor<1x7x6x40xf32>, tensor<1x4x3x40xf32>)
      attributes {hgc.entry} {
    %a = hgc.read @a : tensor<1100x110xf32>
    %b = hgc.read @b : tensor<67x300xf32>
    %f = hgc.read @f : tensor<3x3x40x75xf32>
    %g = hgc.read @g : tensor<1x1x75x330xf32>
    %h = hgc.read @h : tensor<2x130x200xf32>
    %0 = hgc.matmul %x, %a : (tensor<300x1100xf32>, tensor<1100x110xf32>) -> tensor<300x110xf32>
    %1 = hgc.matmul %y, %b : (tensor<47x67xf32>, tensor<67x300xf32>) -> tensor<47x300xf32>
    %2 = hgc.conv %i, %f pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x13x11x40xf32>, tensor<3x3x40x75xf32>) -> tensor<2x13x11x75xf32>
    %3 = hgc.relu %2 : tensor<2x13x11x75xf32>
    %4 = hgc.conv %3, %g channels_last hwio : (tensor<2x13x11x75xf32>, tensor<1x1x75x330xf32>) -> tensor<2x13x11x330xf32>
    %5 = hgc.conv %i, %f strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x13x11x40xf32>, tensor<3x3x40x75xf32>) -> tensor<2x7x6x75xf32>
    %6 = hgc.matmul %s, %h : (tensor<2x50x130xf32>, tensor<2x130x200xf32>) -> tensor<2x50x200xf32>
    %7 = hgc.matmul %l, %r transpose_rhs : (tensor<257x231xf32>, tensor<289x231xf32>) -> tensor<257x289xf32>
    %p = hgc.read @p : tensor<3x3x256x40xf32>
    %8 = hgc.conv %j, %p pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x7x6x256xf32>, tensor<3x3x256x40xf32>) -> tensor<1x7x6x40xf32>
    %9 = hgc.conv %j, %p strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x7x6x256xf32>, tensor<3x3x256x40xf32>) -> tensor<1x4x3x40xf32>
    return %0, %1, %4, %5, %6, %7, %8, %9 : tensor<300x110xf32>, tensor<47x300xf32>, tensor<2x13x11x330xf32>, tensor<2x7x6x75xf32>, tensor<2x50x200xf32>, tensor<257x289xf32>, tensor<1x7x6x40xf32>, tensor<1x4x3x40xf32>
  }
}

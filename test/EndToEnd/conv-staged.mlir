// A depthwise convolution makes the rows it reads of a wider image itself, in a ring of
// rows: strides, holes, borders, rows that nobody reads, several images, tiles that end
// inside a row. Results agree with the evaluator's, and are the same for every number of
// threads.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l2_bytes'] = 32768; json.dump(t, open('small.json', 'w'))" %S/../../lib/Target/tables/x86-64-v3.json
// RUN: hgc compile %s --target-table=small.json --verify --arena=separate -o staged.so
// RUN: FileCheck %s < staged.plan.json
// RUN: hgc run staged.so --num-threads=1 --output=result0=@0.npy --output=result1=@1.npy --output=result2=@2.npy --output=result3=@3.npy --output=result4=@4.npy --output=result5=@5.npy
// RUN: hgc run staged.so --num-threads=2 --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --expect=result5=@5.npy --rtol=0 --atol=0
// RUN: hgc run staged.so --num-threads=5 --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --expect=result5=@5.npy --rtol=0 --atol=0
// RUN: hgc compile %s --target-table=small.json -O0 --verify -o plain.so
// RUN: FileCheck %s --check-prefix=PLAIN < plain.plan.json

// CHECK-COUNT-6: "schedule": "depthwise convolution: {{.*}}, of a pointwise convolution: {{.*}}, in a ring of
// CHECK-NOT:     in a ring of
// PLAIN-NOT:     in a ring of

module @staged {
  hgc.parameter @a0 : tensor<1x1x5x20xf32> = #hgc.init<normal, seed = 10>
  hgc.parameter @b0 : tensor<3x3x1x20xf32> = #hgc.init<normal, seed = 20>
  hgc.parameter @c0 : tensor<20xf32> = #hgc.init<normal, seed = 30>
  hgc.parameter @a1 : tensor<1x1x7x33xf32> = #hgc.init<normal, seed = 11>
  hgc.parameter @b1 : tensor<3x3x1x33xf32> = #hgc.init<normal, seed = 21>
  hgc.parameter @c1 : tensor<61x1x1xf32> = #hgc.init<normal, seed = 31>
  hgc.parameter @a2 : tensor<1x1x3x18xf32> = #hgc.init<normal, seed = 12>
  hgc.parameter @b2 : tensor<5x3x1x18xf32> = #hgc.init<normal, seed = 22>
  hgc.parameter @a3 : tensor<1x1x4x24xf32> = #hgc.init<normal, seed = 13>
  hgc.parameter @b3 : tensor<2x2x1x24xf32> = #hgc.init<normal, seed = 23>
  hgc.parameter @a4 : tensor<1x1x6x12xf64> = #hgc.init<normal, seed = 14>
  hgc.parameter @b4 : tensor<3x3x1x12xf64> = #hgc.init<normal, seed = 24>
  hgc.parameter @a5 : tensor<1x1x8x40xf32> = #hgc.init<normal, seed = 15>
  hgc.parameter @b5 : tensor<2x3x1x40xf32> = #hgc.init<normal, seed = 25>

  func.func @run(%x0: tensor<2x31x13x5xf32>, %x1: tensor<1x61x17x7xf32>, %r1: tensor<1x61x17x33xf32>, %x2: tensor<1x75x11x3xf32>,
                 %x3: tensor<1x50x16x4xf32>, %x4: tensor<3x29x9x6xf64>, %x5: tensor<1x19x14x8xf32>)
      -> (tensor<2x31x13x20xf32>, tensor<1x30x8x33xf32>, tensor<1x75x6x18xf32>, tensor<1x17x5x24xf32>,
          tensor<3x29x9x12xf64>, tensor<1x24x14x40xf32>) attributes {hgc.entry} {
    // Several images; bias and activations on both sides.
    %a0 = hgc.read @a0 : tensor<1x1x5x20xf32>
    %b0 = hgc.read @b0 : tensor<3x3x1x20xf32>
    %c0 = hgc.read @c0 : tensor<20xf32>
    %0 = hgc.conv %x0, %a0 channels_last hwio : (tensor<2x31x13x5xf32>, tensor<1x1x5x20xf32>) -> tensor<2x31x13x20xf32>
    %1 = hgc.add %0, %c0 : (tensor<2x31x13x20xf32>, tensor<20xf32>) -> tensor<2x31x13x20xf32>
    %2 = hgc.relu %1 : tensor<2x31x13x20xf32>
    %3 = hgc.conv %2, %b0 pads = [1, 1, 1, 1] groups = 20 channels_last hwio
        : (tensor<2x31x13x20xf32>, tensor<3x3x1x20xf32>) -> tensor<2x31x13x20xf32>
    %4 = hgc.silu %3 : tensor<2x31x13x20xf32>
    // Every second pixel, more padding behind than before; a value of each row, and a tensor beside.
    %a1 = hgc.read @a1 : tensor<1x1x7x33xf32>
    %b1 = hgc.read @b1 : tensor<3x3x1x33xf32>
    %c1 = hgc.read @c1 : tensor<61x1x1xf32>
    %5 = hgc.conv %x1, %a1 channels_last hwio : (tensor<1x61x17x7xf32>, tensor<1x1x7x33xf32>) -> tensor<1x61x17x33xf32>
    %6 = hgc.add %5, %c1 : (tensor<1x61x17x33xf32>, tensor<61x1x1xf32>) -> tensor<1x61x17x33xf32>
    %7 = hgc.add %6, %r1 : (tensor<1x61x17x33xf32>, tensor<1x61x17x33xf32>) -> tensor<1x61x17x33xf32>
    %8 = hgc.conv %7, %b1 strides = [2, 2] pads = [0, 0, 1, 1] groups = 33 channels_last hwio
        : (tensor<1x61x17x33xf32>, tensor<3x3x1x33xf32>) -> tensor<1x30x8x33xf32>
    // Windows with holes.
    %a2 = hgc.read @a2 : tensor<1x1x3x18xf32>
    %b2 = hgc.read @b2 : tensor<5x3x1x18xf32>
    %9 = hgc.conv %x2, %a2 channels_last hwio : (tensor<1x75x11x3xf32>, tensor<1x1x3x18xf32>) -> tensor<1x75x11x18xf32>
    %10 = hgc.conv %9, %b2 strides = [1, 2] pads = [4, 1, 4, 1] dilations = [2, 1] groups = 18 channels_last hwio
        : (tensor<1x75x11x18xf32>, tensor<5x3x1x18xf32>) -> tensor<1x75x6x18xf32>
    // Rows that nobody reads.
    %a3 = hgc.read @a3 : tensor<1x1x4x24xf32>
    %b3 = hgc.read @b3 : tensor<2x2x1x24xf32>
    %11 = hgc.conv %x3, %a3 channels_last hwio : (tensor<1x50x16x4xf32>, tensor<1x1x4x24xf32>) -> tensor<1x50x16x24xf32>
    %12 = hgc.conv %11, %b3 strides = [3, 3] groups = 24 channels_last hwio
        : (tensor<1x50x16x24xf32>, tensor<2x2x1x24xf32>) -> tensor<1x17x5x24xf32>
    // Wider elements.
    %a4 = hgc.read @a4 : tensor<1x1x6x12xf64>
    %b4 = hgc.read @b4 : tensor<3x3x1x12xf64>
    %13 = hgc.conv %x4, %a4 channels_last hwio : (tensor<3x29x9x6xf64>, tensor<1x1x6x12xf64>) -> tensor<3x29x9x12xf64>
    %14 = hgc.conv %13, %b4 pads = [1, 1, 1, 1] groups = 12 channels_last hwio
        : (tensor<3x29x9x12xf64>, tensor<3x3x1x12xf64>) -> tensor<3x29x9x12xf64>
    // Results that see nothing but padding.
    %a5 = hgc.read @a5 : tensor<1x1x8x40xf32>
    %b5 = hgc.read @b5 : tensor<2x3x1x40xf32>
    %15 = hgc.conv %x5, %a5 channels_last hwio : (tensor<1x19x14x8xf32>, tensor<1x1x8x40xf32>) -> tensor<1x19x14x40xf32>
    %16 = hgc.relu %15 : tensor<1x19x14x40xf32>
    %17 = hgc.conv %16, %b5 pads = [3, 1, 3, 1] groups = 40 channels_last hwio
        : (tensor<1x19x14x40xf32>, tensor<2x3x1x40xf32>) -> tensor<1x24x14x40xf32>
    return %4, %8, %10, %12, %14, %17 : tensor<2x31x13x20xf32>, tensor<1x30x8x33xf32>, tensor<1x75x6x18xf32>, tensor<1x17x5x24xf32>,
        tensor<3x29x9x12xf64>, tensor<1x24x14x40xf32>
  }
}

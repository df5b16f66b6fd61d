// A pool makes the rows that it reads of a convolution's result itself, in a ring of rows: windows
// that share rows or leave some out, holes, borders, several images, channels that fill no vector, groups,
// NaN, which wins a maximum. Results agree with the evaluator's, and are the same for every number
// of threads. Two small tables have bands begin and end at other rows.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l1_bytes'] = 1 << 20; json.dump(t, open('large.json', 'w'))" %S/../../lib/Target/tables/x86-64-v3.json
// RUN: hgc compile %s --verify --arena=separate --force-conv=direct -o direct.so
// RUN: FileCheck %s --check-prefix=DIRECT < direct.plan.json
// RUN: hgc run direct.so --num-threads=1 --output=result0=@0.npy --output=result1=@1.npy --output=result2=@2.npy --output=result3=@3.npy --output=result4=@4.npy --output=result5=@5.npy --output=result6=@6.npy --output=result7=@7.npy
// RUN: hgc run direct.so --num-threads=2 --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --expect=result5=@5.npy --expect=result6=@6.npy --expect=result7=@7.npy --rtol=0 --atol=0
// RUN: hgc run direct.so --num-threads=5 --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --expect=result5=@5.npy --expect=result6=@6.npy --expect=result7=@7.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --arena=separate --force-conv=direct --target-table=large.json -o large.so
// RUN: FileCheck %s --check-prefix=DIRECT < large.plan.json
// RUN: hgc run large.so --num-threads=3 --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --expect=result5=@5.npy --expect=result6=@6.npy --expect=result7=@7.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --arena=separate --force-conv=winograd4-compact -o compact.so
// RUN: FileCheck %s --check-prefix=COMPACT < compact.plan.json
// RUN: hgc run compact.so --num-threads=1 --output=result0=@0.npy --output=result3=@3.npy
// RUN: hgc run compact.so --num-threads=3 --expect=result0=@0.npy --expect=result3=@3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify -O0 -o plain.so
// RUN: FileCheck %s --check-prefix=PLAIN < plain.plan.json

// DIRECT-COUNT-8: "schedule": "pool channels {{.*}} at a time, of a direct convolution
// DIRECT-NOT:     at a time
// PLAIN-NOT:      at a time
// COMPACT-COUNT-3: "schedule": "pool channels {{.*}} at a time, of a winograd convolution {{.*}}, filter transformed at the call

// The same with squares of results: those that images share, and those of several small images.
// RUN: hgc compile %s --verify --arena=separate --force-conv=winograd4 -o squares.so
// RUN: FileCheck %s --check-prefix=SQUARES < squares.plan.json
// RUN: hgc run squares.so --num-threads=1 --output=result1=@1.npy --output=result5=@5.npy --output=result6=@6.npy
// RUN: hgc run squares.so --num-threads=4 --expect=result1=@1.npy --expect=result5=@5.npy --expect=result6=@6.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --force-conv=winograd2 -o squares.so
// RUN: hgc compile %s --verify --arena=separate --target-cpu=native -o native.so
// SQUARES-COUNT-3: "schedule": "pool channels {{.*}} at a time, of a winograd convolution

module @pooled {
  hgc.parameter @w0 : tensor<7x7x3x20xf32> = #hgc.init<normal, seed = 10>
  hgc.parameter @b0 : tensor<20xf32> = #hgc.init<normal, seed = 20>
  hgc.parameter @w1 : tensor<3x3x8x34xf32> = #hgc.init<normal, seed = 11>
  hgc.parameter @b1 : tensor<41x1x1xf32> = #hgc.init<normal, seed = 21>
  hgc.parameter @w2 : tensor<5x5x1x6xf32> = #hgc.init<normal, seed = 12>
  hgc.parameter @w3 : tensor<3x3x2x12xf32> = #hgc.init<normal, seed = 13>
  hgc.parameter @w4 : tensor<3x2x5x16xf64> = #hgc.init<normal, seed = 14>
  hgc.parameter @w5 : tensor<3x3x8x18xf32> = #hgc.init<normal, seed = 15>
  hgc.parameter @w6 : tensor<3x3x4x16xf32> = #hgc.init<normal, seed = 16>
  hgc.parameter @w7 : tensor<2x2x3x32xf32> = #hgc.init<normal, seed = 17>

  func.func @run(%x0: tensor<2x61x37x3xf32>, %x1: tensor<2x41x45x8xf32>, %r1: tensor<2x41x45x34xf32>, %x2: tensor<3x28x27x1xf32>,
                 %x3: tensor<1x50x16x4xf32>, %x4: tensor<3x29x9x5xf64>, %x5: tensor<1x57x58x8xf32>, %x6: tensor<27x12x11x4xf32>,
                 %x7: tensor<1x40x19x3xf32>)
      -> (tensor<2x16x10x20xf32>, tensor<2x20x22x34xf32>, tensor<3x12x11x6xf32>, tensor<1x16x5x12xf32>, tensor<3x15x8x16xf64>,
          tensor<1x57x58x18xf32>, tensor<27x5x4x16xf32>, tensor<1x20x6x32xf32>) attributes {hgc.entry} {
    // Windows that share rows, and padding of both; bias and activations on both sides.
    %w0 = hgc.read @w0 : tensor<7x7x3x20xf32>
    %b0 = hgc.read @b0 : tensor<20xf32>
    %0 = hgc.conv %x0, %w0 strides = [2, 2] pads = [3, 3, 3, 3] channels_last hwio
        : (tensor<2x61x37x3xf32>, tensor<7x7x3x20xf32>) -> tensor<2x31x19x20xf32>
    %1 = hgc.add %0, %b0 : (tensor<2x31x19x20xf32>, tensor<20xf32>) -> tensor<2x31x19x20xf32>
    %2 = hgc.relu %1 : tensor<2x31x19x20xf32>
    %3 = hgc.pool max %2 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last
        : (tensor<2x31x19x20xf32>) -> tensor<2x16x10x20xf32>
    %4 = hgc.tanh %3 : tensor<2x16x10x20xf32>
    // A value of each row, and a tensor beside; a last row and pixel that nobody reads.
    %w1 = hgc.read @w1 : tensor<3x3x8x34xf32>
    %b1 = hgc.read @b1 : tensor<41x1x1xf32>
    %5 = hgc.conv %x1, %w1 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x41x45x8xf32>, tensor<3x3x8x34xf32>) -> tensor<2x41x45x34xf32>
    %6 = hgc.add %5, %b1 : (tensor<2x41x45x34xf32>, tensor<41x1x1xf32>) -> tensor<2x41x45x34xf32>
    %7 = hgc.add %6, %r1 : (tensor<2x41x45x34xf32>, tensor<2x41x45x34xf32>) -> tensor<2x41x45x34xf32>
    %8 = hgc.pool max %7 window = [2, 2] strides = [2, 2] channels_last
        : (tensor<2x41x45x34xf32>) -> tensor<2x20x22x34xf32>
    // Averages; NaN wherever a logarithm does not exist.
    %w2 = hgc.read @w2 : tensor<5x5x1x6xf32>
    %9 = hgc.conv %x2, %w2 channels_last hwio : (tensor<3x28x27x1xf32>, tensor<5x5x1x6xf32>) -> tensor<3x24x23x6xf32>
    %10 = hgc.pool avg %9 window = [2, 3] strides = [2, 2] channels_last
        : (tensor<3x24x23x6xf32>) -> tensor<3x12x11x6xf32>
    // Groups; rows that nobody reads.
    %w3 = hgc.read @w3 : tensor<3x3x2x12xf32>
    %11 = hgc.conv %x3, %w3 groups = 2 channels_last hwio
        : (tensor<1x50x16x4xf32>, tensor<3x3x2x12xf32>) -> tensor<1x48x14x12xf32>
    %12 = hgc.log %11 : tensor<1x48x14x12xf32>
    %13 = hgc.pool max %12 window = [2, 2] strides = [3, 3] channels_last
        : (tensor<1x48x14x12xf32>) -> tensor<1x16x5x12xf32>
    // Wider elements; averages that count padding.
    %w4 = hgc.read @w4 : tensor<3x2x5x16xf64>
    %14 = hgc.conv %x4, %w4 pads = [1, 0, 1, 0] channels_last hwio
        : (tensor<3x29x9x5xf64>, tensor<3x2x5x16xf64>) -> tensor<3x29x8x16xf64>
    %15 = hgc.pool avg %14 window = [3, 3] strides = [2, 1] pads = [1, 1, 1, 1] count_include_pad channels_last
        : (tensor<3x29x8x16xf64>) -> tensor<3x15x8x16xf64>
    // Every pixel is in nine windows; averages that do not count padding.
    %w5 = hgc.read @w5 : tensor<3x3x8x18xf32>
    %16 = hgc.conv %x5, %w5 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x57x58x8xf32>, tensor<3x3x8x18xf32>) -> tensor<1x57x58x18xf32>
    %17 = hgc.pool avg %16 window = [3, 3] pads = [1, 1, 1, 1] channels_last
        : (tensor<1x57x58x18xf32>) -> tensor<1x57x58x18xf32>
    // Many small images.
    %w6 = hgc.read @w6 : tensor<3x3x4x16xf32>
    %18 = hgc.conv %x6, %w6 channels_last hwio
        : (tensor<27x12x11x4xf32>, tensor<3x3x4x16xf32>) -> tensor<27x10x9x16xf32>
    %19 = hgc.log %18 : tensor<27x10x9x16xf32>
    %20 = hgc.pool max %19 window = [2, 2] strides = [2, 2] channels_last
        : (tensor<27x10x9x16xf32>) -> tensor<27x5x4x16xf32>
    // Windows with holes.
    %w7 = hgc.read @w7 : tensor<2x2x3x32xf32>
    %21 = hgc.conv %x7, %w7 channels_last hwio : (tensor<1x40x19x3xf32>, tensor<2x2x3x32xf32>) -> tensor<1x39x18x32xf32>
    %22 = hgc.pool max %21 window = [2, 3] strides = [2, 3] pads = [1, 1, 1, 1] dilations = [2, 2] channels_last
        : (tensor<1x39x18x32xf32>) -> tensor<1x20x6x32xf32>
    return %4, %8, %10, %13, %15, %17, %20, %22 : tensor<2x16x10x20xf32>, tensor<2x20x22x34xf32>, tensor<3x12x11x6xf32>,
        tensor<1x16x5x12xf32>, tensor<3x15x8x16xf64>, tensor<1x57x58x18xf32>, tensor<27x5x4x16xf32>, tensor<1x20x6x32xf32>
  }
}

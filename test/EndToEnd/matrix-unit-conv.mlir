// Convolutions by the matrix unit: windows with and without padding, strides, dilation of lines, one to three spatial
// dims, several images, channels that do and do not fill tiles, f32 in parts, bf16 and i8. Results agree with the
// evaluator's, and are the same for every number of threads; so they are with small caches.
// REQUIRES: amx
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: hgc compile %s --target-cpu=sapphirerapids --force-conv=matrix --verify --arena=separate -o a.so 2>&1 | count 0
// RUN: FileCheck %s < a.plan.json
// CHECK: "schedule": "convolution by tiles of the matrix unit, blocks {{.*}}, f32 in three parts"
// RUN: hgc run a.so --num-threads=1 --output=result0=@0.npy --output=result2=@2.npy
// RUN: hgc run a.so --num-threads=2 --expect=result0=@0.npy --expect=result2=@2.npy --rtol=0 --atol=0
// RUN: hgc run a.so --num-threads=5 --expect=result0=@0.npy --expect=result2=@2.npy --rtol=0 --atol=0
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l2_bytes'] = 262144; json.dump(t, open('small.json', 'w'))" %S/../../lib/Target/tables/sapphirerapids.json
// RUN: hgc compile %s --target-table=small.json --force-conv=matrix --verify --arena=separate -o b.so
// RUN: FileCheck %s --check-prefix=SMALL < b.plan.json
// SMALL: "schedule": "convolution by tiles of the matrix unit, blocks 140x{{[0-9]+}}x288
// RUN: hgc run b.so --num-threads=1 --output=result0=@0.npy --output=result2=@2.npy
// RUN: hgc run b.so --num-threads=5 --expect=result0=@0.npy --expect=result2=@2.npy --rtol=0 --atol=0

module @convs {
  hgc.parameter @a : tensor<3x3x40x72xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<7x7x3x64xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @c : tensor<1x1x72x20xf32> = #hgc.init<normal, seed = 3>
  hgc.parameter @d : tensor<5x8x17xf32> = #hgc.init<normal, seed = 4>
  hgc.parameter @e : tensor<2x3x2x6x33xf32> = #hgc.init<normal, seed = 5>
  hgc.parameter @f : tensor<3x3x24x40xbf16> = #hgc.init<normal, seed = 6>
  hgc.parameter @g : tensor<3x3x70x40xf32> = #hgc.init<uniform, seed = 7, scale = 100.0>
  hgc.parameter @h : tensor<3x3x64x34xf32> = #hgc.init<normal, seed = 8>
  func.func @run(%x: tensor<2x13x11x40xf32>, %i: tensor<1x30x30x3xf32>, %s: tensor<2x19x8xf32>, %v: tensor<1x4x6x7x6xf32>,
                 %p: tensor<1x9x9x24xbf16>, %q: tensor<1x9x18x70xi8>, %y: tensor<1x14x14x64xf32>)
      -> (tensor<2x13x11x72xf32>, tensor<2x7x6x72xf32>, tensor<1x15x15x64xf32>, tensor<2x7x6x20xf32>, tensor<2x19x17xf32>,
          tensor<1x2x6x6x33xf32>, tensor<1x9x9x40xf32>, tensor<1x7x16x40xi32>, tensor<1x7x7x34xf32>, tensor<1x10x14x34xf32>)
      attributes {hgc.entry} {
    %a = hgc.read @a : tensor<3x3x40x72xf32>
    %b = hgc.read @b : tensor<7x7x3x64xf32>
    %c = hgc.read @c : tensor<1x1x72x20xf32>
    %d = hgc.read @d : tensor<5x8x17xf32>
    %e = hgc.read @e : tensor<2x3x2x6x33xf32>
    %f = hgc.read @f : tensor<3x3x24x40xbf16>
    %g0 = hgc.read @g : tensor<3x3x70x40xf32>
    %g = hgc.cast %g0 to i8 : (tensor<3x3x70x40xf32>) -> tensor<3x3x70x40xi8>
    %h = hgc.read @h : tensor<3x3x64x34xf32>
    %0 = hgc.conv %x, %a pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x13x11x40xf32>, tensor<3x3x40x72xf32>) -> tensor<2x13x11x72xf32>
    %1 = hgc.relu %0 : tensor<2x13x11x72xf32>
    %2 = hgc.conv %x, %a strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x13x11x40xf32>, tensor<3x3x40x72xf32>) -> tensor<2x7x6x72xf32>
    %3 = hgc.conv %i, %b strides = [2, 2] pads = [3, 3, 3, 3] channels_last hwio : (tensor<1x30x30x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x15x15x64xf32>
    %4 = hgc.conv %0, %c strides = [2, 2] channels_last hwio : (tensor<2x13x11x72xf32>, tensor<1x1x72x20xf32>) -> tensor<2x7x6x20xf32>
    %5 = hgc.conv %s, %d pads = [2, 2] channels_last hwio : (tensor<2x19x8xf32>, tensor<5x8x17xf32>) -> tensor<2x19x17xf32>
    %6 = hgc.conv %v, %e strides = [2, 1, 1] pads = [0, 1, 0, 0, 1, 0] channels_last hwio : (tensor<1x4x6x7x6xf32>, tensor<2x3x2x6x33xf32>) -> tensor<1x2x6x6x33xf32>
    %7 = hgc.conv %p, %f pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x9x9x24xbf16>, tensor<3x3x24x40xbf16>) -> tensor<1x9x9x40xf32>
    %8 = hgc.conv %q, %g channels_last hwio : (tensor<1x9x18x70xi8>, tensor<3x3x70x40xi8>) -> tensor<1x7x16x40xi32>
    %9 = hgc.conv %y, %h strides = [2, 2] pads = [0, 0, 1, 1] channels_last hwio : (tensor<1x14x14x64xf32>, tensor<3x3x64x34xf32>) -> tensor<1x7x7x34xf32>
    %10 = hgc.conv %y, %h pads = [0, 1, 0, 1] dilations = [2, 1] channels_last hwio : (tensor<1x14x14x64xf32>, tensor<3x3x64x34xf32>) -> tensor<1x10x14x34xf32>
    return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<2x13x11x72xf32>, tensor<2x7x6x72xf32>, tensor<1x15x15x64xf32>,
        tensor<2x7x6x20xf32>, tensor<2x19x17xf32>, tensor<1x2x6x6x33xf32>, tensor<1x9x9x40xf32>, tensor<1x7x16x40xi32>,
        tensor<1x7x7x34xf32>, tensor<1x10x14x34xf32>
  }
}

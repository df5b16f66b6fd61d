// Convolutions of few pixels by filters that do not stay near: the next panel, or the next row of the window of one, is
// fetched while one is used, and threads share the panels of all blocks of squares. Strides, padding, channels that do
// not fill vectors, several images, and numbers of threads that divide neither panels nor blocks.
// DEFINE: %{save} = --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy --output=result2=@%t.2.npy --output=result3=@%t.3.npy --output=result4=@%t.4.npy
// DEFINE: %{same} = --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result2=@%t.2.npy --expect=result3=@%t.3.npy --expect=result4=@%t.4.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=direct --arena=separate -o %t.so
// RUN: hgc run %t.so %{save}
// RUN: hgc run %t.so --num-threads=3 %{same}
// RUN: hgc run %t.so --num-threads=7 %{same}
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=winograd4 --arena=separate -o %t.so
// RUN: hgc run %t.so %{save}
// RUN: hgc run %t.so --num-threads=2 %{same}
// RUN: hgc run %t.so --num-threads=5 %{same}
// RUN: hgc compile %s --verify --force-conv=winograd2 --arena=separate -o %t.so
// RUN: hgc run %t.so %{save}
// RUN: hgc run %t.so --num-threads=4 %{same}
// RUN: hgc compile %s --verify --target-cpu=native -o %t.so

module @far {
  hgc.parameter @a : tensor<3x3x200x200xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<3x3x128x144xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @e : tensor<3x3x512x128xf32> = #hgc.init<normal, seed = 4>
  hgc.parameter @c : tensor<3x3x100x200xf32> = #hgc.init<normal, seed = 3>
  func.func @run(%x: tensor<1x7x7x200xf32>, %y: tensor<1x26x27x128xf32>, %z: tensor<2x12x13x200xf32>, %v: tensor<2x9x7x512xf32>)
      -> (tensor<1x7x7x200xf32>, tensor<1x4x4x200xf32>, tensor<1x26x27x144xf32>, tensor<2x12x13x200xf32>, tensor<2x10x7x128xf32>) attributes {hgc.entry} {
    %a = hgc.read @a : tensor<3x3x200x200xf32>
    %b = hgc.read @b : tensor<3x3x128x144xf32>
    %c = hgc.read @c : tensor<3x3x100x200xf32>
    %0 = hgc.conv %x, %a pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x7x7x200xf32>, tensor<3x3x200x200xf32>) -> tensor<1x7x7x200xf32>
    %1 = hgc.conv %0, %a strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x7x7x200xf32>, tensor<3x3x200x200xf32>) -> tensor<1x4x4x200xf32>
    %2 = hgc.conv %y, %b pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x26x27x128xf32>, tensor<3x3x128x144xf32>) -> tensor<1x26x27x144xf32>
    %3 = hgc.conv %z, %c pads = [1, 1, 1, 1] groups = 2 channels_last hwio : (tensor<2x12x13x200xf32>, tensor<3x3x100x200xf32>) -> tensor<2x12x13x200xf32>
    %e = hgc.read @e : tensor<3x3x512x128xf32>
    %4 = hgc.conv %v, %e pads = [2, 1, 1, 1] channels_last hwio : (tensor<2x9x7x512xf32>, tensor<3x3x512x128xf32>) -> tensor<2x10x7x128xf32>
    return %0, %1, %2, %3, %4 : tensor<1x7x7x200xf32>, tensor<1x4x4x200xf32>, tensor<1x26x27x144xf32>, tensor<2x12x13x200xf32>, tensor<2x10x7x128xf32>
  }
}

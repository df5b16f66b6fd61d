// Attention on both devices against the evaluator: masks, scales, broadcast heads,
// edges of tiles, half precision, queries that see no key, more features than the
// GPU's kernel takes.
//
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device=emulated --verify --strict-placement --arena=separate -o %t.so

module @attention {
  func.func @a(%q: tensor<2x4x9x16xf32>, %k: tensor<2x4x13x16xf32>, %v: tensor<2x4x13x24xf32>, %m: tensor<9x13xf32>, %b: tensor<2x1x9x13xi1>, %g: tensor<4x13x16xf32>)
     -> (tensor<2x4x9x24xf32>, tensor<2x4x9x24xf32>, tensor<2x4x9x24xf32>, tensor<2x4x9x24xf32>) attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v : (tensor<2x4x9x16xf32>, tensor<2x4x13x16xf32>, tensor<2x4x13x24xf32>) -> tensor<2x4x9x24xf32>
    %1 = hgc.attention %q, %k, %v mask %m scale = 0.5 : (tensor<2x4x9x16xf32>, tensor<2x4x13x16xf32>, tensor<2x4x13x24xf32>, tensor<9x13xf32>) -> tensor<2x4x9x24xf32>
    %2 = hgc.attention %q, %k, %v mask %b : (tensor<2x4x9x16xf32>, tensor<2x4x13x16xf32>, tensor<2x4x13x24xf32>, tensor<2x1x9x13xi1>) -> tensor<2x4x9x24xf32>
    %3 = hgc.attention %q, %g, %v causal : (tensor<2x4x9x16xf32>, tensor<4x13x16xf32>, tensor<2x4x13x24xf32>) -> tensor<2x4x9x24xf32>
    return %0, %1, %2, %3 : tensor<2x4x9x24xf32>, tensor<2x4x9x24xf32>, tensor<2x4x9x24xf32>, tensor<2x4x9x24xf32>
  }
  func.func @h(%q: tensor<3x9x16xf16>, %k: tensor<3x13x16xf16>, %b: tensor<3x40x64xbf16>, %m: tensor<40x40xbf16>, %d: tensor<7x5xf64>)
     -> (tensor<3x9x16xf16>, tensor<3x40x64xbf16>, tensor<7x5xf64>) attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %k : (tensor<3x9x16xf16>, tensor<3x13x16xf16>, tensor<3x13x16xf16>) -> tensor<3x9x16xf16>
    %1 = hgc.attention %b, %b, %b mask %m causal : (tensor<3x40x64xbf16>, tensor<3x40x64xbf16>, tensor<3x40x64xbf16>, tensor<40x40xbf16>) -> tensor<3x40x64xbf16>
    %2 = hgc.attention %d, %d, %d causal : (tensor<7x5xf64>, tensor<7x5xf64>, tensor<7x5xf64>) -> tensor<7x5xf64>
    return %0, %1, %2 : tensor<3x9x16xf16>, tensor<3x40x64xbf16>, tensor<7x5xf64>
  }
  func.func @b(%q: tensor<2x100x64xf32>, %k: tensor<2x77x64xf32>, %v: tensor<2x77x40xf32>, %w: tensor<1x5x256xf32>, %x: tensor<3x70x130xf16>, %y: tensor<4x300xf32>, %s: tensor<40xf32>)
     -> (tensor<2x100x40xf32>, tensor<2x100x40xf32>, tensor<1x5x256xf32>, tensor<3x70x130xf16>, tensor<4x300xf32>, tensor<3x3xf32>) attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v causal : (tensor<2x100x64xf32>, tensor<2x77x64xf32>, tensor<2x77x40xf32>) -> tensor<2x100x40xf32>
    %1 = hgc.attention %q, %k, %v scale = 3.0 : (tensor<2x100x64xf32>, tensor<2x77x64xf32>, tensor<2x77x40xf32>) -> tensor<2x100x40xf32>
    %2 = hgc.add %1, %s : (tensor<2x100x40xf32>, tensor<40xf32>) -> tensor<2x100x40xf32>
    %3 = hgc.attention %w, %w, %w : (tensor<1x5x256xf32>, tensor<1x5x256xf32>, tensor<1x5x256xf32>) -> tensor<1x5x256xf32>
    %4 = hgc.attention %x, %x, %x causal : (tensor<3x70x130xf16>, tensor<3x70x130xf16>, tensor<3x70x130xf16>) -> tensor<3x70x130xf16>
    %5 = hgc.attention %y, %y, %y : (tensor<4x300xf32>, tensor<4x300xf32>, tensor<4x300xf32>) -> tensor<4x300xf32>
    %i = hgc.iota shape [3, 1] axis 0 of i32 : tensor<3x1xi32>
    %one = hgc.constant dense<1> : tensor<i32>
    %m = hgc.compare ne %i, %one : (tensor<3x1xi32>, tensor<i32>) -> tensor<3x1xi1>
    %z = hgc.slice %y starts = [0, 0] sizes = [3, 3] : (tensor<4x300xf32>) -> tensor<3x3xf32>
    %6 = hgc.attention %z, %z, %z mask %m : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x1xi1>) -> tensor<3x3xf32>
    return %0, %2, %3, %4, %5, %6 : tensor<2x100x40xf32>, tensor<2x100x40xf32>, tensor<1x5x256xf32>, tensor<3x70x130xf16>, tensor<4x300xf32>, tensor<3x3xf32>
  }
}

// Attention on tensor cores: edges of tiles, shared keys, masks, causality, widths
// that do not fill lines, queries that see no key, an op behind it. The emulator
// looks for races between blocks, too, and makes approximate results vary.
// RUN: env HGC_EMU_CHECKS=races,init,order,blocks HGC_EMU_APPROX=7 hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device emulated --strict-placement --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_75 '--place=gpu(.*)' --device emulated:t4 --strict-placement --verify -o %t.so
// RUN: hgc compile %s --gpu sm_100 '--place=gpu(.*)' --device emulated:b200 --strict-placement --verify -o %t.so

module @attention {
  func.func @edges(%q: tensor<2x100x64xf16>, %k: tensor<2x77x64xf16>, %v: tensor<2x77x64xf16>) -> tensor<2x100x64xf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v : (tensor<2x100x64xf16>, tensor<2x77x64xf16>, tensor<2x77x64xf16>) -> tensor<2x100x64xf16>
    return %0 : tensor<2x100x64xf16>
  }
  func.func @shared_keys(%q: tensor<2x3x70x128xf16>, %k: tensor<2x1x90x128xf16>, %v: tensor<2x1x90x128xf16>) -> tensor<2x3x70x128xf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v causal : (tensor<2x3x70x128xf16>, tensor<2x1x90x128xf16>, tensor<2x1x90x128xf16>) -> tensor<2x3x70x128xf16>
    return %0 : tensor<2x3x70x128xf16>
  }
  func.func @brain(%q: tensor<2x70x64xbf16>, %k: tensor<2x70x64xbf16>, %v: tensor<2x70x32xbf16>) -> tensor<2x70x32xbf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v causal : (tensor<2x70x64xbf16>, tensor<2x70x64xbf16>, tensor<2x70x32xbf16>) -> tensor<2x70x32xbf16>
    return %0 : tensor<2x70x32xbf16>
  }
  func.func @one_query(%q: tensor<3x1x32xbf16>, %k: tensor<3x300x32xbf16>, %v: tensor<3x300x32xbf16>) -> tensor<3x1x32xbf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v : (tensor<3x1x32xbf16>, tensor<3x300x32xbf16>, tensor<3x300x32xbf16>) -> tensor<3x1x32xbf16>
    return %0 : tensor<3x1x32xbf16>
  }
  func.func @flags(%q: tensor<33x80xbf16>, %k: tensor<200x80xbf16>, %v: tensor<200x48xbf16>, %m: tensor<33x200xi1>) -> tensor<33x48xbf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v mask %m : (tensor<33x80xbf16>, tensor<200x80xbf16>, tensor<200x48xbf16>, tensor<33x200xi1>) -> tensor<33x48xbf16>
    return %0 : tensor<33x48xbf16>
  }
  func.func @numbers(%q: tensor<2x40x32xf16>, %k: tensor<2x50x32xf16>, %v: tensor<2x50x32xf16>, %m: tensor<40x50xf16>) -> tensor<2x40x32xf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v mask %m scale = 0.5 : (tensor<2x40x32xf16>, tensor<2x50x32xf16>, tensor<2x50x32xf16>, tensor<40x50xf16>) -> tensor<2x40x32xf16>
    return %0 : tensor<2x40x32xf16>
  }
  func.func @odd_mask(%q: tensor<2x40x32xf16>, %k: tensor<2x51x32xf16>, %v: tensor<2x51x32xf16>, %m: tensor<2x1x51xf16>) -> tensor<2x40x32xf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v mask %m : (tensor<2x40x32xf16>, tensor<2x51x32xf16>, tensor<2x51x32xf16>, tensor<2x1x51xf16>) -> tensor<2x40x32xf16>
    return %0 : tensor<2x40x32xf16>
  }
  func.func @wide(%q: tensor<65x256xf16>, %k: tensor<40x256xf16>, %v: tensor<40x256xf16>) -> tensor<65x256xf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v : (tensor<65x256xf16>, tensor<40x256xf16>, tensor<40x256xf16>) -> tensor<65x256xf16>
    %1 = hgc.gelu %0 : tensor<65x256xf16>
    return %1 : tensor<65x256xf16>
  }
  func.func @no_key(%q: tensor<2x9x16xf16>, %k: tensor<2x5x16xf16>, %v: tensor<2x5x16xf16>, %m: tensor<2x9x1xi1>) -> tensor<2x9x16xf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v mask %m : (tensor<2x9x16xf16>, tensor<2x5x16xf16>, tensor<2x5x16xf16>, tensor<2x9x1xi1>) -> tensor<2x9x16xf16>
    return %0 : tensor<2x9x16xf16>
  }
  func.func @negative(%q: tensor<9x16xf16>, %k: tensor<9x16xf16>, %v: tensor<9x16xf16>) -> tensor<9x16xf16> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v scale = -1.0 : (tensor<9x16xf16>, tensor<9x16xf16>, tensor<9x16xf16>) -> tensor<9x16xf16>
    return %0 : tensor<9x16xf16>
  }
}

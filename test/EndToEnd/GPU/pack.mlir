// Panels written on the GPU are those of the CPU. No pass packs on a GPU, where
// contractions read plain operands, so the model is written after placement.
// RUN: hgc compile %s --start-from=placed -o %t.so
// RUN: hgc run %t.so --device=emulated --output=y=@%t.y.npy --output=z=@%t.z.npy
// RUN: hgc run %t.so --device=cpu --expect=y=@%t.y.npy --expect=z=@%t.z.npy --rtol=0 --atol=0

module @packs attributes {hgc.target_cpu = "x86-64-v3", hgc.target_gpu = "sm_80"} {
  func.func @f(%x: tensor<35x20xf32> {hgc.name = "x"}, %w: tensor<3x3x5x24xf32> {hgc.name = "w"})
      -> (tensor<2x35x16xf32> {hgc.name = "y"}, tensor<2x1x45x16xf32> {hgc.name = "z"})
      attributes {hgc.entry, hgc.plan = "cpu", hgc.variant_dims = {}, hgc.variant_of = "f"} {
    %0 = hgc.pack matmul_rhs %x width 16 {hgc.device = #hgc.device<cpu>} : (tensor<35x20xf32>) -> tensor<2x35x16xf32>
    %1 = hgc.pack conv_filter %w width 16 groups = 2 {hgc.device = #hgc.device<cpu>} : (tensor<3x3x5x24xf32>) -> tensor<2x1x45x16xf32>
    return %0, %1 : tensor<2x35x16xf32>, tensor<2x1x45x16xf32>
  }
  func.func @f.gpu(%x: tensor<35x20xf32> {hgc.name = "x"}, %w: tensor<3x3x5x24xf32> {hgc.name = "w"})
      -> (tensor<2x35x16xf32> {hgc.name = "y"}, tensor<2x1x45x16xf32> {hgc.name = "z"})
      attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_dims = {}, hgc.variant_of = "f"} {
    %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<35x20xf32>
    %1 = hgc.transfer %w from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<3x3x5x24xf32>
    %2 = hgc.pack matmul_rhs %0 width 16 {hgc.device = #hgc.device<gpu>} : (tensor<35x20xf32>) -> tensor<2x35x16xf32>
    %3 = hgc.pack conv_filter %1 width 16 groups = 2 {hgc.device = #hgc.device<gpu>} : (tensor<3x3x5x24xf32>) -> tensor<2x1x45x16xf32>
    %4 = hgc.transfer %2 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<2x35x16xf32>
    %5 = hgc.transfer %3 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<2x1x45x16xf32>
    return %4, %5 : tensor<2x35x16xf32>, tensor<2x1x45x16xf32>
  }
}

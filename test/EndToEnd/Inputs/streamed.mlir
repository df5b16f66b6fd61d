// Results that fill the last cache of the table they are compiled for.
module @streamed {
  func.func @line(%x: tensor<10007xf32>) -> tensor<10007xf32> attributes {hgc.entry} {
    %0 = hgc.mul %x, %x : (tensor<10007xf32>, tensor<10007xf32>) -> tensor<10007xf32>
    return %0 : tensor<10007xf32>
  }
  func.func @lines(%x: tensor<130x96xf32>, %z: tensor<96xf32>) -> tensor<130x96xf16> attributes {hgc.entry} {
    %0 = hgc.add %x, %z : (tensor<130x96xf32>, tensor<96xf32>) -> tensor<130x96xf32>
    %1 = hgc.cast %0 to f16 : (tensor<130x96xf32>) -> tensor<130x96xf16>
    return %1 : tensor<130x96xf16>
  }
  func.func @rows(%x: tensor<9x301xf32>) -> tensor<9x301xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %x axis 1 : tensor<9x301xf32>
    return %0 : tensor<9x301xf32>
  }
  func.func @norm(%x: tensor<9x301xf32>, %s: tensor<301xf32>, %b: tensor<301xf32>) -> tensor<9x301xf32> attributes {hgc.entry} {
    %0 = hgc.layer_norm %x, %s, %b axis 1 epsilon 1.0e-5
        : (tensor<9x301xf32>, tensor<301xf32>, tensor<301xf32>) -> tensor<9x301xf32>
    return %0 : tensor<9x301xf32>
  }
  // Rows of whole pages.
  func.func @pages(%x: tensor<7x2048xf32>) -> tensor<7x2048xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %x axis 1 : tensor<7x2048xf32>
    return %0 : tensor<7x2048xf32>
  }
  func.func @page_norm(%x: tensor<7x1024xf32>, %s: tensor<1024xf32>, %b: tensor<1024xf32>) -> tensor<7x1024xf32> attributes {hgc.entry} {
    %0 = hgc.layer_norm %x, %s, %b axis 1 epsilon 1.0e-5
        : (tensor<7x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<7x1024xf32>
    return %0 : tensor<7x1024xf32>
  }
}

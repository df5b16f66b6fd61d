"""Prints a model of matrix products, each of another shape and so with a kernel of its own."""

widths = [33 + 7 * i for i in range(12)]
print("module @many {")
for i, (k, n) in enumerate(zip(widths, widths[1:])):
    print(f"  hgc.parameter @w{i} : tensor<{k}x{n}xf32> = dense<{0.01 * (i + 1):.2f}>")
print(f"  func.func @run(%v0: tensor<19x{widths[0]}xf32> {{hgc.name = \"x\"}})")
print(f"      -> (tensor<19x{widths[-1]}xf32> {{hgc.name = \"y\"}}) attributes {{hgc.entry}} {{")
for i, (k, n) in enumerate(zip(widths, widths[1:])):
    print(f"    %w{i} = hgc.read @w{i} : tensor<{k}x{n}xf32>")
    print(f"    %p{i} = hgc.matmul %v{i}, %w{i} : (tensor<19x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<19x{n}xf32>")
    print(f"    %v{i + 1} = hgc.softmax %p{i} axis 1 : tensor<19x{n}xf32>")
print(f"    return %v{len(widths) - 1} : tensor<19x{widths[-1]}xf32>")
print("  }\n}")

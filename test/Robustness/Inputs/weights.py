"""Prints a model with COUNT constants of one terabyte each."""
import sys

count = int(sys.argv[1])
t = "tensor<1048576x262144xf32>"
print("module {")
print("  func.func @first() -> tensor<f32> attributes {hgc.entry} {\n    %s0 = hgc.constant dense<0.0> : tensor<f32>")
for i in range(count):
    print(f"    %w{i} = hgc.constant dense<{i}.5> : {t}")
    print(f"    %a{i} = hgc.reduce max %w{i} axes = [0, 1] : ({t}) -> tensor<f32>")
    print(f"    %s{i + 1} = hgc.add %s{i}, %a{i} : (tensor<f32>, tensor<f32>) -> tensor<f32>")
print(f"    return %s{count} : tensor<f32>\n  }}\n}}")

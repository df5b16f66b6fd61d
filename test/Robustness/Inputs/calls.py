"""Prints a model of DEPTH functions, each of which calls the next COUNT times."""
import sys

depth, count = int(sys.argv[1]), int(sys.argv[2])
t = "tensor<f32>"
print("module {")
for i in range(depth):
    attrs = " attributes {hgc.entry}" if i == 0 else ""
    print(f"  func.func @f{i}(%v0: {t}) -> {t}{attrs} {{")
    for j in range(count):
        print(f"    %v{j + 1} = func.call @f{i + 1}(%v{j}) : ({t}) -> {t}")
    print(f"    return %v{count} : {t}\n  }}")
print(f"  func.func @f{depth}(%x: {t}) -> {t} {{\n    %0 = hgc.tanh %x : {t}\n    return %0 : {t}\n  }}\n}}")

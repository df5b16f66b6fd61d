"""Writes functions that call each other twice, each the next one: 2^20 ops when all are inlined."""
TYPE = "tensor<4xf32>"
for i in range(20):
    name, access = ("main", "public") if i == 0 else (f"f{i}", "private")
    print(f"func.func {access} @{name}(%x: {TYPE}) -> {TYPE} {{")
    print(f"  %0 = call @f{i + 1}(%x) : ({TYPE}) -> {TYPE}")
    print(f"  %1 = call @f{i + 1}(%0) : ({TYPE}) -> {TYPE}")
    print(f"  return %1 : {TYPE}\n}}")
print(f"func.func private @f20(%x: {TYPE}) -> {TYPE} {{")
print(f"  %0 = stablehlo.add %x, %x : {TYPE}\n  return %0 : {TYPE}\n}}")

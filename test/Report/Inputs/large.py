"""large.py OPS: a model of many blocks with a shortcut around each."""
import sys

ONE = "tensor<64x256xf32>"
TWO = f"({ONE}, {ONE}) -> {ONE}"
print(f"""module @large {{
  hgc.parameter @w : tensor<256x256xf32> = #hgc.init<glorot_uniform, seed = 1>
  func.func @f(%x: {ONE} {{hgc.name = "x"}}) -> ({ONE} {{hgc.name = "y"}}) attributes {{hgc.entry}} {{
    %w = hgc.read @w : tensor<256x256xf32>""")
last = "%x"
for i in range(int(sys.argv[1]) // 5):
    ops = [(f"matmul {last}, %w", f"({ONE}, tensor<256x256xf32>) -> {ONE}"), (f"tanh %b{i}_0", ONE), (f"abs {last}", ONE),
           (f"mul %b{i}_1, %b{i}_2", TWO), (f"add %b{i}_3, {last}", TWO)]
    for n, (text, types) in enumerate(ops):
        print(f'    %b{i}_{n} = hgc.{text} {{hgc.name = "block{i}.{n}"}} : {types}')
    last = f"%b{i}_4"
print(f"    return {last} : {ONE}\n  }}\n}}")

"""large_weights.py MEGABYTES: compiles a model with that many MB of weights and
one with a tenth, and requires that time and memory grow no faster than size.
Leaves big.so, big.mlir and big.safetensors in the current folder."""
import json
import os
import resource
import struct
import sys
import time

ROWS = 1024


def write_model(name, columns):
    header = json.dumps({"w": {"dtype": "F32", "shape": [ROWS, columns], "data_offsets": [0, 4 * ROWS * columns]}})
    row = struct.pack("<%df" % columns, *((i % 251) / 251 - 0.5 for i in range(columns)))
    with open(name + ".safetensors", "wb") as out:
        out.write(struct.pack("<Q", len(header)) + header.encode())
        for _ in range(ROWS):
            out.write(row)
    with open(name + ".mlir", "w") as out:
        out.write(f"""module @{name} {{
  hgc.parameter @w : tensor<{ROWS}x{columns}xf32> = #hgc.file<"{name}.safetensors", "w">
  func.func @f(%x: tensor<1x{ROWS}xf32> {{hgc.name = "x"}}) -> (tensor<1x{columns}xf32> {{hgc.name = "y"}})
      attributes {{hgc.entry}} {{
    %w = hgc.read @w : tensor<{ROWS}x{columns}xf32>
    %0 = hgc.matmul %x, %w : (tensor<1x{ROWS}xf32>, tensor<{ROWS}x{columns}xf32>) -> tensor<1x{columns}xf32>
    return %0 : tensor<1x{columns}xf32>
  }}
}}
""")


def compile_model(name):
    """Seconds of CPU and bytes of memory that `hgc compile` takes."""
    pid = os.fork()
    if pid == 0:
        os.execvp("hgc", ["hgc", "compile", name + ".mlir", "-o", name + ".so"])
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"hgc compile {name}.mlir failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


megabytes = int(sys.argv[1])
columns = megabytes * (1 << 20) // (4 * ROWS)
write_model("small", columns // 10)
write_model("big", columns)
small_time, small_memory = compile_model("small")
big_time, big_memory = compile_model("big")
grown = 4 * ROWS * (columns - columns // 10)
ratio = (big_memory - small_memory) / grown
print(f"{megabytes} MB: {big_time:.2f} s, memory grows by {ratio:.2f} bytes a byte")
# Read, packed and written: each may be in memory once, and once more as pages of files.
if ratio > 6:
    sys.exit("memory grows faster than the weights")
if big_time > 10 * small_time + 1:
    sys.exit(f"time grows faster than the weights: {small_time:.2f} s for a tenth")
if os.path.getsize("big.so") > 1.05 * 4 * ROWS * columns + (1 << 17):
    sys.exit("the library holds more than one copy of the weights")

"""safetensors.py FILE NAME SHAPE [--cut N]: writes one f32 tensor 0, 1, 2, ...
to a safetensors file; `--cut N` keeps the first N bytes only."""
import json
import struct
import sys

path, name, shape = sys.argv[1:4]
extents = [int(e) for e in shape.split("x")]
count = 1
for extent in extents:
    count *= extent
header = json.dumps({name: {"dtype": "F32", "shape": extents, "data_offsets": [0, 4 * count]}}).encode()
data = struct.pack("<Q", len(header)) + header + struct.pack("<%df" % count, *range(count))
if "--cut" in sys.argv:
    data = data[:int(sys.argv[sys.argv.index("--cut") + 1])]
with open(path, "wb") as out:
    out.write(data)

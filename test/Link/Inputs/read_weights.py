"""Reads a safetensors file without hgc: offset of the data, holes, names, a value."""
import json
import struct
import sys

data = open(sys.argv[1], "rb").read()
(length,) = struct.unpack_from("<Q", data)
header = json.loads(data[8 : 8 + length])
header.pop("__metadata__")
spans = sorted(t["data_offsets"] for t in header.values())
ends = [0] + [end for _, end in spans]
dense = all(begin == end for (begin, _), end in zip(spans, ends)) and ends[-1] == len(data) - 8 - length
(value,) = struct.unpack_from("<f", data, 8 + length + header["w"]["data_offsets"][0])
print(8 + length, dense, sorted(header), value)

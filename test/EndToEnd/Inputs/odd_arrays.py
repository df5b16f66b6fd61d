"""Writes x.npy, i.npy, r.npy and odd.safetensors, with some elements that are not finite, or nearly not."""
import json
import struct

import numpy


def draw(shape, seed, *odd):
    values = numpy.random.default_rng(seed).uniform(-1, 1, shape).astype(numpy.float32)
    for index, value in odd:
        values[index] = value
    return values


inf, nan, most = numpy.inf, numpy.nan, numpy.finfo(numpy.float32).max
numpy.save("x.npy", draw((260, 1100), 1, ((3, 0), inf), ((17, 1099), -inf), ((40, 500), nan), ((40, 3), inf),
                         ((70, 7), 0.75), ((75, 9), most / 64), ((80, 110), inf), ((80, 111), -inf), ((259, 1090), nan)))
numpy.save("i.npy", draw((1, 9, 9, 20), 2, ((0, 0, 0, 0), inf), ((0, 4, 8, 19), nan), ((0, 8, 8, 19), -inf)))
numpy.save("r.npy", draw((1100, 50), 3, ((0, 0), -inf), ((1099, 49), nan), ((600, 17), inf), ((601, 17), inf)))
weights = draw((45, 40), 4, ((0, 1), inf), ((44, 39), -inf), ((7, 20), nan), ((8, 21), inf), ((9, 21), -inf))
header = json.dumps({"v": {"dtype": "F32", "shape": weights.shape, "data_offsets": [0, weights.nbytes]}}).encode()
with open("odd.safetensors", "wb") as out:
    out.write(struct.pack("<Q", len(header)) + header + weights.tobytes())

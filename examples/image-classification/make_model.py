"""Writes pictures.onnx, a network that tells stripes from plain pictures, and two pictures to try it on.

Its filters are edges, so it needs no training. A model of your own comes from a framework's exporter; this one is
written field by field, as onnx.proto numbers them, so that the example needs no package.
"""
import random
import struct

SIZE, CLASSES = 64, 3
FLOAT, UINT8, INT64 = 1, 2, 7


def varint(n):
    return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, dims, values):
    return b"".join(field(1, d) for d in dims) + field(2, FLOAT) + field(8, name) + field(9, struct.pack(f"<{len(values)}f", *values))


def attribute(name, value):
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    return field(1, name) + b"".join(field(8, i) for i in value) + field(20, 7)


def node(op, inputs, output, **attributes):
    return (b"".join(field(1, i) for i in inputs) + field(2, output) + field(3, output) + field(4, op)
            + b"".join(field(5, attribute(*a)) for a in attributes.items()))


def argument(name, dtype, dims):
    shape = b"".join(field(1, field(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, dtype) + field(2, shape)))


def network():
    sobel = [-1, 0, 1, -2, 0, 2, -1, 0, 1]
    across = [sobel[3 * column + row] for row in range(3) for column in range(3)]
    nodes = [node("Cast", ["pixels"], "bytes", to=FLOAT), node("Mul", ["bytes", "scale"], "colors"),
             node("Transpose", ["colors"], "planes", perm=[0, 3, 1, 2]),
             node("Conv", ["planes", "edges"], "filtered", kernel_shape=[3, 3]), node("Abs", ["filtered"], "strength"),
             node("GlobalAveragePool", ["strength"], "mean"), node("Flatten", ["mean"], "features"),
             node("Gemm", ["features", "weight", "bias"], "logits"), node("Softmax", ["logits"], "probs", axis=1)]
    weights = [tensor("scale", [], [1 / 255]), tensor("edges", [2, 3, 3, 3], sobel * 3 + across * 3),
               tensor("weight", [2, CLASSES], [0, 4, -4, 0, -4, 4]), tensor("bias", [CLASSES], [2, 0, 0])]
    graph = (b"".join(field(1, n) for n in nodes) + field(2, "pictures") + b"".join(field(5, w) for w in weights)
             + field(11, argument("pixels", UINT8, [1, SIZE, SIZE, 3])) + field(12, argument("probs", FLOAT, [1, CLASSES])))
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))


def picture(level):
    noise = random.Random(1)
    pixels = bytes(min(255, level(x, y) + noise.randrange(16)) for y in range(SIZE) for x in range(SIZE) for _ in range(3))
    return f"P6\n{SIZE} {SIZE}\n255\n".encode() + pixels


for name, data in (("pictures.onnx", network()), ("fence.ppm", picture(lambda x, y: 200 * (x // 4 % 2))),
                   ("blinds.ppm", picture(lambda x, y: 200 * (y // 4 % 2))), ("wall.ppm", picture(lambda x, y: 120))):
    with open(name, "wb") as file:
        file.write(data)

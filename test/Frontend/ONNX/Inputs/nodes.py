"""Compiles models of one node each and checks what hgc says about them.

Each line of the file `argv[1]` that starts with `# NODE: ` is a case:

    # NODE: Conv@11 f32[1,3,8,8] f32[4,3,3,3] kernel_shape=[1,1] => attribute 'kernel_shape' differs

An op (with its opset, else the newest; `domain:Op` for other domains), its inputs, attributes, and after
`=>` words of the diagnostic, or `ok` when the node compiles. Inputs are types with a shape, those with values
in braces are constants (`i64[2]{1,2}`, one value may stand for all), `-` is an input that is left out. Attributes are integers,
floats (with a point), lists of those, or other text as strings. `-> f32[2]` declares the type of an output, `->`
alone leaves it open.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

TYPES = {"f32": 1, "ui8": 2, "i8": 3, "ui16": 4, "i16": 5, "i32": 6, "i64": 7, "i1": 9, "f16": 10, "f64": 11,
         "ui32": 12, "ui64": 13, "bf16": 16}
VALUES = {1: 4, 11: 10, 7: 7, 12: 11, 13: 11}  # fields of typed data; others have int32_data, field 5


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def parse_type(text):
    """Element type, extents and values of `i64[2]{1,2}`."""
    match = re.fullmatch(r"(\w+)\[([\d,]*)\](?:\{(.*)\})?", text)
    shape = [int(extent) for extent in match[2].split(",") if extent]
    return TYPES[match[1]], shape, match[3]


def value_info(name, element, shape):
    dims = b"".join(data(1, number(1, extent)) for extent in shape)
    return data(1, name) + data(2, data(1, number(1, element) + data(2, dims)))


def tensor(name, element, shape, text):
    count = 1
    for extent in shape:
        count *= extent
    values = [float(v) if element in (1, 11) else int(v) for v in text.split(",") if v]
    values = values * count if len(values) == 1 else values
    field = VALUES.get(element, 5)
    packed = b"".join(struct.pack("<f" if element == 1 else "<d", v) if element in (1, 11) else varint(v) for v in values)
    return b"".join(number(1, extent) for extent in shape) + number(2, element) + data(field, packed) + data(8, name)


def attribute(name, text):
    """Kinds are 1 float, 2 int, 3 string, 4 tensor, 6 floats, 7 ints."""
    head = data(1, name)
    if text.startswith("["):
        items = [item for item in text[1:-1].split(",") if item]
        if any("." in item for item in items):
            return head + b"".join(real(7, float(item)) for item in items) + number(20, 6)
        return head + b"".join(number(8, int(item)) for item in items) + number(20, 7)
    if re.fullmatch(r"\w+\[[\d,]*\]\{.*\}", text):
        return head + data(5, tensor("", *parse_type(text))) + number(20, 4)
    if re.fullmatch(r"-?\d+", text):
        return head + number(3, int(text)) + number(20, 2)
    if re.fullmatch(r"-?\d*\.\d*", text):
        return head + real(2, float(text)) + number(20, 1)
    return head + data(4, text) + number(20, 3)


def make_model(words):
    name, _, opset = words[0].partition("@")
    domain, _, op = name.rpartition(":")
    node, graph, outputs, inputs = b"", b"", 0, 0
    declares = False
    for word in words[1:]:
        if word == "->":
            declares = True
        elif declares:
            node += data(2, f"y{outputs}")
            graph += data(12, value_info(f"y{outputs}", *parse_type(word)[:2]))
            outputs += 1
        elif word == "-":
            node += data(1, "")
        elif re.fullmatch(r"\w+\[[\d,]*\](\{.*\})?", word):
            element, shape, values = parse_type(word)
            node += data(1, f"x{inputs}")
            graph += data(11, value_info(f"x{inputs}", element, shape)) if values is None else \
                data(5, tensor(f"x{inputs}", element, shape, values))
            inputs += 1
        else:
            key, _, value = word.partition("=")
            node += data(5, attribute(key, value))
    if not outputs:
        node += data(2, "y0")
        graph += data(12, data(1, "y0"))
    node += data(3, "node") + data(4, op) + data(7, domain)
    version = number(2, int(opset or (1 if domain else 27)))
    opsets = data(8, data(1, domain) + version) if domain else data(8, version)
    return number(1, 10) + opsets + data(7, data(1, node) + data(2, "g") + graph)


def main():
    bad = count = 0
    with open(sys.argv[1]) as file, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.onnx")
        for line in file:
            if not line.startswith("# NODE: "):
                continue
            count += 1
            case, _, expected = line[len("# NODE: "):].strip().partition(" => ")
            with open(path, "wb") as out:
                out.write(make_model(case.split()))
            done = subprocess.run(["hgc", "compile", path, "--emit=graph", "-o", "-"], capture_output=True, text=True)
            isRight = done.returncode == 0 if expected == "ok" else \
                done.returncode == 1 and expected in done.stderr and "hint:" in done.stderr
            if not isRight:
                bad += 1
                print(f"{case}\n  expected: {expected}\n  status {done.returncode}: {done.stderr}")
    print(f"{count} nodes, {bad} bad")
    return bad != 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares what the emulator counted with what the plan says.

check_traffic.py MODEL.exec.mlir MODEL.h COUNTERS.json [CALLS [AHEAD]]

The plan's copies are those of the exec programs of the GPU plan, and MODEL.plan.json
lists those of a call: the load program runs once, the entry CALLS times. The runtime sends what is larger than half its
staging ring in pieces, so one copy may count several times; bytes do not change.
Inputs that are sent ahead of their call take at most AHEAD bytes beside the plan's,
and travel in one piece.
"""
import json
import re
import sys

WIDTHS = {"i1": 1, "i8": 1, "ui8": 1, "f16": 2, "bf16": 2, "i16": 2, "ui16": 2, "f32": 4, "i32": 4, "ui32": 4,
          "f64": 8, "i64": 8, "ui64": 8}


def size(memref):
    """Bytes of `64x256xf32` and alike, and the GPU's space or None."""
    shape, _, space = memref.partition(",")
    *dims, element = shape.strip().split("x")
    bytes_ = WIDTHS[element]
    for dim in dims:
        bytes_ *= int(dim)
    return bytes_, ("gpu" in space)


def copies(text):
    """(direction, bytes, whether at load) of each copy between devices."""
    for name, body in re.findall(r"exec\.program @(\S+) (.*?)(?=\n  exec\.program|\Z)", text, flags=re.S):
        head = body.split("{\n", 1)[0]
        if 'plan = "gpu"' not in head:
            continue
        for source, target in re.findall(r"exec\.copy .*? : memref<(.*?)>(?:>)?, memref<(.*?)>(?:>)?(?= loc|\n)", body):
            (bytes_, from_gpu), (_, to_gpu) = size(source), size(target)
            if from_gpu != to_gpu:
                yield ("device_to_host" if from_gpu else "host_to_device"), bytes_, bool(re.search(r"\bload\b, plan", head))


def ring(text, weights):
    """Staging memory, as runtime/devices/cuda/staging.c chooses it."""
    arguments = 0
    for tensors in re.findall(r'plan = "gpu", tensors = \[(.*?)\]\}', text):
        sizes = [size(t)[0] for t in re.findall(r"type = tensor<(.*?)>", tensors)]
        arguments = max(arguments, sum(-(-s // 256) * 256 for s in sizes))
    most = max(65536, weights, arguments)
    return min(-(-most // 65536) * 65536, 8 << 20)


def listed(path):
    """Copies and bytes of a call by direction, as the plan's file lists them."""
    totals = {}
    for entry in json.load(open(path))["variants"][0]["plans"][-1]["entries"]:
        for transfer in entry["transfers"]:
            if transfer["when"] == "call":
                direction = "device_to_host" if transfer["to"] == "cpu" else "host_to_device"
                count, total = totals.get(direction, (0, 0))
                totals[direction] = (count + transfer["times"], total + transfer["times"] * transfer["bytes"])
    return totals


def main():
    text, header = open(sys.argv[1]).read(), open(sys.argv[2]).read()
    counters, calls = json.load(open(sys.argv[3])), int(sys.argv[4]) if len(sys.argv) > 4 else 1
    constants = dict(re.findall(r"#define \w+?_((?:GPU0_)?[A-Z]+_BYTES|GPU0_BYTES) INT64_C\((\d+)\)", header))
    piece = ring(text, int(constants["WEIGHTS_BYTES"])) // 2
    expected, called = {}, {}
    for direction, bytes_, at_load in copies(text):
        if not at_load:
            count, total = called.get(direction, (0, 0))
            called[direction] = (count + 1, total + bytes_)
        times = 1 if at_load else calls
        count, total = expected.get(direction, (0, 0))
        expected[direction] = (count + times * -(-bytes_ // piece), total + times * bytes_)
    actual = {c["direction"]: (c["count"], c["bytes"]) for c in counters["copies"]
              if c["direction"] != "device_to_device"}
    peak, planned = counters["devices"][0]["peak_bytes"], int(constants["GPU0_BYTES"])
    print(f"copies and bytes: plan {sorted(expected.items())}, emulator {sorted(actual.items())}")
    print(f"peak: plan {planned}, emulator {peak}")
    if called != listed(sys.argv[2].replace(".h", ".plan.json")):
        sys.exit(f"error: the plan's file and its programs differ: {called}")
    ahead = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    if ahead:
        expected = {d: (min(count, actual.get(d, (0, 0))[0]), total) for d, (count, total) in expected.items()}
    if expected != actual or not planned <= peak <= planned + ahead or counters["findings"]:
        sys.exit("error: the plan and the emulator differ")


main()

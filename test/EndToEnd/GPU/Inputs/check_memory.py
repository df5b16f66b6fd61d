"""Compares the memory that a plan says, its header says and the emulator counted.

check_memory.py MODEL.exec.mlir MODEL.h COUNTERS.json

Prints the parts of the plan.
"""
import json
import re
import sys


def main():
    text, header = open(sys.argv[1]).read(), open(sys.argv[2]).read()
    counters = json.load(open(sys.argv[3]))
    memory = re.search(r"gpu_0 = \{(.*?)\}", text)
    parts = {key: int(value) for key, value in re.findall(r"(\w+) = (\d+) : i64", memory.group(1))} if memory else {}
    parts.pop("lower_bound", None)
    slots = re.search(r"slots = array<i64: (.*?)>", memory.group(1)) if memory else None
    parts["slots"] = sum(max(1, int(slot)) for slot in slots.group(1).split(",")) if slots else 0
    plan = sum(parts.values())
    constant = int(re.search(r"_GPU0_BYTES INT64_C\((\d+)\)", header).group(1))
    peaks = [device["peak_bytes"] for device in counters["devices"]]
    used = peaks[0] if peaks else 0
    print(" ".join(f"{key}={value}" for key, value in sorted(parts.items()) if value))
    if not plan == constant == used:
        sys.exit(f"the plan needs {plan} bytes, the header says {constant}, the emulator gave {used}")
    print("equal", plan)


if __name__ == "__main__":
    main()

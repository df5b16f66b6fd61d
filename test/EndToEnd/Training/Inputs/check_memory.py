"""Activations under a memory limit: check_memory.py HGC MODEL FOLDER cpu|gpu [OPTION...].

Trains a library with the smallest limit that hgc finds beside one without a limit, and compares memory, kernels and bits.
"""
import json
import pathlib
import random
import re
import subprocess
import sys

from library import Model

hgc, source, folder, device, *options = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
command = [hgc, "compile", source, "--train", "--loss", "mse", "--optimizer", "adam", "--num-threads", "1", *options]


def build(name, *limit):
    library = folder / f"{name}.so"
    subprocess.run([*command, *limit, "-o", library], check=True, stderr=subprocess.DEVNULL)
    plans = json.loads(library.with_suffix(".plan.json").read_text())["variants"]
    plan = next(p for variant in plans for p in variant["plans"] if p["name"] == device and "batch" in variant["dims"])
    step = next(e for e in plan["entries"] if e["name"] == "train_step")
    memory = next(m for m in plan["memory"] if m["device"].startswith(device))
    transfers = [t for t in step["transfers"] if "spilled" in t.get("reason", "")]
    return library, memory["arena_bytes"], sum(len(k["ops"]) for k in step["kernels"]), len(transfers)


def train(library):
    model, rng = Model(library, device="emulated" if device == "gpu" else "cpu"), random.Random(3)
    model.call("init", [1])
    for step in range(1, 4):
        x, y = ([rng.uniform(-1, 1) for _ in range(n)] for n in (256 * 16, 256 * 4))
        model.call("train_step", x, y, [step], [256], batch=256)
    return model.state()


refused = subprocess.run([*command, f"--memory-limit={device}=1", "-o", folder / "none.so"], capture_output=True, text=True)
smallest = re.search(r"smallest limit hgc found: (\d+) bytes on " + device, refused.stderr)
if not smallest:
    sys.exit(f"no smallest limit: {refused.stderr}")
free, freeBytes, freeOps, _ = build("free")
lean, leanBytes, leanOps, spilled = build("lean", f"--memory-limit={device}={smallest.group(1)}")
if leanBytes > 0.85 * freeBytes:
    sys.exit(f"the arena has {leanBytes} bytes under a limit, {freeBytes} without")
if leanOps <= freeOps and not spilled:
    sys.exit("nothing is computed again or parked")
if train(free) != train(lean):
    sys.exit("the limit changes bits")
print(f"{device}: less memory, the same bits")

#!/usr/bin/env python3
"""Compiles models for aarch64, runs them under qemu-aarch64 and compares with the
evaluator: examples, and random graphs over all ops and types. Results must not
depend on the number of threads.

Needs a compiler for aarch64 and qemu-user; ends with status 77 without them.
"""
import argparse
import ast
import concurrent.futures
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import random_graphs

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILERS = [["clang-22", "--target=aarch64-linux-gnu", "-fuse-ld=lld"], ["aarch64-linux-gnu-gcc"]]
SYSROOT = "/usr/aarch64-linux-gnu"
# Targets, and CPUs of qemu that have no more than these; `max` is all that it knows.
CPUS = {"armv8-a": "cortex-a53", "neoverse-n1": "neoverse-n1", "cortex-a72": "cortex-a72", "neoverse-v1": "max"}
EXAMPLES = ["mlp/mlp.mlir", "mnist-cnn/mnist_cnn.mlir", "lstm/lstm.mlir"]
# What a model may differ by: the bounds of docs/numerics.md, by its coarsest type.
BOUNDS = {"bf16": 3e-2, "f16": 4e-3, "f32": 1e-5}
# Elements of .npy files as Python's struct reads them.
FORMATS = {"f4": "f", "f8": "d", "f2": "e", "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I",
           "u8": "Q"}
DEPTH = 4  # the square root of depth / 256 of the deepest contraction here, rounded up
SKIPPED = 77


def skip(what, packages):
    print(f"skipped: {what}\nhint: install {packages}")
    sys.exit(SKIPPED)


def build_caller(folder):
    """The program that calls a model, for aarch64."""
    header, caller = ROOT / "runtime" / "include", folder / "call_entries"
    for compiler in COMPILERS:
        if shutil.which(compiler[0]) and subprocess.run(
                compiler + ["-O1", f"-I{header}", ROOT / "scripts" / "call_entries.c", "-o", caller],
                stderr=subprocess.DEVNULL).returncode == 0:
            return caller
    skip("no compiler makes programs for aarch64", "libc6-dev-arm64-cross and libgcc-12-dev-arm64-cross")


def load(path, element):
    """Shape and values of a .npy file; NumPy is not always there."""
    data = path.read_bytes()
    start = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:start].decode())
    code = FORMATS[header["descr"][1:]]
    values = [value for value, in struct.iter_unpack("<" + code, data[start:])]
    if element == "bf16":
        values = [struct.unpack("<f", struct.pack("<I", value << 16))[0] for value in values]
    return header["shape"], values


def differs(got, want, is_float, bound):
    """A complaint, or None: error by the measure of docs/numerics.md, equal integers, equal NaN and infinities."""
    (got_shape, got), (want_shape, want) = got, want
    if got_shape != want_shape or len(got) != len(want):
        return f"shape {got_shape} is not {want_shape}"
    if not is_float:
        return None if got == want else f"{sum(a != b for a, b in zip(got, want))} integers differ"
    pairs = [(a, b) for a, b in zip(got, want) if not (a == b or (math.isnan(a) and math.isnan(b)))]
    if not all(math.isfinite(a) and math.isfinite(b) for a, b in pairs):
        return "NaN or infinities are at other places"
    finite = [abs(b) for b in want if math.isfinite(b)]
    scale = max([*finite, 1e-30])
    error = max((abs(a - b) for a, b in pairs), default=0) / scale
    return f"error {error:.2e}, bound {bound:.2e}" if error > bound else None


def run(command, **kwargs):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600, **kwargs)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(hgc, caller, model, cpu, folder, flags=()):
    """Compiles, runs and compares a model; returns how many entries it has."""
    library = folder / "model.so"
    run([hgc, "compile", model, f"--target-cpu={cpu}", "-o", library, *flags])
    tensors = {}
    for threads in (1, 3):
        out = folder / f"threads{threads}"
        out.mkdir()
        text = run(["qemu-aarch64", "-cpu", CPUS[cpu], "-L", SYSROOT, caller, library, out, threads])
        tensors[threads] = [line.split() for line in text.splitlines()]
    one, three = folder / "threads1", folder / "threads3"
    entries = {}
    for kind, entry, name, element in tensors[1]:
        file = f"{entry}.{kind}.{name}.npy"
        if (one / file).read_bytes() != (three / file).read_bytes():
            raise RuntimeError(f"entry {entry}: {name} depends on the number of threads")
        entries.setdefault(entry, {"in": [], "out": []})[kind].append((name, element, one / file))
    text = pathlib.Path(model).read_text()
    bound = DEPTH * max(b for element, b in BOUNDS.items() if element + ">" in text or element == "f32")
    for entry, sides in entries.items():
        expected = {name: folder / f"{entry}.{name}.npy" for name, _, _ in sides["out"]}
        run([hgc, "eval", model, f"--entry={entry}", *(f"--input={name}=@{path}" for name, _, path in sides["in"]),
             *(f"--output={name}=@{path}" for name, path in expected.items())])
        for name, element, path in sides["out"]:
            problem = differs(load(path, element), load(expected[name], element), "f" in element, bound)
            if problem:
                raise RuntimeError(f"entry {entry}, {name} ({element}): {problem}")
    return len(entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=pathlib.Path, help="models to check instead of examples and random graphs")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--count", type=int, default=50, help="number of random graphs")
    parser.add_argument("--per-module", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for models that fail")
    args = parser.parse_args()
    if not shutil.which("qemu-aarch64"):
        skip("there is no qemu-aarch64", "qemu-user")
    hgc = (args.build / "bin" / "hgc").resolve()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        folder = pathlib.Path(folder)
        caller = build_caller(folder)
        probe = subprocess.run([hgc, "compile", ROOT / "examples" / EXAMPLES[0], "--target-cpu=armv8-a", "-o",
                                folder / "probe.so"], capture_output=True, text=True)
        if "holds no runtime" in probe.stderr:
            skip("this hgc holds no runtime for aarch64", "libc6-dev-arm64-cross and build hgc again")
        models = [(model.stem, model.resolve(), []) for model in args.models]
        if not models:
            models = [(pathlib.Path(e).stem, ROOT / "examples" / e, []) for e in EXAMPLES]
            for seed in range(args.seed, args.seed + -(-args.count // args.per_module)):
                path = folder / f"random_{seed}.mlir"
                path.write_text(random_graphs.make_module(seed, args.per_module))
                models.append((path.stem, path, ["-O0"] if seed % 4 == 2 else ["--arena=separate"] if seed % 4 == 1 else []))
        jobs = {}
        for i, (name, model, flags) in enumerate(models):
            (folder / f"{i}").mkdir()
            jobs[pool.submit(check, hgc, caller, model, list(CPUS)[i % len(CPUS)], folder / f"{i}", flags)] = (name, model, flags)
        entries, failed = 0, 0
        for job in concurrent.futures.as_completed(jobs):
            name, model, flags = jobs[job]
            try:
                entries += job.result()
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"{name} {' '.join(flags)}: {error}", flush=True)
                if args.keep:
                    args.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(model, args.keep)
    print(f"aarch64 under qemu: {entries} entries of {len(models) - failed} models agree, {failed} models failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

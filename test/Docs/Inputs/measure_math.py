"""Measures the f32 elementary functions and compares with docs/numerics.md.

usage: measure_math.py NUMERICS.md WORK_DIR [POINTS]

Each row of the page's table must name the functions and hold an error at least
as large as the one measured here against double precision. With a third
argument the number of points per range is set; the page was made with 400000.
"""
import math
import pathlib
import re
import subprocess
import sys

import numpy as np


def spread(low, high, rng, count):
    """Log-uniform magnitudes of both signs."""
    return np.exp(rng.uniform(np.log(low), np.log(high), count)) * rng.choice([-1.0, 1.0], count)


def positive(low, high, rng, count):
    return np.abs(spread(low, high, rng, count))


def flat(low, high, rng, count):
    return rng.uniform(low, high, count)


ERF = np.vectorize(math.erf)
CASES = [
    ("exp", flat, -87, 88, np.exp), ("expm1", spread, 1e-30, 1, np.expm1), ("expm1", flat, -80, 88, np.expm1),
    ("log", positive, 1e-37, 1e38, np.log), ("log1p", spread, 1e-30, 0.9, np.log1p), ("log1p", positive, 0.9, 1e38, np.log1p),
    ("sqrt", positive, 1e-37, 1e38, np.sqrt), ("rsqrt", positive, 1e-37, 1e38, lambda x: 1 / np.sqrt(x)),
    ("sin", flat, -10, 10, np.sin), ("sin", spread, 10, 1e5, np.sin), ("cos", flat, -10, 10, np.cos), ("cos", spread, 10, 1e5, np.cos),
    ("tan", flat, -10, 10, np.tan), ("asin", flat, -1, 1, np.arcsin), ("acos", flat, -1, 1, np.arccos),
    ("atan", spread, 1e-30, 1e30, np.arctan), ("sinh", spread, 1e-10, 88, np.sinh), ("cosh", flat, -88, 88, np.cosh),
    ("tanh", spread, 1e-30, 20, np.tanh), ("asinh", spread, 1e-30, 1e30, np.arcsinh), ("acosh", positive, 1, 1e30, np.arccosh),
    ("atanh", spread, 1e-30, 0.999, np.arctanh), ("erf", spread, 1e-30, 6, ERF), ("sigmoid", flat, -87, 87, lambda x: 1 / (1 + np.exp(-x))),
]


def compile_models(work, count):
    """One library with an entry per function."""
    tensor = f"tensor<{count}xf32>"
    text = "module @functions {\n"
    for name in dict.fromkeys(case[0] for case in CASES):
        text += (f"func.func @{name}(%x: {tensor} {{hgc.name = \"x\"}}) -> ({tensor} {{hgc.name = \"y\"}}) attributes {{hgc.entry}} {{\n"
                 f"  %0 = hgc.{name} %x : {tensor}\n  return %0 : {tensor}\n}}\n")
    (work / "functions.mlir").write_text(text + "}\n")
    subprocess.run(["hgc", "compile", "functions.mlir", "-o", "functions.so"], cwd=work, check=True)


def measure(work, name, x, reference):
    np.save(work / "x.npy", x)
    subprocess.run(["hgc", "run", "functions.so", f"--entry={name}", "--input=x=@x.npy", "--output=y=@y.npy"], cwd=work, check=True,
                   stdout=subprocess.DEVNULL)
    y, exact = np.load(work / "y.npy").astype(np.float64), reference(x.astype(np.float64))
    normal = np.abs(exact) >= 2.0**-126
    return float(np.max(np.abs(y - exact)[normal] / np.abs(exact)[normal]))


def main():
    page, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    work.mkdir(parents=True, exist_ok=True)
    bounds = {}
    for names, error in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|.*\| ([\d.e-]+) \|$", page.read_text(), flags=re.M):
        for name in re.findall(r"`(\w+)`", names):
            bounds[name] = float(error)
    compile_models(work, count)
    rng, bad = np.random.default_rng(1), 0
    for name, draw, low, high, reference in CASES:
        error = measure(work, name, draw(low, high, rng, count).astype(np.float32), reference)
        wrong = error > bounds.get(name, 0)
        bad += wrong
        print(f"{name:8} {low:8g} to {high:8g}: {error:.2e}, page {bounds.get(name, 0):.1e}{' <-- larger' if wrong else ''}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Fits and checks the model of matrix products on GPUs.

    benchmarks/cost_model.py measured.csv            # error of lib/Target/tables
    benchmarks/cost_model.py measured.csv --fit      # parameters from one half, error on the other

The CSV has the columns gpu, batch, m, n, k, types and flops_per_second, with types
such as bf16xbf16->bf16; f32 counts as tf32. Products are split in halves by a hash
of their extents: the tables were fitted on half 0, and errors are those of half 1.
The formula is that of lib/Target/GemmModel.cpp; unittests/Target/GemmModelTest.cpp
holds the compiled one to the same points.
"""

import argparse
import csv
import json
import pathlib
import zlib

TABLES = pathlib.Path(__file__).resolve().parent.parent / "lib/Target/tables"
GPUS = {"H100-SXM": "h100", "B200": "b200"}
KINDS = {"bf16": "f16", "f16": "f16", "f32": "tf32"}
TILES = [(64, 64), (128, 64), (128, 128), (128, 256)]
PROLOGUE, SHORTEST_SPLIT, SPLIT_SECONDS, TRAFFIC = 64, 256, 1.7e-6, 0.85


def ceil_div(a, b):
    return -(-a // b)


def estimate(table, kind, figures, product):
    """Seconds of a product; as estimateGemm."""
    batch, m, n, k = product
    latency, efficiency, overhead = figures
    rate = table["tensor_flops"][kind] * efficiency / table["sms"]
    bandwidth = TRAFFIC * table["memory_bandwidth"]
    best = float("inf")
    for rows, columns in TILES:
        rows, columns = min(rows, ceil_div(m, 8) * 8), min(columns, ceil_div(n, 8) * 8)
        slowdown = 1 + overhead * (1 / rows + 1 / columns)
        tiles = batch * ceil_div(m, rows) * ceil_div(n, columns)
        for splits in (1, 2, 4, 8):
            if splits > 1 and k // splits < SHORTEST_SPLIT:
                break
            waves = ceil_div(tiles * splits, table["sms"])
            seconds = waves * 2 * rows * columns * (k / splits + PROLOGUE) * slowdown / rate
            if splits > 1:
                seconds += SPLIT_SECONDS + 4 * batch * m * n * (splits + 1) / bandwidth
            best = min(best, seconds)
    element = 2 if kind == "f16" else 4
    traffic = element * batch * (m * k + k * n + m * n) / bandwidth
    return latency * 1e-12 + max(best, traffic)


def get_errors(table, kind, figures, points):
    return sorted(abs(estimate(table, kind, figures, product) / seconds - 1) for product, seconds in points)


def fit(table, kind, points):
    """Pattern search for the least mean error; efficiency stays below 95 %."""
    def score(figures):
        errors = get_errors(table, kind, figures, points)
        return sum(min(error, 1) for error in errors) / len(errors)

    best, step = [5e6, 0.8, 15.0], 0.3
    value = score(best)
    while step > 0.005:
        improved = False
        for index in range(3):
            for factor in (1 + step, 1 / (1 + step)):
                trial = list(best)
                trial[index] *= factor
                trial[1] = min(trial[1], 0.95)
                trial_value = score(trial)
                if trial_value < value:
                    best, value, improved = trial, trial_value, True
        step = step if improved else step / 2
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", type=pathlib.Path)
    parser.add_argument("--fit", action="store_true", help="print parameters fitted on half 0")
    parser.add_argument("--max-median", type=float, help="fail when a median is above this many percent")
    options = parser.parse_args()

    halves = {}
    with options.csv.open() as file:
        for row in csv.DictReader(file):
            kind = KINDS.get(row["types"].split("x")[0])
            if kind is None or row["gpu"] not in GPUS:
                continue
            product = tuple(int(row[key]) for key in ("batch", "m", "n", "k"))
            half = zlib.crc32(",".join(map(str, product)).encode()) & 1
            seconds = 2 * product[0] * product[1] * product[2] * product[3] / float(row["flops_per_second"])
            halves.setdefault((GPUS[row["gpu"]], kind), ([], []))[half].append((product, seconds))

    failed = False
    for (gpu, kind), (fitted, held) in sorted(halves.items()):
        table = json.loads((TABLES / f"{gpu}.json").read_text())
        figures = [table["gemm"][kind][key] for key in ("latency_ps", "efficiency", "tile_overhead")]
        if options.fit:
            figures = fit(table, kind, fitted)
            print(f"{gpu} {kind}: latency_ps {figures[0]:.0f}, efficiency {figures[1]:.3f}, "
                  f"tile_overhead {figures[2]:.1f}")
        errors = get_errors(table, kind, figures, held)
        median, p90 = 100 * errors[len(errors) // 2], 100 * errors[len(errors) * 9 // 10]
        print(f"{gpu} {kind}: {len(errors)} held-out products, error median {median:.1f} %, p90 {p90:.1f} %")
        failed |= options.max_median is not None and median > options.max_median
    if failed:
        raise SystemExit("the median error is too large")


if __name__ == "__main__":
    main()

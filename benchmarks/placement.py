#!/usr/bin/env python3
"""Times hgc-place on generated graphs: benchmarks/placement.py [--build build] [--ops 1000,10000,100000]"""
import argparse
import pathlib
import random
import subprocess


def write_graph(path, ops):
    """A chain of layers with side branches: values with several readers, weights, fusable neighbours."""
    rng = random.Random(1)
    kind = "tensor<256x256xf32>"
    lines = ['module attributes {hgc.target_gpu = "a100"} {', f"hgc.parameter @w : {kind} = #hgc.init<ones>",
             f'func.func @f(%v0: {kind}) -> {kind} attributes {{hgc.entry, hgc.plan = "gpu"}} {{', f"%w = hgc.read @w : {kind}"]
    for i in range(1, ops + 1):
        a, b = (f"%v{max(0, i - 1 - rng.randrange(4))}" for _ in range(2))
        pair = f" : ({kind}, {kind}) -> {kind}"
        lines.append(f"%v{i} = hgc." + rng.choice([f"matmul {a}, %w{pair}", f"add {a}, {b}{pair}", f"tanh {a} : {kind}",
                                                   f"relu {a} : {kind}"]))
    lines += [f"return %v{ops} : {kind}", "}", "}"]
    path.write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--ops", default="1000,10000,100000")
    args = parser.parse_args()
    for ops in map(int, args.ops.split(",")):
        path = args.build / "placement-benchmark.mlir"
        write_graph(path, ops)
        result = subprocess.run([args.build / "bin" / "hgc-opt", path, "--hgc-place", "--mlir-timing", "-o", "/dev/null"],
                                capture_output=True, text=True, check=True)
        line = next(line for line in result.stderr.splitlines() if line.rstrip().endswith("Place"))
        print(f"{ops} ops: hgc-place {line.split()[0]} s")
        path.unlink()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compiles the benchmark models and times them against OpenBLAS.

Needs a built hgc, a C compiler and libopenblas-dev. Run from anywhere:

    benchmarks/openblas.py --hgc build/bin/hgc --threads 1,2 --rounds 5

OpenBLAS picks its code for the machine it runs on; so does hgc here, unless
--target-cpu names another CPU, such as the portable x86-64-v3.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = [HERE / "gemm.mlir", HERE / "conv.mlir", HERE.parent / "examples" / "mlp" / "mlp.mlir"]
SIDES = ("hgc", "openblas")


def build(work: pathlib.Path, args: argparse.Namespace) -> pathlib.Path:
    """Compiles the models and the program that times them."""
    libraries = []
    for model in MODELS:
        library = work / (model.stem + ".so")
        subprocess.run([args.hgc, "compile", str(model), "-o", str(library), "--target-cpu=" + args.target_cpu],
                       check=True)
        libraries.append(str(library))
    program = work / "compare"
    subprocess.run([args.cc, "-std=c11", "-O3", "-march=" + args.target_cpu, "-I", str(work),
                    str(HERE / "openblas_compare.c"), *libraries, "-lopenblas", "-lm", f"-Wl,-rpath,{work}",
                    "-o", str(program)], check=True)
    return program


def measure(program: pathlib.Path, threads: str, args: argparse.Namespace) -> None:
    """Alternates the two sides, so that a busy machine slows both, and prints a table row per case."""
    medians, least = {}, {}
    for _ in range(args.rounds):
        for side in SIDES:
            lines = subprocess.run([str(program), side, threads, str(args.seconds)], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout.splitlines()
            for line in lines:
                case, median, minimum = line.split("\t")
                medians.setdefault(case, {}).setdefault(side, []).append(float(median))
                least.setdefault(case, {}).setdefault(side, []).append(float(minimum))
    for case in medians:
        ours, theirs = (statistics.median(medians[case][side]) for side in SIDES)
        best, their_best = (min(least[case][side]) for side in SIDES)
        print(f"| {case} | {args.target_cpu} | {threads} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.2f} "
              f"| {best:.2f} | {their_best:.2f} | {their_best / best:.2f} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hgc", default=str(HERE.parent / "build" / "bin" / "hgc"), help="the compiler")
    parser.add_argument("--cc", default="cc", help="C compiler for the program that compares")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, with commas")
    parser.add_argument("--rounds", type=int, default=5, help="how often to alternate")
    parser.add_argument("--seconds", type=float, default=0.3, help="time for each case and round")
    parser.add_argument("--target-cpu", default="native", help="CPU to compile for, such as native or x86-64-v3")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        program = build(pathlib.Path(work), args)
        print("| case | target | threads | hgc median us | OpenBLAS median us | ratio | hgc least us | OpenBLAS least us "
              "| ratio |\n|---|---|---|---|---|---|---|---|---|")
        for threads in args.threads.split(","):
            measure(program, threads, args)
    return 0


if __name__ == "__main__":
    sys.exit(main())

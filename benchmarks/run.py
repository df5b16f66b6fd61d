#!/usr/bin/env python3
"""Compiles the benchmark models and times them against OpenBLAS.

Needs a built hgc, a C compiler and libopenblas-dev. Run from anywhere:

    benchmarks/run.py --hgc build/bin/hgc --threads 1,2 --seconds 2
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = [HERE / "gemm.mlir", HERE / "conv.mlir", HERE.parent / "examples" / "mlp" / "mlp.mlir"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hgc", default=str(HERE.parent / "build" / "bin" / "hgc"), help="the compiler")
    parser.add_argument("--cc", default="cc", help="C compiler for the program that compares")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, with commas")
    parser.add_argument("--seconds", type=float, default=1, help="time for each case")
    parser.add_argument("--target-cpu", default="x86-64-v3", help="CPU to compile for")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        libraries = []
        for model in MODELS:
            library = pathlib.Path(work) / (model.stem + ".so")
            subprocess.run([args.hgc, "compile", str(model), "-o", str(library), "--target-cpu=" + args.target_cpu],
                           check=True)
            libraries.append(str(library))
        program = str(pathlib.Path(work) / "compare")
        subprocess.run([args.cc, "-std=c11", "-O3", "-march=" + args.target_cpu, "-I", work,
                        str(HERE / "openblas_compare.c"), *libraries, "-lopenblas", "-lm", "-Wl,-rpath," + work,
                        "-o", program], check=True)
        subprocess.run([program, str(args.seconds), *args.threads.split(",")], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Builds hgc with AddressSanitizer (and checks of arithmetic) and with
ThreadSanitizer, and runs unit tests, lit and a round of fuzzing in each.

Each build is a whole one: minutes of work. `--quick` takes only the runtime,
which is small and runs all threads but that of `hgc train`.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# libMLIR is not instrumented: containers cross the border, arenas that our code
# poisons are filled by its own, and what it keeps until the end looks like a leak.
OPTIONS = {
    "ASAN_OPTIONS": "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:alloc_dealloc_mismatch=0",
    "TSAN_OPTIONS": "halt_on_error=1",
}


def run(command, **kwargs):
    print("==>", " ".join(str(c) for c in command), flush=True)
    return subprocess.run([str(c) for c in command], cwd=ROOT, **kwargs).returncode == 0


def find_tool(build, variable):
    """A program that the build was configured with."""
    lines = (build / "CMakeCache.txt").read_text().splitlines()
    return next(line.split("=", 1)[1] for line in lines if line.startswith(variable + ":"))


def train(build, sanitizer, env):
    """`hgc train` on instrumented code: a thread that makes batches, two calls in flight, kernels on several threads,
    checkpoints meanwhile, validation and a run that goes on."""
    hgc, inputs = build / "bin" / "hgc", ROOT / "test" / "Train" / "Inputs"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        library = folder / "mlp.so"
        command = [hgc, "train", library, "--data", f"x={folder}/clothes.npz", "--labels", f"{folder}/clothes.npz",
                   "--validation-split", "0.2", "--num-threads", "4", "--checkpoint", folder / "run", "--checkpoint-every", "2"]
        # The tests' interpreter has what the data sets are made with.
        return run([find_tool(build, "HGC_PYTHON"), inputs / "data.py", folder]) and \
            run([hgc, "compile", ROOT / "examples/fashion-mnist/fashion_mlp.mlir", "--train", "--train-entry=predict", "--metrics", "accuracy",
                 "--loss", "sparse_categorical_crossentropy", f"--sanitize={sanitizer}", "-o", library], env=env) and \
            run([*command, "--epochs", "3"], env=env) and run([*command, "--epochs", "5", "--resume"], env=env)


def check(preset, quick, jobs):
    build = ROOT / f"build-{preset}"
    env = dict(os.environ, **OPTIONS)
    # For ThreadSanitizer only what runs threads is built.
    targets = ["hgc_rt_tests"] if quick else ["hgc_rt_tests", "hgc"] if preset == "tsan" else []
    if not run(["cmake", "--preset", preset], stdout=subprocess.DEVNULL) or \
       not run(["ninja", "-C", build, f"-j{jobs}", *targets], stdout=subprocess.DEVNULL):
        return [f"{preset}: build"]
    failed = []
    if not quick and not train(build, "thread" if preset == "tsan" else "address", env):
        failed.append(f"{preset}: hgc train")
    if quick or preset == "tsan":
        if not run([build / "unittests" / "hgc_rt_tests", "--gtest_brief=1"], env=env):
            failed.append(f"{preset}: hgc_rt_tests")
        return failed
    if not run(["ctest", "--test-dir", build, "-E", "^lit$", f"-j{jobs}", "--output-on-failure"], env=env,
               stdout=subprocess.DEVNULL):
        failed.append(f"{preset}: unit tests")
    if not run([find_tool(build, "HGC_LIT"), "-sv", f"-j{jobs}", build / "test"], env=env):
        failed.append(f"{preset}: lit")
    if not run([sys.executable, ROOT / "scripts" / "fuzz_models.py", "--build", build, "--count", 300,
                "--jobs", jobs, "--no-space-limit"], env=env):
        failed.append(f"{preset}: fuzz_models.py")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", choices=["asan", "tsan"], action="append", help="default: both")
    parser.add_argument("--quick", action="store_true", help="only the runtime")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    failed = []
    for preset in args.preset or ["asan", "tsan"]:
        failed += check(preset, args.quick, args.jobs)
    for name in failed:
        print("FAILED:", name)
    print("sanitizers:", f"{len(failed)} suites failed" if failed else "clean")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Fails every driver call of a model's life in turn, on the emulated GPU.

Each run must end with the right result (the CPU plan took over, or the call did
not matter) or with a clean error; never with a crash, a hang or a leak. Without
--count all calls of each model are tried, else that many spread over its life.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = {"mlp/mlp.mlir": ["probs"], "mnist-cnn/mnist_cnn.mlir": ["probs"], "lstm/lstm.mlir": ["last", "states"]}


class Model:
    """A compiled example and what its evaluator says."""

    def __init__(self, source, outputs, hgc, work):
        self.name, self.hgc, self.work = source.stem, hgc, work
        self.library = work / (source.stem + ".so")
        subprocess.run([hgc, "compile", source, "--gpu", "sm_80", "--place", "gpu(.*)", "-o", self.library], check=True)
        files = [f"{output}=@{work / (self.name + '-' + output + '.npy')}" for output in outputs]
        self.expected = [word for file in files for word in ("--expect", file)]
        subprocess.run([hgc, "eval", source, *(word for file in files for word in ("--output", file))], check=True,
                       stdout=subprocess.DEVNULL)

    def run(self, **variables):
        command = [self.hgc, "run", self.library, "--device", "emulated", *self.expected]
        environment = dict(os.environ, HGC_EMU_LEAKS="1", **variables)
        return subprocess.run(command, env=environment, text=True, capture_output=True, timeout=120)

    def count_calls(self):
        calls = self.work / (self.name + ".calls")
        done = self.run(HGC_EMU_CALLS=str(calls))
        if done.returncode != 0:
            sys.exit(f"{self.name} fails without any injected failure:\n{done.stderr}")
        first = calls.read_text().splitlines()[0].split()
        return int(first[1])

    def check(self, call):
        """What is wrong with the run whose call number `call` fails; None: nothing."""
        try:
            done = self.run(HGC_EMU_FAIL=f"any:{call}")
        except subprocess.TimeoutExpired:
            return f"{self.name}, call {call}: hangs"
        text = done.stderr + done.stdout
        if done.returncode not in (0, 1):
            return f"{self.name}, call {call}: exit code {done.returncode}\n{text}"
        if done.returncode == 1 and ("hgc: error:" not in done.stderr or "hint:" not in done.stderr):
            return f"{self.name}, call {call}: fails without an error and a hint\n{text}"
        if "' differs in " in done.stderr:
            return f"{self.name}, call {call}: a wrong result\n{text}"
        if "hgc-emu:" in text:
            return f"{self.name}, call {call}: a finding of the emulator\n{text}"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, help="calls to fail in each model")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    bad, runs = [], 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for source, outputs in MODELS.items():
            model = Model(ROOT / "examples" / source, outputs, args.build.resolve() / "bin" / "hgc", pathlib.Path(folder))
            total = model.count_calls()
            count = min(total, args.count or total)
            calls = sorted({1 + i * (total - 1) // max(count - 1, 1) for i in range(count)})
            bad += [problem for problem in pool.map(model.check, calls) if problem]
            runs += len(calls)
            print(f"{model.name}: {len(calls)} of {total} driver calls failed in turn", flush=True)
    for problem in bad[:10]:
        print(problem)
    print(f"failed driver calls: {runs} runs, {len(bad)} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

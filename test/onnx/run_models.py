#!/usr/bin/env python3
"""Compiles whole models and compares what the libraries compute with recorded
results: the pretrained and generated models of ../shared/models beside the
project, or those of the folders named.

The error of an output is max|a-b| / max(max|b|, 1e-3 rms(b), tiny); NaNs and
infinities must agree. A quantised model jumps where a value lies between two steps,
and results recorded on other CPUs may have been summed with saturation: it must
agree with ONNX Runtime on the same machine or, where that saturates, be as near to
the recorded results as ONNX Runtime is with sums of floats. Without models, or without a network: status 77.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import time

import environment
import pool

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = ROOT.parent / "shared" / "models"
BOUND = 1e-4


def error_of(result, expected):
    """The error measure of one tensor."""
    import numpy as np
    if result.shape != expected.shape or result.dtype != expected.dtype:
        raise ValueError(f"{result.dtype}{list(result.shape)}, expected {expected.dtype}{list(expected.shape)}")
    a, b = result.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(np.where(finite, 0, b), np.where(np.isfinite(a), 0, a), equal_nan=True):
        return float("inf")
    if not finite.any():
        return 0.0
    a, b = a[finite], b[finite]
    scale = max(np.abs(b).max(), 1e-3 * np.sqrt(np.mean(b * b)), np.finfo(np.float32).tiny)
    return float(np.abs(a - b).max() / scale)


def compile_measured(command, folder, timeout):
    """Seconds and peak megabytes of the compiler; its messages when it fails."""
    start = time.time()
    with open(folder / "messages", "w+") as messages:
        process = subprocess.Popen([str(c) for c in command], stderr=messages, cwd=folder,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(timeout),) * 2))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        text = messages.read()
    return process.returncode, time.time() - start, usage.ru_maxrss / 1024, text


def has_exact_sums():
    """Whether ONNX Runtime sums bytes exactly here: on x86 without dot products of bytes it saturates."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    return platform.machine() != "x86_64" or (cpuinfo.exists() and "vnni" in cpuinfo.read_text())


def run_runtime(folder, inputs, values, exact):
    """What ONNX Runtime gives; without exact sums as it runs the model as it is, in floats."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    if not exact:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    return session.run(None, {info.name: value for info, value in zip(inputs, values)})


class Runner:
    def __init__(self, args):
        self.args = args

    def run(self, case, scratch):
        import cases
        import library
        import onnx
        folder = pathlib.Path(case["folder"])
        model = onnx.load(folder / "model.onnx", load_external_data=False)
        inputs = cases.get_inputs(model)
        measured, worst, near, compiled_for = {"seconds": 0.0, "megabytes": 0.0}, 0.0, 0.0, None
        output = scratch / "model.so"
        is_quantized = any(node.op_type == "QuantizeLinear" for node in model.graph.node)
        for values, expected in cases.load_data_sets(folder):
            flags = list(cases.shape_flags(inputs, values))
            if flags != compiled_for:
                command = library.compile_command(self.args.build, folder / "model.onnx", output, flags,
                                                  self.args.device)
                status, seconds, megabytes, text = compile_measured(command, scratch, case["timeout"])
                if status != 0:
                    return {"outcome": pool.FAILED, "text": f"hgc compile ended with {status}: {text.strip()[:2000]}"}
                measured = {"seconds": max(measured["seconds"], seconds),
                            "megabytes": max(measured["megabytes"], megabytes)}
                compiled_for = flags
            try:
                with library.open_library(self.args.build, output, self.args.device) as compiled:
                    results = compiled.call(cases.order_inputs(compiled, inputs, values))
                    if is_quantized:
                        runtime = run_runtime(folder, inputs, values, has_exact_sums())
                        near = max([near, *(error_of(a, b) for a, b in zip(runtime, expected, strict=True))])
                        expected = runtime if has_exact_sums() else expected
                    worst = max([worst, *(error_of(a, b) for a, b in zip(results, expected, strict=True))])
            except (library.CallError, ValueError) as error:
                return dict(measured, outcome=pool.FAILED, text=str(error))
        bound, text = case["bound"], ""
        if is_quantized and has_exact_sums():
            text = f"quantised; ONNX Runtime is {near:.1e} from the recorded results"
        elif is_quantized:
            bound, text = max(bound, 1.1 * near), f"quantised; ONNX Runtime has {near:.1e}"
        if not worst <= bound:
            text = f"the bound is {bound:.1e}"
        return dict(measured, outcome=pool.FAILED if not worst <= bound else "passed", error=worst, text=text)


def find_models(args):
    """Folders with a model and its data."""
    roots = args.folders or [SHARED]
    folders = sorted(path.parent for root in roots for path in root.rglob("model.onnx")
                     if any(path.parent.glob("test_data_set_*")))
    cases = []
    for folder in folders:
        root = next(root for root in roots if folder.is_relative_to(root))
        name = folder.relative_to(root).as_posix() if folder != root else folder.name
        if not args.match or re.search(args.match, name):
            cases.append({"name": name, "folder": str(folder), "timeout": args.timeout, "bound": args.bound})
    return cases


def print_result(case, result):
    figures = ""
    if "seconds" in result:
        figures = f"compiled in {result['seconds']:.1f} s with {result['megabytes']:.0f} MB"
    if "error" in result:
        figures += f", error {result['error']:.1e}"
    print(f"{result['outcome']:7} {case['name']:28} {figures} {result['text']}".rstrip(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=pathlib.Path, nargs="*", help="models (default: ../shared/models)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build tree with hgc")
    parser.add_argument("--match", metavar="REGEX", help="only models whose name has a match")
    parser.add_argument("--device", choices=["cpu", "emulated"], default="cpu")
    parser.add_argument("-j", type=int, default=os.cpu_count(), metavar="N", help="models at a time")
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="CPU time of a compilation")
    parser.add_argument("--bound", type=float, default=BOUND, help=f"of the error (default: {BOUND})")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures of every model")
    args = parser.parse_args()
    args.build, args.folders = args.build.resolve(), [folder.resolve() for folder in args.folders]
    if not args.folders and not SHARED.is_dir():
        print(f"skipped: there is no folder {SHARED}", file=sys.stderr)
        return environment.SKIPPED
    environment.ensure(args.build, "requirements-models.txt")
    import library  # noqa: F401 - loaded once, before the workers are forked
    models = find_models(args)
    if not models:
        sys.exit("error: no model.onnx with test data\nhint: a model's folder holds model.onnx and test_data_set_0")
    results = pool.run_cases(models, Runner(args).run, args.j, print_result)
    if args.json:
        args.json.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    failed = sum(result["outcome"] == pool.FAILED for result in results.values())
    print(f"onnx models on {args.device}: {len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

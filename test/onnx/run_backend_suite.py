#!/usr/bin/env python3
"""Runs the test cases of the onnx package (onnx.backend.test) through compiled
libraries and compares with the suite's own results and tolerances.

Inputs of a case stay inputs of the library. A case counts when all its inputs
and outputs are dense tensors of floats (f16 to f64, bf16), integers of 8 to 64
bits, or bools. It passes, or hgc says that it does not support it and why, or it
fails: a wrong number, a crash, any other error. Two kinds of results are neither:
one draw of NumPy's random numbers, which no other generator gives ("unsupported"),
and values that differ by more than the tolerance of the case, yet by less than the
rounding of f32 next to the largest of them, so that the recorded ones are no better
("inexact"). What may not pass is listed in expected.json; --update rewrites that
file, and the counts in it may only rise.

Packages come from PyPI by pinned version. Without a network: status 77.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import environment
import pool

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXPECTED = pathlib.Path(__file__).resolve().parent / "expected.json"
CATEGORIES = ["node", "simple", "pytorch-converted", "pytorch-operator"]
# Outcomes of a case; the last is no part of the count.
PASSED, UNSUPPORTED, INEXACT, FAILED, NOT_COUNTED = "passed", "unsupported", "inexact", pool.FAILED, "not counted"
COUNTED = [PASSED, UNSUPPORTED, INEXACT, FAILED]
RANDOM_OPS = {"Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
              "RandomUniformLike"}
UNSUPPORTED_LINE = re.compile(r"note: (.*) \(\d+ nodes?: ")


# ---- one case, in a worker process -----------------------------------------


def is_dense(type_proto):
    import onnx
    t = onnx.TensorProto
    kinds = {t.FLOAT16, t.FLOAT, t.DOUBLE, t.BFLOAT16, t.INT8, t.INT16, t.INT32, t.INT64, t.UINT8, t.UINT16, t.UINT32,
             t.UINT64, t.BOOL}
    return type_proto.HasField("tensor_type") and type_proto.tensor_type.elem_type in kinds


class Difference(str):
    """Results of the right types and shapes with other values; `error` is the largest
    difference next to the largest value."""

    error = 0.0


def compare(results, expected, case):
    """What is wrong, judged as the suite's own runner does; None if nothing is."""
    import numpy as np
    if len(results) != len(expected):
        return f"{len(results)} results, expected {len(expected)}"
    for i, (result, reference) in enumerate(zip(results, expected)):
        if result.shape != reference.shape or result.dtype != reference.dtype:
            return (f"output {i} is {result.dtype}{list(result.shape)}, "
                    f"expected {reference.dtype}{list(reference.shape)}")
        exact = np.issubdtype(result.dtype, np.integer) or result.dtype == np.bool_
        a, b = (result, reference) if exact else (result.astype(np.float64), reference.astype(np.float64))
        close = np.isclose(a, b, rtol=case["rtol"], atol=case["atol"], equal_nan=True)
        if not close.all():
            at = tuple(int(n) for n in np.argwhere(~np.atleast_1d(close))[0])
            found = Difference(f"output {i}: {int((~close).sum())} of {close.size} elements differ, at {list(at)}: "
                               f"{np.atleast_1d(a)[at]}, expected {np.atleast_1d(b)[at]}")
            with np.errstate(all="ignore"):
                found.error = float("inf") if exact else float(np.abs(a - b).max() / np.abs(b).max())
            return found
    return None


def reason_of(error):
    """Reasons for which hgc does not import the model; nothing for other errors."""
    if error.status != 1 or "of the model cannot be imported" not in str(error):
        return ""
    return "; ".join(UNSUPPORTED_LINE.findall(str(error)))


def freeze_inputs(model, values):
    """The model with its integers of up to two dims as constants."""
    import onnx
    kept = []
    for value_info, value in zip(model.graph.input, values):
        if value.dtype.kind in "iub" and value.ndim < 2:
            model.graph.initializer.append(onnx.numpy_helper.from_array(value, value_info.name))
        else:
            kept.append((value_info, value))
    del model.graph.input[:]
    model.graph.input.extend(info for info, _ in kept)
    return [value for _, value in kept]


def judge(problem, model):
    """The outcome of a case whose library was called."""
    import numpy as np
    if isinstance(problem, Difference):
        if any(node.op_type in RANDOM_OPS for node in model.graph.node):
            return {"outcome": UNSUPPORTED, "text": "the expected values are one draw of NumPy's random numbers"}
        if problem.error <= 4 * np.finfo(np.float32).eps:
            return {"outcome": INEXACT, "text": f"{problem}; {problem.error:.1e} of the largest value"}
    return {"outcome": FAILED if problem else PASSED, "text": problem or ""}


class Runner:
    """Compiles and calls the model of a case, with files in a folder of its own."""

    def __init__(self, args):
        self.build, self.device, self.folder = args.build, args.device, None

    def execute(self, path, data_sets, inputs, case):
        """What is wrong with the results, or None."""
        import cases
        import library
        flags = list(cases.shape_flags(inputs, data_sets[0][0]))
        output = self.folder / "model.so"
        library.compile_model(self.build, path, output, flags, self.device, case["timeout"])
        with library.open_library(self.build, output, self.device) as compiled:
            for values, expected in data_sets:
                results = compiled.call(cases.order_inputs(compiled, inputs, values))
                problem = compare(results, expected, case)
                if problem:
                    return problem
        return None

    def passes_with_constants(self, path, data_sets, case):
        import library
        import onnx
        model = onnx.load(path)
        values = freeze_inputs(model, data_sets[0][0])
        if len(values) == len(data_sets[0][0]):
            return False
        frozen = self.folder / "frozen.onnx"
        onnx.save(model, frozen)
        try:
            return self.execute(frozen, [(values, data_sets[0][1])], model.graph.input, case) is None
        except (library.CompileError, library.CallError, subprocess.TimeoutExpired):
            return False

    def run(self, case, scratch):
        import cases
        import library
        import onnx
        self.folder = scratch
        folder = pathlib.Path(case["folder"])
        path = folder / "model.onnx"
        model = onnx.load(path)
        if not all(is_dense(value.type) for value in [*model.graph.input, *model.graph.output]):
            return {"outcome": NOT_COUNTED}
        data_sets = cases.load_data_sets(folder)
        inputs = model.graph.input[:len(data_sets[0][0])]
        try:
            problem = self.execute(path, data_sets, inputs, case)
        except library.CallError as error:
            problem = f"the call failed: {error}"
        except subprocess.TimeoutExpired:
            problem = f"hgc compile took more than {case['timeout']} s"
        except library.CompileError as error:
            reason = reason_of(error)
            if reason:
                return {"outcome": UNSUPPORTED, "text": reason,
                        "constants": self.passes_with_constants(path, data_sets, case)}
            problem = f"hgc compile ended with {error.status}: {str(error).strip()[:2000]}"
        return judge(problem, model)


# ---- all cases --------------------------------------------------------------


def find_cases(args):
    """Cases in order of their names; a sample is what has the smallest hashes, so
    that it changes little when cases come and go."""
    from onnx.backend.test.loader import load_model_tests
    cases = []
    for category in args.category or CATEGORIES:
        for test in load_model_tests(kind=category):
            if not args.match or re.search(args.match, test.name):
                cases.append({"name": test.name, "category": category, "folder": test.model_dir, "rtol": test.rtol,
                              "atol": test.atol, "timeout": args.timeout})
    cases.sort(key=lambda case: (case["category"], case["name"]))
    if args.sample and args.sample < len(cases):
        kept = sorted(cases, key=lambda case: hashlib.sha256(case["name"].encode()).digest())[:args.sample]
        cases = [case for case in cases if case in kept]
    return cases


def count(results):
    """Outcomes by category."""
    counts = {category: collections.Counter() for category in CATEGORIES}
    for result in results.values():
        counts[result["category"]][result["outcome"]] += 1
        counts[result["category"]]["constants"] += result.get("constants", False)
    return {category: counter for category, counter in counts.items() if counter}


def print_table(counts):
    head = ["category", "cases", NOT_COUNTED, "counted", *COUNTED, "passed %", "(with constants)"]
    rows = [head]
    for category, counter in counts.items():
        outcomes = [counter[outcome] for outcome in COUNTED]
        counted = sum(outcomes)
        rows.append([category, counted + counter[NOT_COUNTED], counter[NOT_COUNTED], counted, *outcomes,
                     f"{100 * counter[PASSED] / counted:.1f}" if counted else "-", counter["constants"]])
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(head))]
    for row in rows:
        cells = [str(cell).rjust(width) for cell, width in zip(row, widths)]
        print("  ".join([str(row[0]).ljust(widths[0]), *cells[1:]]))


def print_cases(results, list_unsupported):
    reasons = collections.defaultdict(list)
    for name, result in results.items():
        if result["outcome"] == UNSUPPORTED:
            reasons[result["text"]].append(name)
        if result["outcome"] in (FAILED, INEXACT):
            print(f"{result['outcome'].upper()} {name}: {result['text']}")
    for reason, names in sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"unsupported, {len(names)} cases: {reason}")
        if list_unsupported:
            print("\n".join(f"  {name}" for name in sorted(names)))


def summarize(results):
    """What --update writes."""
    import onnx
    counts = count(results)
    return {
        "onnx": onnx.__version__,
        "categories": {category: {"counted": sum(counter[outcome] for outcome in COUNTED),
                                  "passed": counter[PASSED]} for category, counter in counts.items()},
        "not passed": {name: result["text"] for name, result in sorted(results.items())
                       if result["outcome"] in (UNSUPPORTED, INEXACT)},
    }


def check_expected(expected, results, whole):
    """Complaints about what passed before."""
    problems = [f"{name} passed before and is {result['outcome']}: {result['text']}"
                for name, result in sorted(results.items())
                if result["outcome"] in (UNSUPPORTED, INEXACT) and name not in expected["not passed"]]
    if whole:
        now = summarize(results)["categories"]
        for category, before in expected["categories"].items():
            for key in ("counted", "passed"):
                if now[category][key] < before[key]:
                    problems.append(f"{category}: {now[category][key]} {key}, there were {before[key]}")
    return problems


def update_expected(results):
    """Writes expected.json; refuses lower counts."""
    problems = []
    if EXPECTED.exists():
        expected = json.loads(EXPECTED.read_text())
        expected["not passed"] = summarize(results)["not passed"]
        problems = check_expected(expected, results, True)
    if not problems:
        EXPECTED.write_text(json.dumps(summarize(results), indent=1) + "\n")
        print(f"wrote {EXPECTED.relative_to(ROOT)}")
    return problems


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build tree with hgc")
    parser.add_argument("--match", metavar="REGEX", help="only cases whose name has a match")
    parser.add_argument("--category", action="append", choices=CATEGORIES, help="only these (default: all)")
    parser.add_argument("--device", choices=["cpu", "emulated"], default="cpu",
                        help="emulated: GPU code, with every op pinned to the GPU, executed by the emulator")
    parser.add_argument("--sample", type=int, metavar="N", help="N cases, always the same")
    parser.add_argument("-j", type=int, default=os.cpu_count(), metavar="N", help="cases at a time")
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="for the compilation of a case")
    parser.add_argument("--list-unsupported", action="store_true", help="name the cases of each reason")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the result of every case")
    parser.add_argument("--update", action="store_true", help="write expected.json")
    args = parser.parse_args()
    args.build = args.build.resolve()
    if args.update and (args.match or args.category or args.sample or args.device != "cpu"):
        parser.error("--update needs a run of all cases on the CPU")
    return args


def main():
    args = parse_args()
    environment.ensure(args.build)
    import cases  # noqa: F401 - loaded once, before the workers are forked
    import library  # noqa: F401
    start = time.time()
    selected = find_cases(args)
    if not selected:
        sys.exit("error: no case matches\nhint: names look like test_relu; see --match and --category")
    results = pool.run_cases(selected, Runner(args).run, args.j)
    for case in selected:
        results[case["name"]]["category"] = case["category"]
    print_cases(results, args.list_unsupported)
    print_table(count(results))
    if args.json:
        args.json.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    whole = not (args.match or args.category or args.sample)
    if args.update:
        problems = update_expected(results)
    else:
        problems = check_expected(json.loads(EXPECTED.read_text()), results, whole)
    for problem in problems:
        print("error:", problem)
    total = collections.Counter(result["outcome"] for result in results.values())
    print(f"onnx suite on {args.device}: {total[PASSED]} passed, {total[UNSUPPORTED]} unsupported, "
          f"{total[INEXACT]} inexact, {total[FAILED]} failed, {total[NOT_COUNTED]} not counted, "
          f"{time.time() - start:.0f} s")
    return 1 if problems or total[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main())

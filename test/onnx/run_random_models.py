#!/usr/bin/env python3
"""Generates models with NNSmith, compiles them and compares what the libraries
compute with ONNX Runtime, which is given models with float16 tensors node by node:

  test/onnx/run_random_models.py --count 200

It goes on until as many models as asked for are compared. ONNX leaves open
what a maximum of NaNs is: of models with such operators the sets of inputs count that
give finite numbers at every node, or NNSmith's own where there is none. Models that NNSmith or
PyTorch cannot make or ONNX Runtime does not run are counted apart, and so are those
whose numbers differ where the reference is in doubt:

- ONNX Runtime gives other results without its optimisations, or for float inputs or
  weights that are changed by one unit in the last place (of the model, or of the first
  operator that differs), or is as far from a computation in double precision: the
  model rounds, compares or cancels what rounding errors decide;
- the reference implementation of the onnx package agrees with the library;
- the first operator that differs sees NaNs or infinities and is one of those for
  which ONNX does not say what they give, such as a maximum.

Models that fail or are in doubt are kept, with their inputs: NNSmith searches for a
limited time, so that a seed need not give the same model again. The error measure is
that of run_models.py; the bounds are 1e-4 and, where there are float16 tensors, 4e-3.
Without a network: status 77.
"""
import argparse
import collections
import itertools
import os
import pathlib
import random
import shutil
import sys
import time

import environment
import pool
import run_models

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PASSED, NO_MODEL, NO_REFERENCE = "passed", "no model", "no reference"
UNSTABLE, DISPUTED, UNDEFINED = "unstable", "disputed", "undefined"
OUTCOMES = {PASSED: "passed", pool.FAILED: "failed", NO_MODEL: "not generated", NO_REFERENCE: "not run by ONNX Runtime",
            UNSTABLE: "unstable in ONNX Runtime", DISPUTED: "where ONNX Runtime differs from ONNX's reference",
            UNDEFINED: "undefined after a NaN"}
HALF_BOUND = 4e-3
# Runtimes differ in what these make of NaNs, or of infinities times a weight of 0.
OPEN_FOR_NANS = {"ReduceMax", "ReduceMin", "ArgMax", "ArgMin", "MaxPool", "Resize"}


def run_session(model, optimised, data_sets):
    """What ONNX Runtime computes of a whole model, for each set of inputs."""
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if not optimised:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return [session.run(None, inputs) for inputs in data_sets]


def run_by_node(model, inputs):
    """What ONNX Runtime computes when it is given one node after the other."""
    values = dict(inputs)
    for node in model.graph.node:
        cut, seen = cut_node(model, node, values)
        values.update(zip(filter(None, node.output), run_session(cut, False, [seen])[0]))
    return [values[output.name] for output in model.graph.output]


def run_reference(model, optimised, data_sets):
    """What ONNX Runtime computes, for each set of inputs. Given a whole model, it computes
    float16 in float32 and does not round to float16 between nodes, as ONNX asks."""
    if has_halves(model):
        return [run_by_node(model, inputs) for inputs in data_sets]
    return run_session(model, optimised, data_sets)


def nudge(value, direction):
    """Floats moved by one unit in the last place."""
    import numpy as np
    return np.asarray(np.nextafter(value, value.dtype.type(direction))) if value.dtype.kind == "f" else value


def nudge_weights(model, direction):
    import onnx
    moved = onnx.ModelProto()
    moved.CopyFrom(model)
    for tensor in moved.graph.initializer:
        value = nudge(onnx.numpy_helper.to_array(tensor), direction)
        tensor.CopyFrom(onnx.numpy_helper.from_array(value, tensor.name))
    return moved


def worst_error(results, expected):
    return max(run_models.error_of(a, b) for found, known in zip(results, expected) for a, b in zip(found, known))


def to_double(model):
    """The model with its floats in double precision."""
    import numpy as np
    import onnx
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    floats = (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)
    attributes = [attribute for node in wide.graph.node for attribute in node.attribute]
    for tensor in [*wide.graph.initializer, *(attribute.t for attribute in attributes)]:
        if tensor.data_type in floats:
            value = onnx.numpy_helper.to_array(tensor).astype(np.float64)
            tensor.CopyFrom(onnx.numpy_helper.from_array(value, tensor.name))
    for attribute in attributes:
        if attribute.name == "to" and attribute.i in floats:
            attribute.i = onnx.TensorProto.DOUBLE
    for value in [*wide.graph.input, *wide.graph.output]:
        if value.type.tensor_type.elem_type in floats:
            value.type.tensor_type.elem_type = onnx.TensorProto.DOUBLE
    return wide


def error_of_precision(model, data_sets, expected):
    """The error of the reference itself; 0 where that cannot be told, as of numbers
    that only double precision can hold."""
    import numpy as np
    wide = [{name: value.astype(np.float64) if value.dtype.kind == "f" else value for name, value in inputs.items()}
            for inputs in data_sets]
    try:
        results = run_specification(to_double(model), wide)
    except Exception:  # noqa: it does not know every op and type
        return 0.0
    narrow = [[np.asarray(a, b.dtype) for a, b in zip(found, known)] for found, known in zip(results, expected)]
    error = worst_error(narrow, expected)
    return error if np.isfinite(error) else 0.0


def with_all_values(model):
    """The model with what every node computes as outputs, and these nodes."""
    import onnx
    known = {value.name: value for value in onnx.shape_inference.infer_shapes(model).graph.value_info}
    known.update((value.name, value) for value in model.graph.output)
    full = onnx.ModelProto()
    full.CopyFrom(model)
    nodes = [node for node in model.graph.node if node.op_type != "Constant" and node.output[0] in known]
    del full.graph.output[:]
    full.graph.output.extend(known[node.output[0]] for node in nodes)
    return full, nodes


def choose_data(model, data_sets):
    """All of them, or those without a NaN or an infinity where these leave results open."""
    import numpy as np
    full, nodes = with_all_values(model)
    if not any(node.op_type in OPEN_FOR_NANS for node in nodes):
        return data_sets
    finite = [inputs for inputs, values in zip(data_sets, run_reference(full, False, data_sets))
              if all(np.isfinite(value).all() for value in [*inputs.values(), *values])]
    return finite or data_sets[:1]


def cut_node(model, node, values):
    """A model of one node, whose inputs have these values."""
    import onnx
    seen = {name: values[name] for name in node.input if name in values}
    inputs = [onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
              for name, value in seen.items()]
    constants = [other for other in model.graph.node if other.op_type == "Constant" and other != node]
    results = [onnx.helper.make_empty_tensor_value_info(name) for name in node.output if name]
    graph = onnx.helper.make_graph([*constants, node], "node", inputs, results, model.graph.initializer)
    cut = onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    return cut, seen


def sensitivity(model, data_sets, expected):
    """The error that the smallest changes of inputs and weights make."""
    worst = 0.0
    for direction in ("-inf", "inf"):
        near = [{name: nudge(value, direction) for name, value in inputs.items()} for inputs in data_sets]
        for source, inputs in ((model, near), (nudge_weights(model, direction), data_sets)):
            worst = max(worst, worst_error(run_reference(source, True, inputs), expected))
    return worst


def run_specification(model, data_sets):
    """What the reference implementation of the onnx package computes."""
    import numpy as np
    from onnx.reference import ReferenceEvaluator
    evaluator = ReferenceEvaluator(model)
    return [[np.asarray(value) for value in evaluator.run(None, inputs)] for inputs in data_sets]


def save_case(folder, model, data_sets, expected):
    import numpy as np
    import onnx
    onnx.save(model, folder / "model.onnx")
    for number, (inputs, outputs) in enumerate(zip(data_sets, expected)):
        data = folder / f"test_data_set_{number}"
        data.mkdir(exist_ok=True)
        ordered = [inputs[info.name] for info in model.graph.input]
        for stem, values in (("input", ordered), ("output", outputs)):
            for i, value in enumerate(values):
                tensor = onnx.numpy_helper.from_array(np.asarray(value))
                (data / f"{stem}_{i}.pb").write_bytes(tensor.SerializeToString())


def has_halves(model):
    import onnx
    types = [value.type.tensor_type.elem_type for value in [*model.graph.input, *model.graph.output]]
    types += [tensor.data_type for tensor in model.graph.initializer]
    types += [attribute.i for node in model.graph.node if node.op_type == "Cast" for attribute in node.attribute]
    return onnx.TensorProto.FLOAT16 in types


class Runner:
    def __init__(self, args, generator):
        self.generator, self.models = generator, run_models.Runner(args)

    def run(self, case, scratch):
        """The outcome of one seed. The stage tells who is to blame for a crash."""
        folder = pathlib.Path(case["folder"])
        stage = folder / "stage"
        stage.write_text(NO_MODEL)
        try:
            model, data_sets = self.generator.make(case["seed"])
        except Exception as error:  # noqa: whatever NNSmith and PyTorch raise
            return {"outcome": NO_MODEL, "text": f"{type(error).__name__}: {error}"}
        stage.write_text(NO_REFERENCE)
        try:
            data_sets = choose_data(model, data_sets)
            expected = run_reference(model, True, data_sets)
        except Exception as error:  # noqa: ONNX Runtime has its own
            return {"outcome": NO_REFERENCE, "text": str(error)}
        save_case(folder, model, data_sets, expected)
        stage.unlink()
        case = dict(case, bound=HALF_BOUND if has_halves(model) else run_models.BOUND)
        result = dict(self.models.run(case, scratch), bound=case["bound"])
        if "error" in result and result["outcome"] == pool.FAILED:
            return self.doubt(case, scratch, result, model, data_sets, expected)
        return result

    def doubt(self, case, scratch, result, model, data_sets, expected):
        """Asks whether the reference of a model with other numbers is sound."""
        differs = worst_error(run_reference(model, False, data_sets), expected)
        if differs > case["bound"]:
            return dict(result, outcome=UNSTABLE, text=f"differs by {differs:.1e} without optimisations")
        differs = sensitivity(model, data_sets, expected)
        if 2 * differs >= result["error"]:
            return dict(result, outcome=UNSTABLE, text=f"differs by {differs:.1e} for the nearest inputs or weights")
        folder = pathlib.Path(case["folder"])
        try:
            save_case(folder, model, data_sets, run_specification(model, data_sets))
            if self.models.run(case, scratch)["outcome"] == PASSED:
                return dict(result, outcome=DISPUTED, text="agrees with the reference implementation of ONNX")
        except Exception as error:  # noqa: it does not know every op and type
            result["text"] += f"; the reference implementation of ONNX: {error}"
        save_case(folder, model, data_sets, expected)
        differs = error_of_precision(model, data_sets, expected)
        if 2 * differs >= result["error"]:
            return dict(result, outcome=UNSTABLE, text=f"differs by {differs:.1e} from double precision")
        return self.locate(case, scratch, result, model, data_sets)

    def locate(self, case, scratch, result, model, data_sets):
        """Tells the first operator that differs, by a model that returns all values."""
        import library
        import numpy as np
        import onnx
        full, nodes = with_all_values(model)
        source, output = scratch / "full.onnx", scratch / "full.so"
        onnx.save(full, source)
        try:
            library.compile_model(self.models.args.build, source, output, device=case["device"])
        except library.CompileError:
            return result
        for inputs, expected in zip(data_sets, run_reference(full, False, data_sets)):
            values = dict(inputs, **{node.output[0]: value for node, value in zip(nodes, expected)})
            with library.open_library(self.models.args.build, output, case["device"]) as compiled:
                found = compiled.call([inputs[value.name] for value in model.graph.input])
            for node, a, b in zip(nodes, found, expected):
                error = run_models.error_of(a, b)
                if not error <= case["bound"]:
                    result["text"] += f"; first at {node.op_type} {node.output[0]}"
                    cut, seen = cut_node(full, node, values)
                    if node.op_type in OPEN_FOR_NANS and not all(np.isfinite(value).all() for value in seen.values()):
                        result["outcome"] = UNDEFINED
                    elif 2 * sensitivity(cut, [seen], [[b]]) >= error:
                        result["outcome"] = UNSTABLE
                    return result
        return result


def finish_case(case, result):
    """Only models with other numbers stay; of one that failed it is told how to repeat."""
    folder = pathlib.Path(case["folder"])
    stage = folder / "stage"
    if result["outcome"] == pool.FAILED and stage.exists():
        result["outcome"] = stage.read_text()
    if result["outcome"] != PASSED:
        error = f"error {result['error']:.1e} " if "error" in result else ""
        print(f"{result['outcome']:12} {case['name']}: {error}{' '.join(result['text'].split())[:400]}", flush=True)
    if result["outcome"] in (PASSED, NO_MODEL, NO_REFERENCE):
        shutil.rmtree(folder)
    if result["outcome"] != pool.FAILED:
        return
    bound = result.get("bound", run_models.BOUND)
    print(f"  repeat: test/onnx/run_models.py --device {case['device']} --bound {bound} {os.path.relpath(folder)}",
          flush=True)


def run_seeds(args, generator):
    """Results by name; goes on until enough models were compared."""
    seeds = iter(range(args.seed, args.seed + 3 * args.count + 10))
    results, missing = {}, args.count
    while missing:
        chosen = list(itertools.islice(seeds, missing))
        if not chosen:
            break
        cases = [{"name": f"seed {seed}", "seed": seed, "folder": str(args.keep / str(seed)), "timeout": args.timeout,
                  "device": args.device} for seed in chosen]
        for case in cases:
            shutil.rmtree(case["folder"], ignore_errors=True)
            pathlib.Path(case["folder"]).mkdir(parents=True)
        results.update(pool.run_cases(cases, Runner(args, generator).run, args.j, finish_case))
        missing = args.count - sum(result["outcome"] in (PASSED, pool.FAILED) for result in results.values())
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build tree with hgc")
    parser.add_argument("--count", type=int, default=200, metavar="N", help="models to compare")
    parser.add_argument("--seed", type=int, help="of the first model (default: a random one)")
    parser.add_argument("--max-nodes", type=int, default=12, metavar="N", help="operators of a model at most")
    parser.add_argument("--device", choices=["cpu", "emulated"], default="cpu")
    parser.add_argument("-j", type=int, default=os.cpu_count(), metavar="N", help="models at a time")
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="CPU time of a compilation")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER",
                        help="for models that fail or are in doubt (default: random-models in the build tree, emptied)")
    args = parser.parse_args()
    args.build = args.build.resolve()
    if not args.keep:
        args.keep = args.build / "random-models"
        shutil.rmtree(args.keep, ignore_errors=True)
    args.keep = args.keep.resolve()
    environment.ensure(args.build, "requirements-export.txt")
    import library  # noqa: F401 - loaded once, before the workers are forked
    import nnsmith_models
    if args.seed is None:
        args.seed = random.SystemRandom().randrange(1 << 30)
    print(f"seeds from {args.seed}", flush=True)
    start = time.time()
    results = run_seeds(args, nnsmith_models.Generator(args.max_nodes))
    counts = collections.Counter(result["outcome"] for result in results.values())
    summary = ", ".join(f"{counts[key]} {text}" for key, text in OUTCOMES.items())
    print(f"random onnx models on {args.device}: {summary} in {time.time() - start:.0f} s")
    if counts[PASSED] + counts[pool.FAILED] < args.count:
        print(f"error: {args.count} models were asked for\nhint: most seeds should give a model; see what NNSmith says",
              file=sys.stderr)
        return 1
    return 1 if counts[pool.FAILED] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Tests of the comparison of training steps; the working folder has mlp_b32/model.so."""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import types
import unittest

import numpy as np

from peers import measure, native, stats, tables, watch
from training import cases
from training.steps import CHUNK, StepRunner

BENCHMARKS = pathlib.Path(cases.__file__).parent.parent


def load_command(name):
    """A script that has the name of a package."""
    spec = importlib.util.spec_from_file_location(f"{name}_command", BENCHMARKS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def perceptron_losses(count):
    """Losses of the first steps of the perceptron in f64, with gradients and Adam written out."""
    network = cases.NETWORKS["mlp"]
    p = {name: value.astype(np.float64) for name, value in cases.make_weights(network).items()}
    slots = {name: [np.zeros_like(value), np.zeros_like(value)] for name, value in p.items()}
    losses = []
    for step, (x, labels) in enumerate(cases.make_batches(network, 32)[:count], 1):
        hidden = np.maximum(x @ p["fc1.weight"] + p["fc1.bias"], 0)
        logits = hidden @ p["fc2.weight"] + p["fc2.bias"]
        probs = np.exp(logits - logits.max(1, keepdims=True))
        probs /= probs.sum(1, keepdims=True)
        losses.append(-np.log(probs[np.arange(32), labels]).mean())
        probs[np.arange(32), labels] -= 1
        probs /= 32
        inner = (probs @ p["fc2.weight"].T) * (hidden > 0)
        grads = {"fc2.weight": hidden.T @ probs, "fc2.bias": probs.sum(0), "fc1.weight": x.T @ inner,
                 "fc1.bias": inner.sum(0)}
        rate = cases.RATE * np.sqrt(1 - cases.BETA_2 ** step) / (1 - cases.BETA_1 ** step)
        for name, g in grads.items():
            m, v = slots[name]
            m += (g - m) * (1 - cases.BETA_1)
            v += (g * g - v) * (1 - cases.BETA_2)
            p[name] -= rate * m / (np.sqrt(v) + cases.EPSILON)
    return losses


class Cases(unittest.TestCase):
    def test_shapes(self):
        shapes = cases.weight_shapes(cases.NETWORKS["deep_cnn"])
        self.assertEqual(shapes["conv2.weight"], (3, 3, 32, 64))
        self.assertEqual(shapes["fc1.weight"], (1600, 128))
        self.assertEqual(cases.weight_shapes(cases.NETWORKS["cnn"])["fc.weight"], (5408, 10))

    def test_flops(self):
        # Forward and gradients of the weights, and of the hidden layer.
        self.assertEqual(cases.count_flops(cases.NETWORKS["mlp"], 32), 2 * 32 * (2 * 784 * 128 + 3 * 128 * 10))
        self.assertEqual(cases.count_flops(cases.NETWORKS["cnn"], 1), 2 * (2 * 26 * 26 * 32 * 9 + 3 * 5408 * 10))

    def test_data_repeat(self):
        network = cases.NETWORKS["cnn"]
        (x, labels), (again, _) = cases.make_data(network), cases.make_data(network)
        self.assertEqual((x.shape, x.dtype, labels.dtype), ((cases.ROWS, 28, 28, 1), np.float32, np.int32))
        self.assertTrue(np.array_equal(x, again))
        self.assertEqual(sum(len(batch) for batch, _ in cases.make_batches(network, 128)), cases.ROWS)

    def test_sources_exist(self):
        for network in cases.NETWORKS.values():
            text = (cases.ROOT / network.source).read_text()
            for name in cases.weight_shapes(network):
                self.assertIn(f"@{name} :", text)


class Steps(unittest.TestCase):
    def test_turns_start_anew(self):
        log = []
        runner = StepRunner(lambda: log.append("restart"), lambda first, count: log.append((first, count)) or 0.5, "",
                            checked=7)
        self.assertEqual(len(runner.time_calls(0, 2)), 2)
        self.assertEqual(log, ["restart", (1, 2), (3, CHUNK), (3 + CHUNK, CHUNK)])
        del log[:]
        self.assertEqual(len(runner.outputs()), 7)
        self.assertEqual(log[:3], ["restart", (1, 1), (2, 1)])


class Measuring(unittest.TestCase):
    def measure(self, losses):
        folder = pathlib.Path("mlp_b32").resolve()
        np.savez(folder / "data.npz", **{f"expected_{i:03}": np.array(loss) for i, loss in enumerate(losses)})
        about = {"network": "mlp", "batch": 32, "flops": 1, "bytes": 0}
        (folder / "model.json").write_text(json.dumps(about))
        cores, library = sorted(os.sched_getaffinity(0))[:1], native.build(folder)
        plan = types.SimpleNamespace(contenders=["hgc"], cores=cores, native=library, rounds=5, seconds=0.001, patience=60,
                                     quick=True, package="training", watch=watch.Watch(library, cores))
        return measure.measure(cases.LINES[0], folder, about, plan, {})

    def test_a_step_is_timed_and_its_losses_are_right(self):
        losses = perceptron_losses(cases.NETWORKS["mlp"].checked)
        ours = self.measure(losses)["contenders"]["hgc"]
        self.assertNotIn("reason", ours)
        self.assertLess(ours["error"], 1e-5)
        self.assertEqual(len(ours["rounds"]), 5)
        # Each loss counts, also one that is small beside the others.
        losses[-1] *= 1.001
        self.assertIn("wrong results", self.measure(losses)["contenders"]["hgc"]["reason"])


class Output(unittest.TestCase):
    def test_report_of_results(self):
        command, folder = load_command("training"), pathlib.Path("report")
        result = {"model": "mlp_b32", "ratios": [stats.Ratio("jax", 2.0, 1.9)._asdict()], "misses": [], "percent": "50 %",
                  "rounds": "5 of 1 s each", "contenders": {"hgc": {"median": 1e-4, "error": 0}, "jax": {"median": 2e-4}}}
        (folder / "mlp_b32").mkdir(parents=True, exist_ok=True)
        (folder / "mlp_b32" / "result-1.json").write_text(json.dumps(result))
        args = types.SimpleNamespace(threads=1, peers=["jax"], hgc_flag=[], update_readme=False)
        plan = types.SimpleNamespace(contenders=["hgc", "jax"], rounds=5, seconds=1,
                                     watch=types.SimpleNamespace(turns=0))
        read = command.read_result(args, folder / "mlp_b32")
        with contextlib.redirect_stdout(io.StringIO()) as text, contextlib.redirect_stderr(io.StringIO()):
            command.write_report(args, plan, folder, [read], {"jax": "not asked for its version"})
        self.assertIn("| mlp_b32 | 100 us | 200 us | jax | 2.00 | 1.90 | 50 % | 0e+00 / - | holds |", text.getvalue())
        self.assertTrue((folder / "training-1.svg").exists())
        with self.assertRaisesRegex(SystemExit, "hint: leave --report out"):
            command.read_result(args, folder / "cnn_b32")

    def test_readme_has_the_markers(self):
        page = (BENCHMARKS / "README.md").read_text()
        for writer in ("training", "pipeline"):
            for threads in (1, 2):
                changed = tables.replace_part(page, f"{writer}, threads {threads}", "new", f"{writer}.py")
                self.assertIn(f"<!-- {writer}, threads {threads}: written by {writer}.py -->\nnew\n", changed)


class Pipeline(unittest.TestCase):
    def test_models(self):
        command = load_command("pipeline")
        for name in ("mlp", "cnn"):
            network = cases.NETWORKS[name]
            text = command.add_preprocess((cases.ROOT / network.source).read_text(), network.row)
            pathlib.Path(f"bytes_{name}.mlir").write_text(text)

    def test_idx(self):
        command = load_command("pipeline")
        command.write_idx(pathlib.Path("a.idx"), np.arange(6, dtype=np.uint8).reshape(2, 3))
        self.assertEqual(pathlib.Path("a.idx").read_bytes(), bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, *range(6)]))

    def test_report(self):
        command = load_command("pipeline")
        share = {"median": 0.97, "bound": 0.96}
        good = {"line": "mlp_b32", "steps": {"loop": 100, "arrays": 98, "bytes": 97}, "loop": share, "arrays": share}
        bad = {**good, "loop": {"median": 0.94, "bound": None}}
        text = command.report(types.SimpleNamespace(threads=1, rounds=5, seconds=1.0), [good, bad])
        self.assertIn("| mlp_b32 | 100 | 98 | 97 | 0.970 | 0.960 | 0.970 | 0.960 | holds |", text)
        self.assertIn("| 0.940 | - | 0.970 | 0.960 | below 0.95 |", text)


if __name__ == "__main__":
    unittest.main()

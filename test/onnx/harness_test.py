#!/usr/bin/env python3
"""Tests the ONNX harness itself: wrong results, crashes and hanging cases must be
seen. Without a network: status 77."""
import contextlib
import io
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import unittest
from unittest import mock

import environment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
environment.ensure(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build")

import numpy as np  # noqa: E402

import pool  # noqa: E402
import run_backend_suite as suite  # noqa: E402
import run_models  # noqa: E402
import run_random_models as random_models  # noqa: E402

CASE = {"rtol": 1e-3, "atol": 1e-7}


def behave(case, folder):
    """Does what the name of a case says."""
    if case["name"] == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if case["name"] == "hang":
        time.sleep(3600)
    if case["name"] == "raise":
        raise ValueError("no")
    (folder / "file").touch()
    return {"outcome": suite.PASSED, "text": ""}


class Comparison(unittest.TestCase):
    def check(self, result, expected, message):
        found = suite.compare([np.asarray(result)], [np.asarray(expected)], CASE)
        self.assertIn(message, found) if message else self.assertIsNone(found)

    def test_values(self):
        self.check([1.0, 2.0], [1.0, 2.001], None)
        self.check([1.0, 2.0], [1.0, 2.01], "1 of 2 elements differ, at [1]")
        self.check([1, 2], [1, 3], "at [1]: 2, expected 3")
        self.check(np.float16([1]), np.float16([1.5]), "differ")

    def test_special_values(self):
        self.check([np.nan, np.inf], [np.nan, np.inf], None)
        self.check([np.nan], [1.0], "differ")
        self.check([np.inf], [-np.inf], "differ")

    def test_types(self):
        self.check(np.float32([1]), np.float64([1]), "expected float64[1]")
        self.check([[1.0]], [1.0], "expected float64[1]")
        self.assertIn("0 results", suite.compare([], [np.zeros(1)], CASE))

    def test_error_measure(self):
        b = np.float32([100, 1])
        self.assertEqual(run_models.error_of(b, b), 0)
        self.assertAlmostEqual(run_models.error_of(np.float32([100, 2]), b), 0.01)
        self.assertEqual(run_models.error_of(np.float32([np.nan, 1]), b), float("inf"))
        self.assertEqual(run_models.error_of(b, np.float32([np.inf, 1])), float("inf"))


class Judgement(unittest.TestCase):
    def judge(self, op, result, expected):
        import onnx
        graph = onnx.helper.make_graph([onnx.helper.make_node(op, ["x"], ["y"])], "g", [], [])
        model = onnx.helper.make_model(graph)
        return suite.judge(suite.compare([np.float32(result)], [np.float32(expected)], CASE), model)["outcome"]

    def test_outcomes(self):
        self.assertEqual(self.judge("Abs", [1, 2], [1, 2]), suite.PASSED)
        self.assertEqual(self.judge("Abs", [1, 2], [1, 3]), suite.FAILED)
        self.assertEqual(self.judge("Abs", [1, 0], [1, 3e-7]), suite.INEXACT)
        self.assertEqual(self.judge("Abs", [1, 0], [1, 6e-7]), suite.FAILED)
        self.assertEqual(self.judge("Abs", [0, np.nan], [0, 0]), suite.FAILED)
        self.assertEqual(self.judge("Bernoulli", [1, 0], [0, 1]), suite.UNSUPPORTED)
        self.assertEqual(self.judge("Bernoulli", [[1, 0]], [0, 1]), suite.FAILED)


class Expectations(unittest.TestCase):
    def test_lower_counts(self):
        result = {"outcome": suite.UNSUPPORTED, "category": "node", "text": "Abs: no"}
        expected = {"categories": {"node": {"counted": 2, "passed": 1}}, "not passed": {}}
        problems = suite.check_expected(expected, {"test_abs": result}, whole=True)
        self.assertEqual(len(problems), 3, problems)
        self.assertEqual(suite.check_expected(expected, {"test_abs": dict(result, outcome=suite.PASSED)}, False), [])


class RandomModels(unittest.TestCase):
    def make_model(self):
        import onnx
        from onnx import helper, TensorProto
        weight = onnx.numpy_helper.from_array(np.float16([1, 2]), "w")
        nodes = [helper.make_node("Cast", ["x"], ["half"], to=TensorProto.FLOAT16),
                 helper.make_node("Add", ["half", "w"], ["y"])]
        graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT16, [2])], [weight])
        return helper.make_model(graph)

    def test_models(self):
        model = self.make_model()
        self.assertTrue(random_models.has_halves(model))
        full, nodes = random_models.with_all_values(model)
        self.assertEqual([value.name for value in full.graph.output], ["half", "y"])
        self.assertEqual([node.op_type for node in nodes], ["Cast", "Add"])
        cut, seen = random_models.cut_node(model, nodes[1], {"x": np.float32([1, 2]), "half": np.float16([1, 2])})
        self.assertEqual((list(seen), [node.op_type for node in cut.graph.node]), (["half"], ["Add"]))
        self.assertEqual(random_models.run_specification(cut, [seen])[0][0].tolist(), [2, 4])
        wide = random_models.to_double(model)
        self.assertFalse(random_models.has_halves(wide))
        result = random_models.run_specification(wide, [{"x": np.float64([1e-9, 1])}])[0][0]
        self.assertEqual(result.tolist(), [1 + 1e-9, 3])

    def test_choice_of_data(self):
        from onnx import helper, TensorProto
        log, largest = helper.make_node("Log", ["x"], ["l"]), helper.make_node("ReduceMax", ["l"], ["y"], keepdims=0)
        values = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])]
        values += [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape) for shape in ([], [2])]
        model = helper.make_model(helper.make_graph([log, largest], "g", values[:1], values[1:2]),
                                  opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        bad, good = {"x": np.float32([-1, 1])}, {"x": np.float32([1, 2])}
        plain = helper.make_model(helper.make_graph([helper.make_node("Log", ["x"], ["y"])], "g", values[:1], values[2:]))
        # The environment of this test has no ONNX Runtime.
        with mock.patch.object(random_models, "run_reference", lambda m, _, data: random_models.run_specification(m, data)):
            self.assertEqual(random_models.choose_data(model, [bad, good]), [good])
            self.assertEqual(random_models.choose_data(model, [bad]), [bad])
            self.assertEqual(random_models.choose_data(plain, [bad, good]), [bad, good])

    def test_nudge(self):
        self.assertEqual(random_models.nudge(np.float32(1), "inf"), np.float32(1) + np.finfo(np.float32).eps)
        self.assertEqual(random_models.nudge(np.int64([1]), "inf").tolist(), [1])

    def test_crash(self):
        """A crash before the library's turn is not its own; the files of one that is stay."""
        for stage, outcome, stays in ((random_models.NO_REFERENCE, random_models.NO_REFERENCE, False),
                                      (None, pool.FAILED, True)):
            folder = pathlib.Path(tempfile.mkdtemp())
            if stage:
                (folder / "stage").write_text(stage)
            result = {"outcome": pool.FAILED, "text": "crash"}
            with contextlib.redirect_stdout(io.StringIO()) as out:
                random_models.finish_case({"name": "seed 1", "folder": str(folder), "device": "cpu"}, result)
            self.assertEqual((result["outcome"], folder.exists()), (outcome, stays))
            self.assertEqual("run_models.py" in out.getvalue(), stays)
            shutil.rmtree(folder, ignore_errors=True)


class Pool(unittest.TestCase):
    def test_bad_cases(self):
        names = ["crash", "good", "hang", "raise", "better"]
        # Only the one that hangs runs out of time, however busy the machine is.
        cases = [{"name": name, "timeout": 0.3 if name == "hang" else 600} for name in names]
        results = pool.run_cases(cases, behave, jobs=2)
        texts = {name: results[name]["text"] for name in names}
        self.assertEqual([results[n]["outcome"] for n in names], ["failed", "passed", "failed", "failed", "passed"])
        self.assertIn("crash: the process that called the library ended with -11", texts["crash"])
        self.assertIn("no result after", texts["hang"])
        self.assertIn("ValueError: no", texts["raise"])


if __name__ == "__main__":
    unittest.main()
